/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bruck's slowdown factor (Bruck et al., IEEE TPDS 1997): the linear model of an algorithm of
 * several rounds, times a measured factor for what the network loses to congestion.
 * Pure; bytes and any one unit of time.
 */
#ifndef MODELS_BRUCK_H
#define MODELS_BRUCK_H

#include "common/err.h"
#include "models/hockney.h"

struct bruck {
	struct hockney link;
	double rounds;   /* messages of one process, one after another; a whole number */
	double slowdown; /* at least 1 */
};

/* T = slowdown rounds (alpha + m beta). Returns 0, or -1 with *err set, *time untouched. */
int bruck_time(struct bruck b, double bytes, double *time, struct err *err);

#endif
