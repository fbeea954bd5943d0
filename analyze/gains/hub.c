/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/hub.h"

#include <stdlib.h>

#define WITH_HUB 0.95 /* of the messages are from or to it, or it takes them all, */
#define OF_ROOT  0.9  /* of the collectives its own */
#define NOTHING  0.1  /* of the mean */

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

static double mean_own_ns(const struct evidence_base *b)
{
	double all_ns = 0;

	for (uint32_t r = 0; r < b->t->n_ranks; r++)
		all_ns += (double)b->a->rank_budget[r].parts[COST_compute].ns;
	return all_ns / b->t->n_ranks;
}

/* A logger, a writer: it takes messages and has less to do than those that send them. */
static int is_sink(const struct evidence_base *b, uint32_t hub)
{
	const struct part *own = b->a->rank_budget[hub].parts;
	uint32_t takes = b->m->by_dst[hub + 1] - b->m->by_dst[hub];

	return takes >= WITH_HUB * b->m->n && (double)own[COST_compute].ns < mean_own_ns(b) &&
	       own[COST_late_partner].ns > own[COST_collective_wait].ns;
}

/* The root of next to all collectives of all ranks; TRACE_NONE: there is none. */
static uint32_t find_root(const struct evidence_base *b)
{
	uint32_t all = 0, its = 0, root = TRACE_NONE;

	for (uint32_t k = 0; k < b->c->n; k++) {
		const struct collective *c = &b->c->c[k];

		if (c->members != b->t->n_ranks)
			continue;
		all++;
		if (c->root >= 0 && root == TRACE_NONE)
			root = (uint32_t)c->root;
		its += c->root >= 0 && (uint32_t)c->root == root;
	}
	return its >= OF_ROOT * all ? root : TRACE_NONE;
}

int hub_that_serves(const struct evidence_base *b, uint32_t *rank, struct err *err)
{
	uint32_t root = find_root(b);

	if (hub_find(b, rank, err))
		return -1;
	if (*rank != TRACE_NONE && is_sink(b, *rank))
		return 0;
	*rank = TRACE_NONE;
	if (b->t->n_ranks > 2 && root != TRACE_NONE &&
	    (double)b->a->rank_budget[root].parts[COST_compute].ns < NOTHING * mean_own_ns(b))
		*rank = root;
	return 0;
}
