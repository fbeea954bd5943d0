/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/patterns/phases.h"

#include "analyze/patterns/phases_cut.h"
#include "analyze/tools/instants.h"
#include "common/table.h"

#include <stdlib.h>
#include <string.h>

int phases_communicates(const struct trace *t, uint32_t call)
{
	enum region_kind k = trace_call_kind(t, call);

	return k >= REGION_SEND && k <= REGION_COLLECTIVE && k != REGION_TEST && k != REGION_IPROBE;
}

static void enter_phase(struct phase *p, const struct call *call)
{
	if (!p->calls++ || call->enter_ns < p->begin_ns)
		p->begin_ns = call->enter_ns;
	if (call->leave_ns > p->end_ns)
		p->end_ns = call->leave_ns;
	p->inside_s += (double)(call->leave_ns - call->enter_ns) * 1e-9;
}

/* Does it neither wait for anything nor ask whether it is over? */
static int only_posts(const struct trace *t, uint32_t call)
{
	enum region_kind kind = trace_call_kind(t, call);

	return kind == REGION_IRECV || kind == REGION_ISEND || kind == REGION_MPI_LOCAL ||
	       kind == REGION_OTHER;
}

/*
 * anchor, round: per phase, of this rank: the place that begins a round, and rounds begun. Receives
 * and sends that are posted in turn are of one round until a call between them ends something.
 */
static void walk_rank(struct cutter *x, const struct rank *rank, uint32_t *anchor, uint32_t *round,
		      struct phases *out)
{
	uint32_t last_phase = TRACE_NONE;
	uint32_t last_place = TRACE_NONE;
	uint32_t stretch = 0;
	uint32_t visit = 0;
	int posts = 0; /* and nothing else, since the round began */
	uint32_t i;

	for (i = rank->first_call; i < rank->first_call + rank->calls; i++) {
		const struct call *call = &x->t->calls[i];
		uint32_t place = cutter_place(x, i);
		int ends = !only_posts(x->t, i);
		uint32_t f;

		if (!cutter_communicates(x, i)) {
			posts &= !ends;
			continue;
		}
		f = cutter_phase(x, stretch, i, last_phase);
		if (!round[f])
			anchor[f] = place;
		if (f != last_phase || (place == anchor[f] && place != last_place && !posts)) {
			round[f]++;
			visit++;
			posts = 1;
		}
		posts &= !ends;
		out->of_call[i] = f;
		out->visit[i] = visit;
		if (round[f] > out->p[f].rounds)
			out->p[f].rounds = round[f];
		enter_phase(&out->p[f], call);
		last_phase = f;
		last_place = place;
		if (cutter_meets_all(x, i)) {
			out->p[f].ended_by = call->region;
			last_phase = TRACE_NONE;
			stretch++;
		}
	}
}

/* A rank's pauses up to some moment; moments only go on. */
struct paused {
	const struct op *op, *end; /* those to come */
	int64_t sum_ns;            /* of the times they end, less those they begin */
	int open;
};

static int64_t paused_until(struct paused *x, int64_t when_ns)
{
	for (; x->op < x->end && x->op->time_ns <= when_ns; x->op++) {
		if (x->op->kind == OP_PAUSE && !x->open) {
			x->sum_ns -= x->op->time_ns;
			x->open = 1;
		} else if (x->op->kind == OP_RESUME && x->open) {
			x->sum_ns += x->op->time_ns;
			x->open = 0;
		}
	}
	return x->sum_ns + (x->open ? when_ns : 0);
}

/* Where what a rank spent in one of its phases goes. */
typedef void spend_fn(void *to, uint32_t phase, const struct call *call, int64_t ns);

/*
 * What a rank spent in its phases, which begin somewhere: the computation before a call counts
 * from there, not from before, and no MPI_Init and no pause is part of it.
 */
static void spend_rank(const struct trace *t, const struct rank *rank, const struct phases *phases,
		       spend_fn *spend, void *to)
{
	const struct op *ops = rank->ops ? &t->ops[rank->first_op] : NULL;
	struct paused pauses = {.op = ops, .end = ops + rank->ops};
	int64_t since_ns = rank->begin_ns;
	uint32_t i;

	for (i = rank->first_call; i < rank->first_call + rank->calls; i++) {
		const struct call *call = &t->calls[i];
		uint32_t phase = phases->of_call[i];
		int is_of_one = phase != TRACE_NONE;
		int64_t from_ns = is_of_one ? later(phases->p[phase].begin_ns, since_ns) : since_ns;

		if (is_of_one && call->leave_ns > from_ns) {
			int64_t paused_ns = -paused_until(&pauses, from_ns);

			paused_ns += paused_until(&pauses, call->leave_ns);
			spend(to, phase, call, call->leave_ns - from_ns - paused_ns);
		}
		if ((is_of_one || trace_call_kind(t, i) == REGION_INIT) &&
		    call->leave_ns > since_ns)
			since_ns = call->leave_ns;
	}
}

static void spend_all(void *phases, uint32_t phase, const struct call *call, int64_t ns)
{
	(void)call;
	((struct phase *)phases)[phase].spent_ns += ns;
}

/* One phase of one rank. */
struct share_of_phase {
	uint32_t phase;
	struct phase_time time;
};

static void spend_one(void *share, uint32_t phase, const struct call *call, int64_t ns)
{
	struct share_of_phase *x = share;

	if (phase != x->phase)
		return;
	x->time.spent_ns += ns;
	x->time.inside_ns += earlier(ns, call->leave_ns - call->enter_ns);
}

void phases_time(const struct trace *t, const struct phases *p, uint32_t phase,
		 struct phase_time *rank)
{
	for (uint32_t r = 0; r < t->n_ranks; r++) {
		struct share_of_phase x = {.phase = phase};

		spend_rank(t, &t->ranks[r], p, spend_one, &x);
		rank[r] = x.time;
	}
}

struct dated {
	int64_t ns;
	uint32_t phase;
};

static int by_time(const void *a, const void *b)
{
	const struct dated *x = a;
	const struct dated *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return x->phase < y->phase ? -1 : x->phase > y->phase;
}

/* Number the phases by time. Returns -1: out of memory. */
static int order_phases(const struct trace *t, struct phases *out)
{
	struct dated *d = calloc(out->n + 1, sizeof(*d));
	struct phase *p = calloc(out->n + 1, sizeof(*p));
	uint32_t *now = calloc(out->n + 1, sizeof(*now));
	uint32_t i;
	int ret = -1;

	if (!d || !p || !now)
		goto out;
	for (i = 0; i < out->n; i++)
		d[i] = (struct dated){out->p[i].begin_ns, i};
	qsort(d, out->n, sizeof(*d), by_time);
	for (i = 0; i < out->n; i++) {
		p[i] = out->p[d[i].phase];
		now[d[i].phase] = i;
	}
	for (i = 0; i < t->n_calls; i++)
		if (out->of_call[i] != TRACE_NONE)
			out->of_call[i] = now[out->of_call[i]];
	memcpy(out->p, p, out->n * sizeof(*p));
	ret = 0;
out:
	free(now);
	free(p);
	free(d);
	return ret;
}

static int walk(struct cutter *x, struct phases *out)
{
	uint32_t *anchor = calloc(out->n + 1, sizeof(*anchor));
	uint32_t *round = calloc(out->n + 1, sizeof(*round));
	uint32_t r;
	int ret = -1;

	if (!anchor || !round)
		goto out;
	for (r = 0; r < out->n; r++)
		out->p[r].ended_by = TRACE_NONE;
	for (r = 0; r < x->t->n_ranks; r++) {
		memset(round, 0, out->n * sizeof(*round));
		walk_rank(x, &x->t->ranks[r], anchor, round, out);
	}
	for (r = 0; r < x->t->n_ranks; r++)
		spend_rank(x->t, &x->t->ranks[r], out, spend_all, out->p);
	cutter_count_sites(x, out);
	ret = order_phases(x->t, out);
out:
	free(round);
	free(anchor);
	return ret;
}

static void find_messages(struct phases *p, const struct messages *m)
{
	for (uint32_t i = 0; i < m->n; i++) {
		if (m->n - i > MESSAGES_AHEAD)
			prefetch(&p->of_call[m->m[i + MESSAGES_AHEAD].send_call]);
		p->of_message[i] = p->of_call[m->m[i].send_call];
	}
}

int phases_find(const struct trace *t, const struct messages *m, const struct collectives *c,
		struct phases *out, struct err *err)
{
	struct cutter x = {0};
	struct phases p = {0};
	int ret = -1;

	p.of_call = table_alloc((size_t)t->n_calls + 1, sizeof(*p.of_call));
	p.visit = table_calloc((size_t)t->n_calls + 1, sizeof(*p.visit));
	p.of_message = table_alloc((size_t)m->n + 1, sizeof(*p.of_message));
	if (!p.of_call || !p.visit || !p.of_message || cutter_init(&x, t, c, &p.n))
		goto out;
	memset(p.of_call, 0xff, ((size_t)t->n_calls + 1) * sizeof(*p.of_call));
	p.p = calloc((size_t)p.n + 1, sizeof(*p.p));
	if (!p.p || walk(&x, &p))
		goto out;
	find_messages(&p, m);
	*out = p;
	ret = 0;
out:
	cutter_release(&x);
	if (ret) {
		phases_release(&p);
		return err_set(err, "out of memory for the phases of %u calls", t->n_calls);
	}
	return 0;
}

void phases_release(struct phases *p)
{
	free(p->p);
	table_free(p->of_call);
	table_free(p->visit);
	table_free(p->of_message);
	*p = (struct phases){0};
}
