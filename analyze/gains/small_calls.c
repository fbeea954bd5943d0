/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/small_calls.h"

#include <math.h>
#include <string.h>

#include "analyze/flow/gathering.h"
#include "analyze/tools/instants.h"
#include "common/table.h"

#define AT_ONCE   2      /* so many times less than one takes is between two; */
#define NEAR      16     /* so many times that, */
#define HICCUP_NS 100000 /* or what the machine takes now and then: a row may go on */
#define MANY      UINT32_MAX

static int is_small(const struct trace *t, const struct collective *c)
{
	return c->bytes > 0 && c->bytes <= SMALL_CALLS_BYTES && !c->is_nonblocking &&
	       !c->is_mixed && !c->is_short && c->members > 1 && collective_is_whole(t, c);
}

static int is_small_collective(const struct small_calls *s, uint32_t call, struct small_call *out)
{
	uint32_t k = call_collective(&s->b->t->calls[call]);
	const struct collective *c = k == TRACE_NONE ? NULL : &s->b->c->c[k];

	if (!c || !is_small(s->b->t, c))
		return 0;
	*out = (struct small_call){call,    call,     c->comm,
				   c->root, c->bytes, ceil(log2(fmax(2, c->members)))};
	return 1;
}

/* A call that waits for what was put and got before it. */
static int is_flush(const struct trace *t, uint32_t call)
{
	const char *name = t->regions[t->calls[call].region].name;

	return trace_call_kind(t, call) == REGION_WAIT && !strncmp(name, "MPI_Win_flush", 13);
}

static int is_small_access(const struct small_calls *s, uint32_t call, struct small_call *out)
{
	const struct trace *t = s->b->t;
	const struct op *op;

	if (!s->op || call == t->ranks[t->calls[call].rank].first_call || !is_flush(t, call) ||
	    s->op[call - 1] == 0 || s->op[call - 1] == MANY)
		return 0;
	op = &t->ops[s->op[call - 1] - 1];
	if (op_bytes(op) > SMALL_CALLS_BYTES)
		return 0;
	*out = (struct small_call){call - 1, call, op->comm, op->peer, op_bytes(op), 1};
	return 1;
}

int small_calls_at(const struct small_calls *s, uint32_t last, struct small_call *out)
{
	return !s->b->t->ranks[s->b->t->calls[last].rank].is_threaded &&
	       (is_small_collective(s, last, out) || is_small_access(s, last, out));
}

/* What it takes, when those have come that a rank waits for in a collective, ns; < 0: not known. */
static int64_t takes_ns(const struct small_calls *s, const struct small_call *x)
{
	const struct trace *t = s->b->t;
	const struct call *call = &t->calls[x->last];
	uint32_t k = call_collective(call);
	const struct collective *c = k == TRACE_NONE ? NULL : &s->b->c->c[k];

	if (c && gathering_whom(t, c, call->rank) != WAITS_FOR_ALL)
		return -1;
	return call->leave_ns -
	       later(t->calls[x->first].enter_ns, c ? c->last_enter_ns : INT64_MIN);
}

static int64_t gap_ns(const struct trace *t, uint32_t next)
{
	return t->calls[next].enter_ns - t->calls[next - 1].leave_ns;
}

enum small_calls_gap small_calls_gap(const struct small_calls *s, const struct small_call *x)
{
	const struct trace *t = s->b->t;
	uint32_t place = trace_place(t, x->last);
	struct small_call before;
	int64_t ns;

	if (x->first == t->ranks[t->calls[x->first].rank].first_call ||
	    trace_place(t, x->first - 1) != place || !small_calls_at(s, x->first - 1, &before) ||
	    before.comm != x->comm || before.peer != x->peer ||
	    before.last - before.first != x->last - x->first ||
	    trace_place(t, before.first) != trace_place(t, x->first) ||
	    t->calls[before.first].region != t->calls[x->first].region)
		return SMALL_CALLS_ALONE;
	ns = gap_ns(t, x->first);
	if (x->last > x->first)
		ns = later(ns, gap_ns(t, x->last));
	if (ns * AT_ONCE <= s->quickest.ns[place])
		return SMALL_CALLS_AT_ONCE;
	return ns <= later(s->quickest.ns[place] * NEAR, HICCUP_NS) ? SMALL_CALLS_NEAR
								    : SMALL_CALLS_FAR;
}

/* Returns 0, or -1: no memory. */
static int find_accesses(struct small_calls *s)
{
	const struct trace *t = s->b->t;

	for (uint32_t i = 0; i < t->n_ops; i++) {
		const struct op *op = &t->ops[i];

		if ((op->kind != OP_PUT && op->kind != OP_GET) || op->call == TRACE_NONE)
			continue;
		if (!s->op)
			s->op = table_calloc((size_t)t->n_calls + 1, sizeof(*s->op));
		if (!s->op)
			return -1;
		s->op[op->call] = s->op[op->call] ? MANY : i + 1;
		s->n++;
	}
	return 0;
}

int small_calls_init(struct small_calls *s, const struct evidence_base *b, uint32_t least,
		     struct err *err)
{
	struct small_call x;

	*s = (struct small_calls){.b = b};
	if (find_accesses(s))
		return err_set(err, "out of memory for %u calls", b->t->n_calls);
	for (uint32_t k = 0; k < b->c->n; k++)
		s->n += is_small(b->t, &b->c->c[k]) != 0;
	if (s->n < least)
		return 0;
	if (quickest_init(&s->quickest, trace_places(b->t), err))
		return -1;
	for (uint32_t c = 0; c < b->t->n_calls; c++)
		if (small_calls_at(s, c, &x))
			quickest_add(&s->quickest, trace_place(b->t, c), takes_ns(s, &x));
	quickest_find(&s->quickest, trace_places(b->t));
	return 0;
}

void small_calls_release(struct small_calls *s)
{
	quickest_release(&s->quickest);
	table_free(s->op);
}
