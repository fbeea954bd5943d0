/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trees: every rank but the root has one parent. Towards the leaves a broadcast, the other
 * way a reduce. No rank's number matters, so permuted ranks are no matter either.
 */
#include "analyze/patterns/pattern_fit.h"

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
	const struct edge **up; /* per rank: its heaviest edge to a parent, or NULL */
	uint32_t *parent;
	uint32_t *children;
	uint32_t *by_children; /* how many ranks have each number of children */
	uint8_t *state;        /* 0 not looked at, 1 on the way, 2 below the root, 3 not */
	uint32_t root;
	uint32_t reached; /* ranks at or below the root, */
	uint32_t leaves;  /* of them without a child */
	uint32_t fanout;  /* most children */
};

static void choose_parents(struct tree *x, const struct traffic *t, enum direction d)
{
	uint32_t i;
	uint32_t r;

	for (i = 0; i < t->n_edges; i++) {
		const struct edge *e = &t->edges[i];
		uint32_t child = d == FROM_ROOT ? e->dst : e->src;

		if (!x->up[child] || e->count > x->up[child]->count)
			x->up[child] = e;
	}
	/* The root is the rank that is a child least. */
	x->root = 0;
	for (r = 0; r < x->n; r++) {
		uint32_t least = x->up[x->root] ? x->up[x->root]->count : 0;

		if ((x->up[r] ? x->up[r]->count : 0) < least)
			x->root = r;
	}
	x->up[x->root] = NULL;
	for (r = 0; r < x->n; r++)
		x->parent[r] = !x->up[r]        ? TRAFFIC_NONE
			       : d == FROM_ROOT ? x->up[r]->src
						: x->up[r]->dst;
}

/* Follow the parents of r until it is known where they lead; then all of them are. */
static void follow(struct tree *x, uint32_t r)
{
	uint8_t leads_to;
	uint32_t v = r;

	while (v != TRAFFIC_NONE && !x->state[v]) {
		x->state[v] = 1;
		v = x->parent[v];
	}
	leads_to = v != TRAFFIC_NONE && x->state[v] == 2 ? 2 : 3;
	for (v = r; v != TRAFFIC_NONE && x->state[v] == 1; v = x->parent[v])
		x->state[v] = leads_to;
}

static void count_children(struct tree *x)
{
	uint32_t r;

	x->state[x->root] = 2;
	for (r = 0; r < x->n; r++)
		follow(x, r);
	for (r = 0; r < x->n; r++) {
		x->reached += x->state[r] == 2;
		if (x->state[r] == 2 && r != x->root)
			x->children[x->parent[r]]++;
	}
	for (r = 0; r < x->n; r++) {
		x->by_children[x->children[r]]++;
		x->leaves += x->state[r] == 2 && !x->children[r];
		if (x->children[r] > x->fanout)
			x->fanout = x->children[r];
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

/* As many ranks have each number of children as in such a tree, and the root most. */
static int has_binomial_form(const struct tree *x, enum numbering by)
{
	uint32_t v, looked_at;

	for (v = 0; v < x->n; v++) {
		uint32_t *left = &x->by_children[binomial_children(by, v, x->n)];

		if (!*left)
			break;
		--*left;
	}
	looked_at = v;
	while (v-- > 0)
		x->by_children[binomial_children(by, v, x->n)]++;
	return looked_at == x->n && x->children[x->root] == binomial_children(by, 0, x->n);
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
		if (!x->children[r] || x->state[r] != 2 || r == x->root)
			continue;
		if (x->parent[r] != x->root)
			return 0;
		inner++;
	}
	return inner > 1;
}

/* All that have children have this many, but for one. */
static int is_full(const struct tree *x)
{
	return x->by_children[0] + x->by_children[x->fanout] + 1 >= x->n;
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

static int is_below(const struct tree *x, uint32_t r)
{
	return x->up[r] && x->state[r] == 2;
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
		if (is_below(x, r) && !x->children[r])
			fit_add(&f, x->up[r]->count, x->up[r]->volume, x->up[r]->count);
	fit_group(&f, x->leaves);
	for (r = 0; r < x->n; r++)
		if (is_below(x, r) && x->children[r])
			fit_add(&f, x->up[r]->count, x->up[r]->volume, x->up[r]->count);
	fit_rest(&f, x->n - 1.0 - x->leaves);
	*thinnest = f.thinnest;
	fit_result(&f, c);
	fit_release(&f);
	return 0;
}

static int tree_init(struct tree *x, uint32_t n)
{
	size_t room = (size_t)n + 1;

	*x = (struct tree){.n = n};
	x->up = calloc(room, sizeof(const struct edge *));
	x->parent = calloc(room, sizeof(*x->parent));
	x->children = calloc(room, sizeof(*x->children));
	x->by_children = calloc(room, sizeof(*x->by_children));
	x->state = calloc(room, 1);
	return x->up && x->parent && x->children && x->by_children && x->state ? 0 : -1;
}

static void tree_release(struct tree *x)
{
	free(x->up);
	free(x->parent);
	free(x->children);
	free(x->by_children);
	free(x->state);
}

static int find_tree(const struct traffic *t, enum direction d, struct candidates *out,
		     struct err *err)
{
	struct candidate c = {.regular = 1, .time = 1};
	struct tree x;
	double thinnest;
	int ret = 0;

	/* Three edges a rank are no tree, whatever some of them are. */
	if (t->n_edges > 3 * (uint64_t)t->ranks && t->messages < 2.0 * t->n_edges)
		return 0;
	if (tree_init(&x, t->ranks)) {
		ret = err_set(err, "out of memory for a tree of %u ranks", t->ranks);
		goto out;
	}
	choose_parents(&x, t, d);
	count_children(&x);
	/* One level is a scatter or a gather, no branch a chain. */
	if (x.fanout < 2 || x.fanout + 1 >= x.reached || x.fanout > FANOUT_MAX * x.reached ||
	    x.leaves < TREE_LEAVES_MIN * x.reached)
		goto out;
	name_tree(&x, d, &c);
	ret = measure_tree(&x, t, &c, &thinnest, err);
	if (!ret && c.of_messages >= TREE_MESSAGES_MIN && thinnest >= INNER_MIN)
		ret = candidates_add(out, &c, err);
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
