/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a synchronizing call has to wait for of the operations before it: their time on an
 * idle machine, and a target that did not call MPI to do its part.
 */
#include "analyze/attribution/onesided.h"

#include "analyze/flow/price.h"
#include "analyze/tools/instants.h"

#define SOON 4 /* a call ended soon after: within a fourth of the wait before */

#define MANY (UINT32_MAX - 1) /* targets */

/* By each of the scenarios of the machine's parameters: */
#define SCENARIOS (SCENARIO_CROWDS + 1)

/* Operations of one rank that no call completed yet. */
struct pending {
	uint32_t target;            /* TRACE_NONE: none; or MANY */
	int64_t data_ns[SCENARIOS]; /* of their data, one after the other */
	/* the longest way there and back: those of several pass at once */
	int64_t way_ns[SCENARIOS];
	int far;
	int unknown; /* the machine's parameters are, for one of them */
};

/* What the last operation cost; most are as large as the one before. */
struct costs {
	const struct machine_class *c;
	uint64_t bytes;
	struct price price[SCENARIOS];
};

static void look_up(struct costs *costs, const struct machine_class *c, uint64_t bytes)
{
	if (costs->c == c && costs->bytes == bytes)
		return;
	costs->c = c;
	costs->bytes = bytes;
	for (int k = 0; k < SCENARIOS; k++)
		costs->price[k] = price_at(c, k, bytes);
}

/* To the target and back: its request, its data in either direction. */
static void add(struct pending *p, struct costs *costs, const struct trace *t,
		const struct machine *machine, uint32_t rank, const struct op *op)
{
	uint32_t target = trace_world_rank(t, op->comm, op->peer);
	uint64_t bytes = op->bytes > op->bytes_in ? op->bytes : op->bytes_in;
	enum locality where;

	if (target == TRACE_NONE)
		return;
	where = machine_locality(t, rank, target);
	look_up(costs, &machine->classes[where], bytes);
	p->unknown |= !costs->price[SCENARIO_MID].known;
	for (int k = 0; k < SCENARIOS; k++) {
		const struct price *x = &costs->price[k];

		p->data_ns[k] += x->g_ns;
		p->way_ns[k] =
			later(p->way_ns[k], earlier(x->empty_ns, x->L_ns + x->g_ns) + x->L_ns);
	}
	p->far |= where == LOCALITY_NETWORK;
	p->target = p->target == TRACE_NONE || p->target == target ? target : MANY;
}

/* What they take on an idle machine, and the least and the most that it may be. */
static void sum_up(const struct pending *p, struct onesided_call *x)
{
	int64_t ns = p->data_ns[SCENARIO_MID] + p->way_ns[SCENARIO_MID];

	x->far = (uint8_t)p->far;
	x->idle_ns = x->idle_least_ns = x->idle_most_ns = p->unknown ? 0 : ns;
	for (int k = 0; k < SCENARIOS && !p->unknown; k++) {
		ns = p->data_ns[k] + p->way_ns[k];
		x->idle_least_ns = earlier(x->idle_least_ns, ns);
		x->idle_most_ns = later(x->idle_most_ns, ns);
	}
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
	struct costs costs = {0};
	uint32_t i = t->ranks[rank].first_op, end = i + t->ranks[rank].ops;

	for (; *at < o->n && t->calls[o->calls[*at].call].rank == rank; (*at)++) {
		struct onesided_call *x = &o->calls[*at];

		for (; i < end && t->ops[i].time_ns <= t->calls[x->call].enter_ns; i++)
			if (is_operation(&t->ops[i]))
				add(&p, &costs, t, machine, rank, &t->ops[i]);
		if (!completes(x))
			continue;
		sum_up(&p, x);
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
