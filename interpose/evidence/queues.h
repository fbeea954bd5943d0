/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lengths of MPI's own message queues, and how long MPI searched them, through MPI_T
 * performance variables of the process or bound to MPI_COMM_WORLD: Open MPI's ob1 has the lengths,
 * its software counters the time (both off as packaged: configure --enable-spc, and mpi_spc_attach
 * when run), MPICH all when it was configured so (--enable-mpit-pvars=recvq). Opening MPI_T
 * makes Open MPI load all its components (some 0.1 s), so this is done with --queues only.
 * The recorder looks when messages complete, at most every millisecond; a look costs about
 * as many loads as there are ranks.
 */
#ifndef INTERPOSE_QUEUES_H
#define INTERPOSE_QUEUES_H

#include <mpi.h>
#include <stdint.h>

#include "interpose/evidence/counters.h"

struct lane;

enum { QUEUES = 2, QUEUE_VARIABLES = 7 };

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

static inline void queues_count(struct counters *c)
{
	(void)c;
}
#else
struct queue_variable {
	int count; /* values: one a rank, or one in all */
	enum { QUEUE_NARROW, QUEUE_WIDE, QUEUE_REAL } type;
	uint64_t *value; /* room for them; NULL: MPI has no such variable */
	double origin;   /* of a time: what it was at the beginning, in ns */
	MPI_T_pvar_handle handle;
};

struct queues {
	int open; /* there is at least one */
	MPI_T_pvar_session session;
	struct queue_variable variable[QUEUE_VARIABLES];
	uint64_t due; /* tick of the next look */
};

/* In MPI_Init: find the variables. */
void queues_start(void);

/* A message has completed: look, when it is time. */
void queues_look(struct lane *l, uint64_t now);

/*
 * Add how long MPI searched since the beginning; while that is no time, nothing says that it
 * counts.
 */
void queues_count(struct counters *c);
#endif

#endif
