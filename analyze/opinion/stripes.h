/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks in a line, each of which sends to the next one, or back to the one before: the owners of
 * the stripes of a wavefront, and the messages of each hop.
 */
#ifndef ANALYZE_STRIPES_H
#define ANALYZE_STRIPES_H

#include "analyze/matching/messages.h"

#define STRIPES_MIN 3 /* with fewer nothing is passed on */

enum stripes_way { STRIPES_ONWARDS, STRIPES_BACK, STRIPES_WAYS };

struct stripes {
	uint32_t P;
	uint32_t *rank;    /* in the order of the line */
	uint32_t *first;   /* per way and hop, and one more: offsets into message[] */
	uint32_t *message; /* of each hop in order of time */
};

/* Some messages of a table, in order of their ranks and send calls. */
struct some_messages {
	const uint32_t *message;
	uint32_t n;
};

/*
 * Returns 1 and fills out if all these messages go along one line; 0, and *why_not is a sentence
 * (a literal), if not; -1 with *err set (out of memory). Caller: stripes_release.
 */
int stripes_find(const struct trace *t, const struct messages *m, struct some_messages some,
		 struct stripes *out, const char **why_not, struct err *err);
void stripes_release(struct stripes *s);

/* The rank at a stage, from 0, of the way: at the last one all ends. */
static inline uint32_t stripes_rank(const struct stripes *s, enum stripes_way way, uint32_t stage)
{
	return s->rank[way == STRIPES_ONWARDS ? stage : s->P - 1 - stage];
}

/* The messages from a stage to the next one. */
static inline struct some_messages stripes_hop(const struct stripes *s, enum stripes_way way,
					       uint32_t stage)
{
	const uint32_t *first = &s->first[way * (s->P - 1) + stage];

	return (struct some_messages){s->message + first[0], first[1] - first[0]};
}

#endif
