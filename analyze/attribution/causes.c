/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/causes.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/matching/unsent.h"
#include "analyze/tools/growing.h"
#include "analyze/tools/instants.h"

#define STEPS       (1u << 25) /* calls that all waits together may look at, about */
#define STEPS_LEAST 64         /* of one wait */
#define LIKE        8          /* so many of the latest causes may go on */

int causes_init(struct causes *x, const struct late_waits *w, uint32_t waits, struct err *err)
{
	uint32_t steps = STEPS / (waits + 1u);

	*x = (struct causes){.w = w, .steps_most = steps > STEPS_LEAST ? steps : STEPS_LEAST};
	x->near = calloc(w->t->n_ranks + 1u, sizeof(*x->near));
	return x->near ? 0 : err_set(err, "out of memory for %u ranks", w->t->n_ranks);
}

void causes_release(struct causes *x)
{
	free(x->near);
	table_free(x->todo);
	table_free(x->cause);
	memset(x, 0, sizeof(*x));
}

/* In so much of a stretch its rank did that, in this call or before it. */
static int add(struct causes *x, const struct stretch *s, enum lateness_reason reason,
	       uint32_t call, int64_t ns)
{
	struct cause *c;

	if (ns <= 0)
		return 0;
	if (GROW(x->cause, x->n + 1, x->cap))
		return -1;
	for (size_t k = x->n; k > 0 && k + LIKE > x->n; k--) {
		c = &x->cause[k - 1];
		if (c->rank != s->rank || c->reason != reason)
			continue;
		c->ns += ns;
		c->direct_ns += s->hops ? 0 : ns;
		if (ns > c->most_ns) {
			c->most_ns = ns;
			c->at = call;
		}
		return 0;
	}
	x->cause[x->n++] = (struct cause){s->rank, reason, call, ns, ns, s->hops ? 0 : ns};
	return 0;
}

/*
 * What is not known; of a call that waited for a message of which the send is not in the trace, as
 * the record of its rank is not whole, it is that rank's; of several such ranks it is nobody's.
 */
static int add_unknown(struct causes *x, const struct stretch *s, uint32_t call, int64_t ns)
{
	uint32_t src = call == TRACE_NONE ? TRACE_NONE : unsent_by(x->w->m, call);
	struct stretch other = {src, s->hops + 1, 0, 0};
	int lacks = trace_lacks_core(x->w->t, s->rank);

	if (src == UNSENT_BY_SEVERAL)
		return add(x, s, LATENESS_UNKNOWN, call, ns);
	if (src != TRACE_NONE)
		return add(x, &other, LATENESS_UNRECORDED, TRACE_NONE, ns);
	return add(x, s, lacks ? LATENESS_CORE : LATENESS_UNKNOWN, call, ns);
}

static enum lateness_reason reason_of(enum cost part)
{
	switch (part) {
	case COST_compute:
	case COST_start_end:
		return LATENESS_COMPUTATION;
	case COST_handler_contention:
		return LATENESS_HANDLER;
	case COST_network_contention:
		return LATENESS_NETWORK;
	case COST_receiver_port:
	case COST_sender_port:
		return LATENESS_PORT;
	case COST_back_pressure:
		return LATENESS_BUFFERS;
	case COST_collective_wait:
	case COST_collective_transfer:
		return LATENESS_COLLECTIVE;
	case COST_lock_wait:
		return LATENESS_LOCK;
	case COST_file_access:
		return LATENESS_FILES;
	case COST_not_identifiable:
	case COST_late_partner:
		return LATENESS_UNKNOWN;
	default:
		return LATENESS_MESSAGES;
	}
}

/* A poll is over soon: what its rank did for long was sleep. */
static int is_sleep(const struct trace *t, uint32_t call)
{
	const struct call *c = &t->calls[call];
	const struct flood *flood = trace_flood(t, c);

	return flood && 2 * flood->asleep_ns > c->leave_ns - c->enter_ns;
}

#define ALL_PARTS ((1u << COST_COUNT) - 1)

/* A while in a call, of its time in some parts, a bit each: in their proportion. */
static int add_parts(struct causes *x, const struct stretch *s, uint32_t call, uint32_t parts,
		     int64_t ns)
{
	int64_t part[COST_COUNT] = {0}, all_ns = 0, seen_ns = 0, done_ns = 0;
	uint32_t has = parts & slices_add(&x->w->a->call, call, part);
	int ret = 0;

	for (uint32_t left = has; left; left &= left - 1)
		all_ns += part[__builtin_ctz(left)];
	for (uint32_t left = has; left && !ret; left &= left - 1) {
		enum cost c = (enum cost)__builtin_ctz(left);
		enum lateness_reason reason = reason_of(c);
		int64_t until_ns;

		if (part[c] <= 0)
			continue;
		if (reason == LATENESS_MESSAGES && is_sleep(x->w->t, call))
			reason = LATENESS_SLEEP;
		seen_ns += part[c];
		until_ns = (int64_t)((double)ns * (double)seen_ns / (double)all_ns);
		if (reason == LATENESS_UNKNOWN)
			ret = add_unknown(x, s, call, until_ns - done_ns);
		else
			ret = add(x, s, reason, call, until_ns - done_ns);
		done_ns = until_ns;
	}
	return ret ? ret : add_unknown(x, s, call, ns - done_ns);
}

/* What a rank did while it was waited for is looked at, too. */
static int look_later(struct causes *x, const struct stretch *s, uint32_t rank, int64_t until_ns,
		      int64_t ns)
{
	if (ns <= 0)
		return 0;
	if (GROW(x->todo, x->n_todo + 1, x->cap_todo))
		return -1;
	x->todo[x->n_todo++] = (struct stretch){rank, s->hops + 1, until_ns - ns, until_ns};
	return 0;
}

/* A stretch within a call that waits for no late message; a collective may wait for the last. */
static int add_gathered(struct causes *x, const struct stretch *s, uint32_t call, int64_t from_ns,
			int64_t to_ns)
{
	struct late_wait w = late_waits_gathered(x->w, call);
	int64_t until_ns = earlier(to_ns, w.until_ns), ns = later(until_ns - from_ns, 0);

	if (w.rank == TRACE_NONE || w.until_ns > s->until_ns || s->hops >= x->w->t->n_ranks)
		return add_parts(x, s, call, ALL_PARTS, to_ns - from_ns);
	if (add_parts(x, s, call, ALL_PARTS & ~(1u << COST_collective_wait), to_ns - from_ns - ns))
		return -1;
	return look_later(x, s, w.rank, until_ns, ns);
}

/*
 * A stretch within a call. Until the late one came the call did nothing but wait for it: who came
 * himself to the call that this is about was no longer late. What that one did meanwhile is looked
 * at next; a wait that ends after what it is to explain (threads, clocks) explains nothing.
 */
static int add_call(struct causes *x, const struct stretch *s, uint32_t call, int64_t from_ns,
		    int64_t to_ns)
{
	const struct trace *t = x->w->t;
	int awaits = trace_awaits(t, call) != TRACE_NONE;
	struct late_wait w;
	int64_t late_ns, until_ns;

	if (!late_waits_is(x->w, call))
		return add_gathered(x, s, call, from_ns, to_ns);
	w = late_waits_at(x->w, call);
	until_ns = earlier(to_ns, w.until_ns);
	late_ns = earlier(later(until_ns - from_ns, 0),
			  slices_part(&x->w->a->call, call, COST_late_partner));
	if (add_parts(x, s, call, ALL_PARTS & ~(1u << COST_late_partner),
		      to_ns - from_ns - late_ns))
		return -1;
	if (awaits && t->ranks[s->rank].is_in_circle)
		return add(x, s, LATENESS_CIRCLE, call, late_ns);
	if ((w.until_ns > s->until_ns && !awaits) || unsent_by(x->w->m, call) != TRACE_NONE ||
	    s->hops >= t->n_ranks)
		return add_unknown(x, s, call, late_ns);
	return look_later(x, s, w.rank, until_ns, late_ns);
}

/* The first call of a rank that is not before when; the rank's end if there is none. */
static uint32_t first_call(struct causes *x, uint32_t rank, int64_t when)
{
	const struct rank *r = &x->w->t->ranks[rank];
	const struct call *calls = x->w->t->calls + r->first_call;
	struct instants enters = {&calls->enter_ns, sizeof(*calls), r->calls};

	x->near[rank] = instants_until(enters, x->near[rank], when - 1);
	return r->first_call + x->near[rank];
}

/* From then on its rank was outside MPI before that call, or gone. */
static int add_last(struct causes *x, const struct stretch *s, uint32_t call, int64_t at_ns)
{
	const struct trace *t = x->w->t;
	int64_t gone_ns = t->wall_ns - t->ranks[s->rank].gone_ns;
	int64_t until_ns = later(at_ns, earlier(s->until_ns, gone_ns));

	if (add(x, s, LATENESS_COMPUTATION, call, until_ns - at_ns))
		return -1;
	return add(x, s, LATENESS_GONE, TRACE_NONE, s->until_ns - until_ns);
}

/* What a stretch's rank did in it, as far as there are steps left: of more calls in the last. */
static int look(struct causes *x, const struct stretch *s)
{
	const struct trace *t = x->w->t;
	const struct rank *r = &t->ranks[s->rank];
	uint32_t call, end;
	int64_t at_ns = s->from_ns;

	if (s->until_ns <= s->from_ns) /* clocks */
		return 0;
	call = first_call(x, s->rank, s->from_ns);
	end = first_call(x, s->rank, s->until_ns);
	call -= call > r->first_call; /* may reach into it */
	if (end - call > x->steps) {
		call = end - x->steps;
		at_ns = x->steps ? t->calls[call].enter_ns : s->until_ns;
		if (add(x, s, LATENESS_UNKNOWN, TRACE_NONE, at_ns - s->from_ns))
			return -1;
	}
	x->steps -= end - call;
	for (; call < end; call++) {
		int64_t enter_ns = later(t->calls[call].enter_ns, at_ns);
		int64_t leave_ns = earlier(t->calls[call].leave_ns, s->until_ns);

		if (leave_ns <= at_ns || trace_call_kind(t, call) == REGION_OTHER)
			continue;
		if (add(x, s, LATENESS_COMPUTATION, call, enter_ns - at_ns) ||
		    add_call(x, s, call, enter_ns, leave_ns))
			return -1;
		at_ns = leave_ns;
	}
	return add_last(x, s, end < r->first_call + r->calls ? end : TRACE_NONE, at_ns);
}

/* What the stretches that were looked at lack of the wait's time is not known. */
static int add_rest(struct causes *x, const struct stretch *s, int64_t ns)
{
	for (size_t k = 0; k < x->n; k++)
		ns -= x->cause[k].ns;
	return add_unknown(x, s, TRACE_NONE, ns);
}

/* Of causes that add up to all_ns so much, in proportion. */
static void shrink(struct causes *x, int64_t all_ns, int64_t ns)
{
	int64_t seen_ns = 0, done_ns = 0;
	size_t n = x->n;

	x->n = 0;
	for (size_t k = 0; k < n; k++) {
		struct cause c = x->cause[k];
		int64_t until_ns, was_ns = c.ns;

		seen_ns += c.ns;
		until_ns = (int64_t)((double)ns * ((double)seen_ns / (double)all_ns));
		c.ns = until_ns - done_ns;
		c.direct_ns = (int64_t)((double)c.ns * (double)c.direct_ns / (double)was_ns);
		done_ns = until_ns;
		if (c.ns > 0)
			x->cause[x->n++] = c;
	}
}

/*
 * Those of a flood are those of the whole time, as its polls are all over it: in that part of it
 * which the polls were.
 */
int causes_find(struct causes *x, uint32_t call)
{
	uint32_t src = unsent_by(x->w->m, call);
	struct late_wait w = late_waits_at(x->w, call);
	int64_t ns = late_waits_ns(x->w, call), all_ns = ns;
	struct stretch whole = {w.rank, 0, w.from_ns, w.until_ns};

	if (x->w->t->calls[call].is_flood)
		all_ns = later(ns, w.until_ns - w.from_ns);
	else
		whole.from_ns = later(w.from_ns, w.until_ns - ns);

	x->n = 0;
	x->n_todo = 0;
	x->steps = x->steps_most;
	if (src == UNSENT_BY_SEVERAL)
		return add_unknown(x, &whole, call, ns);
	if (src != TRACE_NONE)
		return add(x, &(struct stretch){.rank = src}, LATENESS_UNRECORDED, TRACE_NONE, ns);
	if (look(x, &whole))
		return -1;
	while (x->n_todo > 0) {
		struct stretch next = x->todo[--x->n_todo];

		if (look(x, &next))
			return -1;
	}
	if (add_rest(x, &whole, all_ns))
		return -1;
	if (all_ns > ns)
		shrink(x, all_ns, ns);
	return 0;
}
