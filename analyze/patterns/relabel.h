/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which rank is where in a shape, when ranks are not numbered along it: the two graphs are
 * coloured by their neighbourhoods until each rank stands out; where a symmetry is left,
 * one rank is singled out and, if that leads nowhere, the next.
 * Exact: every pair of neighbours must be there and no other.
 */
#ifndef ANALYZE_RELABEL_H
#define ANALYZE_RELABEL_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/* An undirected graph: vertex v has the neighbours to[at[v] .. at[v + 1] - 1]. */
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
 * label[v]: the vertex of g that vertex v of shape is. Returns 1 when found, 0 when there is
 * none (or none in reasonable time), -1 with *err set (out of memory).
 */
int relabel(const struct graph *shape, const struct graph *g, uint32_t *label, struct err *err);

#endif
