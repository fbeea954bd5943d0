/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trees whose ranks send both ways, up and down. */
#include "analyze/patterns/pattern_fit.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * Where all answer, at most so many are one's: else it is a server, and a few of its clients' own.
 */
#define NEIGHBOURS_MAX 0.6

/* A tree peeled from its leaves: what is left last is the root. */
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

/* Returns how many pairs the ranks have between them. */
static uint32_t join_two_way(struct peeled *x, const struct traffic *t)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->n_pairs; i++) {
		const struct pair *p = &t->pairs[i];

		if (!traffic_is_two_way(t, p->a, p->b))
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
		/*
		 * Of the last two, who are each other's only neighbours, one is left as the root.
		 */
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
		if (traffic_is_two_way(t, t->pairs[i].a, t->pairs[i].b))
			fit_add(&f, t->pairs[i].count, t->pairs[i].volume, t->pairs[i].count);
	fit_group(&f, x->n - 1.0);
	fit_result(&f, &c);
	fit_release(&f);
	/* A message and its answer are one: of few, servers drawn by lot may be a tree. */
	c.expected *= 2;
	snprintf(c.name, sizeof(c.name), "%stree, up and down", x->depth == 2 ? "two-level " : "");
	snprintf(c.equivalent, sizeof(c.equivalent), "reduce and broadcast tree");
	return c.of_messages >= TREE_MESSAGES_MIN ? candidates_add(out, &c, err) : 0;
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
		    x.fanout <= NEIGHBOURS_MAX * t->active &&
		    x.leaves >= TREE_LEAVES_MIN * t->active)
			ret = propose_two_way(&x, t, out, err);
	}
	free(room);
	return ret;
}
