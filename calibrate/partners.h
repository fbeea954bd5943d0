/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which ranks of a job communicate with which when many do at once: between two nodes where
 * there are two, else within the one. Pure, apart from memory during a call.
 */
#ifndef CALIBRATE_PARTNERS_H
#define CALIBRATE_PARTNERS_H

#include "calibrate/places.h"

/*
 * Pairs of ranks from rank 0's host to the host that has the most others, or within the host
 * when it is the only one. Returns how many; pairs has room for n ranks. 0 without memory.
 */
int partners_pairs(const struct place places[], int n, int pairs[n]);

/*
 * For rank 0 in the middle of a fan: the ranks of other hosts, the first of each host before
 * the second of any; all others where no other host has one. Returns how many; room for n.
 */
int partners_fan(const struct place places[], int n, int others[n]);

/* The first rank of each host, in ascending order. Returns how many; room for n. */
int partners_firsts(const struct place places[], int n, int firsts[n]);

#endif
