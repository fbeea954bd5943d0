/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run cut into phases: at every collective of all ranks, and between collectives at the
 * program's loops, which show as returns to call sites that were there before. Stretches
 * that visit the same call sites are one phase, however often they come. Cost is
 * proportional to the calls.
 */
#ifndef ANALYZE_PHASES_H
#define ANALYZE_PHASES_H

#include "analyze/matching/collectives.h"
#include "analyze/matching/messages.h"

struct phase {
	int64_t begin_ns;  /* first entry of one of its calls */
	int64_t end_ns;    /* last return */
	int64_t spent_ns;  /* by all ranks in between: its calls and the computation before each; */
			   /* nothing of MPI_Init, and no pauses */
	uint32_t rounds;   /* how often it was run: the most of any rank */
	uint32_t calls;    /* that communicate */
	uint32_t sites;    /* different places of them, but for the collective at the end */
	uint32_t ended_by; /* region of the collective that ends it, or TRACE_NONE */
	double inside_s;   /* by all ranks in its calls */
};

struct phases {
	struct phase *p; /* in order of time */
	uint32_t n;
	uint32_t *of_call; /* per call: its phase, TRACE_NONE for those that do not communicate */
	uint32_t *visit;   /* per call: its rank's rounds of all phases, counted as they begin */
	uint32_t *of_message; /* per message: the phase of the call that sends it */
};

/* Returns 0, or -1 with *err set (out of memory). Caller frees with phases_release. */
int phases_find(const struct trace *t, const struct messages *m, const struct collectives *c,
		struct phases *out, struct err *err);
void phases_release(struct phases *p);

/* Of one rank in one phase: the computation before its calls and those, and those alone. */
struct phase_time {
	int64_t spent_ns;
	int64_t inside_ns;
};

/* phase: from 0. rank: room for an element for each rank. */
void phases_time(const struct trace *t, const struct phases *p, uint32_t phase,
		 struct phase_time *rank);

/* Does the call send, receive, wait or meet the others? Failing polls do not count. */
int phases_communicates(const struct trace *t, uint32_t call);

#endif
