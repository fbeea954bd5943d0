/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shortest ways through a graph: breadth first, ties to the edge that is listed first. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "models/topology_routes.h"

#define NO_LINK SIZE_MAX

int topology_graph_start(struct topology_walk *w, struct err *err)
{
	size_t n = w->nodes, links = 2 * w->t->edges;
	size_t *at;

	at = w->parent_link = calloc(3 * n + 1 + links, sizeof(size_t));
	if (!at)
		return err_set(err, "out of memory for a graph of %zu vertices", n);
	w->queue = at + n;
	w->degree_at = at + 2 * n;
	w->adjacent = at + 3 * n + 1;
	/* Links leaving each vertex, together and in order of the edges. */
	for (size_t link = 0; link < links; link++)
		w->degree_at[w->t->edge[link / 2][link % 2] + 1]++;
	for (size_t v = 0; v < n; v++)
		w->degree_at[v + 1] += w->degree_at[v];
	memcpy(w->queue, w->degree_at, n * sizeof(size_t));
	for (size_t link = 0; link < links; link++)
		w->adjacent[w->queue[w->t->edge[link / 2][link % 2]]++] = link;
	return 0;
}

void topology_graph_from(struct topology_walk *w, size_t from)
{
	size_t head = 0, tail = 0;

	for (size_t v = 0; v < w->nodes; v++)
		w->parent_link[v] = NO_LINK;
	w->queue[tail++] = from;
	while (head < tail) {
		size_t v = w->queue[head++];

		for (size_t i = w->degree_at[v]; i < w->degree_at[v + 1]; i++) {
			size_t link = w->adjacent[i], to = w->t->edge[link / 2][1 - link % 2];

			if (to == from || w->parent_link[to] != NO_LINK)
				continue;
			w->parent_link[to] = link;
			w->queue[tail++] = to;
		}
	}
}

int topology_route_graph(struct topology_walk *w, size_t from, size_t to, struct err *err)
{
	while (to != from) {
		size_t link = w->parent_link[to];

		if (link == NO_LINK)
			return err_set(err, "no way from vertex %zu to vertex %zu", from, to);
		topology_cross(w, link);
		to = w->t->edge[link / 2][link % 2];
	}
	return 0;
}

void topology_graph_release(struct topology_walk *w)
{
	free(w->parent_link);
}
