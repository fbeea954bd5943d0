/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Is it a pipeline: do ranks of a line wait for a block from the one before, compute, and pass one
 * on to the next? And what a block needs, and a sweep of all blocks over all ranks took: the inputs
 * of the Diamond DAG's makespan, from the trace. A sweep ends where the line is empty: the last
 * rank is done before the first one goes on. For opinion_diamond.c and the rules.
 */
#ifndef ANALYZE_PIPELINE_LOAD_H
#define ANALYZE_PIPELINE_LOAD_H

#include "analyze/gains/evidence_base.h"
#include "analyze/opinion/stripes.h"
#include "models/diamond_dag.h"

struct pipeline_load {
	uint32_t P;         /* ranks in the line */
	uint32_t sweeps;    /* one way or the other */
	double blocks;      /* of a sweep, mean, */
	double bytes;       /* and of a block, */
	double work_s;      /* a rank's computation for a block, */
	double slowest_s;   /* that of the rank with most, */
	double makespan_s;  /* and of a sweep, from its first rank's start to its last one's end */
	uint32_t send_call; /* one that passes a block on */
	uint32_t hops[LOCALITY_COUNT];    /* within a node, and others; */
	uint32_t ends[LOCALITY_COUNT][2]; /* of one of each its sender and receiver */
	int is_synchronous;               /* 1: sends are, whatever the size, */
	int is_blocking;                  /* and they return when they are done */
};

/*
 * Was a rank without a core for so much of the run that what it did for a block need not be its
 * work?
 */
int pipeline_lacks_cores(const struct trace *t);

/*
 * Of these messages. Returns 1 and fills out when it is, 0 and *why_not (a literal) when it is not,
 * -1 with *err set (out of memory).
 */
int pipeline_load_find(const struct evidence_base *b, struct some_messages some,
		       struct pipeline_load *out, const char **why_not, struct err *err);

/* Of the messages of one place: a key of b's senders. */
int pipeline_load_at(const struct evidence_base *b, uint32_t key, struct pipeline_load *out,
		     const char **why_not, struct err *err);

/*
 * The stripes if a sweep had so many blocks, with the same work and bytes in all. Returns 0, or -1:
 * the machine's parameters are not known.
 */
int pipeline_stripes(const struct evidence_base *b, const struct pipeline_load *x, double blocks,
		     struct diamond_stripes *out);

/* Has one rank so much more to do for a block than others that it alone sets the pace? */
int pipeline_is_uneven(const struct pipeline_load *x, const struct diamond_stripes *stripes);

/*
 * With how many blocks a sweep is soonest done, by the model; of those that are as good, but for
 * one in a hundred, the number that is nearest to what it has. The machine's parameters are known.
 */
double pipeline_best_blocks(const struct evidence_base *b, const struct pipeline_load *x);

#endif
