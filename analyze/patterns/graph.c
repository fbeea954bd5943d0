/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/patterns/graph.h"

#include <stdlib.h>

#define NOBODY UINT32_MAX

int graph_build(struct graph *g, uint32_t n, size_t n_edges, const uint32_t (*edges)[2],
		struct err *err)
{
	uint32_t *fill = calloc((size_t)n + 1, sizeof(*fill));
	struct graph x = {.n = n};
	size_t i;
	uint32_t v;

	x.at = calloc((size_t)n + 2, sizeof(*x.at));
	x.to = calloc(2 * n_edges + 1, sizeof(*x.to));
	if (!fill || !x.at || !x.to) {
		free(fill);
		graph_release(&x);
		return err_set(err, "out of memory for a graph of %u ranks", n);
	}
	for (i = 0; i < n_edges; i++) {
		x.at[edges[i][0] + 1]++;
		x.at[edges[i][1] + 1]++;
	}
	for (v = 0; v < n; v++) {
		x.at[v + 1] += x.at[v];
		fill[v] = x.at[v];
	}
	for (i = 0; i < n_edges; i++) {
		x.to[fill[edges[i][0]]++] = edges[i][1];
		x.to[fill[edges[i][1]]++] = edges[i][0];
	}
	free(fill);
	*g = x;
	return 0;
}

void graph_release(struct graph *g)
{
	free(g->at);
	free(g->to);
	*g = (struct graph){0};
}

/* Vertices by how many neighbours of theirs are in order, those with most first: a bucket queue. */
struct near {
	uint32_t *count; /* per vertex; NOBODY: it is in order itself */
	uint32_t *first; /* per count: the first and the last to have it, of entries */
	uint32_t *last;
	uint32_t *vertex; /* per entry: who it is of, for as long as that is its count, */
	uint32_t *next;   /* and the one behind */
	uint32_t n;
	uint32_t top; /* no count is more */
};

static int near_init(struct near *x, const struct graph *g)
{
	size_t n = (size_t)g->n + 2;
	size_t entries = (size_t)g->at[g->n] + 1;

	*x = (struct near){0};
	x->count = calloc(n, sizeof(*x->count));
	x->first = calloc(n, sizeof(*x->first));
	x->last = calloc(n, sizeof(*x->last));
	x->vertex = calloc(entries, sizeof(*x->vertex));
	x->next = calloc(entries, sizeof(*x->next));
	if (!x->count || !x->first || !x->last || !x->vertex || !x->next)
		return -1;
	for (size_t i = 0; i < n; i++)
		x->first[i] = NOBODY;
	return 0;
}

static void near_release(struct near *x)
{
	free(x->count);
	free(x->first);
	free(x->last);
	free(x->vertex);
	free(x->next);
}

static void near_add(struct near *x, uint32_t v)
{
	uint32_t count = ++x->count[v];
	uint32_t entry = x->n++;

	x->vertex[entry] = v;
	x->next[entry] = NOBODY;
	if (x->first[count] == NOBODY)
		x->first[count] = entry;
	else
		x->next[x->last[count]] = entry;
	x->last[count] = entry;
	if (count > x->top)
		x->top = count;
}

/* NOBODY: none has a neighbour in order. */
static uint32_t near_take(struct near *x)
{
	for (; x->top; x->top--)
		while (x->first[x->top] != NOBODY) {
			uint32_t entry = x->first[x->top];

			x->first[x->top] = x->next[entry];
			if (x->count[x->vertex[entry]] == x->top)
				return x->vertex[entry];
		}
	return NOBODY;
}

int graph_order(const struct graph *g, uint32_t *order, struct err *err)
{
	struct near x;
	uint32_t first = 0;
	int ret = near_init(&x, g);

	if (ret)
		err_set(err, "out of memory for a graph of %u ranks", g->n);
	for (uint32_t k = 0; !ret && k < g->n; k++) {
		uint32_t v = near_take(&x);

		while (v == NOBODY) {
			if (x.count[first] != NOBODY)
				v = first;
			first++;
		}
		order[k] = v;
		x.count[v] = NOBODY;
		for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++)
			if (x.count[g->to[i]] != NOBODY)
				near_add(&x, g->to[i]);
	}
	near_release(&x);
	return ret;
}
