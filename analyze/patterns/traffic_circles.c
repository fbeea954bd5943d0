/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Circles of a traffic: a rank's round is a node, from which its messages go to the rounds that
 * their receivers complete them in. Where each node has one before and one after it, or the same
 * two, what is connected is a circle.
 */
#include "analyze/patterns/traffic.h"

#include "analyze/tools/sorting.h"

#include <stdlib.h>

/* A rank's round. */
struct node {
	uint64_t key;   /* rank and round */
	uint32_t group; /* leads to one of those that it is connected with, which has, */
	uint32_t size;  /* of all of them, how many, */
	uint32_t fit;   /* and bits of the kinds of circles that all may be of */
	uint32_t n_to, n_from;
	uint32_t to[2], from[2];
};

static uint64_t key_of(uint32_t rank, uint32_t round)
{
	return (uint64_t)rank << 32 | round;
}

static int by_key(const void *pa, const void *pb)
{
	const struct node *a = pa;
	const struct node *b = pb;

	return a->key < b->key ? -1 : a->key > b->key;
}

/* The ends of all deliveries, each once. NULL: out of memory. Caller frees with table_free(). */
static struct node *make_nodes(size_t n, const struct delivery *d, uint32_t *found)
{
	struct node *v = table_calloc(2 * n + 1, sizeof(*v));
	uint32_t kept = 0;

	if (!v)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		v[2 * i].key = key_of(d[i].src, d[i].sent_in);
		v[2 * i + 1].key = key_of(d[i].dst, d[i].done_in);
	}
	sort(v, 2 * n, sizeof(*v), by_key);
	for (size_t i = 0; i < 2 * n; i++)
		if (!kept || v[kept - 1].key != v[i].key)
			v[kept++] = v[i];
	for (uint32_t i = 0; i < kept; i++)
		v[i].group = i;
	*found = kept;
	return v;
}

static uint32_t find(const struct node *v, uint32_t n, uint32_t rank, uint32_t round)
{
	struct node key = {.key = key_of(rank, round)};

	return (uint32_t)((struct node *)bsearch(&key, v, n, sizeof(key), by_key) - v);
}

static uint32_t group_of(struct node *v, uint32_t k)
{
	while (v[k].group != k)
		k = v[k].group = v[v[k].group].group;
	return k;
}

/* One more of those before or after it; of more than two it only matters that they are more. */
static void note(uint32_t *list, uint32_t *n, uint32_t k)
{
	for (uint32_t i = 0; i < *n && i < 2; i++)
		if (list[i] == k)
			return;
	if (*n < 2)
		list[*n] = k;
	*n = *n < 2 ? *n + 1 : 3;
}

static uint32_t fit_of(const struct node *x)
{
	if (x->n_to == 1 && x->n_from == 1)
		return 1u << CIRCLE_ONE_WAY;
	if (x->n_to == 2 && x->n_from == 2 &&
	    ((x->to[0] == x->from[0] && x->to[1] == x->from[1]) ||
	     (x->to[0] == x->from[1] && x->to[1] == x->from[0])))
		return 1u << CIRCLE_BOTH_WAYS;
	return 0;
}

static void connect(struct node *v, uint32_t kept, size_t n, const struct delivery *d)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t a = find(v, kept, d[i].src, d[i].sent_in);
		uint32_t b = find(v, kept, d[i].dst, d[i].done_in);

		note(v[a].to, &v[a].n_to, b);
		note(v[b].from, &v[b].n_from, a);
		v[group_of(v, a)].group = group_of(v, b);
	}
	for (uint32_t i = 0; i < kept; i++)
		v[i].fit = fit_of(&v[i]);
	for (uint32_t i = 0; i < kept; i++) {
		struct node *all = &v[group_of(v, i)];

		all->size++;
		all->fit &= v[i].fit;
	}
}

int traffic_circles(const struct traffic *t, size_t n, const struct delivery *d,
		    struct circled *out)
{
	uint32_t kept;
	struct node *v = make_nodes(n, d, &kept);

	if (!v)
		return -1;
	connect(v, kept, n, d);
	for (size_t i = 0; i < n; i++) {
		uint32_t k = group_of(v, find(v, kept, d[i].src, d[i].sent_in));
		enum circle kind = v[k].fit >> CIRCLE_BOTH_WAYS ? CIRCLE_BOTH_WAYS : CIRCLE_ONE_WAY;

		/* Both ways it is a ring only if all ranks are on it. */
		if (!v[k].fit || (kind == CIRCLE_BOTH_WAYS && v[k].size != t->active))
			continue;
		out[d[i].src].count[kind]++;
		out[d[i].src].volume[kind] += (double)d[i].bytes + 1;
	}
	table_free(v);
	return 0;
}
