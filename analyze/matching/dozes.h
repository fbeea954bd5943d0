/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Polls with sleep between them: a program that asks in vain (MPI_Test, MPI_Iprobe), sleeps, and
 * asks again waits, as in MPI, for what it asked; but while it sleeps it sees no message come.
 */
#ifndef ANALYZE_DOZES_H
#define ANALYZE_DOZES_H

#include "analyze/matching/messages.h"
#include "analyze/trace.h"

/*
 * Of ranks that certainly, or as often as they polled, slept there let each poll in vain last
 * until the next one: a call that is one of t's floods, which knows for how long of that the rank
 * was asleep. Where the system does not say how long a rank ran, or several threads of it call,
 * nothing is changed. Returns 0, or -1 with *err set (out of memory).
 */
int dozes_mark(struct trace *t, const struct messages *m, struct err *err);

/* A poll in vain and the sleep after it; NULL: the call is none. */
static inline const struct flood *dozes_at(const struct trace *t, uint32_t call)
{
	const struct flood *flood = trace_flood(t, &t->calls[call]);

	return flood && flood->asleep_ns ? flood : NULL;
}

/* How long a rank slept so, ns. */
int64_t dozes_of_rank_ns(const struct trace *t, const struct rank *r);

#endif
