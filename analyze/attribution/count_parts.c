/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/count_parts.h"

#include "analyze/tools/sorting.h"
#include "common/table.h"

#include <stdlib.h>

struct gather {
	const struct trace *t;
	const struct collectives *c;
	const uint8_t *kind;
	double *bytes;             /* per target: of the rank at work, until its next fence; */
	uint32_t *target, targets; /* who has some */
	size_t room_bytes;
	struct count_parts out;
};

static int add(struct gather *g, struct count_part part)
{
	if ((g->out.n + 1) * sizeof(part) > g->room_bytes) {
		size_t bytes = 2 * g->room_bytes + 1024 * sizeof(part);
		struct count_part *more = table_resize(g->out.p, &bytes);

		if (!more)
			return -1;
		g->out.p = more;
		g->room_bytes = bytes;
	}
	g->out.p[g->out.n++] = part;
	return 0;
}

/* Bytes of an operation of the rank on another's memory, until its next fence. */
static void note_target(struct gather *g, uint32_t rank, const struct op *op)
{
	uint32_t target = trace_world_rank(g->t, op->comm, op->peer);

	if (target >= g->t->n_ranks || target == rank || !op_bytes(op))
		return;
	if (!g->bytes[target])
		g->target[g->targets++] = target;
	g->bytes[target] += (double)op_bytes(op);
}

/* These, of a fence that completes them; or of other calls, and then they are dropped. */
static int add_targets(struct gather *g, uint32_t collective)
{
	struct count_part p = {.collective = collective, .call = TRACE_NONE, .at = TRACE_NONE};

	while (g->targets > 0) {
		p.rank = g->target[--g->targets];
		p.bytes[COUNT_GOT] = g->bytes[p.rank];
		g->bytes[p.rank] = 0;
		if (collective != TRACE_NONE && add(g, p))
			return -1;
	}
	return 0;
}

static int add_blocking(struct gather *g, uint32_t rank, const struct op *op)
{
	enum count_kind kind = g->kind[g->t->calls[op->call].region];
	struct count_part p = {
		call_collective(&g->t->calls[op->call]), rank, op->call, op->call, {0}};

	if (!kind || p.collective == TRACE_NONE)
		return 0;
	if (kind == COUNT_TARGETS)
		return add(g, p) || add_targets(g, p.collective) ? -1 : 0;
	p.bytes[COUNT_GIVEN] = (double)op->bytes;
	p.bytes[COUNT_GOT] = (double)op->bytes_in;
	return add(g, p);
}

static int add_rank(struct gather *g, uint32_t rank)
{
	const struct op *op = &g->t->ops[g->t->ranks[rank].first_op];
	const struct op *end = op + g->t->ranks[rank].ops;

	for (; op < end; op++)
		switch (op->kind) {
		case OP_COLL:
			if (op->call != TRACE_NONE && add_blocking(g, rank, op))
				return -1;
			break;
		case OP_PUT:
		case OP_GET:
		case OP_ATOMIC:
			note_target(g, rank, op);
			break;
		case OP_UNLOCK: /* or an epoch of its own completes them */
		case OP_EPOCH:
			add_targets(g, TRACE_NONE);
			break;
		default:
			break;
		}
	return add_targets(g, TRACE_NONE);
}

/* What a call works at that completes several is the first's, be it of these functions or not. */
static int add_nonblocking(struct gather *g)
{
	for (uint32_t i = 0; i < g->c->n_starts; i++) {
		const struct collective_start *x = &g->c->starts[i];
		const struct call *start = &g->t->calls[x->start];
		struct count_part p = {x->collective,
				       start->rank,
				       x->start,
				       x->is_first ? x->done : TRACE_NONE,
				       {(double)x->sent, (double)x->received}};

		if (g->kind[start->region] && add(g, p))
			return -1;
	}
	return 0;
}

static int by_collective(const void *a, const void *b)
{
	const struct count_part *x = a, *y = b;

	if (x->collective != y->collective)
		return x->collective < y->collective ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static int find(struct gather *g)
{
	size_t n = g->t->n_ranks + 1u;

	g->bytes = calloc(n, sizeof(*g->bytes));
	g->target = calloc(n, sizeof(*g->target));
	if (!g->bytes || !g->target)
		return -1;
	for (uint32_t r = 0; r < g->t->n_ranks; r++)
		if (add_rank(g, r))
			return -1;
	if (add_nonblocking(g))
		return -1;
	sort(g->out.p, g->out.n, sizeof(*g->out.p), by_collective);
	return 0;
}

int count_parts_find(struct count_parts *out, const struct trace *t, const struct collectives *c,
		     const uint8_t *kind)
{
	struct gather g = {.t = t, .c = c, .kind = kind};
	int ret = find(&g);

	free(g.target);
	free(g.bytes);
	if (ret)
		count_parts_release(&g.out);
	*out = g.out;
	return ret;
}

void count_parts_release(struct count_parts *x)
{
	table_free(x->p);
	*x = (struct count_parts){0};
}
