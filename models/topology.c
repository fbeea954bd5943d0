/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/topology.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/topology_routes.h"

#define NODES_MAX ((size_t)1 << 24)
#define LINKS_MAX ((size_t)1 << 28)

static int is_grid(const struct topology *t)
{
	return t->kind == TOPOLOGY_MESH || t->kind == TOPOLOGY_TORUS ||
	       t->kind == TOPOLOGY_TORUS_ONE_WAY;
}

static size_t sizes_needed(const struct topology *t)
{
	if (is_grid(t))
		return t->dimensions;
	return t->kind == TOPOLOGY_FAT_TREE || t->kind == TOPOLOGY_DRAGONFLY ? 3 : 1;
}

static int check_edges(const struct topology *t, struct err *err)
{
	for (size_t e = 0; e < t->edges; e++)
		if (t->edge[e][0] >= t->size[0] || t->edge[e][1] >= t->size[0])
			return err_set(err,
				       "edge %zu joins %zu and %zu, but there are %zu vertices", e,
				       t->edge[e][0], t->edge[e][1], t->size[0]);
	return 0;
}

int topology_size(const struct topology *t, size_t *nodes, size_t *links, struct err *err)
{
	const size_t *k = t->size;
	size_t all = 1, hosts;

	if (t->dimensions < 1 || t->dimensions > TOPOLOGY_DIMENSIONS)
		return err_set(err, "%zu dimensions, must be 1 to %d", t->dimensions,
			       TOPOLOGY_DIMENSIONS);
	if (t->dimensions != sizes_needed(t))
		return err_set(err, "%zu sizes, this network has %zu", t->dimensions,
			       sizes_needed(t));
	for (size_t d = 0; d < t->dimensions; d++) {
		if (k[d] < 1 || k[d] > NODES_MAX || (all *= k[d]) > NODES_MAX)
			return err_set(err, "size %zu is %zu: the network is empty or too large",
				       d + 1, k[d]);
	}
	hosts = t->kind == TOPOLOGY_FAT_TREE ? k[0] * k[1] : all;
	*nodes = hosts;
	*links = 2 * hosts;
	if (is_grid(t))
		*links = 2 * hosts * t->dimensions;
	else if (t->kind == TOPOLOGY_FAT_TREE)
		*links += 2 * k[0] * k[2];
	else if (t->kind == TOPOLOGY_DRAGONFLY)
		*links += k[0] * k[1] * k[1] + k[0] * k[0];
	else if (t->kind == TOPOLOGY_GRAPH)
		*links = 2 * t->edges;
	if (*links > LINKS_MAX)
		return err_set(err, "%zu links are too many", *links);
	return t->kind == TOPOLOGY_GRAPH ? check_edges(t, err) : 0;
}

static int check_traffic(const struct topology_traffic *x, size_t ranks, size_t nodes,
			 struct err *err)
{
	if (!x->node && ranks > nodes)
		return err_set(err, "%zu ranks on %zu nodes need a map", ranks, nodes);
	for (size_t i = 0; x->node && i < ranks; i++)
		if (x->node[i] >= nodes)
			return err_set(err, "rank %zu is on node %zu of %zu", i, x->node[i], nodes);
	for (size_t i = 0; x->weight && i < ranks * ranks; i++)
		if (!isfinite(x->weight[i]) || x->weight[i] < 0)
			return err_set(err, "the traffic from %zu to %zu is %g", i / ranks,
				       i % ranks, x->weight[i]);
	return 0;
}

static int route(struct topology_walk *w, size_t from, size_t to, struct err *err)
{
	switch (w->t->kind) {
	case TOPOLOGY_MESH:
	case TOPOLOGY_TORUS:
	case TOPOLOGY_TORUS_ONE_WAY:
		topology_route_grid(w, from, to);
		return 0;
	case TOPOLOGY_SWITCH:
		topology_cross(w, from);
		topology_cross(w, w->nodes + to);
		return 0;
	case TOPOLOGY_FAT_TREE:
		topology_route_fat_tree(w, from, to);
		return 0;
	case TOPOLOGY_DRAGONFLY:
		topology_route_dragonfly(w, from, to);
		return 0;
	case TOPOLOGY_GRAPH:
		break;
	}
	return topology_route_graph(w, from, to, err);
}

/* All traffic. Returns the sum of weights, or -1 with *err set. */
static double route_all(struct topology_walk *w, const struct topology_traffic *x, size_t ranks,
			struct err *err)
{
	double sum = 0;

	for (size_t i = 0; i < ranks; i++) {
		size_t from = x->node ? x->node[i] : i;

		if (w->t->kind == TOPOLOGY_GRAPH)
			topology_graph_from(w, from);
		for (size_t j = 0; j < ranks; j++) {
			size_t to = x->node ? x->node[j] : j;

			w->weight = x->weight ? x->weight[i * ranks + j] : (i != j || x->self);
			sum += w->weight;
			if (w->weight > 0 && from != to && route(w, from, to, err))
				return -1;
		}
	}
	return sum;
}

/* Links that are there: numbers on a mesh also count those beyond its edges. */
static size_t links_there(const struct topology *t, size_t nodes, size_t links)
{
	const size_t *k = t->size;

	if (t->kind == TOPOLOGY_TORUS_ONE_WAY)
		return links / 2;
	if (t->kind == TOPOLOGY_DRAGONFLY)
		return 2 * nodes + k[0] * k[1] * (k[1] - 1) + k[0] * (k[0] - 1);
	for (size_t d = 0; t->kind == TOPOLOGY_MESH && d < t->dimensions; d++)
		links -= 2 * nodes / k[d];
	return links;
}

static void summarize(const struct topology_walk *w, size_t links, double sum,
		      struct topology_use *out)
{
	struct topology_use u = {.traffic = sum, .hops = w->hops / sum};

	for (size_t d = 0; d < w->t->dimensions; d++)
		u.k_d[d] = w->in_dimension[d] / sum;
	u.mean_k_d = is_grid(w->t) ? u.hops / w->t->dimensions : u.hops;
	for (size_t l = 0; l < links; l++) {
		if (w->load[l] <= u.busiest)
			continue;
		u.busiest = w->load[l];
		u.busiest_link = l;
	}
	u.links = links_there(w->t, w->nodes, links);
	u.mean_load = u.links ? w->hops / u.links : 0;
	*out = u;
}

int topology_use(const struct topology *t, const struct topology_traffic *traffic,
		 struct topology_use *out, double *load, struct err *err)
{
	struct topology_walk w = {.t = t};
	size_t links, ranks;
	double sum;
	int ret = -1;

	if (topology_size(t, &w.nodes, &links, err))
		return -1;
	ranks = traffic->ranks ? traffic->ranks : w.nodes;
	if (check_traffic(traffic, ranks, w.nodes, err))
		return -1;
	w.load = calloc(links + 1, sizeof(double));
	if (!w.load)
		return err_set(err, "out of memory for %zu links", links);
	if (t->kind == TOPOLOGY_GRAPH && topology_graph_start(&w, err))
		goto out;
	sum = route_all(&w, traffic, ranks, err);
	if (sum < 0)
		goto out;
	if (!(sum > 0) || !isfinite(sum)) {
		err_set(err, "no traffic, or more than a number can hold");
		goto out;
	}
	summarize(&w, links, sum, out);
	if (load)
		memcpy(load, w.load, links * sizeof(double));
	ret = 0;
out:
	if (t->kind == TOPOLOGY_GRAPH)
		topology_graph_release(&w);
	free(w.load);
	return ret;
}

size_t topology_way(const struct topology *t, size_t from, size_t to, size_t room, size_t link[])
{
	struct topology_walk w = {.t = t, .way = link, .room = room};
	size_t links;
	struct err ignored;

	if (from == to || t->kind == TOPOLOGY_GRAPH || topology_size(t, &w.nodes, &links, &ignored))
		return 0;
	return route(&w, from, to, &ignored) ? 0 : w.n;
}
