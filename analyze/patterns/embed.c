/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/patterns/embed.h"

#include "analyze/tools/growing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Placements that may be looked at before the search gives up; so many vertices copied are one. */
#define BUDGET 3000000
#define COPIED 32

/* What a neighbour more or fewer than the shape's costs: log. */
#define PER_NEIGHBOUR 1.5

/* A shape is given up where each of its pairs so far costs so much: log. */
#define COST_MAX  2.5
#define COST_FREE 40.0

/* Pairs of fewer of the typical messages are not looked at. */
#define STRAY 0.2

/* The shape with some of the traffic's ranks in it. */
struct beginning {
	double score;
	uint32_t *at; /* the rank at each vertex, */
	uint32_t *of; /* and the vertex of each rank; TRAFFIC_NONE: not yet */
};

/* What may come next: the rank at the next vertex of one of them. */
struct step {
	double score;
	uint32_t from;
	uint32_t rank; /* TRAFFIC_NONE: the vertex stays empty for now */
};

struct search {
	struct embed *e;
	const struct graph *shape;
	uint32_t *order;           /* its vertices, each near to those before */
	struct beginning *kept[2]; /* those before the last step, and behind it, in turns */
	uint32_t n_kept;
	struct step *steps;
	size_t n_steps;
	size_t room;
	uint32_t *memory; /* of the beginnings */
};

/* Is most of what the two exchange from a to b? */
static int sends_most(const struct traffic *t, uint32_t a, uint32_t b)
{
	const struct pair *p = traffic_pair(t, a, b);

	return (p->a == a ? p->upward : p->volume - p->upward) > 0.5 * p->volume;
}

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
			e->sends_to[v] += count >= e->odds.half && sends_most(t, v, e->g.to[i]);
			count = count < e->odds.typical ? count : e->odds.typical;
			e->edge[i].if_pair = pair_odds_if_pair(&e->odds, count);
			e->edge[i].if_not = pair_odds_if_not(&e->odds, count);
			e->edge[i].sends = sends_most(t, v, e->g.to[i]);
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

static uint32_t degree(const struct graph *g, uint32_t v)
{
	return g->at[v + 1] - g->at[v];
}

/* May the messages over edge i of a rank at v be those to vertex other? Not if they go backward. */
static int goes_its_way(const struct embed *e, uint32_t v, uint32_t i, uint32_t other)
{
	return !e->is_forward || e->edge[i].sends == (v < other);
}

static double apart(double a, double b)
{
	return fabs(a - b);
}

/* How many neighbours the rank has more or fewer than the vertex, or of each way. */
static double neighbours_off(const struct search *x, uint32_t v, uint32_t rank)
{
	const struct embed *e = x->e;
	uint32_t ahead = 0;

	if (!e->is_forward)
		return apart(e->degree[rank], degree(x->shape, v));
	for (uint32_t i = x->shape->at[v]; i < x->shape->at[v + 1]; i++)
		ahead += x->shape->to[i] > v;
	return apart(e->sends_to[rank], ahead) +
	       apart(e->degree[rank] - e->sends_to[rank], degree(x->shape, v) - ahead);
}

/* What it costs (or 0) that the rank is at vertex v, by those that are in their places. */
static double score_of(const struct search *x, const struct beginning *b, uint32_t v, uint32_t rank)
{
	const struct embed *e = x->e;
	double score = -PER_NEIGHBOUR * neighbours_off(x, v, rank);
	uint32_t missing = 0;

	for (uint32_t i = x->shape->at[v]; i < x->shape->at[v + 1]; i++)
		missing += b->at[x->shape->to[i]] != TRAFFIC_NONE;
	for (uint32_t i = e->g.at[rank]; i < e->g.at[rank + 1]; i++) {
		uint32_t other = b->of[e->g.to[i]];

		if (other == TRAFFIC_NONE)
			continue;
		if (graph_has_edge(x->shape, v, other) && goes_its_way(e, v, i, other)) {
			score += e->edge[i].if_pair;
			missing--;
		} else {
			score += e->edge[i].if_not;
		}
	}
	return score + missing * e->if_none;
}

/*
 * The rank, or TRAFFIC_NONE, may be at the next vertex of the beginning from. Returns 0, or -1: out
 * of memory.
 */
static int add_step(struct search *x, const struct beginning *b, uint32_t from, uint32_t rank,
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
static int add_steps(struct search *x, const struct beginning *b, uint32_t from, uint32_t v)
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
			if (add_step(x, b, from, rank, score_of(x, b, v, rank)))
				return -1;
		}
	}
	/* All its pairs may be missing. */
	return add_step(x, b, from, TRAFFIC_NONE, (around + 1) * x->e->if_none - PER_NEIGHBOUR);
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

static void copy(const struct search *x, struct beginning *to, const struct beginning *from)
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
		struct beginning *b = &x->kept[now][i];

		copy(x, b, &x->kept[!now][s->from]);
		x->e->budget -= x->shape->n / COPIED;
		b->score = s->score;
		b->at[v] = s->rank;
		if (b->at[v] != TRAFFIC_NONE)
			b->of[b->at[v]] = v;
	}
}

/* Ranks that have no place get the empty ones that they fit best. */
static void fill_gaps(const struct search *x, struct beginning *b)
{
	uint32_t n = x->shape->n;

	for (uint32_t v = 0; v < n; v++) {
		uint32_t best = TRAFFIC_NONE;
		double top = -HUGE_VAL;

		for (uint32_t r = 0; b->at[v] == TRAFFIC_NONE && r < n; r++) {
			double score = b->of[r] == TRAFFIC_NONE ? score_of(x, b, v, r) : -HUGE_VAL;

			if (score > top) {
				top = score;
				best = r;
			}
		}
		if (best != TRAFFIC_NONE) {
			b->at[v] = best;
			b->of[best] = v;
		}
	}
}

/* Pairs that the shape has of the next vertex and those before. */
static uint32_t pairs_at(const struct search *x, const struct beginning *b, uint32_t v)
{
	uint32_t n = 0;

	for (uint32_t i = x->shape->at[v]; i < x->shape->at[v + 1]; i++)
		n += b->at[x->shape->to[i]] != TRAFFIC_NONE;
	return n;
}

/* Returns 1 with the best one in kept[*now][0], 0: there is none, -1: out of memory. */
static int place_all(struct search *x, int *now)
{
	const struct beginning *none = &x->kept[0][0];
	uint32_t n = x->shape->n;
	double pairs = 0;

	for (uint32_t r = 0; r < n; r++)
		if (add_step(x, none, 0, r, score_of(x, none, x->order[0], r)))
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
	fill_gaps(x, &x->kept[*now][0]);
	return 1;
}

/* Is what does not fit no more than chance makes? */
static int is_but_noise(const struct search *x, const struct beginning *b)
{
	const struct traffic *t = x->e->t;
	double pairs = x->shape->at[x->shape->n] / 2.0;
	struct pair_misfits misfits = {0};

	for (uint32_t i = 0; i < t->n_pairs; i++) {
		const struct pair *p = &t->pairs[i];

		if (graph_has_edge(x->shape, b->of[p->a], b->of[p->b]) &&
		    (!x->e->is_forward || sends_most(t, p->a, p->b) == (b->of[p->a] < b->of[p->b])))
			pair_odds_note_pair(&x->e->odds, p->count, &misfits);
		else
			pair_odds_note_other(&x->e->odds, p->count, &misfits);
	}
	x->e->misfits = pairs - misfits.strong + misfits.odd;
	return pair_odds_are_chance(&x->e->odds, pairs, &misfits);
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
		struct beginning *b = &x->kept[0][i];

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
		ret = is_but_noise(&x, &x.kept[now][0]);
		memcpy(label, x.kept[now][0].at, shape->n * sizeof(*label));
	}
	search_release(&x);
	return ret < 0 ? err_set(err, "out of memory to place %u ranks", shape->n) : ret;
}
