/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/pollers.h"

#include <string.h>

#include "analyze/attribution/ledger.h"
#include "analyze/tools/instants.h"
#include "common/table.h"

/* What a rank's next results are, going back in time. */
struct ahead {
	struct release received; /* by a request that had been tested in vain */
	struct release sent;
	struct release taken; /* by a blocking receive, as after an Iprobe */
};

static const struct release nothing = RELEASE_BY_NOBODY;

/* A call with a result: its message is what the polls before it waited for. */
static void look(struct ahead *a, const struct scene *s, uint32_t call)
{
	struct release r = s->release[call];
	enum region_kind kind = trace_call_kind(s->t, call);

	if (r.as_sender) {
		a->sent = r;
		a->received = nothing;
	} else {
		if (s->m->m[r.message].not_here_ns != INT64_MIN)
			a->received = r;
		a->sent = nothing;
		if (kind == REGION_RECV)
			a->taken = r;
	}
}

static struct release awaited(const struct ahead *a, const struct scene *s, uint32_t call)
{
	int64_t when_ns = s->t->calls[call].enter_ns;

	if (trace_call_kind(s->t, call) == REGION_IPROBE)
		return a->taken;
	if (a->received.message != TRACE_NONE &&
	    s->m->m[a->received.message].not_here_ns >= when_ns)
		return a->received;
	if (a->sent.message != TRACE_NONE && s->facts[a->sent.message].sent_ns <= when_ns)
		return a->sent;
	return nothing;
}

static void find_of_rank(struct pollers *p, struct scene *s, const struct rank *rank)
{
	struct ahead a = {nothing, nothing, nothing};

	for (uint32_t c = rank->first_call + rank->calls; c-- > rank->first_call;) {
		struct release r = s->release[c];

		p->next[c] = TRACE_NONE;
		if (r.message != TRACE_NONE) {
			look(&a, s, c);
			continue;
		}
		if (!trace_is_poll(s->t, c))
			continue;
		r = awaited(&a, s, c);
		if (r.message == TRACE_NONE)
			continue;
		s->release[c] = r;
		p->next[c] = p->first[r.message];
		p->first[r.message] = c;
	}
}

int pollers_find(struct pollers *p, struct scene *s, struct err *err)
{
	if (!trace_has_polls(s->t))
		return 0;
	p->first = table_calloc((size_t)s->m->n + 1, sizeof(*p->first));
	p->next = table_calloc((size_t)s->t->n_calls + 1, sizeof(*p->next));
	if (!p->first || !p->next)
		return err_set(err, "out of memory for %u calls", s->t->n_calls);
	for (uint32_t i = 0; i < s->m->n; i++)
		p->first[i] = TRACE_NONE;
	for (uint32_t r = 0; r < s->t->n_ranks; r++)
		find_of_rank(p, s, &s->t->ranks[r]);
	return 0;
}

void pollers_release(struct pollers *p)
{
	table_free(p->first);
	table_free(p->next);
	memset(p, 0, sizeof(*p));
}

uint32_t *pollers_take(struct pollers *p, const struct scene *s)
{
	uint32_t *polled = p->next;

	for (uint32_t i = 0; polled && i < s->m->n; i++)
		for (uint32_t c = p->first[i], next; c != TRACE_NONE; c = next) {
			next = polled[c];
			polled[c] = s->release[c].as_sender ? TRACE_NONE : i;
		}
	p->next = NULL;
	pollers_release(p);
	return polled;
}

/* The parts of the call's whole time, as if it had waited. Returns the time covered, ns. */
static int64_t spread(const struct scene *s, uint32_t i, uint32_t call, const struct walk *w,
		      struct tally *t)
{
	const struct call *c = &s->t->calls[call];
	int as_sender = s->release[call].as_sender;
	int64_t from_ns = c->enter_ns, sent_ns = earlier(c->leave_ns, s->facts[i].sent_ns);
	int64_t late_ns = as_sender ? 0 : later(0, sent_ns - from_ns);

	if (late_ns > 0)
		tally_add(t, COST_late_partner, COST_late_partner, late_ns);
	return late_ns +
	       walk_clip(w, as_sender ? w->sender_n : w->n, from_ns + late_ns, c->leave_ns, t);
}

/*
 * Polls after their message had left: for a receiver, its messages come in meanwhile. A sender
 * waits as well; for what, the message does not say. But a single poll takes its own time.
 */
static void rest(const struct scene *s, uint32_t i, uint32_t call, const struct price *p,
		 int64_t ns, struct tally *t)
{
	unsigned flags = s->facts[i].flags;
	int64_t own_ns = trace_flood(s->t, &s->t->calls[call])
				 ? 0
				 : earlier(ns, LEDGER_OVERHEAD_NS + p->o_s_ns);
	enum cost alt = COST_back_pressure;

	if (!s->release[call].as_sender) {
		tally_add(t, COST_receive_overhead, COST_receive_overhead, ns);
		return;
	}
	if (!p->known || flags & MESSAGE_SYNCHRONOUS)
		alt = flags & MESSAGE_NETWORK ? COST_network_contention : COST_handler_contention;
	tally_add(t, COST_send_overhead, COST_send_overhead, own_ns);
	tally_add(t, COST_not_identifiable, alt, ns - own_ns);
}

/* The same of a flood's polls, between which the program was at work. Returns the time covered. */
static int64_t spread_flood(const struct scene *s, uint32_t i, uint32_t call, const struct walk *w,
			    double share, struct tally *t)
{
	struct tally whole = {0};
	int64_t covered_ns = 0;

	spread(s, i, call, w, &whole);
	t->within_ns += (int64_t)((double)whole.within_ns * share);
	t->has |= whole.has;
	TALLY_EACH(k, &whole) {
		int64_t ns = (int64_t)((double)whole.ns[k] * share);

		t->ns[k] += ns;
		t->less_ns[k] += earlier(ns, (int64_t)((double)whole.less_ns[k] * share));
		t->more_ns[k] += (int64_t)((double)whole.more_ns[k] * share);
		covered_ns += ns;
	}
	return covered_ns;
}

void pollers_book(const struct scene *s, uint32_t i, uint32_t call, const struct walk *w,
		  struct tally *t)
{
	const struct call *c = &s->t->calls[call];
	const struct flood *flood = trace_flood(s->t, c);
	int64_t took_ns = c->leave_ns - c->enter_ns, inside_ns = took_ns, covered_ns;

	if (took_ns <= 0)
		return;
	if (flood) {
		inside_ns = earlier(took_ns, flood->inside_ns);
		covered_ns = spread_flood(s, i, call, w, (double)inside_ns / (double)took_ns, t);
	} else {
		covered_ns = spread(s, i, call, w, t);
	}
	rest(s, i, call, w->price, inside_ns - covered_ns, t);
	tally_add(t, COST_compute, COST_compute, took_ns - inside_ns);
}
