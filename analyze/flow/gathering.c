/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow/gathering.h"

#include "analyze/flow/coll_costs.h"
#include "analyze/flow/inner_nodes.h"
#include "analyze/tools/instants.h"
#include "common/table.h"

#include <math.h>
#include <string.h>

static int has(const char *name, const char *part)
{
	return name && strstr(name, part) != NULL;
}

/* MPI_Reduce, MPI_Gather(v): only the root needs the others. By name: OTF2 does not say. */
static int flows_to_root(const char *name)
{
	return (has(name, "Reduce") || has(name, "Gather") || has(name, "Ireduce") ||
		has(name, "Igather")) &&
	       !has(name, "scatter");
}

int gathering_needs_some(const char *name)
{
	return has(name, "eighbor_") || has(name, "Scan") || has(name, "scan");
}

enum gathering_whom gathering_whom(const struct trace *t, const struct collective *c, uint32_t rank)
{
	int is_root = c->root == (int32_t)rank;

	if (c->root < 0)
		return WAITS_FOR_ALL;
	if (flows_to_root(t->regions[c->region].name))
		return is_root ? WAITS_FOR_ALL : WAITS_FOR_NOBODY;
	return is_root ? WAITS_FOR_NOBODY : WAITS_FOR_ROOT;
}

uint32_t gathering_awaited(const struct trace *t, const struct collective *c)
{
	int is_root = gathering_whom(t, c, TRACE_NONE) == WAITS_FOR_ROOT;
	uint32_t rank = is_root ? (uint32_t)c->root : c->last_rank;

	if (!is_root && !c->is_short && !collective_is_whole(t, c))
		return TRACE_NONE;
	return rank < t->n_ranks ? rank : TRACE_NONE;
}

/* Where each rooted collective's root came in; where the others' last rank did. */
static void find_roots(struct gathering *g)
{
	for (uint32_t k = 0; k < g->c->n; k++) {
		g->root_ns[k] = g->c->c[k].last_enter_ns;
		g->is_partial[k] = gathering_needs_some(g->t->regions[g->c->c[k].region].name) != 0;
	}
	for (uint32_t i = 0; i < g->t->n_calls; i++) {
		const struct call *x = &g->t->calls[i];
		uint32_t k = call_collective(x);

		if (k != TRACE_NONE && g->c->c[k].root == (int32_t)x->rank) {
			g->root_ns[k] = x->enter_ns;
			g->root_came[k] = 1;
		}
		if (trace_call_kind(g->t, i) == REGION_FINALIZE && x->enter_ns > g->finalize_ns)
			g->finalize_ns = x->enter_ns;
	}
	for (uint32_t r = 0; r < g->t->n_ranks; r++)
		g->unseen_end |=
			!g->t->ranks[r].has_ended && trace_is_unseen_after(g->t, r, g->finalize_ns);
}

/* Until when does a member of k wait for others, that entered (or started it) at own_ns? */
static int64_t ready_ns(const struct gathering *g, uint32_t k, uint32_t rank, int64_t own_ns)
{
	switch (gathering_whom(g->t, &g->c->c[k], rank)) {
	case WAITS_FOR_ALL:
		return g->c->c[k].last_enter_ns;
	case WAITS_FOR_ROOT:
		return g->root_ns[k];
	default:
		return own_ns;
	}
}

/* May the one that the rank waits for in k have come later than is known? */
static int lacks_ranks(const struct gathering *g, uint32_t k, uint32_t rank)
{
	const struct collective *c = &g->c->c[k];

	if (c->is_short || c->comm >= g->t->n_comms || collective_is_whole(g->t, c))
		return 0;
	switch (gathering_whom(g->t, c, rank)) {
	case WAITS_FOR_ALL:
		return 1;
	case WAITS_FOR_ROOT:
		return !g->root_came[k];
	default:
		return 0;
	}
}

/* Calls that complete non-blocking ones wait for the last that was started late. */
static int find_starts(struct gathering *g, struct err *err)
{
	const struct collectives *c = g->c;

	if (!c->n_starts)
		return 0;
	g->started_ns = table_calloc((size_t)g->t->n_calls + 1, sizeof(*g->started_ns));
	if (!g->started_ns)
		return err_set(err, "out of memory for %u calls", g->t->n_calls);
	for (uint32_t i = 0; i < c->n_starts; i++) {
		const struct call *start = &g->t->calls[c->starts[i].start];

		if (c->c[c->starts[i].collective].root == (int32_t)start->rank) {
			g->root_ns[c->starts[i].collective] = start->enter_ns;
			g->root_came[c->starts[i].collective] = 1;
		}
	}
	for (uint32_t i = 0; i < c->n_starts; i++) {
		const struct call *start = &g->t->calls[c->starts[i].start];
		int64_t *known_ns = &g->started_ns[c->starts[i].done];

		if (lacks_ranks(g, c->starts[i].collective, start->rank))
			g->nonblocking[c->starts[i].done] = 3;
		else if (g->is_partial[c->starts[i].collective] &&
			 g->nonblocking[c->starts[i].done] < 3)
			g->nonblocking[c->starts[i].done] = 2;
		*known_ns = later(*known_ns, ready_ns(g, c->starts[i].collective, start->rank,
						      start->enter_ns));
	}
	return 0;
}

/* What the machine's signature says of all-to-alls. Returns 0, or -1 with *err set. */
static int find_contention(struct gathering *g, const struct machine *machine, struct err *err)
{
	struct coll_costs costs;

	if (!machine->n_signatures)
		return 0;
	g->alone_ns = table_calloc((size_t)g->c->n + 1, sizeof(*g->alone_ns));
	g->contended_ns = table_calloc((size_t)g->c->n + 1, sizeof(*g->contended_ns));
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
		   const uint32_t *back, const struct machine *machine, struct err *err)
{
	memset(g, 0, sizeof(*g));
	g->t = t;
	g->c = c;
	g->back = back;
	g->finalize_ns = INT64_MIN;
	g->root_ns = table_calloc((size_t)c->n + 1, sizeof(*g->root_ns));
	g->is_partial = table_calloc((size_t)c->n + 1, sizeof(*g->is_partial));
	g->nonblocking = table_calloc((size_t)t->n_calls + 1, sizeof(*g->nonblocking));
	g->root_came = table_calloc((size_t)c->n + 1, sizeof(*g->root_came));
	if (!g->root_ns || !g->root_came || !g->is_partial || !g->nonblocking) {
		gathering_release(g);
		return err_set(err, "out of memory for %u calls", t->n_calls);
	}
	find_roots(g);
	for (uint32_t i = 0; i < t->n_ops; i++)
		if (t->ops[i].kind == OP_NBC_DONE && t->ops[i].call != TRACE_NONE)
			g->nonblocking[t->ops[i].call] = 1;
	if (find_starts(g, err) || find_contention(g, machine, err) || inner_nodes_find(g, err) ||
	    file_calls_init(&g->files, t, err)) {
		gathering_release(g);
		return -1;
	}
	return 0;
}

void gathering_release(struct gathering *g)
{
	file_calls_release(&g->files);
	table_free(g->contended_ns);
	table_free(g->alone_ns);
	table_free(g->started_ns);
	table_free(g->kept_by);
	table_free(g->nonblocking);
	table_free(g->is_partial);
	table_free(g->root_came);
	table_free(g->root_ns);
	memset(g, 0, sizeof(*g));
}

int64_t gathering_ready_ns(const struct gathering *g, uint32_t call)
{
	const struct call *x = &g->t->calls[call];
	int64_t until_ns = x->enter_ns;

	if (trace_call_kind(g->t, call) == REGION_FINALIZE)
		until_ns = g->finalize_ns;
	else if (call_collective(x) != TRACE_NONE && g->c->c[call_collective(x)].is_short &&
		 trace_is_open(g->t, call))
		until_ns = x->leave_ns; /* for a rank that never came */
	else if (call_collective(x) != TRACE_NONE)
		until_ns = ready_ns(g, call_collective(x), x->rank, x->enter_ns);
	else if (g->started_ns && g->nonblocking[call])
		until_ns = g->started_ns[call];
	return later(x->enter_ns, earlier(x->leave_ns, until_ns));
}

int64_t gathering_handed_ns(const struct gathering *g, uint32_t call, int64_t ready_ns)
{
	if (!g->kept_by || g->kept_by[call] == TRACE_NONE)
		return ready_ns;
	return later(ready_ns, g->t->calls[g->kept_by[call]].enter_ns);
}

int64_t gathering_last_ns(const struct gathering *g, uint32_t call, int64_t ready_ns)
{
	const struct call *x = &g->t->calls[call];
	uint32_t k = call_collective(x);

	if (k == TRACE_NONE)
		return ready_ns;
	return later(ready_ns, earlier(x->leave_ns, g->c->c[k].last_enter_ns));
}

int64_t gathering_attended_ns(const struct gathering *g, uint32_t call, int64_t ready_ns)
{
	if (!g->back || g->back[call] == TRACE_NONE || g->nonblocking[call] != 1)
		return ready_ns;
	return later(ready_ns, g->t->calls[g->back[call]].enter_ns);
}

int gathering_is_partial(const struct gathering *g, uint32_t call)
{
	uint32_t k = call_collective(&g->t->calls[call]);

	return k != TRACE_NONE ? g->is_partial[k] : g->nonblocking[call] == 2;
}

int gathering_lacks_ranks(const struct gathering *g, uint32_t call)
{
	const struct call *x = &g->t->calls[call];
	uint32_t k = call_collective(x);

	if (trace_call_kind(g->t, call) == REGION_FINALIZE)
		return g->unseen_end;
	return k != TRACE_NONE ? lacks_ranks(g, k, x->rank) : g->nonblocking[call] == 3;
}

int64_t gathering_contention_ns(const struct gathering *g, uint32_t call, int64_t ns)
{
	uint32_t k = call_collective(&g->t->calls[call]);

	if (k == TRACE_NONE || !g->contended_ns)
		return 0;
	return later(0, earlier(ns, g->contended_ns[k]) - g->alone_ns[k]);
}
