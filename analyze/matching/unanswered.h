/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sends in another recorder's trace whose receives it lacks. What they took nobody knows, but who
 * sent how much to whom is there: that is all a pattern is made of but the order of its rounds.
 */
#ifndef ANALYZE_UNANSWERED_H
#define ANALYZE_UNANSWERED_H

#include "analyze/matching/messages.h"

/* In place of the next send in its queue: this one has its receive. */
#define UNANSWERED_NOT (UINT32_MAX - 1)

/* The sends of t->ends, by receiver: those to r are sends[first[r]] up to sends[first[r + 1]]. */
struct unanswered {
	const struct trace *t;
	const uint32_t *sends, *first;
	const uint32_t *next; /* UNANSWERED_NOT of those that are no matter here */
};

/*
 * As messages whose receive is never done, after out's by their order here; of our own traces none:
 * what has no receive there has none. Returns 0, or -1: out of memory.
 */
int unanswered_find(const struct unanswered *u, struct messages *out);

#endif
