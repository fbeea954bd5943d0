/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/opinion/opinion_network.h"

#include <stdio.h>
#include <stdlib.h>

/* The bytes between the trace's hosts: from x hosts + to. */
static void weigh(const struct evidence_base *b, const struct phases *phases, uint32_t phase,
		  double *weight, struct network_load *x)
{
	const struct messages *m = b->m;
	const struct trace *t = b->t;

	for (uint32_t i = 0; i < m->n; i++) {
		uint32_t from, to;

		if (phases->of_message[i] != phase - 1)
			continue;
		from = t->ranks[m->m[i].src].node;
		to = t->ranks[m->m[i].dst].node;
		if (from == to)
			continue;
		weight[(size_t)from * t->nodes + to] += (double)m->m[i].bytes;
		x->messages++;
		x->bytes += (double)m->m[i].bytes;
		x->contention_s += 1e-9 * slices_part(&b->a->message, i, COST_network_contention);
	}
}

static double hottest(uint32_t hosts, const double *weight)
{
	double most = 0, sum = 0;

	for (uint32_t to = 0; to < hosts; to++) {
		double into = 0;

		for (uint32_t from = 0; from < hosts; from++)
			into += weight[(size_t)from * hosts + to];
		sum += into;
		most = into > most ? into : most;
	}
	return sum > 0 ? most * hosts / sum : 0;
}

static void route(const struct evidence_base *b, const double *weight, size_t *node,
		  struct network_load *x)
{
	const struct machine_topology *network = &b->machine->topology;
	struct topology_traffic traffic = {b->t->nodes, weight, 0, node};
	struct topology_use use;
	struct err why;

	if (network->shape.kind == TOPOLOGY_FAT_TREE) {
		snprintf(x->why_not, sizeof(x->why_not), "%s",
			 "the model is of meshes and tori, the machine file's network is a tree");
		return;
	}
	if (machine_topology_place(network, b->t, node, &why) ||
	    topology_use(&network->shape, &traffic, &use, NULL, &why)) {
		snprintf(x->why_not, sizeof(x->why_not), "%.190s", why.text);
		return;
	}
	x->dimensions = (double)network->shape.dimensions;
	x->k_d = use.mean_k_d;
}

int network_load_find(const struct evidence_base *b, const struct phases *phases, uint32_t phase,
		      struct network_load *out, struct err *err)
{
	size_t hosts = b->t->nodes;
	struct network_load x = {.messages = 0};
	double *weight;
	size_t *node;

	if (hosts < 2 || !b->machine->topology.shape.dimensions) {
		snprintf(x.why_not, sizeof(x.why_not), "%s",
			 hosts < 2 ? "all ranks are on one node: there is no network between them"
				   : "a trace names hosts, not the links between them: the machine "
				     "file says no topology");
		*out = x;
		return 0;
	}
	weight = calloc(hosts * hosts, sizeof(*weight));
	node = calloc(hosts, sizeof(*node));
	if (!weight || !node) {
		free(weight);
		free(node);
		return err_set(err, "out of memory for %zu hosts", hosts);
	}
	weigh(b, phases, phase, weight, &x);
	if (x.bytes > 0) {
		double lasts_s = phases->p[phase - 1].spent_ns * 1e-9 / b->t->n_ranks;

		route(b, weight, node, &x);
		x.hot = hottest((uint32_t)hosts, weight);
		x.per_s = lasts_s > 0 ? x.messages / (double)hosts / lasts_s : 0;
		x.bytes /= x.messages;
		x.contention_s /= x.messages;
	} else {
		snprintf(x.why_not, sizeof(x.why_not), "its messages stay on their hosts");
	}
	free(weight);
	free(node);
	*out = x;
	return 0;
}
