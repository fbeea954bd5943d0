/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The routes of topology.c: each network crosses every link of the way.
 * Private to models/topology*.c.
 */
#ifndef MODELS_TOPOLOGY_ROUTES_H
#define MODELS_TOPOLOGY_ROUTES_H

#include "models/topology.h"

struct topology_walk {
	const struct topology *t;
	size_t nodes;
	double weight; /* of the message on its way */
	double *load;  /* of each link; or, where way is set, */
	size_t *way;   /* the links of the way: so many, of which the first room are kept */
	size_t room, n;
	double hops; /* weighted, all so far */
	double in_dimension[TOPOLOGY_DIMENSIONS];
	size_t *parent_link, *queue, *degree_at, *adjacent; /* graphs: breadth first search */
};

static inline void topology_cross(struct topology_walk *w, size_t link)
{
	if (w->way) {
		if (w->n < w->room)
			w->way[w->n] = link;
		w->n++;
		return;
	}
	w->load[link] += w->weight;
	w->hops += w->weight;
}

/* Dimension order on grids; up and down on switched networks. from != to. */
void topology_route_grid(struct topology_walk *w, size_t from, size_t to);
void topology_route_fat_tree(struct topology_walk *w, size_t from, size_t to);
void topology_route_dragonfly(struct topology_walk *w, size_t from, size_t to);

/* Graphs: memory, the tree of shortest ways from a vertex, the way to one; -1 with *err. */
int topology_graph_start(struct topology_walk *w, struct err *err);
void topology_graph_from(struct topology_walk *w, size_t from);
int topology_route_graph(struct topology_walk *w, size_t from, size_t to, struct err *err);
void topology_graph_release(struct topology_walk *w);

#endif
