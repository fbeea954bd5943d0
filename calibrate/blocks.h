/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples taken in blocks, a few in a row, with other measurements in between. Those of a block
 * have the machine's state at that time in common, so that many of them say less than as many
 * that are independent: the interval of the median is that of all samples and that of the
 * blocks' medians together, whichever reaches further (batch means, with medians). Seconds.
 */
#ifndef CALIBRATE_BLOCKS_H
#define CALIBRATE_BLOCKS_H

#include "calibrate/samples.h"

struct blocks {
	struct samples all, median; /* median: one of each block */
};

/* Add a block and empty it. Returns 0, or -1 without memory. */
int blocks_add(struct blocks *b, struct samples *block);
void blocks_release(struct blocks *b);

/* n is the number of samples. */
struct estimate blocks_median(struct blocks *b);

/*
 * What differs between two launches of the same job on an idle machine and cannot be seen in
 * one: the memory the ranks happen to get and what else there is in the caches. A share of the
 * value, with which 95 % of all pairs of launches have intervals in common. In 24 launches each of
 * Open MPI 4.1 and MPICH 4.0 within a virtual machine of two processors (AMD EPYC, a cache line 480
 * ns there and back in all of them) that was 0 up to 64 B, 0.06 up to 64 KiB, and of 256 KiB, 21.2
 * to 31.7 us, 0.03 and 0.12; in 20 launches between two emulated hosts, TCP with 50 Mbit/s, nothing
 * from 4 KiB on: the link's part of a round trip is none of what a launch changes. Below, ranks
 * slept and woke up in 20 us or in 90 us: see moved.h.
 */
#define BLOCKS_LAUNCH_SHARE 0.12

/*
 * The interval for whoever launches again: with that share of what the processors take of the
 * value, at most all of it, in quadrature. Who had a core for a share of the time only may have
 * measured what takes that share of it on an idle machine.
 */
struct estimate blocks_relaunched(struct estimate e, double processors_s, double core_share);

#endif
