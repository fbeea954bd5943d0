/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow/inner_nodes.h"

#include <string.h>

#include "analyze/tools/instants.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

/* A call of such a collective. */
struct member {
	uint32_t collective, call;
	int64_t enter_ns;
};

static int by_entry(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->collective != y->collective)
		return x->collective > y->collective ? 1 : -1;
	if (x->enter_ns != y->enter_ns)
		return x->enter_ns > y->enter_ns ? 1 : -1;
	return (x->call > y->call) - (x->call < y->call);
}

static int are_rooted(const struct collectives *c)
{
	uint32_t k = 0;

	while (k < c->n && c->c[k].root < 0)
		k++;
	return k < c->n;
}

static uint32_t rooted(const struct gathering *g, uint32_t call)
{
	uint32_t k = call_collective(&g->t->calls[call]);

	return k != TRACE_NONE && g->c->c[k].root >= 0 ? k : TRACE_NONE;
}

/*
 * Of n calls of a collective the k-th: the last other one before it returns, if that is late, and
 * by more than the root was.
 */
static uint32_t find(const struct gathering *g, const struct member *m, uint32_t n, uint32_t k)
{
	const struct call *c = &g->t->calls[m[k].call];
	struct instants entered = {&m->enter_ns, sizeof(*m), n};
	uint32_t last = instants_until(entered, k, c->leave_ns);
	int64_t ready_ns = gathering_ready_ns(g, m[k].call), late_ns;

	if (last <= k + 1)
		return TRACE_NONE;
	late_ns = m[last - 1].enter_ns - ready_ns;
	return late_ns > 0 && 2 * late_ns >= c->leave_ns - ready_ns &&
			       late_ns >= ready_ns - c->enter_ns
		       ? m[last - 1].call
		       : TRACE_NONE;
}

int inner_nodes_find(struct gathering *g, struct err *err)
{
	struct member *m;
	uint32_t n = 0, end;

	if (!are_rooted(g->c))
		return 0;
	for (uint32_t c = 0; c < g->t->n_calls; c++)
		n += rooted(g, c) != TRACE_NONE;
	if (!n)
		return 0;
	m = table_alloc(n, sizeof(*m));
	g->kept_by = table_alloc((size_t)g->t->n_calls + 1, sizeof(*g->kept_by));
	if (!m || !g->kept_by) {
		table_free(m);
		return err_set(err, "out of memory for %u calls", g->t->n_calls);
	}
	n = 0;
	for (uint32_t c = 0; c < g->t->n_calls; c++)
		if (rooted(g, c) != TRACE_NONE)
			m[n++] = (struct member){rooted(g, c), c, g->t->calls[c].enter_ns};
	sort(m, n, sizeof(*m), by_entry);
	memset(g->kept_by, 0xff, ((size_t)g->t->n_calls + 1) * sizeof(*g->kept_by));
	for (uint32_t first = 0; first < n; first = end) {
		for (end = first + 1; end < n && m[end].collective == m[first].collective;)
			end++;
		for (uint32_t k = first; k < end; k++)
			g->kept_by[m[k].call] = find(g, m + first, end - first, k - first);
	}
	table_free(m);
	return 0;
}
