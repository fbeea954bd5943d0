/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far messages travel and what links carry. Ranks' maps and traffic come from files. */
#include "cmd/csv.h"
#include "cmd/model/model.h"
#include "models/topology.h"

#include <math.h>
#include <stdlib.h>

static const struct model_input mesh_inputs[] = {
	{"k", MODEL_LIST, "", MODEL_REQUIRED, "nodes in each dimension"},
	{"torus", MODEL_NUMBER, "", "0", "1: ends joined"},
	{"oneway", MODEL_NUMBER, "", "0", "1: ends joined, channels in one direction only"},
	{"self", MODEL_NUMBER, "", "0", "1: nodes also send to themselves"},
	{"traffic", MODEL_FILE, "CSV: matrix", MODEL_OPTIONAL,
	 "from row to column; else all alike"},
	{"map", MODEL_LIST, "", MODEL_OPTIONAL, "node of each rank; else in order"},
	{0},
};

static const struct model_output outputs[] = {
	{"hops", "", "mean way of a message, links"},
	{"k_d", "", "the same per dimension, on average"},
	{"k_d_each", "", "the same in each dimension"},
	{"nodes", "", "nodes, or hosts"},
	{"links", "", "links, each direction one"},
	{"busiest", "", "traffic of the link that has most"},
	{"busiest_link", "", "which link that is"},
	{"mean_load", "", "traffic of a link, on average"},
	{0},
};

/* Numbers as counts. NULL with *err set; caller frees. */
static size_t *counts(const char *what, size_t n, const double *x, struct err *err)
{
	size_t *out = calloc(n + 1, sizeof(*out));

	if (!out) {
		err_set(err, "out of memory");
		return NULL;
	}
	for (size_t i = 0; i < n; i++) {
		if (x[i] >= 0 && x[i] <= 1e9 && x[i] == floor(x[i])) {
			out[i] = x[i];
			continue;
		}
		err_set(err, "%s: %g is no whole number from 0 to 1e9", what, x[i]);
		free(out);
		return NULL;
	}
	return out;
}

static size_t *list_counts(const struct model_args *in, const char *key, size_t *n, struct err *err)
{
	const double *x;

	*n = model_list(in, key, &x);
	return counts(key, *n, x, err);
}

/* The edges of the CSV file. NULL with *err set; caller frees. */
static size_t *file_edges(const char *path, size_t *n, struct err *err)
{
	size_t *edges = NULL;
	struct csv c;

	if (csv_load(path, &c, err))
		return NULL;
	*n = c.rows;
	if (c.columns == 2)
		edges = counts(path, 2 * c.rows, c.cells, err);
	else
		err_set(err, "%s: %zu columns, edges have two", path, c.columns);
	csv_release(&c);
	return edges;
}

static int put_use(const struct topology *t, const struct topology_traffic *x,
		   struct model_results *out, struct err *err)
{
	struct topology_use u;
	size_t nodes, links;

	if (topology_size(t, &nodes, &links, err) || topology_use(t, x, &u, NULL, err))
		return -1;
	model_put(out, "hops", u.hops);
	model_put(out, "k_d", u.mean_k_d);
	if (t->kind <= TOPOLOGY_TORUS_ONE_WAY)
		model_put_array(out, "k_d_each", t->dimensions, u.k_d);
	model_put(out, "nodes", nodes);
	model_put(out, "links", u.links);
	model_put(out, "busiest", u.busiest);
	model_put(out, "busiest_link", u.busiest_link);
	model_put(out, "mean_load", u.mean_load);
	return 0;
}

/* Traffic and map of the inputs, then the answers. */
static int with_traffic(const struct model_args *in, const struct topology *t,
			struct model_results *out, struct err *err)
{
	struct topology_traffic x = {.self = model_number(in, "self") != 0};
	struct csv w = {.cells = NULL};
	size_t *map = NULL, mapped = 0;
	int ret = -1;

	if (model_has(in, "traffic")) {
		if (csv_load_square(model_word(in, "traffic"), &w, err))
			return -1;
		x.weight = w.cells;
		x.ranks = w.rows;
	}
	if (model_has(in, "map")) {
		map = list_counts(in, "map", &mapped, err);
		if (!map)
			goto out;
		if (x.ranks && x.ranks != mapped) {
			err_set(err, "map has %zu ranks, traffic %zu", mapped, x.ranks);
			goto out;
		}
		x.node = map;
		x.ranks = mapped;
	}
	ret = put_use(t, &x, out, err);
out:
	if (w.cells)
		csv_release(&w);
	free(map);
	return ret;
}

static int set_sizes(const struct model_args *in, struct topology *t, struct err *err)
{
	size_t n, *k = list_counts(in, "k", &n, err);

	if (!k)
		return -1;
	t->dimensions = n;
	for (size_t d = 0; d < n && d < TOPOLOGY_DIMENSIONS; d++)
		t->size[d] = k[d];
	free(k);
	return 0;
}

static int evaluate_mesh(const struct model_args *in, struct model_results *out, struct err *err)
{
	struct topology t = {.kind = TOPOLOGY_MESH};

	if (model_number(in, "torus") != 0)
		t.kind = TOPOLOGY_TORUS;
	if (model_number(in, "oneway") != 0)
		t.kind = TOPOLOGY_TORUS_ONE_WAY;
	if (set_sizes(in, &t, err))
		return -1;
	return with_traffic(in, &t, out, err);
}

const struct model_adapter model_mesh = {mesh_inputs, outputs, evaluate_mesh};

static const struct model_input network_inputs[] = {
	{"kind", MODEL_WORD, "switch|fat-tree|dragonfly|graph", MODEL_REQUIRED, "of network"},
	{"k", MODEL_LIST, "", MODEL_REQUIRED,
	 "switch: hosts; fat-tree: leaves, hosts a leaf, up-links a leaf; dragonfly: groups, "
	 "routers a group, hosts a router; graph: vertices"},
	{"edges", MODEL_FILE, "CSV: from,to", MODEL_OPTIONAL, "graph: a line for each edge"},
	{"self", MODEL_NUMBER, "", "0", "1: nodes also send to themselves"},
	{"traffic", MODEL_FILE, "CSV: matrix", MODEL_OPTIONAL,
	 "from row to column; else all alike"},
	{"map", MODEL_LIST, "", MODEL_OPTIONAL, "node of each rank; else in order"},
	{0},
};

static int evaluate_network(const struct model_args *in, struct model_results *out, struct err *err)
{
	struct topology t = {.kind = TOPOLOGY_SWITCH};
	size_t n = 0, *edges = NULL;
	int ret;

	if (model_is(in, "kind", "fat-tree"))
		t.kind = TOPOLOGY_FAT_TREE;
	if (model_is(in, "kind", "dragonfly"))
		t.kind = TOPOLOGY_DRAGONFLY;
	if (model_is(in, "kind", "graph"))
		t.kind = TOPOLOGY_GRAPH;
	if (set_sizes(in, &t, err))
		return -1;
	if (t.kind == TOPOLOGY_GRAPH) {
		if (!model_has(in, "edges"))
			return err_set(err, "a graph needs edges=");
		edges = file_edges(model_word(in, "edges"), &n, err);
		if (!edges)
			return -1;
		t.edges = n;
		t.edge = (const size_t(*)[2])edges;
	}
	ret = with_traffic(in, &t, out, err);
	free(edges);
	return ret;
}

const struct model_adapter model_network = {network_inputs, outputs, evaluate_network};
