/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lengths of MPI's own message queues, through MPI_T performance variables bound to
 * MPI_COMM_WORLD: Open MPI's ob1 has them, MPICH when it was configured so. Opening MPI_T
 * makes Open MPI load all its components (some 0.1 s), so this is done with --queues only.
 * The recorder looks when messages complete, at most every millisecond; a look costs about
 * as many loads as there are ranks.
 */
#ifndef INTERPOSE_QUEUES_H
#define INTERPOSE_QUEUES_H

#include <mpi.h>
#include <stdint.h>

#include "interpose/counters.h"

struct lane;

enum { QUEUES = 2 };

#ifdef CONTEND_SIMULATED /* SMPI has no MPI_T, and a simulated MPI no queues to look at */
struct queues {
	int open;
};

static inline void queues_start(void)
{
}

static inline void queues_look(struct lane *l, uint64_t now)
{
	(void)l;
	(void)now;
}
#else
struct queue {
	enum counter counter;
	int count;       /* values: one a rank, or one in all */
	int wide;        /* they are 64 bits */
	uint64_t *value; /* NULL: MPI has no such variable */
	MPI_T_pvar_handle handle;
};

struct queues {
	int open; /* there is at least one */
	MPI_T_pvar_session session;
	struct queue queue[QUEUES];
	uint64_t due; /* tick of the next look */
};

/* In MPI_Init: find the variables. */
void queues_start(void);

/* A message has completed: look, when it is time. */
void queues_look(struct lane *l, uint64_t now);
#endif

#endif
