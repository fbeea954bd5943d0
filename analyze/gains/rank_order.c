/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/rank_order.h"

#include <stdlib.h>
#include <string.h>

#define PASSES_MAX 20
#define GAIN_MIN   1e-12 /* of the whole weight: below is rounding */

struct search {
	const struct rank_order *x;
	uint32_t *at;    /* per rank: its node */
	uint32_t *room;  /* per node: places */
	double *tie;     /* ranks * nodes: weight of a rank to those on a node */
	uint8_t *placed; /* per rank */
	double all;      /* weight of all pairs */
};

static double weight(const struct rank_order *x, uint32_t a, uint32_t b)
{
	return x->weight[(size_t)a * x->ranks + b];
}

static double cost(const struct rank_order *x, const uint32_t *at)
{
	double sum = 0;

	for (uint32_t a = 0; a < x->ranks; a++)
		for (uint32_t b = a + 1; b < x->ranks; b++)
			sum += at[a] != at[b] ? weight(x, a, b) : 0;
	return sum;
}

static double *tie(const struct search *s, uint32_t rank, uint32_t node)
{
	return &s->tie[(size_t)rank * s->x->nodes + node];
}

/* The rank not placed that is tied most to a node, or to all others when the node is empty. */
static uint32_t next_for(const struct search *s, uint32_t node, uint32_t taken)
{
	uint32_t best = s->x->ranks;
	double most = -1;

	for (uint32_t r = 0; r < s->x->ranks; r++) {
		double t = 0;

		if (s->placed[r])
			continue;
		if (taken)
			t = *tie(s, r, node);
		for (uint32_t k = 0; !taken && k < s->x->ranks; k++)
			t += s->placed[k] ? 0 : weight(s->x, r, k);
		if (t > most) {
			most = t;
			best = r;
		}
	}
	return best;
}

static void grow(struct search *s)
{
	memset(s->placed, 0, s->x->ranks);
	memset(s->tie, 0, (size_t)s->x->ranks * s->x->nodes * sizeof(*s->tie));
	for (uint32_t node = 0; node < s->x->nodes; node++)
		for (uint32_t taken = 0; taken < s->room[node]; taken++) {
			uint32_t r = next_for(s, node, taken);

			s->placed[r] = 1;
			s->at[r] = node;
			for (uint32_t k = 0; k < s->x->ranks; k++)
				*tie(s, k, node) += weight(s->x, r, k);
		}
}

static void tie_all(struct search *s)
{
	memset(s->tie, 0, (size_t)s->x->ranks * s->x->nodes * sizeof(*s->tie));
	for (uint32_t a = 0; a < s->x->ranks; a++)
		for (uint32_t b = 0; b < s->x->ranks; b++)
			*tie(s, a, s->at[b]) += weight(s->x, a, b);
}

static void swap(struct search *s, uint32_t a, uint32_t b)
{
	uint32_t na = s->at[a], nb = s->at[b];

	for (uint32_t k = 0; k < s->x->ranks; k++) {
		double change = weight(s->x, b, k) - weight(s->x, a, k);

		*tie(s, k, na) += change;
		*tie(s, k, nb) -= change;
	}
	s->at[a] = nb;
	s->at[b] = na;
}

/* Swap pairs as long as that makes it cheaper. */
static void refine(struct search *s)
{
	int better = 1;

	tie_all(s);
	for (int pass = 0; pass < PASSES_MAX && better; pass++) {
		better = 0;
		for (uint32_t a = 0; a < s->x->ranks; a++)
			for (uint32_t b = a + 1; b < s->x->ranks; b++) {
				uint32_t na = s->at[a], nb = s->at[b];
				double gain = *tie(s, a, nb) - *tie(s, a, na) + *tie(s, b, na) -
					      *tie(s, b, nb) - 2 * weight(s->x, a, b);

				if (na == nb || gain <= GAIN_MIN * s->all)
					continue;
				swap(s, a, b);
				better = 1;
			}
	}
}

/* A rank stays where it is if its node stays; the others fill the free places in order. */
static void to_order(const struct rank_order *x, const uint32_t *at, uint32_t *order)
{
	for (uint32_t place = 0; place < x->ranks; place++)
		order[place] = at[place] == x->node[place] ? place : UINT32_MAX;
	for (uint32_t r = 0; r < x->ranks; r++) {
		uint32_t place = 0;

		if (at[r] == x->node[r])
			continue;
		while (order[place] != UINT32_MAX || x->node[place] != at[r])
			place++;
		order[place] = r;
	}
}

static void search(struct search *s, uint32_t *order, uint32_t *best)
{
	const struct rank_order *x = s->x;
	double least;

	for (uint32_t r = 0; r < x->ranks; r++) {
		s->room[x->node[r]]++;
		s->at[r] = x->node[r];
		for (uint32_t k = 0; k < x->ranks; k++)
			s->all += weight(x, r, k);
	}
	refine(s);
	least = cost(x, s->at);
	memcpy(best, s->at, x->ranks * sizeof(*best));
	grow(s);
	refine(s);
	if (cost(x, s->at) < least * (1 - 1e-9))
		memcpy(best, s->at, x->ranks * sizeof(*best));
	to_order(x, best, order);
}

int rank_order_find(const struct rank_order *x, uint32_t *order, struct err *err)
{
	struct search s = {.x = x};
	uint32_t *best = calloc(x->ranks + 1u, sizeof(*best));
	int ret = -1;

	s.at = calloc(x->ranks + 1u, sizeof(*s.at));
	s.room = calloc(x->nodes + 1u, sizeof(*s.room));
	s.tie = calloc((size_t)x->ranks * x->nodes + 1, sizeof(*s.tie));
	s.placed = calloc(x->ranks + 1u, sizeof(*s.placed));
	if (!best || !s.at || !s.room || !s.tie || !s.placed) {
		err_set(err, "out of memory for the order of %u ranks", x->ranks);
	} else {
		search(&s, order, best);
		ret = 0;
	}
	free(s.placed);
	free(s.tie);
	free(s.room);
	free(s.at);
	free(best);
	return ret;
}

double rank_order_cost(const struct rank_order *x, const uint32_t *order)
{
	double sum = 0;

	if (!order)
		return cost(x, x->node);
	for (uint32_t i = 0; i < x->ranks; i++)
		for (uint32_t k = i + 1; k < x->ranks; k++)
			if (x->node[i] != x->node[k])
				sum += weight(x, order[i], order[k]);
	return sum;
}
