/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks in their places in a shape, all of them or some: how well they fit by the odds of their
 * messages (embed.h), and single ones that change places where that fits better. For embed.c.
 */
#ifndef ANALYZE_PLACING_H
#define ANALYZE_PLACING_H

#include "analyze/patterns/embed.h"

/* What a neighbour more or fewer than the shape's costs: log. */
#define PLACING_PER_NEIGHBOUR 1.5

struct placing {
	double score; /* sum of its steps' */
	uint32_t *at; /* the rank at each vertex, */
	uint32_t *of; /* and the vertex of each rank; TRAFFIC_NONE: not yet */
};

/* What it costs (or 0) that the rank is at vertex v, by those that are in their places: log. */
double placing_score(const struct embed *e, const struct graph *shape, const struct placing *b,
		     uint32_t v, uint32_t rank);

/* Ranks that have no place get the empty ones that they fit best. */
void placing_fill(const struct embed *e, const struct graph *shape, struct placing *b);

/* All have places: is what does not fit no more than chance makes? e->misfits is set. */
int placing_is_but_noise(struct embed *e, const struct graph *shape, const struct placing *b);

/*
 * Two ranks change places as long as they then fit better: a rank of many neighbours is much like
 * those beside it, and the first ones were placed by few. Needs e->misfits; spends e->budget.
 * Returns 1 if any did, 0: all fit best, or too little fits at all.
 */
int placing_mend(struct embed *e, const struct graph *shape, struct placing *b);

#endif
