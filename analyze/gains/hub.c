/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/hub.h"

#include <stdlib.h>

#define WITH_HUB   0.95 /* of the messages are from or to it, or it takes them all, */
#define OF_ROOT    0.9  /* of the collectives its own, */
#define ROOTED_MIN 10   /* so many of them at least */
#define SELDOM     0.5  /* meetings to a message */
#define NOTHING    0.1  /* of the others' mean */

int hub_find(const struct evidence_base *b, uint32_t *hub, struct err *err)
{
	uint32_t ranks = b->t->n_ranks, most = 0;
	uint32_t *with = calloc(ranks + 1u, sizeof(*with));

	*hub = TRACE_NONE;
	if (!with)
		return err_set(err, "out of memory for %u ranks", ranks);
	for (uint32_t i = 0; i < b->m->n; i++) {
		with[b->m->m[i].src]++;
		with[b->m->m[i].dst]++;
	}
	for (uint32_t r = 1; r < ranks; r++)
		most = with[r] > with[most] ? r : most;
	if (ranks > 2 && b->m->n > 0 && with[most] >= WITH_HUB * b->m->n)
		*hub = most;
	free(with);
	return 0;
}

/* What a rank does itself: it computes, and accesses files. */
static double own_ns(const struct evidence_base *b, uint32_t rank)
{
	const struct part *parts = b->a->rank_budget[rank].parts;

	return (double)(parts[COST_compute].ns + parts[COST_file_access].ns);
}

/* Does it do less than such a share of what the others do on average? */
static int does_less(const struct evidence_base *b, uint32_t rank, double share)
{
	double others_ns = -own_ns(b, rank);

	for (uint32_t r = 0; r < b->t->n_ranks; r++)
		others_ns += own_ns(b, r);
	return own_ns(b, rank) < share * others_ns / (b->t->n_ranks - 1);
}

/* A logger: who takes next to all messages, of ranks that meet it far less often than they send. */
static int is_sink(const struct evidence_base *b, uint32_t rank)
{
	const struct part *parts = b->a->rank_budget[rank].parts;
	uint32_t takes = b->m->by_dst[rank + 1] - b->m->by_dst[rank];

	return takes > 0 && takes >= WITH_HUB * b->m->n &&
	       (double)b->c->n * (b->t->n_ranks - 1) < SELDOM * takes &&
	       parts[COST_late_partner].ns > parts[COST_collective_wait].ns &&
	       does_less(b, rank, 1);
}

/* The root of next to all collectives of all ranks, who has next to nothing to do. */
static int is_root_alone(const struct evidence_base *b, uint32_t rank)
{
	uint32_t all = 0, its = 0;

	for (uint32_t k = 0; k < b->c->n; k++)
		if (b->c->c[k].members == b->t->n_ranks) {
			all++;
			its += b->c->c[k].root == (int32_t)rank;
		}
	return its >= ROOTED_MIN && its >= OF_ROOT * all;
}

uint32_t hub_that_serves(const struct evidence_base *b)
{
	for (uint32_t r = 0; b->t->n_ranks > 2 && r < b->t->n_ranks; r++)
		if (is_sink(b, r) || (does_less(b, r, NOTHING) && is_root_alone(b, r)))
			return r;
	return TRACE_NONE;
}
