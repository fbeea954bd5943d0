/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/patterns/embed.h"

#include "analyze/patterns/placing.h"
#include "analyze/tools/growing.h"

#include <stdlib.h>
#include <string.h>

/* Placements that may be looked at before the search gives up; so many vertices copied are one. */
#define BUDGET 3000000
#define COPIED 32

/* A shape is given up where each of its pairs so far costs so much: log. */
#define COST_MAX  2.5
#define COST_FREE 40.0

/* Pairs of fewer of the typical messages are not looked at. */
#define STRAY 0.2

/* What may come next: the rank at the next vertex of one of them. */
struct step {
	double score;
	uint32_t from;
	uint32_t rank; /* TRAFFIC_NONE: the vertex stays empty for now */
};

struct search {
	struct embed *e;
	const struct graph *shape;
	uint32_t *order;         /* its vertices, each near to those before */
	struct placing *kept[2]; /* those before the last step, and behind it, in turns */
	uint32_t n_kept;
	struct step *steps;
	size_t n_steps;
	size_t room;
	uint32_t *memory; /* of the beginnings */
};

int embed_init(struct embed *e, const struct traffic *t, double typical, struct err *err)
{
	uint32_t(*edges)[2] = calloc((size_t)t->n_pairs + 1, sizeof(*edges));
	size_t n = 0;
	int ret = -1;

	*e = (struct embed){.t = t, .budget = BUDGET};
	e->odds = pair_odds_of(t->ranks, t->messages, typical);
	for (uint32_t i = 0; edges && i < t->n_pairs; i++)
		if (t->pairs[i].count >= STRAY * e->odds.typical) {
			edges[n][0] = t->pairs[i].a;
			edges[n++][1] = t->pairs[i].b;
		}
	e->edge = calloc(2 * n + 1, sizeof(*e->edge));
	e->degree = calloc((size_t)t->ranks + 1, sizeof(*e->degree));
	e->sends_to = calloc((size_t)t->ranks + 1, sizeof(*e->sends_to));
	e->if_none = pair_odds_if_pair(&e->odds, 0);
	if (!edges || !e->edge || !e->degree || !e->sends_to) {
		err_set(err, "out of memory for the pairs of %u ranks", t->ranks);
		goto out;
	}
	if (graph_build(&e->g, t->ranks, n, (const uint32_t(*)[2])edges, err))
		goto out;
	for (uint32_t v = 0; v < t->ranks; v++)
		for (uint32_t i = e->g.at[v]; i < e->g.at[v + 1]; i++) {
			uint32_t count = traffic_pair(t, v, e->g.to[i])->count;

			e->degree[v] += count >= e->odds.half;
			e->sends_to[v] +=
				count >= e->odds.half && traffic_sends_most(t, v, e->g.to[i]);
			count = count < e->odds.typical ? count : e->odds.typical;
			e->edge[i].if_pair = pair_odds_if_pair(&e->odds, count);
			e->edge[i].if_not = pair_odds_if_not(&e->odds, count);
			e->edge[i].sends = traffic_sends_most(t, v, e->g.to[i]);
		}
	for (uint32_t i = 0; i < t->n_pairs; i++)
		e->strong += t->pairs[i].count >= e->odds.half;
	ret = 0;
out:
	free(edges);
	if (ret)
		embed_release(e);
	return ret;
}

void embed_release(struct embed *e)
{
	graph_release(&e->g);
	free(e->edge);
	free(e->degree);
	free(e->sends_to);
	*e = (struct embed){0};
}

/*
 * The rank, or TRAFFIC_NONE, may be at the next vertex of the beginning from. Returns 0, or -1: out
 * of memory.
 */
static int add_step(struct search *x, const struct placing *b, uint32_t from, uint32_t rank,
		    double score)
{
	struct step s = {b->score + score, from, rank};

	if (GROW(x->steps, x->n_steps, x->room))
		return -1;
	x->steps[x->n_steps++] = s;
	x->e->budget--;
	return 0;
}

/* All ranks that may be at vertex v: neighbours of those around it. Returns 0, or -1. */
static int add_steps(struct search *x, const struct placing *b, uint32_t from, uint32_t v)
{
	const struct graph *g = &x->e->g;
	size_t before = x->n_steps;
	uint32_t around = 0;

	for (uint32_t i = x->shape->at[v]; i < x->shape->at[v + 1]; i++) {
		uint32_t next_to = b->at[x->shape->to[i]];

		if (next_to == TRAFFIC_NONE)
			continue;
		around++;
		for (uint32_t j = g->at[next_to]; j < g->at[next_to + 1]; j++) {
			uint32_t rank = g->to[j];
			size_t k = before;

			while (k < x->n_steps && x->steps[k].rank != rank)
				k++;
			if (k < x->n_steps || b->of[rank] != TRAFFIC_NONE)
				continue;
			if (add_step(x, b, from, rank, placing_score(x->e, x->shape, b, v, rank)))
				return -1;
		}
	}
	/* All its pairs may be missing. */
	return add_step(x, b, from, TRAFFIC_NONE,
			(around + 1) * x->e->if_none - PLACING_PER_NEIGHBOUR);
}

static int by_score(const void *pa, const void *pb)
{
	const struct step *a = pa;
	const struct step *b = pb;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	return a->from != b->from ? (a->from < b->from ? -1 : 1)
				  : (a->rank > b->rank) - (a->rank < b->rank);
}

static void copy(const struct search *x, struct placing *to, const struct placing *from)
{
	size_t bytes = x->shape->n * sizeof(*to->at);

	memcpy(to->at, from->at, bytes);
	memcpy(to->of, from->of, bytes);
}

/* The best steps to vertex v are taken: into set now, from the other one. */
static void take_steps(struct search *x, int now, uint32_t v)
{
	qsort(x->steps, x->n_steps, sizeof(*x->steps), by_score);
	x->n_kept = x->n_steps < x->e->beam ? (uint32_t)x->n_steps : x->e->beam;
	for (uint32_t i = 0; i < x->n_kept; i++) {
		const struct step *s = &x->steps[i];
		struct placing *b = &x->kept[now][i];

		copy(x, b, &x->kept[!now][s->from]);
		x->e->budget -= x->shape->n / COPIED;
		b->score = s->score;
		b->at[v] = s->rank;
		if (b->at[v] != TRAFFIC_NONE)
			b->of[b->at[v]] = v;
	}
}

/* Pairs that the shape has of the next vertex and those before. */
static uint32_t pairs_at(const struct search *x, const struct placing *b, uint32_t v)
{
	uint32_t n = 0;

	for (uint32_t i = x->shape->at[v]; i < x->shape->at[v + 1]; i++)
		n += b->at[x->shape->to[i]] != TRAFFIC_NONE;
	return n;
}

/* Returns 1 with the best one in kept[*now][0], 0: there is none, -1: out of memory. */
static int place_all(struct search *x, int *now)
{
	const struct placing *none = &x->kept[0][0];
	uint32_t n = x->shape->n;
	double pairs = 0;

	for (uint32_t r = 0; r < n; r++)
		if (add_step(x, none, 0, r, placing_score(x->e, x->shape, none, x->order[0], r)))
			return -1;
	*now = 1;
	take_steps(x, *now, x->order[0]);
	for (uint32_t k = 1; k < n; k++) {
		x->n_steps = 0;
		for (uint32_t i = 0; i < x->n_kept; i++)
			if (add_steps(x, &x->kept[*now][i], i, x->order[k]))
				return -1;
		pairs += pairs_at(x, &x->kept[*now][0], x->order[k]);
		*now = !*now;
		take_steps(x, *now, x->order[k]);
		if (x->e->budget < 0 || x->kept[*now][0].score < -COST_FREE - COST_MAX * pairs)
			return 0;
	}
	placing_fill(x->e, x->shape, &x->kept[*now][0]);
	return 1;
}

/* Returns 0, or -1: out of memory. */
static int search_init(struct search *x, struct embed *e, const struct graph *shape,
		       struct err *err)
{
	size_t n = shape->n;

	*x = (struct search){.e = e, .shape = shape, .n_kept = 1};
	x->order = calloc(n + 1, sizeof(*x->order));
	x->memory = malloc(4 * e->beam * (n + 1) * sizeof(*x->memory));
	x->kept[0] = calloc(2 * (size_t)e->beam + 1, sizeof(*x->kept[0]));
	if (!x->order || !x->memory || !x->kept[0] || graph_order(shape, x->order, err))
		return -1;
	x->kept[1] = x->kept[0] + e->beam;
	for (uint32_t i = 0; i < 2 * e->beam; i++) {
		struct placing *b = &x->kept[0][i];

		b->at = x->memory + 2 * i * n;
		b->of = b->at + n;
	}
	memset(x->memory, 0xff, 2 * n * sizeof(*x->memory)); /* TRAFFIC_NONE */
	return 0;
}

static void search_release(struct search *x)
{
	free(x->order);
	free(x->memory);
	free(x->kept[0]);
	table_free(x->steps);
}

int embed_find(struct embed *e, const struct graph *shape, uint32_t *label, struct err *err)
{
	struct search x;
	int now;
	int ret = search_init(&x, e, shape, err);

	if (!ret)
		ret = place_all(&x, &now);
	if (ret > 0) {
		ret = placing_is_but_noise(e, shape, &x.kept[now][0]) ||
		      (placing_mend(e, shape, &x.kept[now][0]) &&
		       placing_is_but_noise(e, shape, &x.kept[now][0]));
		memcpy(label, x.kept[now][0].at, shape->n * sizeof(*label));
	}
	search_release(&x);
	return ret < 0 ? err_set(err, "out of memory to place %u ranks", shape->n) : ret;
}
