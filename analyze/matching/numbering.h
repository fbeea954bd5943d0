/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which of a communicator's blocking collectives each record is: MPI orders them the same on all
 * members. Our own recorder says how many it left out in a pause. Of another's that is found out
 * where a member was recorded throughout: what a pause left out is then the difference, and only
 * between two pauses of one rank nobody knows. Where none was and they differ, only what came
 * before the first and after the last pause has a number.
 */
#ifndef ANALYZE_NUMBERING_H
#define ANALYZE_NUMBERING_H

#include "analyze/matching/stretches.h"

#define NUMBERING_UNKNOWN UINT64_MAX

struct numbering {
	const struct trace *t;
	struct stretches stretches;
	struct numbering_comm *comm;
	uint32_t rank;  /* at work, */
	uint64_t visit; /* and how many were before */
};

/* Returns 0, or -1: out of memory. Release it in any case. */
int numbering_init(struct numbering *n, const struct trace *t);
void numbering_release(struct numbering *n);

/* Is the record one of a blocking collective that has a place? */
int numbering_counts(const struct numbering *n, const struct op *op);

/* The rank's are next, from its first. */
void numbering_begin(struct numbering *n, uint32_t rank);

/* The number of its next collective, op, on op->comm; or NUMBERING_UNKNOWN. */
uint64_t numbering_next(struct numbering *n, const struct op *op);

#endif
