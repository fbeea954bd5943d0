/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/ledger.h"

#include "analyze/instants.h"

#define PART(name) COST_##name, COST_##name

static int may_wait(enum region_kind kind)
{
	switch (kind) {
	case REGION_SEND:
	case REGION_SSEND:
	case REGION_RECV:
	case REGION_SENDRECV:
	case REGION_WAIT:
	case REGION_WAITALL:
	case REGION_WAITSOME:
	case REGION_TEST: /* to know that it completed something */
		return 1;
	default:
		return 0;
	}
}

/* Others of which one was sent so much later than r may have come last instead. */
static void note_other(struct release *r, int64_t later_ns)
{
	if (later_ns > r->later_ns)
		r->later_ns = (int32_t)earlier(later_ns, INT32_MAX);
	if (-later_ns > r->sooner_ns)
		r->sooner_ns = (int32_t)earlier(-later_ns, INT32_MAX);
}

/*
 * Message i could end call, of that kind, as its receiver or sender at score; the latest is kept. Of
 * those that come at the same time the last is, as that is the order in which they are handled. Those
 * that come within near_ns of each other may have come the other way round.
 */
static void offer(struct scene *s, uint32_t call, enum region_kind kind, struct release r,
		  int64_t near_ns)
{
	struct release *kept = &s->release[call], was = *kept;
	int64_t after_ns; /* what is kept */

	if (!may_wait(kind))
		return;
	if (was.message == TRACE_NONE || r.score_ns - near_ns > was.score_ns) {
		*kept = r;
		return;
	}
	if (r.score_ns + near_ns < was.score_ns)
		return;
	after_ns = s->facts[r.message].sent_ns - s->facts[was.message].sent_ns;
	if (r.score_ns < was.score_ns || (r.score_ns == was.score_ns && after_ns < 0)) {
		note_other(kept, after_ns);
		return;
	}
	*kept = r;
	note_other(kept, was.later_ns - after_ns);
	note_other(kept, -was.sooner_ns - after_ns);
}

/*
 * Forget what released the calls that complete messages. Each of them will be released again; Probes
 * and polls keep theirs, which are not theirs by score.
 */
static void forget(struct scene *s)
{
	for (uint32_t i = 0; i < s->m->n; i++) {
		const struct facts *x = &s->facts[i];

		if (x->flags & MESSAGE_ENDS_RECEIVE)
			s->release[x->recv_done] = RELEASE_BY_NOBODY;
		if (x->flags & MESSAGE_ENDS_SEND)
			s->release[x->send_done] = RELEASE_BY_NOBODY;
	}
}

/* Fetch what is asked about the sender's end of a message to come. */
static void fetch(const struct scene *s, uint32_t i)
{
	const struct facts *x = &s->facts[i + MESSAGES_AHEAD];

	if (s->m->n - i <= MESSAGES_AHEAD || x->send_done == TRACE_NONE)
		return;
	trace_fetch_call(s->t, x->send_done);
	prefetch(&s->release[x->send_done]);
}

/* When message i's send could end, and how near to others' that is to have come last with them. */
static int64_t send_score_ns(const struct scene *s, const struct flow *f, uint32_t i,
			     int64_t *near_ns)
{
	const struct facts *x = &s->facts[i];
	int64_t seen_ns = s->m->m[i].send_done_ns;

	*near_ns = 0;
	if (seen_ns < s->t->calls[x->send_done].leave_ns)
		return seen_ns;
	if (!(x->flags & MESSAGE_SYNCHRONOUS))
		return x->sent_ns; /* eager: waits for no receiver */
	*near_ns = flow_price(f, i)->wire_ns;
	return later(f->arrive_ns[i], x->posted_ns);
}

void ledger_find_releases(struct scene *s, const struct flow *f)
{
	int64_t near_ns;

	if (f->scenario != SCENARIO_MID)
		forget(s);
	for (uint32_t i = 0; i < s->m->n; i++) {
		const struct facts *x = &s->facts[i];
		struct release r = {.message = i, .score_ns = f->arrive_ns[i]};

		fetch(s, i);
		near_ns = flow_price(f, i)->wire_ns;
		if (x->flags & MESSAGE_DATED) {
			r.score_ns = x->done_ns;
			near_ns = 0;
		}
		offer(s, x->recv_done, x->taken_in, r, near_ns);
		if (x->send_done == TRACE_NONE)
			continue;
		r.as_sender = 1;
		r.score_ns = send_score_ns(s, f, i, &near_ns);
		offer(s, x->send_done, trace_call_kind(s->t, x->send_done), r, near_ns);
	}
}

void ledger_mark_releases(struct scene *s, uint32_t rank)
{
	for (uint32_t i = s->m->by_dst[rank]; i < s->m->by_dst[rank + 1]; i++) {
		struct facts *x = &s->facts[i];
		const struct release *r = &s->release[x->recv_done];
		unsigned flags = 0;

		fetch(s, i);
		if (r->message == i && !r->as_sender)
			flags |= MESSAGE_ENDS_RECEIVE;
		if (x->recv_done > 0 && r[-1].message == i &&
		    trace_call_kind(s->t, x->recv_done - 1) == REGION_PROBE)
			flags |= MESSAGE_ENDS_PROBE;
		if (x->send_done != TRACE_NONE && s->release[x->send_done].message == i &&
		    s->release[x->send_done].as_sender)
			flags |= MESSAGE_ENDS_SEND;
		x->flags = (uint16_t)((x->flags & ~MESSAGE_ENDS) | flags);
	}
}

void ledger_receive(const struct scene *s, uint32_t i, uint32_t call, const struct walk *w,
		    struct tally *t)
{
	const struct call *c = &s->t->calls[call];
	int64_t from_ns = c->enter_ns, sent_ns = earlier(c->leave_ns, s->facts[i].sent_ns);
	int64_t covered;

	if (s->facts[i].taken_in == REGION_TEST) {
		tally_add(t, PART(receive_overhead), c->leave_ns - c->enter_ns);
		return;
	}
	if (sent_ns > from_ns) {
		tally_add(t, PART(late_partner), sent_ns - from_ns);
		from_ns = sent_ns;
	}
	covered = walk_clip(w, w->n, from_ns, c->leave_ns, t);
	/* The call outlasts its message only when the clocks disagree, or as a Probe's Recv. */
	tally_add(t, PART(receive_overhead), c->leave_ns - from_ns - covered);
}

/*
 * How a send call ended that had nothing to do with its receiver any more. What held an eager one was
 * room; whether it is one and not waits for its receive and its way may be unknown.
 */
static void send_rest(const struct scene *s, uint32_t i, int64_t rest_ns, const struct price *p,
		      struct tally *t)
{
	int64_t usual_ns = earlier(rest_ns, LEDGER_OVERHEAD_NS + p->o_s_ns);

	if (s->facts[i].flags & MESSAGE_SYNCHRONOUS) {
		usual_ns = earlier(rest_ns, LEDGER_OVERHEAD_NS + p->o_s_ns + p->L_ns);
		tally_add(t, PART(wire), usual_ns); /* the acknowledgement */
		tally_add(t, COST_not_identifiable,
			  s->facts[i].flags & MESSAGE_NETWORK ? COST_network_contention
							      : COST_handler_contention,
			  rest_ns - usual_ns);
	} else {
		tally_add(t, PART(send_overhead), usual_ns);
		if (s->facts[i].flags & MESSAGE_OPEN)
			tally_add(t, COST_not_identifiable, COST_back_pressure, rest_ns - usual_ns);
		else
			tally_add(t, COST_back_pressure, COST_not_identifiable, rest_ns - usual_ns);
	}
}

void ledger_send(const struct scene *s, uint32_t i, uint32_t call, const struct walk *w,
		 struct tally *t)
{
	const struct call *c = &s->t->calls[call];
	int64_t covered;

	if (trace_call_kind(s->t, call) == REGION_TEST) {
		tally_add(t, PART(send_overhead), c->leave_ns - c->enter_ns);
		return;
	}
	covered = walk_clip(w, w->sender_n, c->enter_ns, earlier(c->leave_ns, w->sender_ns), t);
	if (w->price->known)
		send_rest(s, i, c->leave_ns - c->enter_ns - covered, w->price, t);
	else
		tally_add(t, COST_not_identifiable, COST_network_contention,
			  c->leave_ns - c->enter_ns - covered);
}

/* Polls that found nothing. What the program did between those of a flood is its own. */
static void polls(const struct trace *trace, const struct call *c, struct tally *t)
{
	int64_t took_ns = c->leave_ns - c->enter_ns, inside_ns = took_ns;

	if (c->flood != TRACE_NONE)
		inside_ns = earlier(took_ns, trace->floods[c->flood].inside_ns);
	tally_add(t, PART(send_overhead), inside_ns);
	tally_add(t, PART(compute), took_ns - inside_ns);
}

/* A call that synchronizes one-sided communication: a wait for another rank, then its operations. */
static void one_sided(const struct onesided_call *x, const struct call *c, struct tally *t)
{
	int64_t waited_ns = x->until_ns - c->enter_ns, rest_ns = c->leave_ns - x->until_ns;
	/* what its operations take is not known: a short call may be nothing else */
	int is_unknown = x->far && !x->idle_ns;
	int64_t most_ns = is_unknown ? LEDGER_OVERHEAD_NS : x->idle_ns;
	int64_t moving_ns = earlier(waited_ns, most_ns - earlier(rest_ns, most_ns));
	int64_t usual_ns = earlier(rest_ns, x->idle_ns);

	switch ((enum onesided_cause)x->cause) {
	case ONESIDED_LOCKED:
		tally_add(t, PART(lock_wait), waited_ns);
		break;
	case ONESIDED_PROGRESS: /* by coincidence, where the network needs no help and moved them */
		tally_add(t, COST_inattention, COST_wire, moving_ns);
		tally_add(t, COST_inattention, COST_not_identifiable, waited_ns - moving_ns);
		break;
	default:
		tally_add(t, PART(late_partner), waited_ns);
	}
	tally_add(t, PART(wire), usual_ns);
	rest_ns -= usual_ns;
	usual_ns = earlier(rest_ns, LEDGER_OVERHEAD_NS);
	/* or others' data were in the way */
	tally_add(t, COST_send_overhead,
		  is_unknown ? COST_wire
		  : x->far   ? COST_network_contention
			     : COST_send_overhead,
		  usual_ns);
	tally_add(t, COST_not_identifiable,
		  x->far ? COST_network_contention : COST_handler_contention, rest_ns - usual_ns);
}

static void collective(const struct gathering *g, uint32_t call, int64_t ready_ns, struct tally *t)
{
	const struct call *c = &g->t->calls[call];
	int64_t moving_ns = c->leave_ns - ready_ns;
	int64_t contended_ns = gathering_contention_ns(g, call, moving_ns);

	tally_add(t, COST_collective_wait,
		  gathering_is_partial(g, call) ? COST_collective_transfer : COST_collective_wait,
		  ready_ns - c->enter_ns);
	tally_add(t, PART(collective_transfer), moving_ns - contended_ns);
	tally_add(t, COST_network_contention, COST_collective_transfer, contended_ns);
}

void ledger_other(const struct scene *s, const struct gathering *g, const struct onesided *o,
		  uint32_t call, struct tally *t)
{
	const struct call *c = &s->t->calls[call];
	int64_t took_ns = c->leave_ns - c->enter_ns, ready_ns = gathering_ready_ns(g, call);
	const struct onesided_call *x;

	switch (trace_call_kind(s->t, call)) {
	case REGION_OTHER:
	case REGION_IO:
		tally_add(t, PART(compute), took_ns);
		break;
	case REGION_INIT:
		tally_add(t, PART(start_end), took_ns);
		break;
	case REGION_FINALIZE:
		tally_add(t, PART(collective_wait), ready_ns - c->enter_ns);
		tally_add(t, PART(start_end), c->leave_ns - ready_ns);
		break;
	case REGION_COLLECTIVE: /* if the trace does not say of whom, it may be all waiting */
		if (c->collective == TRACE_NONE)
			tally_add(t, PART(not_identifiable), took_ns);
		else
			collective(g, call, ready_ns, t);
		break;
	case REGION_TEST:
	case REGION_IPROBE:
		polls(s->t, c, t);
		break;
	case REGION_MPI_LOCAL:
	case REGION_ISEND:
		tally_add(t, PART(send_overhead), took_ns);
		break;
	case REGION_IRECV:
		tally_add(t, PART(receive_overhead), took_ns);
		break;
	default:
		x = onesided_at(o, call);
		if (x)
			one_sided(x, c, t);
		else if (g->nonblocking[call])
			collective(g, call, ready_ns, t);
		else
			tally_add(t, PART(not_identifiable), took_ns);
	}
}
