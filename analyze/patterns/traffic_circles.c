/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Circles of a traffic: a rank's round is a node, from which its messages go to the rounds that
 * their receivers complete them in. Where each node has one before and one after it, or the same
 * two, what is connected is a circle. So it is where chance has left a few of both ways' messages
 * out, and there are some strays.
 */
#include "analyze/patterns/pair_odds.h"
#include "analyze/patterns/traffic.h"

#include "analyze/tools/sorting.h"

#include <limits.h>
#include <stdlib.h>

/* A rank's round. */
struct node {
	uint64_t key;   /* rank and round */
	uint32_t group; /* leads to one of those that it is connected with, which has, */
	uint32_t size;  /* of all of them, how many, */
	uint32_t fit;   /* and bits of the kinds of circles that all may be of */
	uint32_t n_to, n_from;
	uint32_t to[2], from[2];
	/* Of those that both send: */
	uint32_t n_both; /* how many */
	uint32_t path;   /* leads to one that it is connected with by them */
	/* Of all that are connected: */
	uint32_t both,
		half; /* two of them that both send, and of which one does, to be in a circle */
	int closed;   /* more than once */
};

/* What one node sends another, some times. */
struct link {
	uint32_t a, b; /* a < b */
	uint8_t up, down;
	uint8_t in_circle;
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

static int by_ends(const void *pa, const void *pb)
{
	const struct link *a = pa;
	const struct link *b = pb;

	if (a->a != b->a)
		return a->a < b->a ? -1 : 1;
	return a->b < b->b ? -1 : a->b > b->b;
}

/* Two that exchange something, each once. Returns 0, or -1: out of memory. */
static struct link *make_links(const struct node *v, uint32_t kept, size_t n,
			       const struct delivery *d, size_t *found)
{
	struct link *link = table_calloc(n + 1, sizeof(*link));
	size_t used = 0;

	if (!link)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		uint32_t a = find(v, kept, d[i].src, d[i].sent_in);
		uint32_t b = find(v, kept, d[i].dst, d[i].done_in);

		link[i] = (struct link){a < b ? a : b, a < b ? b : a, a<b, a> b, 0};
	}
	sort(link, n, sizeof(*link), by_ends);
	for (size_t i = 0; i < n; i++) {
		if (!used || by_ends(&link[used - 1], &link[i])) {
			link[used++] = link[i];
			continue;
		}
		link[used - 1].up |= link[i].up;
		link[used - 1].down |= link[i].down;
	}
	*found = used;
	return link;
}

static uint32_t path_of(struct node *v, uint32_t k)
{
	while (v[k].path != k)
		k = v[k].path = v[v[k].path].path;
	return k;
}

/* Note those that both send: more than two beside one are no circle, nor is one of some only. */
static void note_both(struct node *v, size_t n, struct link *link)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t a = link[i].a, b = link[i].b;
		struct node *all = &v[group_of(v, a)];

		if (!link[i].up || !link[i].down)
			continue;
		link[i].in_circle = 1;
		all->both++;
		v[a].n_both++;
		v[b].n_both++;
		all->closed += path_of(v, a) == path_of(v, b);
		v[path_of(v, a)].path = path_of(v, b);
	}
}

/* And those of which one sends where there is room for it. */
static void note_half(struct node *v, size_t n, struct link *link)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t a = link[i].a, b = link[i].b;
		struct node *all;

		if ((link[i].up && link[i].down) || v[a].n_both > 1 || v[b].n_both > 1)
			continue;
		all = &v[group_of(v, a)];
		/* Only the last one closes it. */
		if (path_of(v, a) == path_of(v, b) && all->both + all->half + 1 < all->size)
			continue;
		link[i].in_circle = 1;
		all->half++;
		v[a].n_both++;
		v[b].n_both++;
		v[path_of(v, a)].path = path_of(v, b);
	}
}

/* Circles of both ways, of all ranks, with gaps: what is not in those is no circle's. */
static void allow_gaps(struct node *v, uint32_t kept, uint32_t ranks, size_t n, struct link *link)
{
	for (uint32_t i = 0; i < kept; i++)
		v[i].path = i;
	note_both(v, n, link);
	for (uint32_t i = 0; i < kept; i++)
		if (v[i].n_both > 2)
			v[group_of(v, i)].closed = INT_MAX;
	note_half(v, n, link);
	for (uint32_t i = 0; i < kept; i++) {
		struct node *x = &v[i];

		if (group_of(v, i) == i && !x->fit && x->size == ranks &&
		    x->closed <= (x->both == x->size) &&
		    pair_odds_may_leave(2, x->size, x->both + x->half, x->both + x->half,
					0.5 * x->half))
			x->fit = 1u << CIRCLES;
	}
}

/* The kind of circle that the delivery is in; CIRCLES: none. */
static enum circle circle_of(const struct traffic *t, struct node *v, uint32_t kept, size_t n,
			     const struct link *link, const struct delivery *d)
{
	uint32_t a = find(v, kept, d->src, d->sent_in), b = find(v, kept, d->dst, d->done_in);
	const struct node *all = &v[group_of(v, a)];
	struct link key = {.a = a < b ? a : b, .b = a < b ? b : a};
	const struct link *of;

	/* Both ways it is a ring only if all ranks are on it. */
	if (all->fit >> CIRCLE_BOTH_WAYS == 1)
		return all->size == t->active ? CIRCLE_BOTH_WAYS : CIRCLES;
	if (all->fit >> CIRCLES == 0)
		return all->fit ? CIRCLE_ONE_WAY : CIRCLES;
	of = bsearch(&key, link, n, sizeof(key), by_ends);
	return of && of->in_circle ? CIRCLE_BOTH_WAYS : CIRCLES;
}

int traffic_circles(const struct traffic *t, size_t n, const struct delivery *d,
		    struct circled *out)
{
	uint32_t kept;
	size_t links;
	struct node *v = make_nodes(n, d, &kept);
	struct link *link = v ? make_links(v, kept, n, d, &links) : NULL;

	if (!v || !link) {
		table_free(v);
		return -1;
	}
	connect(v, kept, n, d);
	allow_gaps(v, kept, t->active, links, link);
	for (size_t i = 0; i < n; i++) {
		enum circle kind = circle_of(t, v, kept, links, link, &d[i]);

		if (kind == CIRCLES)
			continue;
		out[d[i].src].count[kind]++;
		out[d[i].src].volume[kind] += (double)d[i].bytes + 1;
	}
	table_free(link);
	table_free(v);
	return 0;
}
