/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trees: every rank but the root has one parent. Towards the leaves a broadcast, the other
 * way a reduce, or both in turns. No rank's number matters, so permuted ranks are no matter either.
 */
#include "analyze/pattern_fit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the ranks so many have no child: in a path with strays few have none. */
#define LEAVES_MIN 0.3

/* Of the ranks at most so many are children of one: else it is a scatter or gather with strays. */
#define FANOUT_MAX 0.75

/* Of the messages so many are the tree's: ranks with a second parent are of something else. */
#define MESSAGES_MIN 0.85

/* Where all answer, at most so many are one's: else it is a server, and a few of its clients' own. */
#define NEIGHBOURS_MAX 0.6

/* So much is there of the edges between ranks with children: else two trees and a stray. */
#define INNER_MIN 0.5

/* Of the ranks so many have the parent that their number says. */
#define NUMBERED_MIN 0.9

/* Of the messages of a typical edge, fewer are strays. */
#define STRAY 0.25

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

/* n/2 ranks have no child, n/4 one, n/8 two ..., the root log n. */
static int has_binomial_form(const struct tree *x)
{
	uint32_t k = 0;
	uint32_t left;

	if (x->n & (x->n - 1))
		return 0;
	for (left = x->n / 2; left; left /= 2, k++)
		if (x->by_children[k] != left)
			return 0;
	return x->children[x->root] == k;
}

/*
 * Counted from the root, a rank's parent has its number without the highest bit, or without the
 * lowest. In that way any number of ranks has a binomial tree.
 */
static int is_binomial(const struct tree *x)
{
	uint32_t highest = 0;
	uint32_t lowest = 0;
	uint32_t v;

	if (has_binomial_form(x))
		return 1;
	for (v = 1; v < x->n; v++) {
		uint32_t parent = x->parent[(x->root + v) % x->n];
		uint32_t up = parent == TRAFFIC_NONE ? parent : (parent + x->n - x->root) % x->n;

		highest += up == (v & ~(UINT32_C(1) << (31 - __builtin_clz(v))));
		lowest += up == (v & (v - 1));
	}
	return highest >= NUMBERED_MIN * (x->n - 1) || lowest >= NUMBERED_MIN * (x->n - 1);
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

	c->length = 3;
	if (is_binomial(x))
		snprintf(c->name, sizeof(c->name), "binomial %s tree", what);
	else if (is_full(x))
		snprintf(c->name, sizeof(c->name), "%u-ary %s tree", x->fanout, what);
	else
		snprintf(c->name, sizeof(c->name), "%s%s tree",
			 has_two_levels(x) ? "two-level " : "", what);
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
	if (x.fanout < 2 || x.fanout > FANOUT_MAX * x.reached || x.leaves < LEAVES_MIN * x.reached)
		goto out;
	name_tree(&x, d, &c);
	ret = measure_tree(&x, t, &c, &thinnest, err);
	if (!ret && c.of_messages >= MESSAGES_MIN && thinnest >= INNER_MIN)
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

/* A tree whose ranks send both ways, peeled from its leaves: what is left last is the root. */
struct peeled {
	uint32_t *degree;
	uint32_t *others; /* of each rank its neighbours that are left, by exclusive or */
	uint32_t *levels; /* of ranks below it */
	uint32_t *queue;
	uint32_t n; /* ranks that have been a leaf, or are the root */
	uint32_t leaves;
	uint32_t fanout; /* most neighbours */
	uint32_t depth;  /* levels below the root */
};

/* Do the two send each other more than strays? */
static int is_two_way(const struct traffic *t, const struct pair *p)
{
	const struct edge *up = traffic_edge(t, p->a, p->b);
	const struct edge *down = traffic_edge(t, p->b, p->a);

	return up && down && up->count >= STRAY * t->typical && down->count >= STRAY * t->typical;
}

/* Returns how many pairs the ranks have between them. */
static uint32_t join_two_way(struct peeled *x, const struct traffic *t)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->n_pairs; i++) {
		const struct pair *p = &t->pairs[i];

		if (!is_two_way(t, p))
			continue;
		x->degree[p->a]++;
		x->degree[p->b]++;
		x->others[p->a] ^= p->b;
		x->others[p->b] ^= p->a;
		n++;
	}
	return n;
}

static void peel(struct peeled *x, uint32_t ranks)
{
	for (uint32_t r = 0; r < ranks; r++) {
		if (x->degree[r] == 1)
			x->queue[x->leaves++] = r;
		if (x->degree[r] > x->fanout)
			x->fanout = x->degree[r];
	}
	x->n = x->leaves;
	for (uint32_t i = 0; i < x->n; i++) {
		uint32_t r = x->queue[i];
		uint32_t parent = x->others[r];

		x->depth = x->levels[r];
		if (!x->degree[r]) /* the root */
			continue;
		x->degree[r] = 0;
		x->others[parent] ^= r;
		if (x->levels[parent] <= x->levels[r])
			x->levels[parent] = x->levels[r] + 1;
		/* Of the last two, who are each other's only neighbours, one is left as the root. */
		if (--x->degree[parent] == 1)
			x->queue[x->n++] = parent;
	}
}

static int propose_two_way(const struct peeled *x, const struct traffic *t, struct candidates *out,
			   struct err *err)
{
	struct candidate c = {.regular = 1, .length = 1, .time = 1};
	struct fit f;

	if (fit_init(&f, t, t->n_pairs, err))
		return -1;
	f.scatter = 0;
	for (uint32_t i = 0; i < t->n_pairs; i++)
		if (is_two_way(t, &t->pairs[i]))
			fit_add(&f, t->pairs[i].count, t->pairs[i].volume, t->pairs[i].count);
	fit_group(&f, x->n - 1.0);
	fit_result(&f, &c);
	fit_release(&f);
	/* A message and its answer are one: of few, servers drawn by lot may be a tree. */
	c.expected *= 2;
	snprintf(c.name, sizeof(c.name), "%stree, up and down", x->depth == 2 ? "two-level " : "");
	snprintf(c.equivalent, sizeof(c.equivalent), "reduce and broadcast tree");
	return c.of_messages >= MESSAGES_MIN ? candidates_add(out, &c, err) : 0;
}

int pattern_two_way_tree(const struct traffic *t, struct candidates *out, struct err *err)
{
	uint32_t *room = calloc(4 * ((size_t)t->ranks + 2), sizeof(*room));
	struct peeled x = {.degree = room};
	int ret = 0;

	if (!room)
		return err_set(err, "out of memory for a tree of %u ranks", t->ranks);
	x.others = x.degree + t->ranks;
	x.levels = x.others + t->ranks;
	x.queue = x.levels + t->ranks;
	if (join_two_way(&x, t) + 1 == t->active) {
		peel(&x, t->ranks);
		/* Two neighbours at most are a chain, one level is a server with its clients. */
		if (x.n == t->active && x.fanout > 2 && x.depth > 1 &&
		    x.fanout <= NEIGHBOURS_MAX * t->active && x.leaves >= LEAVES_MIN * t->active)
			ret = propose_two_way(&x, t, out, err);
	}
	free(room);
	return ret;
}
