/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gathering.h"

#include "analyze/coll_costs.h"
#include "analyze/instants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int has(const char *name, const char *part)
{
	return name && strstr(name, part) != NULL;
}

/* MPI_Reduce, MPI_Gather(v): only the root needs the others. By name: OTF2 does not say. */
static int flows_to_root(const char *name)
{
	return (has(name, "Reduce") || has(name, "Gather")) && !has(name, "scatter");
}

/* Where each rooted collective's root came in; where the others' last rank did. */
static void find_roots(struct gathering *g)
{
	for (uint32_t k = 0; k < g->c->n; k++) {
		g->root_ns[k] = g->c->c[k].last_enter_ns;
		g->to_root[k] = g->c->c[k].root >= 0 &&
				flows_to_root(g->t->regions[g->c->c[k].region].name);
	}
	for (uint32_t i = 0; i < g->t->n_calls; i++) {
		const struct call *x = &g->t->calls[i];

		if (x->collective != TRACE_NONE && g->c->c[x->collective].root == (int32_t)x->rank)
			g->root_ns[x->collective] = x->enter_ns;
		if (trace_call_kind(g->t, i) == REGION_FINALIZE && x->enter_ns > g->finalize_ns)
			g->finalize_ns = x->enter_ns;
	}
}

/* What the machine's signature says of all-to-alls. Returns 0, or -1 with *err set. */
static int find_contention(struct gathering *g, const struct machine *machine, struct err *err)
{
	struct coll_costs costs;

	if (!machine->n_signatures)
		return 0;
	g->alone_ns = calloc((size_t)g->c->n + 1, sizeof(*g->alone_ns));
	g->contended_ns = calloc((size_t)g->c->n + 1, sizeof(*g->contended_ns));
	if (!g->alone_ns || !g->contended_ns)
		return err_set(err, "out of memory for %u collectives", g->c->n);
	if (coll_costs_init(&costs, g->t, g->c, machine, err))
		return -1;
	for (uint32_t k = 0; k < g->c->n; k++) {
		struct coll_cost x = coll_costs_at(&costs, k);

		g->alone_ns[k] = llround(x.alone_s * 1e9);
		g->contended_ns[k] = llround(x.signature_s * 1e9);
	}
	coll_costs_release(&costs);
	return 0;
}

int gathering_init(struct gathering *g, const struct trace *t, const struct collectives *c,
		   const struct machine *machine, struct err *err)
{
	memset(g, 0, sizeof(*g));
	g->t = t;
	g->c = c;
	g->finalize_ns = INT64_MIN;
	g->root_ns = calloc((size_t)c->n + 1, sizeof(*g->root_ns));
	g->to_root = calloc((size_t)c->n + 1, sizeof(*g->to_root));
	g->nonblocking = calloc((size_t)t->n_calls + 1, sizeof(*g->nonblocking));
	if (!g->root_ns || !g->to_root || !g->nonblocking) {
		gathering_release(g);
		return err_set(err, "out of memory for %u calls", t->n_calls);
	}
	find_roots(g);
	for (uint32_t i = 0; i < t->n_ops; i++)
		if (t->ops[i].kind == OP_NBC_DONE && t->ops[i].call != TRACE_NONE)
			g->nonblocking[t->ops[i].call] = 1;
	if (find_contention(g, machine, err)) {
		gathering_release(g);
		return -1;
	}
	return 0;
}

void gathering_release(struct gathering *g)
{
	free(g->contended_ns);
	free(g->alone_ns);
	free(g->nonblocking);
	free(g->to_root);
	free(g->root_ns);
	memset(g, 0, sizeof(*g));
}

int64_t gathering_ready_ns(const struct gathering *g, uint32_t call)
{
	const struct call *x = &g->t->calls[call];
	int64_t ready_ns = x->enter_ns;

	if (trace_call_kind(g->t, call) == REGION_FINALIZE) {
		ready_ns = g->finalize_ns;
	} else if (x->collective != TRACE_NONE) {
		const struct collective *c = &g->c->c[x->collective];
		int is_root = c->root == (int32_t)x->rank;

		if (c->root < 0 || (is_root && g->to_root[x->collective]))
			ready_ns = c->last_enter_ns;
		else if (!is_root && !g->to_root[x->collective])
			ready_ns = g->root_ns[x->collective];
	}
	if (ready_ns > x->leave_ns)
		return x->leave_ns;
	return ready_ns > x->enter_ns ? ready_ns : x->enter_ns;
}

int64_t gathering_contention_ns(const struct gathering *g, uint32_t call, int64_t ns)
{
	uint32_t k = g->t->calls[call].collective;

	if (k == TRACE_NONE || !g->contended_ns)
		return 0;
	return later(0, earlier(ns, g->contended_ns[k]) - g->alone_ns[k]);
}
