/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a synchronizing call has to wait for of the operations before it: their time on an
 * idle machine, and a target that did not call MPI to do its part.
 */
#include "analyze/attribution/onesided.h"

#include <math.h>

#define SOON 4 /* a call ended soon after: within a fourth of the wait before */

#define MANY (UINT32_MAX - 1) /* targets */

/* Operations of one rank that no call completed yet. */
struct pending {
	uint32_t target; /* TRACE_NONE: none; or MANY */
	double data_s;   /* of their data, one after the other */
	double way_s;    /* the longest way there and back: those of several pass at once */
	int far;
	int unknown; /* the machine's parameters are, for one of them */
};

/* To the target and back: its request, its data in either direction. */
static void add(struct pending *p, const struct trace *t, const struct machine *machine,
		uint32_t rank, const struct op *op)
{
	uint32_t target = trace_world_rank(t, op->comm, op->peer);
	uint64_t bytes = op->bytes > op->bytes_in ? op->bytes : op->bytes_in;
	const struct machine_class *c;
	enum locality where;

	if (target == TRACE_NONE)
		return;
	where = machine_locality(t, rank, target);
	c = &machine->classes[where];
	if (!c->n) {
		p->unknown = 1;
	} else {
		struct plogp_point at =
			plogp_at((struct plogp){c->L_s, c->n, c->points}, (double)bytes);

		p->data_s += at.g_s;
		p->way_s = fmax(p->way_s, machine_latency_s(c, 0) + machine_latency_s(c, bytes));
	}
	p->far |= where == LOCALITY_NETWORK;
	p->target = p->target == TRACE_NONE || p->target == target ? target : MANY;
}

/* Did its target come to MPI at last, and was the call over soon after? */
static void await_progress(const struct trace *t, const struct presence *presence,
			   struct onesided_call *x, uint32_t target)
{
	const struct call *c = &t->calls[x->call];
	int64_t came_ns =
		presence_next_ns(presence, target, t->ranks[target].first_call, x->until_ns);

	if (target == c->rank || came_ns <= x->until_ns || came_ns > c->leave_ns)
		return;
	if ((c->leave_ns - came_ns) * SOON < came_ns - x->until_ns && x->cause != ONESIDED_LOCKED)
		onesided_offer(t, x, ONESIDED_PROGRESS, target, came_ns);
}

static int is_operation(const struct op *op)
{
	return op->kind == OP_PUT || op->kind == OP_GET || op->kind == OP_ATOMIC;
}

static int completes(const struct onesided_call *x)
{
	return x->sync == ONESIDED_COMPLETE || x->sync == ONESIDED_FLUSH ||
	       x->sync == ONESIDED_GIVE || x->sync == ONESIDED_FENCE;
}

static void sweep(struct onesided *o, uint32_t *at, const struct trace *t,
		  const struct presence *presence, const struct machine *machine, uint32_t rank)
{
	struct pending none = {.target = TRACE_NONE}, p = none;
	uint32_t i = t->ranks[rank].first_op, end = i + t->ranks[rank].ops;

	for (; *at < o->n && t->calls[o->calls[*at].call].rank == rank; (*at)++) {
		struct onesided_call *x = &o->calls[*at];

		for (; i < end && t->ops[i].time_ns <= t->calls[x->call].enter_ns; i++)
			if (is_operation(&t->ops[i]))
				add(&p, t, machine, rank, &t->ops[i]);
		if (!completes(x))
			continue;
		x->idle_ns = p.unknown ? 0 : llround((p.data_s + p.way_s) * 1e9);
		x->far = (uint8_t)p.far;
		if (p.target < MANY && x->sync != ONESIDED_FENCE)
			await_progress(t, presence, x, p.target);
		p = none;
	}
}

void onesided_targets(struct onesided *o, const struct trace *t, const struct presence *presence,
		      const struct machine *machine)
{
	uint32_t at = 0;

	for (uint32_t r = 0; r < t->n_ranks; r++)
		sweep(o, &at, t, presence, machine, r);
}
