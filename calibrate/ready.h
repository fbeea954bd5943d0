/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Before anything is measured: two ranks connect, and use the memory that their MPI keeps for
 * messages until all of it was used. MPICH 4.0 within a node has 64 pieces of it for each rank, and
 * the first message through each takes longer: 96 B there and back took 2.9 us instead of 0.6, 8
 * KiB 7.5 us instead of 1.7 (two threads of a core, AMD EPYC). Seconds.
 */
#ifndef CALIBRATE_READY_H
#define CALIBRATE_READY_H

#include "calibrate/pair.h"

/* What a round trip takes, and what a byte more, roughly. */
struct ready {
	double rtt_s, byte_s;
};

/* The asking side. It takes about most_s at most, or as long as some messages do. */
struct ready ready_pair(struct pair *p, double most_s);

#endif
