/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/inner_nodes.h"

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

static uint32_t rooted(const struct evidence_base *b, uint32_t call)
{
	uint32_t k = call_collective(&b->t->calls[call]);

	return k != TRACE_NONE && b->c->c[k].root >= 0 ? k : TRACE_NONE;
}

/*
 * Of n calls of a collective the k-th, unless it is the root's: the last other one before it
 * returns, if that is late.
 */
static uint32_t find(const struct evidence_base *b, const struct member *m, uint32_t n, uint32_t k)
{
	const struct call *c = &b->t->calls[m[k].call];
	struct instants entered = {&m->enter_ns, sizeof(*m), n};
	uint32_t last = instants_until(entered, k, c->leave_ns);

	if (last <= k + 1 || b->c->c[m[k].collective].root == (int32_t)c->rank)
		return TRACE_NONE;
	return 2 * (m[last - 1].enter_ns - c->enter_ns) >= c->leave_ns - c->enter_ns
		       ? m[last - 1].call
		       : TRACE_NONE;
}

int inner_nodes_find(const struct evidence_base *b, uint32_t **out)
{
	struct member *m;
	uint32_t n = 0, end;

	*out = NULL;
	if (!are_rooted(b->c))
		return 0;
	for (uint32_t c = 0; c < b->t->n_calls; c++)
		n += rooted(b, c) != TRACE_NONE;
	if (!n)
		return 0;
	m = table_alloc(n, sizeof(*m));
	*out = table_alloc((size_t)b->t->n_calls + 1, sizeof(**out));
	if (!m || !*out) {
		table_free(m);
		return -1;
	}
	n = 0;
	for (uint32_t c = 0; c < b->t->n_calls; c++)
		if (rooted(b, c) != TRACE_NONE)
			m[n++] = (struct member){rooted(b, c), c, b->t->calls[c].enter_ns};
	sort(m, n, sizeof(*m), by_entry);
	memset(*out, 0xff, ((size_t)b->t->n_calls + 1) * sizeof(**out));
	for (uint32_t first = 0; first < n; first = end) {
		for (end = first + 1; end < n && m[end].collective == m[first].collective;)
			end++;
		for (uint32_t k = first; k < end; k++)
			(*out)[m[k].call] = find(b, m + first, end - first, k - first);
	}
	table_free(m);
	return 0;
}
