/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What comes back to those who send at a place from those they send to. Answers meet in their
 * receiver's port when all that they answer was there together; when that comes one after the other
 * they do not. How much that is tells a port that passes all in it side by side: once with the
 * answers as they were sent, and once as they would be then.
 */
#ifndef ANALYZE_ANSWERS_H
#define ANALYZE_ANSWERS_H

#include "analyze/gains/evidence_base.h"

struct answer {
	uint32_t message;
	uint32_t home;    /* it comes to a port of that host, */
	int64_t comes_ns; /* then */
	int64_t held_ns;  /* others hold it up there for so long, as recorded */
};

struct answers {
	const struct evidence_base *b;
	struct answer *answer; /* n, by host, then as they come */
	uint32_t n;
	struct replay_passing *passing; /* per answer */
};

/* Those to the place of that key. Returns 0, or -1 with *err set (out of memory). */
int answers_find(struct answers *a, const struct evidence_base *b, uint32_t key, struct err *err);
void answers_release(struct answers *a);

/*
 * The same answers as if none met another: their ways are so much shorter, into less_ns, per
 * message. Returns 0, or -1 with *err set (out of memory).
 */
int answers_part(const struct evidence_base *b, uint32_t key, int64_t *less_ns, struct err *err);

/*
 * And if they meet as they do when each call is entered so much sooner; < 0: their ways are
 * longer. No more is less than was others' fault as recorded.
 */
void answers_meet(struct answers *a, const int64_t *sooner_ns, int64_t *less_ns);

#endif
