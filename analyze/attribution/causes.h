/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a wait for a late rank was for, instant by instant: what that rank did then, and while it
 * waited for a late one itself, what that one did. So each instant of a wait has one rank and one
 * thing that it did. For lateness.c only.
 */
#ifndef ANALYZE_CAUSES_H
#define ANALYZE_CAUSES_H

#include "analyze/attribution/late_waits.h"
#include "analyze/attribution/lateness.h"

/* What one rank did during a wait, of one kind. */
struct cause {
	uint32_t rank;
	enum lateness_reason reason;
	uint32_t at; /* where most of it was, or before which call; or TRACE_NONE */
	int64_t most_ns;
	int64_t ns;
	int64_t direct_ns; /* of it, in which it was the rank that is waited for */
};

/* A while in which what a rank did is asked for. */
struct stretch {
	uint32_t rank;
	uint32_t hops; /* from the rank that is waited for */
	int64_t from_ns, until_ns;
};

struct causes {
	const struct late_waits *w;
	uint32_t steps_most; /* calls that one wait may look at: beyond, it is not known */
	uint32_t steps;      /* of that, left */
	uint32_t *near;      /* per rank: how many calls were before what was asked for last */
	struct cause *cause; /* of the wait at hand: n of them */
	size_t n, cap;
	struct stretch *todo;
	size_t n_todo, cap_todo;
};

/*
 * waits: how many there are in all. Returns 0, or -1 with *err set (out of memory). Caller:
 * causes_release, in any case.
 */
int causes_init(struct causes *x, const struct late_waits *w, uint32_t waits, struct err *err);
void causes_release(struct causes *x);

/*
 * Those of a call that waits for a late one, which add up to its time as a late partner's; they are
 * kept until the next time. Returns 0, or -1: out of memory.
 */
int causes_find(struct causes *x, uint32_t call);

#endif
