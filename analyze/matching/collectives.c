/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/collectives.h"

#include "analyze/matching/nonblocking.h"
#include "analyze/matching/numbering.h"
#include "analyze/reader/regions.h"
#include "analyze/tools/sorting.h"
#include "common/schema.h"
#include "common/table.h"

#include <stdlib.h>
#include <string.h>

/* Which collective of a communicator: as its members count them. */
struct place {
	uint64_t n;
	uint32_t comm;
};

struct gather {
	struct trace *t;
	struct numbering numbering;
	struct place *places; /* of the table's elements, in order */
	uint64_t *top;        /* per communicator: places up to here are noted ... */
	uint32_t *first;      /* ... and, when none is missing, lie from here on */
	int sparse;           /* a pause left collectives out */
	struct collectives out;
};

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->comm != y->comm)
		return x->comm < y->comm ? -1 : 1;
	return x->n < y->n ? -1 : x->n > y->n;
}

/* Calls visit for each collective of each rank whose place is known. */
static void each(struct gather *g,
		 void (*visit)(struct gather *, uint32_t, const struct op *, struct place))
{
	uint32_t r, i;

	g->out.unplaced = 0;
	for (r = 0; r < g->t->n_ranks; r++) {
		const struct rank *rank = &g->t->ranks[r];

		numbering_begin(&g->numbering, r);
		for (i = rank->first_op; i < rank->first_op + rank->ops; i++) {
			const struct op *op = &g->t->ops[i];
			struct place place = {.comm = op->comm};

			if (!numbering_counts(&g->numbering, op))
				continue;
			place.n = numbering_next(&g->numbering, op);
			if (place.n == NUMBERING_UNKNOWN)
				g->out.unplaced++;
			else
				visit(g, r, op, place);
		}
	}
}

static void note_place(struct gather *g, uint32_t rank, const struct op *op, struct place place)
{
	(void)rank;
	(void)op;
	if (place.n < g->top[place.comm] && !g->sparse)
		return;
	g->places[g->out.n++] = place;
	g->top[place.comm] = place.n + 1;
}

/* The table: an element for each place where at least one member recorded a collective. */
static int make_table(struct gather *g)
{
	const struct trace *t = g->t;
	uint32_t i, n = 0;
	size_t most = 0;

	for (i = 0; i < t->n_ops; i++) {
		most += (size_t)numbering_counts(&g->numbering, &t->ops[i]);
		g->sparse |= numbering_counts(&g->numbering, &t->ops[i]) && t->ops[i].skipped;
	}
	g->sparse |= stretches_any(&g->numbering.stretches, t);
	g->places = table_calloc(most + 1, sizeof(*g->places));
	if (!g->places)
		return -1;
	each(g, note_place);
	sort(g->places, g->out.n, sizeof(*g->places), by_place);
	for (i = 0; i < g->out.n; i++) {
		if (n && !by_place(&g->places[n - 1], &g->places[i]))
			continue;
		if (!n || g->places[n - 1].comm != g->places[i].comm)
			g->first[g->places[i].comm] = n;
		g->places[n++] = g->places[i];
	}
	g->out.n = n;
	g->out.c = table_calloc((size_t)n + 1, sizeof(*g->out.c));
	return g->out.c ? 0 : -1;
}

static uint32_t find(const struct gather *g, struct place place)
{
	const struct place *found;

	if (!g->sparse)
		return g->first[place.comm] + (uint32_t)place.n;
	found = bsearch(&place, g->places, g->out.n, sizeof(place), by_place);
	return (uint32_t)(found - g->places);
}

static void add_member(struct gather *g, uint32_t rank, const struct op *op, struct place place)
{
	uint32_t at = find(g, place);
	struct collective *c = &g->out.c[at];
	struct call *call = &g->t->calls[op->call];
	uint32_t root = trace_world_rank(g->t, op->comm, op->peer);
	uint64_t bytes = op_bytes(op);

	if (!c->members++) {
		c->comm = op->comm;
		c->region = call->region;
		c->root = -1;
		c->first_enter_ns = call->enter_ns;
		c->last_enter_ns = call->enter_ns;
		c->last_rank = rank;
	}
	if (call->region != c->region &&
	    !region_is_same(g->t->regions[call->region].name, g->t->regions[c->region].name))
		c->is_mixed = 1;
	if (root != TRACE_NONE)
		c->root = (int32_t)root;
	if (bytes > c->bytes)
		c->bytes = bytes;
	if (op->bytes > c->sent)
		c->sent = op->bytes;
	if (op->bytes_in > c->received)
		c->received = op->bytes_in;
	if (call->leave_ns > c->last_leave_ns || c->members == 1)
		c->last_leave_ns = call->leave_ns;
	if (call->enter_ns < c->first_enter_ns)
		c->first_enter_ns = call->enter_ns;
	if (call->enter_ns > c->last_enter_ns) {
		c->last_enter_ns = call->enter_ns;
		c->last_rank = rank;
	}
	call->part = at;
	call->is_flood = 0; /* that a damaged archive may say as well */
}

/* Would the trace have each collective that the rank entered? */
static int is_seen(const struct trace *t, uint32_t rank)
{
	const struct rank *r = &t->ranks[rank];
	uint32_t i;

	if (r->absent)
		return 0;
	for (i = r->first_op; i < r->first_op + r->ops; i++)
		if (t->ops[i].kind == OP_PAUSE)
			return 0;
	for (i = r->first_call; i < r->first_call + r->calls; i++)
		if (call_collective(&t->calls[i]) == TRACE_NONE && trace_is_open(t, i) &&
		    trace_call_kind(t, i) == REGION_COLLECTIVE)
			return 0;
	return 1;
}

static int has_entered(const struct trace *t, uint32_t rank, uint32_t collective)
{
	const struct rank *r = &t->ranks[rank];

	for (uint32_t i = r->calls; i > 0; i--)
		if (call_collective(&t->calls[r->first_call + i - 1]) == collective)
			return 1;
	return 0;
}

/* One that does not return: whom it waits for, if all that might have entered it are known. */
static void judge_open(const struct trace *t, uint32_t at, struct collective *c)
{
	const struct comm *comm = &t->comms[c->comm];
	uint32_t missing = TRACE_NONE, i;

	for (i = 0; i < comm->size; i++)
		if (comm->members[i] >= t->n_ranks || !is_seen(t, comm->members[i]))
			return;
	for (i = 0; i < comm->size && missing == TRACE_NONE; i++)
		if (!has_entered(t, comm->members[i], at))
			missing = comm->members[i];
	c->is_short = missing != TRACE_NONE || c->is_mixed;
	if (missing != TRACE_NONE) {
		c->last_rank = missing;
		c->is_mixed = 0;
	}
}

/* Have members never come to it, or to another? If calls of it never returned. */
static int may_be_short(const struct trace *t, const struct collective *c)
{
	return c->is_mixed || c->members < t->comms[c->comm].size;
}

/* Only our own traces say how a run ended that was killed: others may just be cut short. */
static void find_short(struct gather *g)
{
	const struct trace *t = g->t;
	uint32_t k, i, judged = TRACE_NONE;

	for (k = 0; k < g->out.n; k++)
		if (may_be_short(t, &g->out.c[k]))
			break;
	if (k == g->out.n || !t->creator ||
	    strncmp(t->creator, SCHEMA_CREATOR, strlen(SCHEMA_CREATOR)) != 0)
		return;
	for (i = 0; i < t->n_calls; i++) {
		k = call_collective(&t->calls[i]);
		if (k == TRACE_NONE || k == judged || !trace_is_open(t, i) ||
		    !may_be_short(t, &g->out.c[k]))
			continue;
		judged = k;
		if (!g->out.c[k].is_short)
			judge_open(t, k, &g->out.c[k]);
	}
}

static int match_all(struct gather *g)
{
	const struct trace *t = g->t;

	g->top = calloc((size_t)t->n_comms + 1, sizeof(*g->top));
	g->first = calloc((size_t)t->n_comms + 1, sizeof(*g->first));
	if (!g->top || !g->first || numbering_init(&g->numbering, t) || make_table(g))
		return -1;
	each(g, add_member);
	find_short(g);
	return 0;
}

int collectives_match(struct trace *t, struct collectives *out, struct err *err)
{
	struct gather g = {.t = t};
	int ret = match_all(&g) || nonblocking_match(t, &g.out) ? -1 : 0;

	if (ret) {
		collectives_release(&g.out);
		err_set(err, "%s: out of memory while matching its collectives", t->anchor);
	} else {
		*out = g.out;
	}
	numbering_release(&g.numbering);
	table_free(g.places);
	free(g.top);
	free(g.first);
	return ret;
}

void collectives_release(struct collectives *c)
{
	table_free(c->c);
	table_free(c->starts);
	*c = (struct collectives){0};
}
