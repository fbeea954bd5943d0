/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trees: every rank but the root has one parent. Towards the leaves a broadcast, the other
 * way a reduce. No rank's number matters, so permuted ranks are no matter either.
 */
#include "analyze/patterns/pair_odds.h"
#include "analyze/patterns/pairing.h"
#include "analyze/patterns/pattern_fit.h"
#include "analyze/tools/sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the ranks at most so many are children of one: else it is a scatter or gather with strays. */
#define FANOUT_MAX 0.75

/* So much is there of the edges between ranks with children: else two trees and a stray. */
#define INNER_MIN 0.5

/* Of the ranks so many have the parent that their number says. */
#define NUMBERED_MIN 0.9

enum direction { FROM_ROOT, TO_ROOT };

/* As the broadcast that it is, or would be with all arrows turned round. */
struct tree {
	uint32_t n;
	const struct edge **up; /* per rank: its edge to its parent, or NULL */
	uint32_t *parent;
	uint32_t *children;
	uint32_t *by_children; /* how many ranks have each number of children */
	uint32_t *top;         /* leads to the rank that is above all of its tree */
	uint32_t *size;        /* of the tree that this rank is above */
	uint32_t root;         /* of the largest one */
	uint32_t orphans;      /* ranks without a parent but for that one */
	uint32_t leaves;       /* ranks without a child */
	uint32_t fanout;       /* most children */
};

static int by_count(const void *pa, const void *pb)
{
	const struct edge *a = *(const struct edge *const *)pa;
	const struct edge *b = *(const struct edge *const *)pb;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return (a > b) - (a < b);
}

/* No more of the messages than this can be of edges that are each to a child's only parent. */
static double messages_max(const struct traffic *t, enum direction d, uint32_t *most)
{
	double sum = 0;

	if (d == TO_ROOT)
		return pairing_messages_max(t);
	for (uint32_t i = 0; i < t->n_edges; i++)
		if (t->edges[i].count > most[t->edges[i].dst])
			most[t->edges[i].dst] = t->edges[i].count;
	for (uint32_t r = 0; r < t->ranks; r++) {
		sum += most[r];
		most[r] = 0;
	}
	return sum;
}

/*
 * Each rank's parent: the edges with most messages first, unless what is below the child is above
 * the parent. Returns 0, or -1: out of memory.
 */
static int choose_parents(struct tree *x, const struct traffic *t, enum direction d)
{
	const struct edge **order = calloc((size_t)t->n_edges + 1, sizeof(const struct edge *));

	if (!order)
		return -1;
	for (uint32_t i = 0; i < t->n_edges; i++)
		order[i] = &t->edges[i];
	if (t->n_edges)
		qsort(order, t->n_edges, sizeof(const struct edge *), by_count);
	for (uint32_t r = 0; r < x->n; r++) {
		x->top[r] = r;
		x->parent[r] = TRAFFIC_NONE;
	}
	for (uint32_t i = 0; i < t->n_edges; i++) {
		const struct edge *e = order[i];
		uint32_t child = d == FROM_ROOT ? e->dst : e->src;
		uint32_t parent = d == FROM_ROOT ? e->src : e->dst;

		if (x->up[child] || sets_head(x->top, parent) == child)
			continue;
		x->up[child] = e;
		x->parent[child] = parent;
		x->top[child] = parent;
	}
	free(order);
	return 0;
}

static void count_children(struct tree *x)
{
	uint32_t r;

	for (r = 0; r < x->n; r++) {
		x->size[sets_head(x->top, r)]++;
		if (x->up[r])
			x->children[x->parent[r]]++;
		else
			x->orphans++;
	}
	x->orphans--;
	for (r = 0; r < x->n; r++) {
		x->by_children[x->children[r]]++;
		x->leaves += !x->children[r];
		if (x->children[r] > x->fanout)
			x->fanout = x->children[r];
		if (x->size[r] > x->size[x->root])
			x->root = r;
	}
}

/* A binomial tree's parents have their child's number without its highest bit, or the lowest. */
enum numbering { HIGHEST, LOWEST };

static uint32_t binomial_parent(enum numbering by, uint32_t v)
{
	return by == LOWEST ? v & (v - 1) : v & ~(UINT32_C(1) << (31 - __builtin_clz(v)));
}

/* How many children has v of n ranks? */
static uint32_t binomial_children(enum numbering by, uint32_t v, uint32_t n)
{
	uint32_t children = 0;

	for (uint32_t bit = 1; bit < n; bit *= 2)
		children += v + bit < n && !(v & bit) && binomial_parent(by, v + bit) == v;
	return children;
}

/*
 * As many ranks have each number of children as in such a tree, and the root most, but for one each
 * orphan.
 */
static int has_binomial_form(const struct tree *x, enum numbering by)
{
	uint32_t due = binomial_children(by, 0, x->n);
	uint32_t others = 0;

	for (uint32_t v = 0; v < x->n; v++)
		others += (int32_t)x->by_children[binomial_children(by, v, x->n)]-- <= 0;
	for (uint32_t v = 0; v < x->n; v++)
		x->by_children[binomial_children(by, v, x->n)]++;
	return others <= x->orphans && x->children[x->root] <= due &&
	       x->children[x->root] + x->orphans >= due;
}

/* Any number of ranks has a binomial tree; where they are a power of two it has but one form. */
static int is_binomial(const struct tree *x)
{
	uint32_t numbered[] = {0, 0};

	if (!(x->n & (x->n - 1)) && has_binomial_form(x, HIGHEST))
		return 1;
	for (uint32_t v = 1; v < x->n; v++) {
		uint32_t parent = x->parent[(x->root + v) % x->n];
		uint32_t up = parent == TRAFFIC_NONE ? parent : (parent + x->n - x->root) % x->n;

		numbered[HIGHEST] += up == binomial_parent(HIGHEST, v);
		numbered[LOWEST] += up == binomial_parent(LOWEST, v);
	}
	return numbered[HIGHEST] >= NUMBERED_MIN * (x->n - 1) ||
	       numbered[LOWEST] >= NUMBERED_MIN * (x->n - 1);
}

/* Have children of the root children, and no others? */
static int has_two_levels(const struct tree *x)
{
	uint32_t inner = 0;

	for (uint32_t r = 0; r < x->n; r++) {
		if (!x->children[r] || !x->up[r])
			continue;
		if (x->parent[r] != x->root)
			return 0;
		inner++;
	}
	return inner > 1;
}

/* All that have children have this many, but for one, and one each orphan. */
static int is_full(const struct tree *x)
{
	return x->by_children[0] + x->by_children[x->fanout] + 1 + x->orphans >= x->n;
}

static void name_tree(const struct tree *x, enum direction d, struct candidate *c)
{
	const char *what = d == FROM_ROOT ? "broadcast" : "reduce";
	int has_form = has_binomial_form(x, HIGHEST) || has_binomial_form(x, LOWEST);
	char full[PATTERN_NAME] = "";
	char binomial[PATTERN_NAME];

	c->length = 3;
	snprintf(binomial, sizeof(binomial), "binomial %s tree", what);
	if (is_full(x))
		snprintf(full, sizeof(full), "%u-ary %s tree", x->fanout, what);
	if (is_binomial(x)) {
		strcpy(c->name, binomial);
		strcpy(c->equivalent, full);
	} else if (*full) {
		strcpy(c->name, full);
		strcpy(c->equivalent, has_form ? binomial : "");
	} else {
		snprintf(c->name, sizeof(c->name), "%s%s tree",
			 has_two_levels(x) ? "two-level " : "", what);
	}
}

/* thinnest: presence of the edges to leaves or of those between others, whichever is less. */
static int measure_tree(const struct tree *x, const struct traffic *t, struct candidate *c,
			double *thinnest, struct err *err)
{
	struct fit f;
	uint32_t r;

	if (fit_init(&f, t, x->n, err))
		return -1;
	/* Scattering sends more the nearer to the root: messages are to be equal, not bytes. */
	f.scatter = 0;
	for (r = 0; r < x->n; r++)
		if (x->up[r] && !x->children[r])
			fit_add(&f, x->up[r]->count, x->up[r]->volume, x->up[r]->count);
	fit_group(&f, x->leaves);
	for (r = 0; r < x->n; r++)
		if (x->up[r] && x->children[r])
			fit_add(&f, x->up[r]->count, x->up[r]->volume, x->up[r]->count);
	fit_rest(&f, x->n - 1.0 - x->leaves);
	*thinnest = f.thinnest;
	fit_result(&f, c);
	fit_release(&f);
	return 0;
}

/* All messages but strays, or what chance makes of some. */
static int has_enough(const struct traffic *t, const struct candidate *c)
{
	return c->of_messages >= TREE_MESSAGES_MIN ||
	       pair_odds_may_stray(t->messages, (1 - c->of_messages) * t->messages);
}

/* What is not below the root is no part of it, and its form is what is left. */
static void leave_orphans(struct tree *x)
{
	uint32_t root = x->root;

	for (uint32_t r = 0; r < x->n; r++)
		if (sets_head(x->top, r) != root) {
			x->up[r] = NULL;
			x->parent[r] = TRAFFIC_NONE;
		}
	memset(x->children, 0, x->n * sizeof(*x->children));
	memset(x->by_children, 0, x->n * sizeof(*x->by_children));
	memset(x->size, 0, x->n * sizeof(*x->size));
	x->leaves = x->fanout = x->orphans = 0;
	count_children(x);
	x->root = root;
	x->orphans = 0;
}

static int tree_init(struct tree *x, uint32_t n)
{
	size_t room = (size_t)n + 1;

	*x = (struct tree){.n = n};
	x->up = calloc(room, sizeof(const struct edge *));
	x->parent = calloc(room, sizeof(*x->parent));
	x->children = calloc(room, sizeof(*x->children));
	x->by_children = calloc(room, sizeof(*x->by_children));
	x->top = calloc(room, sizeof(*x->top));
	x->size = calloc(room, sizeof(*x->size));
	return x->up && x->parent && x->children && x->by_children && x->top && x->size ? 0 : -1;
}

static void tree_release(struct tree *x)
{
	free(x->up);
	free(x->parent);
	free(x->children);
	free(x->by_children);
	free(x->top);
	free(x->size);
}

/* One level is a scatter or a gather, no branch a chain. Of all ranks but those left out. */
static int branches(const struct tree *x, uint32_t left_out)
{
	uint32_t n = x->n - left_out;

	return x->fanout >= 2 && x->fanout + 1 < n && x->fanout <= FANOUT_MAX * n &&
	       x->leaves - left_out >= TREE_LEAVES_MIN * n;
}

/* Returns 0, or -1 with *err set (out of memory). */
static int propose_tree(struct tree *x, const struct traffic *t, enum direction d,
			struct candidates *out, struct err *err)
{
	struct candidate c = {.regular = 1, .time = 1};
	uint32_t left_out = 0;
	double thinnest;

	if (!branches(x, 0))
		return 0;
	if (measure_tree(x, t, &c, &thinnest, err))
		return -1;
	if (x->orphans && !c.by_chance) {
		left_out = x->n - x->size[x->root];
		leave_orphans(x);
		if (!branches(x, left_out))
			return 0;
		if (measure_tree(x, t, &c, &thinnest, err))
			return -1;
	}
	name_tree(x, d, &c);
	return has_enough(t, &c) && thinnest >= INNER_MIN ? candidates_add(out, &c, err) : 0;
}

static int find_tree(const struct traffic *t, enum direction d, struct candidates *out,
		     struct err *err)
{
	struct tree x;
	int ret = 0;

	/* Three edges a rank are no tree, whatever some of them are. */
	if (t->n_edges > 3 * (uint64_t)t->ranks && t->messages < 2.0 * t->n_edges)
		return 0;
	if (tree_init(&x, t->ranks)) {
		ret = err_set(err, "out of memory for a tree of %u ranks", t->ranks);
		goto out;
	}
	if (messages_max(t, d, x.size) < PATTERN_EXPLAINED_MIN * t->messages)
		goto out;
	if (choose_parents(&x, t, d)) {
		ret = err_set(err, "out of memory for a tree of %u ranks", t->ranks);
		goto out;
	}
	count_children(&x);
	ret = propose_tree(&x, t, d, out, err);
out:
	tree_release(&x);
	return ret;
}

int pattern_broadcast(const struct traffic *t, struct candidates *out, struct err *err)
{
	return find_tree(t, FROM_ROOT, out, err);
}

int pattern_reduce(const struct traffic *t, struct candidates *out, struct err *err)
{
	return find_tree(t, TO_ROOT, out, err);
}
