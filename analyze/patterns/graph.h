/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who is next to whom: an undirected graph, by vertex. */
#ifndef ANALYZE_GRAPH_H
#define ANALYZE_GRAPH_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/* Vertex v has the neighbours to[at[v] .. at[v + 1] - 1]. */
struct graph {
	uint32_t n;
	uint32_t *at;
	uint32_t *to;
};

/* edges: n_edges times two vertices, each edge once. Returns 0, or -1 with *err set. */
int graph_build(struct graph *g, uint32_t n, size_t n_edges, const uint32_t (*edges)[2],
		struct err *err);
void graph_release(struct graph *g);

static inline int graph_has_edge(const struct graph *g, uint32_t v, uint32_t w)
{
	for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++)
		if (g->to[i] == w)
			return 1;
	return 0;
}

/*
 * order[k]: the vertices, each near to those before: next is the one with most neighbours among
 * them, of several the one that has had them longest; where none has any, the first of all. Time
 * goes with the edges. Returns 0, or -1 with *err set (out of memory).
 */
int graph_order(const struct graph *g, uint32_t *order, struct err *err);

#endif
