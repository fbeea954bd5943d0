/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The patterns of a run: as a whole, of each phase, of each place that sends, of each
 * communicator; and of the collectives, which say theirs by their name.
 */
#ifndef ANALYZE_PATTERNS_H
#define ANALYZE_PATTERNS_H

#include "analyze/matching/collectives.h"
#include "analyze/matching/messages.h"
#include "analyze/patterns/pattern.h"
#include "analyze/patterns/phases.h"

enum pattern_scope {
	PATTERN_RUN,
	PATTERN_PHASE,
	PATTERN_CALLSITE,
	PATTERN_COMMUNICATOR,
	PATTERN_COLLECTIVE,
};

struct found {
	enum pattern_scope scope;
	uint32_t phase;  /* from 1; 0: all of them */
	uint32_t site;   /* the place that sends, if it is one, else TRACE_NONE; */
	uint32_t region; /* its function likewise */
	uint32_t comm;   /* that all messages are in, or TRACE_NONE */
	uint32_t active; /* ranks that send or receive */
	double messages; /* of collectives: calls */
	double bytes;
	struct timing time; /* not of collectives */
	struct pattern p;
};

struct patterns {
	struct found *f; /* by scope; within it what moves more bytes comes first */
	uint32_t n;
	uint32_t room;
	double bytes; /* of all messages */
};

/*
 * Of all that was sent: of another recorder's trace what nobody is seen to receive, too, but a
 * name that rests on such is said without confidence. Returns 0, or -1 with *err set (out of
 * memory). Caller frees with patterns_release.
 */
int patterns_find(const struct trace *t, const struct messages *m, const struct collectives *c,
		  const struct phases *phases, struct patterns *out, struct err *err);
void patterns_release(struct patterns *p);

/* For pattern_collectives.c and patterns.c. */
int patterns_add(struct patterns *p, const struct found *f, struct err *err);
int pattern_collectives(const struct trace *t, const struct collectives *c,
			const struct phases *phases, struct patterns *out, struct err *err);

#endif
