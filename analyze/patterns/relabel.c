/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/patterns/relabel.h"

#include <stdlib.h>
#include <string.h>

/* Ranks tried for one, before the search gives up: symmetric shapes need a dozen. */
#define TRIES_MAX 40

struct coloured {
	const struct graph *g;
	uint64_t *colour; /* per vertex */
	uint64_t *next;
	uint64_t *sorted;
};

static uint64_t mix(uint64_t x)
{
	x ^= x >> 31;
	x *= 0x7fb5d329728ea185u;
	x ^= x >> 27;
	x *= 0x81dadef4bc2dd44du;
	return x ^ x >> 33;
}

static int compare_u64(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa;
	uint64_t b = *(const uint64_t *)pb;

	return a < b ? -1 : a > b;
}

/* Sort the colours; how many different ones there are. */
static uint32_t count_colours(struct coloured *c)
{
	uint32_t different = 0;
	uint32_t i;

	memcpy(c->sorted, c->colour, c->g->n * sizeof(*c->sorted));
	qsort(c->sorted, c->g->n, sizeof(*c->sorted), compare_u64);
	for (i = 0; i < c->g->n; i++)
		different += !i || c->sorted[i] != c->sorted[i - 1];
	return different;
}

/* Each colour anew from itself and those of the neighbours. */
static void recolour(struct coloured *c)
{
	uint64_t *old = c->colour;
	uint32_t v;
	uint32_t i;

	for (v = 0; v < c->g->n; v++) {
		uint64_t sum = 0;

		for (i = c->g->at[v]; i < c->g->at[v + 1]; i++)
			sum += mix(old[c->g->to[i]] + 1);
		c->next[v] = mix(3 * old[v] + sum);
	}
	c->colour = c->next;
	c->next = old;
}

/* Recolour both until that tells no more vertices apart. Returns the colours, 0: they differ. */
static uint32_t refine(struct coloured *a, struct coloured *b, long *budget)
{
	uint32_t before = 0;
	uint32_t now = count_colours(a);

	count_colours(b);
	while (!memcmp(a->sorted, b->sorted, a->g->n * sizeof(*a->sorted))) {
		if (now == before || now == a->g->n)
			return now;
		*budget -= a->g->n;
		if (*budget < 0)
			return 0;
		before = now;
		recolour(a);
		recolour(b);
		now = count_colours(a);
		count_colours(b);
	}
	return 0;
}

/* The smallest group of vertices of one colour, of two or more. */
static uint64_t smallest_group(const struct coloured *c)
{
	uint32_t best = UINT32_MAX;
	uint64_t colour = 0;
	uint32_t i;
	uint32_t j;

	for (i = 0; i < c->g->n; i = j) {
		for (j = i; j < c->g->n && c->sorted[j] == c->sorted[i]; j++)
			;
		if (j - i > 1 && j - i < best) {
			best = j - i;
			colour = c->sorted[i];
		}
	}
	return colour;
}

struct coloured_vertex {
	uint64_t colour;
	uint32_t vertex;
};

static struct coloured_vertex *by_colour(const struct coloured *c)
{
	struct coloured_vertex *x = calloc((size_t)c->g->n + 1, sizeof(*x));
	uint32_t v;

	for (v = 0; x && v < c->g->n; v++)
		x[v] = (struct coloured_vertex){c->colour[v], v};
	if (x)
		qsort(x, c->g->n, sizeof(*x), compare_u64);
	return x;
}

/* All colours differ: equal ones belong together, if the edges agree. -1: out of memory. */
static int read_off(const struct coloured *a, const struct coloured *b, uint32_t *label)
{
	struct coloured_vertex *x = by_colour(a);
	struct coloured_vertex *y = by_colour(b);
	int ret = x && y ? 1 : -1;
	uint32_t v;
	uint32_t i;

	for (v = 0; ret > 0 && v < a->g->n; v++)
		label[x[v].vertex] = y[v].vertex;
	for (v = 0; ret > 0 && v < a->g->n; v++)
		for (i = a->g->at[v]; i < a->g->at[v + 1]; i++)
			if (!graph_has_edge(b->g, label[v], label[a->g->to[i]]))
				ret = 0;
	free(x);
	free(y);
	return ret;
}

/* Single out the first vertex of a group in a, and each of the same in b until one fits. */
static int search(struct coloured *a, struct coloured *b, uint32_t *label, int *tries, long *budget)
{
	uint32_t n = a->g->n;
	uint64_t *saved_a;
	uint64_t *saved_b;
	uint64_t group;
	uint32_t colours;
	uint32_t v = 0;
	uint32_t w;
	int ret = 0;

	if (--*tries < 0)
		return 0;
	colours = refine(a, b, budget);
	if (!colours)
		return 0;
	if (colours == n)
		return read_off(a, b, label);
	saved_a = malloc(n * sizeof(*saved_a));
	saved_b = malloc(n * sizeof(*saved_b));
	if (!saved_a || !saved_b)
		ret = -1;
	group = smallest_group(a);
	if (!ret) {
		memcpy(saved_a, a->colour, n * sizeof(*saved_a));
		memcpy(saved_b, b->colour, n * sizeof(*saved_b));
		while (a->colour[v] != group)
			v++;
	}
	for (w = 0; !ret && w < n && *tries >= 0 && *budget >= 0; w++) {
		if (saved_b[w] != group)
			continue;
		memcpy(a->colour, saved_a, n * sizeof(*saved_a));
		memcpy(b->colour, saved_b, n * sizeof(*saved_b));
		a->colour[v] = b->colour[w] = mix(group + (uint64_t)(*tries + 1));
		ret = search(a, b, label, tries, budget);
	}
	free(saved_b);
	free(saved_a);
	return ret;
}

static int coloured_init(struct coloured *c, const struct graph *g)
{
	size_t n = (size_t)g->n + 1;

	*c = (struct coloured){.g = g};
	c->colour = calloc(n, sizeof(*c->colour));
	c->next = calloc(n, sizeof(*c->next));
	c->sorted = calloc(n, sizeof(*c->sorted));
	return c->colour && c->next && c->sorted ? 0 : -1;
}

static void coloured_release(struct coloured *c)
{
	free(c->colour);
	free(c->next);
	free(c->sorted);
}

int relabel(const struct graph *shape, const struct graph *g, uint32_t *label, long *budget,
	    struct err *err)
{
	struct coloured a = {0};
	struct coloured b = {0};
	int tries = TRIES_MAX;
	int ret = -1;

	if (shape->n != g->n || shape->at[shape->n] != g->at[g->n])
		return 0;
	if (!coloured_init(&a, shape) && !coloured_init(&b, g))
		ret = search(&a, &b, label, &tries, budget);
	coloured_release(&a);
	coloured_release(&b);
	if (ret < 0)
		return err_set(err, "out of memory to number %u ranks anew", g->n);
	return ret;
}
