/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A rank's own time, piece by piece: what it did before each MPI call, from MPI_Init's end on, and
 * between the polls that a call stands for. Access to files by this rank alone is part of it, and
 * waiting for that. What the calls that all ranks make together, each waiting for all, cut the run
 * into are its steps; or, where ranks wait for each other otherwise, the calls that they make
 * together, where a root waits for all or all for it; or those at a place that all come to equally
 * often, if these are more.
 */
#ifndef ANALYZE_OWN_PIECES_H
#define ANALYZE_OWN_PIECES_H

#include "analyze/gains/evidence_base.h"

struct own_steps {
	uint32_t place; /* its calls end steps, too; TRACE_NONE: none does */
	int rooted;     /* collectives with a root do, too */
	uint32_t most;  /* a rank has no more of them */
	uint32_t apart; /* a rank that has no share of the others' work, or TRACE_NONE; */
	uint32_t share; /* so many ranks have one */
};

/* All ranks have a share of the work. Returns 0, or -1 with *err set (out of memory). */
int own_steps_find(const struct evidence_base *b, struct own_steps *out, struct err *err);

struct own_piece {
	uint32_t call;   /* before which it is */
	uint32_t before; /* the MPI call before it, or TRACE_NONE */
	uint32_t step;   /* 0 ... */
	double own_s;
	double files_s; /* of it, in calls that read and write files */
};

typedef void own_pieces_visit(void *what, const struct own_piece *p);

/* Visit those of a rank, in their order. */
void own_pieces_each(const struct evidence_base *b, const struct own_steps *steps, uint32_t rank,
		     own_pieces_visit *visit, void *what);

/* Its own time just before a call that it reached then, s. */
double own_pieces_s(const struct evidence_base *b, uint32_t call, int64_t reach_ns);

#endif
