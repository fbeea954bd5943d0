/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a collective operation takes on an idle machine, by the algorithms that MPI libraries
 * choose from, in pLogP's terms (a step of m bytes is L + g(m); Kielmann et al. 2000): trees,
 * recursive doubling and halving, rings (Thakur, Rabenseifner, Gropp, IJHPCA 2005), the
 * log-step exchange (Bruck et al., IEEE TPDS 1997). The least of them is the time of a library
 * that chooses well; reductions' arithmetic and messages cut into segments are left out.
 * Pure: no I/O, no globals; safe from any thread. Seconds and bytes.
 */
#ifndef MODELS_ALGORITHMS_H
#define MODELS_ALGORITHMS_H

#include "models/plogp.h"

/* What is done, and what its bytes are. */
enum algorithm_goal {
	ALGORITHM_BARRIER,        /* none */
	ALGORITHM_BROADCAST,      /* that every process gets */
	ALGORITHM_REDUCE,         /* of each process's operand */
	ALGORITHM_ALLREDUCE,      /* likewise */
	ALGORITHM_SCAN,           /* likewise */
	ALGORITHM_GATHER,         /* of each process's part; a scatter likewise */
	ALGORITHM_ALLGATHER,      /* of each process's part */
	ALGORITHM_ALLTOALL,       /* from each process to each other one */
	ALGORITHM_REDUCE_SCATTER, /* of each process's whole operand */
	ALGORITHM_GOALS
};

struct algorithm_time {
	const char *name; /* of the fastest: "binomial tree" */
	double time_s;
};

/*
 * The fastest way among n processes. Returns 0, or -1 with *err set and *out untouched: n < 2,
 * bytes negative or no number, p not as plogp_check() wants it.
 */
int algorithm_best(enum algorithm_goal goal, struct plogp p, double n, double bytes,
		   struct algorithm_time *out, struct err *err);

#endif
