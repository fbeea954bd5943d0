/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/count_parts.h"

#include "analyze/tools/growing.h"
#include "analyze/tools/sorting.h"

#include <stdlib.h>

/* A rank's operation on a window, or its call that completes such. */
struct access {
	uint32_t window, op;
};

struct gather {
	const struct trace *t;
	const struct collectives *c;
	const uint8_t *kind;
	struct access *access; /* of the rank at work, */
	size_t accesses, room_accesses;
	double *bytes;             /* and per target: of one window, until its next fence; */
	uint32_t *target, targets; /* who has some */
	size_t room;
	struct count_parts out;
};

static int add(struct gather *g, struct count_part part)
{
	if (GROW(g->out.p, g->out.n, g->room))
		return -1;
	g->out.p[g->out.n++] = part;
	return 0;
}

static int note(struct gather *g, const struct op *op)
{
	if (GROW(g->access, g->accesses, g->room_accesses))
		return -1;
	g->access[g->accesses++] = (struct access){op->comm, (uint32_t)(op - g->t->ops)};
	return 0;
}

/* Bytes of an operation of the rank on another's memory, until the window's next fence. */
static void note_target(struct gather *g, uint32_t rank, const struct op *op)
{
	uint32_t target = trace_world_rank(g->t, op->comm, op->peer);

	if (target >= g->t->n_ranks || target == rank || !op_bytes(op))
		return;
	if (!g->bytes[target])
		g->target[g->targets++] = target;
	g->bytes[target] += (double)op_bytes(op);
}

/* These, of a fence that completes them; or of other calls (TRACE_NONE), and they are dropped. */
static int take_targets(struct gather *g, uint32_t collective)
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

static int by_window(const void *a, const void *b)
{
	const struct access *x = a, *y = b;

	return (x->window > y->window) - (x->window < y->window);
}

/* What the rank's fences complete, one window after the other: each is an own communicator. */
static int add_targets(struct gather *g, uint32_t rank)
{
	sort(g->access, g->accesses, sizeof(*g->access), by_window);
	for (size_t k = 0; k < g->accesses; k++) {
		const struct op *op = &g->t->ops[g->access[k].op];
		uint32_t collective = TRACE_NONE;

		if (k && g->access[k].window != g->access[k - 1].window)
			take_targets(g, TRACE_NONE);
		switch (op->kind) {
		case OP_PUT:
		case OP_GET:
		case OP_ATOMIC:
			note_target(g, rank, op);
			continue;
		case OP_COLL:
			collective = call_collective(&g->t->calls[op->call]);
			break;
		default: /* an epoch or a lock of its own completes them */
			break;
		}
		if (take_targets(g, collective))
			return -1;
	}
	g->accesses = 0;
	return take_targets(g, TRACE_NONE);
}

static int add_blocking(struct gather *g, uint32_t rank, const struct op *op)
{
	enum count_kind kind = g->kind[g->t->calls[op->call].region];
	struct count_part p = {
		call_collective(&g->t->calls[op->call]), rank, op->call, op->call, {0}};

	if (kind == COUNT_TARGETS && note(g, op))
		return -1;
	if (!kind || p.collective == TRACE_NONE)
		return 0;
	if (kind != COUNT_TARGETS) {
		p.bytes[COUNT_GIVEN] = (double)op->bytes;
		p.bytes[COUNT_GOT] = (double)op->bytes_in;
	}
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
		case OP_UNLOCK:
		case OP_EPOCH:
			if (note(g, op))
				return -1;
			break;
		default:
			break;
		}
	return add_targets(g, rank);
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

	table_free(g.access);
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
