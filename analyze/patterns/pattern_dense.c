/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Everybody with everybody, and what has no regular form: total exchanges with the order of
 * their rounds, in groups too; all-to-any; the same irregular neighbours every time.
 */
#include "analyze/patterns/pattern_fit.h"
#include "analyze/tools/sets.h"
#include "common/ascending.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DENSE      0.9  /* of all pairs are there */
#define COV_MAX    0.5  /* of the volumes */
#define ONCE_MIN   0.75 /* each destination before one comes again */
#define ORDER_MIN  0.6  /* of the steps of rounds */
#define ORDER_NONE 0.4  /* with less there is none: between the two nobody can be sure */
#define KEPT_MIN   0.9  /* Jaccard of neighbours from round to round */
#define SPREAD_MIN 0.8  /* of the pairs that as many random messages would have */
#define SKEW_MIN   0.3  /* Gini of what the ranks receive */
#define SHARED_MIN 0.5  /* of what two of a group send to, but for each other */

/* A hinge of so little is not told from chance. */
#define ORDER_HINGE 0.01

static double all_pairs(const struct traffic *t)
{
	return (double)t->ranks * (t->ranks - 1);
}

/* The order of rounds, and how much of the rounds it is of. */
struct round_order {
	double share;
	const char *name;
};

/* Few ranks' lists are near to those of several orders: the nearest has it. */
static struct round_order round_order(const struct timing *x)
{
	const struct round_order orders[] = {{x->onward, "shift rounds"},
					     {x->backward, "shift rounds"},
					     {x->xored, "xor rounds"},
					     {x->ascending, "ascending order"},
					     {x->descending, "descending order"}};
	size_t best = 0;
	size_t i;

	for (i = 1; i < sizeof(orders) / sizeof(orders[0]); i++)
		if (orders[i].share > orders[best].share)
			best = i;
	if (orders[best].share >= ORDER_MIN)
		return orders[best];
	return (struct round_order){orders[best].share, "no common order"};
}

/*
 * Does a rank send to all of its destinations before it sends to one again? Not if each round has
 * but some of them, the same for a while.
 */
static int takes_turns(const struct traffic *t)
{
	return t->time.covering >= ONCE_MIN ||
	       (t->time.rounds >= 2 && t->time.neighbours_kept >= KEPT_MIN &&
		t->time.neighbours_now > TRAFFIC_NOW_MAX);
}

int pattern_total_exchange(const struct traffic *t, struct candidates *out, struct err *err)
{
	struct candidate c = {.regular = 1, .length = 1, .time = 1};
	struct round_order order = round_order(&t->time);
	struct fit f;
	uint32_t i;

	if (t->n_edges < DENSE * all_pairs(t) || !takes_turns(t))
		return 0;
	if (fit_init(&f, t, t->n_edges, err))
		return -1;
	for (i = 0; i < t->n_edges; i++)
		fit_add(&f, t->edges[i].count, t->edges[i].volume, t->edges[i].volume);
	fit_group(&f, all_pairs(t));
	fit_result(&f, &c);
	fit_release(&f);
	c.hinge = floor((1 - DENSE) * c.expected);
	/* Rounds that lack messages may have had an order. */
	if (order.share >= ORDER_NONE && order.share < ORDER_MIN)
		c.hinge = ORDER_HINGE;
	if (c.uniformity < 1 / (1 + COV_MAX * COV_MAX))
		return 0;
	snprintf(c.name, sizeof(c.name), "total exchange, %s", order.name);
	return candidates_add(out, &c, err);
}

struct groups {
	uint32_t *root; /* per rank, one of its group */
	uint32_t *size; /* of the group with this root */
	uint32_t *mark; /* per rank */
	uint32_t n;
	uint32_t largest;
	uint32_t smallest;
	double edges; /* that all groups have */
};

/* Ranks that r sends more than strays to, and those of them that a, the last marked, does, too. */
struct sends {
	uint32_t to;
	uint32_t shared;
};

static struct sends sends_of(const struct traffic *t, const uint32_t *mark, uint32_t a, uint32_t r)
{
	struct sends x = {0};

	for (uint32_t i = t->row[r]; i < t->row[r + 1]; i++) {
		if (t->edges[i].count < TRAFFIC_STRAY * t->typical)
			continue;
		x.to++;
		x.shared += mark[t->edges[i].dst] == a + 1;
	}
	return x;
}

/*
 * Do they exchange, and send to the same others? Two groups of which two ranks exchange strays are
 * not one, and cycles that turn one way are none.
 */
static int are_of_a_group(const struct traffic *t, uint32_t *mark, uint32_t a, uint32_t b)
{
	struct sends of_a, of_b;

	if (!traffic_is_two_way(t, a, b))
		return 0;
	for (uint32_t i = t->row[a]; i < t->row[a + 1]; i++)
		if (t->edges[i].count >= TRAFFIC_STRAY * t->typical)
			mark[t->edges[i].dst] = a + 1;
	of_a = sends_of(t, mark, a, a);
	of_b = sends_of(t, mark, a, b);
	return of_b.shared >= SHARED_MIN * (fmin(of_a.to, of_b.to) - 1);
}

static void join(const struct traffic *t, struct groups *g)
{
	uint32_t i;

	for (i = 0; i < t->ranks; i++)
		g->root[i] = i;
	for (i = 0; i < t->n_edges; i++) {
		uint32_t a = t->edges[i].src;
		uint32_t b = t->edges[i].dst;

		if (a < b && sets_head(g->root, a) != sets_head(g->root, b) &&
		    are_of_a_group(t, g->mark, a, b))
			sets_join(g->root, a, b);
	}
	for (i = 0; i < t->ranks; i++)
		g->size[sets_head(g->root, i)]++;
	g->smallest = t->ranks;
	for (i = 0; i < t->ranks; i++) {
		if (!g->size[i])
			continue;
		g->n++;
		g->edges += g->size[i] * (g->size[i] - 1.0);
		if (g->size[i] > g->largest)
			g->largest = g->size[i];
		if (g->size[i] < g->smallest)
			g->smallest = g->size[i];
	}
}

static int propose_groups(const struct traffic *t, struct groups *g, struct candidates *out,
			  struct err *err)
{
	struct candidate c = {.regular = 1, .length = 3, .time = 1};
	struct fit f;
	uint32_t i;

	join(t, g);
	if (g->n < 2 || g->smallest < 3 || g->edges > 2.0 * t->n_edges)
		return 0;
	if (fit_init(&f, t, t->n_edges, err))
		return -1;
	for (i = 0; i < t->n_edges; i++) {
		const struct edge *e = &t->edges[i];

		if (sets_head(g->root, e->src) == sets_head(g->root, e->dst))
			fit_add(&f, e->count, e->volume, e->volume);
	}
	fit_group(&f, g->edges);
	fit_result(&f, &c);
	fit_release(&f);
	if (g->largest == g->smallest)
		snprintf(c.name, sizeof(c.name), "total exchange in %u groups of %u", g->n,
			 g->largest);
	else
		snprintf(c.name, sizeof(c.name), "total exchange in %u groups of %u to %u", g->n,
			 g->smallest, g->largest);
	return candidates_add(out, &c, err);
}

int pattern_groups(const struct traffic *t, struct candidates *out, struct err *err)
{
	struct groups g = {0};
	int ret;

	g.root = calloc((size_t)t->ranks + 1, sizeof(*g.root));
	g.size = calloc((size_t)t->ranks + 1, sizeof(*g.size));
	g.mark = calloc((size_t)t->ranks + 1, sizeof(*g.mark));
	if (g.root && g.size && g.mark)
		ret = propose_groups(t, &g, out, err);
	else
		ret = err_set(err, "out of memory for %u ranks", t->ranks);
	free(g.root);
	free(g.size);
	free(g.mark);
	return ret;
}

/* Of the messages that each rank receives; -1: out of memory. */
static double received_gini(const struct traffic *t)
{
	double *x = calloc((size_t)t->ranks + 1, sizeof(*x));
	double below = 0;
	double sum = 0;
	uint32_t i;

	if (!x)
		return -1;
	for (i = 0; i < t->n_edges; i++)
		x[t->edges[i].dst] += t->edges[i].count;
	qsort(x, t->ranks, sizeof(*x), ascending);
	for (i = 0; i < t->ranks; i++) {
		below += x[i] * (t->ranks - i - 0.5);
		sum += x[i];
	}
	free(x);
	return sum > 0 ? 1 - 2 * below / (sum * t->ranks) : 0;
}

/* How many different ones of the other ranks the ranks' messages are with, at random. */
static double pairs_at_random(const struct traffic *t, const double *messages)
{
	double others = t->ranks - 1.0;
	double sum = 0;

	for (uint32_t r = 0; r < t->ranks; r++)
		sum += others * -expm1(-messages[r] / others);
	return sum;
}

/*
 * Of the pairs that random messages would be between, from ranks that send as much and to ranks
 * that receive as much. -1: out of memory.
 */
static double spread(const struct traffic *t)
{
	double *sent = calloc(2 * ((size_t)t->ranks + 1), sizeof(*sent));
	double *received;
	double pairs;

	if (!sent)
		return -1;
	received = sent + t->ranks;
	for (uint32_t i = 0; i < t->n_edges; i++) {
		sent[t->edges[i].src] += t->edges[i].count;
		received[t->edges[i].dst] += t->edges[i].count;
	}
	pairs = fmin(pairs_at_random(t, sent), pairs_at_random(t, received));
	free(sent);
	return fmin(1, t->n_edges / pairs);
}

static int is_sparse(const struct traffic *t)
{
	return t->n_edges < 0.5 * all_pairs(t);
}

int pattern_any(const struct traffic *t, struct candidates *out, struct err *err)
{
	struct candidate c = {.length = 7, .explained = 1, .uniformity = 1};
	double gini;

	c.presence = spread(t);
	if (c.presence < 0)
		return err_set(err, "out of memory for %u ranks", t->ranks);
	if (c.presence < SPREAD_MIN)
		return 0;
	/* Sparse ones that go elsewhere each time only. */
	if (is_sparse(t) && (t->time.rounds < 2 || t->time.neighbours_kept >= 0.5))
		return 0;
	gini = received_gini(t);
	if (gini < 0)
		return err_set(err, "out of memory for %u ranks", t->ranks);
	snprintf(c.name, sizeof(c.name), "all-to-any, %s", gini < SKEW_MIN ? "uniform" : "skewed");
	return candidates_add(out, &c, err);
}

int pattern_sparse(const struct traffic *t, struct candidates *out, struct err *err)
{
	struct candidate c = {.length = 8, .presence = 1, .uniformity = 1};
	double kept = t->time.neighbours_kept;
	double by_chance = spread(t);

	if (by_chance < 0)
		return err_set(err, "out of memory for %u ranks", t->ranks);
	/* With fewer pairs than random messages would have, by far. */
	if (!is_sparse(t) && by_chance >= SPREAD_MIN)
		return 0;
	/* What comes again in every round; a single round is all that there is. */
	c.explained = t->time.rounds >= 2 ? kept : 0.5;
	snprintf(c.name, sizeof(c.name), "irregular%s%s", is_sparse(t) ? " sparse" : "",
		 t->time.rounds >= 2 && kept >= KEPT_MIN ? ", same neighbours each time" : "");
	if (t->time.rounds >= 2 && kept < 0.5)
		c.explained = 0.5;
	return candidates_add(out, &c, err);
}
