/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gathering.h"

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

int gathering_init(struct gathering *g, const struct trace *t, const struct collectives *c,
		   struct err *err)
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
	return 0;
}

void gathering_release(struct gathering *g)
{
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
