/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/collectives.h"

#include "analyze/oporder.h"

#include <stdlib.h>
#include <string.h>

struct gather {
	struct trace *t;
	struct oporder order;
	uint32_t *count; /* per communicator: collectives on it of the rank at work ... */
	uint32_t *of;    /* ... if that is this rank + 1 */
	uint32_t *first; /* per communicator: its first collective in the table */
	struct collectives out;
};

/* Position of a rank's next collective on a communicator. */
static uint32_t next_on(struct gather *g, uint32_t comm, uint32_t rank)
{
	if (g->of[comm] != rank + 1) {
		g->of[comm] = rank + 1;
		g->count[comm] = 0;
	}
	return g->count[comm]++;
}

static int counts(const struct gather *g, const struct op *op)
{
	return op->kind == OP_COLL && op->comm < g->t->n_comms && op->call != TRACE_NONE;
}

/* How many collectives each communicator has: as many as its busiest member. */
static int make_table(struct gather *g)
{
	struct trace *t = g->t;
	uint32_t *most = calloc((size_t)t->n_comms + 1, sizeof(*most));
	uint32_t r, i, c, n = 0;

	if (!most)
		return -1;
	for (r = 0; r < t->n_ranks; r++) {
		for (i = 0; i < t->ranks[r].ops; i++) {
			const struct op *op = &t->ops[t->ranks[r].first_op + i];

			if (counts(g, op) && next_on(g, op->comm, r) >= most[op->comm])
				most[op->comm]++;
		}
	}
	for (c = 0; c < t->n_comms; c++) {
		g->first[c] = n;
		n += most[c];
	}
	free(most);
	memset(g->of, 0, (size_t)t->n_comms * sizeof(*g->of));
	g->out.n = n;
	g->out.c = calloc((size_t)n + 1, sizeof(*g->out.c));
	return g->out.c ? 0 : -1;
}

static void add_member(struct gather *g, uint32_t rank, const struct op *op)
{
	uint32_t at = g->first[op->comm] + next_on(g, op->comm, rank);
	struct collective *c = &g->out.c[at];
	struct call *call = &g->t->calls[op->call];
	uint32_t root = trace_world_rank(g->t, op->comm, op->peer);
	uint64_t bytes = op->bytes + op->bytes_in;

	if (!c->members++) {
		c->comm = op->comm;
		c->region = call->region;
		c->root = -1;
		c->first_enter_ns = call->enter_ns;
		c->last_enter_ns = call->enter_ns;
		c->last_rank = rank;
	}
	if (root != TRACE_NONE)
		c->root = (int32_t)root;
	if (bytes > c->bytes)
		c->bytes = bytes;
	if (call->enter_ns < c->first_enter_ns)
		c->first_enter_ns = call->enter_ns;
	if (call->enter_ns > c->last_enter_ns) {
		c->last_enter_ns = call->enter_ns;
		c->last_rank = rank;
	}
	call->collective = at;
}

static int match_all(struct gather *g)
{
	struct trace *t = g->t;
	uint32_t r, i;

	g->count = calloc((size_t)t->n_comms + 1, sizeof(*g->count));
	g->of = calloc((size_t)t->n_comms + 1, sizeof(*g->of));
	g->first = calloc((size_t)t->n_comms + 1, sizeof(*g->first));
	if (!g->count || !g->of || !g->first || oporder_init(&g->order, t) || make_table(g))
		return -1;
	for (r = 0; r < t->n_ranks; r++) {
		oporder_set(&g->order, r);
		for (i = 0; i < g->order.n; i++) {
			if (counts(g, g->order.ops[i]))
				add_member(g, r, g->order.ops[i]);
		}
	}
	return 0;
}

int collectives_match(struct trace *t, struct collectives *out, struct err *err)
{
	struct gather g = {.t = t};
	int ret = match_all(&g);

	if (ret) {
		collectives_release(&g.out);
		err_set(err, "%s: out of memory while matching its collectives", t->anchor);
	} else {
		*out = g.out;
	}
	oporder_release(&g.order);
	free(g.count);
	free(g.of);
	free(g.first);
	return ret;
}

void collectives_release(struct collectives *c)
{
	free(c->c);
	*c = (struct collectives){0};
}
