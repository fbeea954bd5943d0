/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/ledger.h"

#include "analyze/matching/unsent.h"
#include "analyze/tools/instants.h"

#define PART(name) COST_##name, COST_##name

/*
 * A call that received another message, too, which is not in the trace, or waited for files: of
 * what it took longer than it had to for this one nobody knows which it was for.
 */
static int64_t known_until_ns(const struct scene *s, uint32_t i, uint32_t call, int64_t from_ns,
			      const struct price *p)
{
	int64_t leave_ns = s->t->calls[call].leave_ns;

	if (s->facts[i].flags & MESSAGE_DATED)
		return leave_ns;
	return earlier(leave_ns, from_ns + p->wire_ns + p->o_r_ns);
}

void ledger_receive(const struct scene *s, uint32_t i, uint32_t call, const struct walk *w,
		    struct tally *t)
{
	const struct call *c = &s->t->calls[call];
	int64_t from_ns = c->enter_ns, sent_ns = earlier(c->leave_ns, s->facts[i].sent_ns);
	int64_t rest_ns, usual_ns;
	int torn;

	if (s->facts[i].taken_in == REGION_TEST) {
		tally_add(t, PART(receive_overhead), c->leave_ns - c->enter_ns);
		return;
	}
	if (sent_ns > from_ns) {
		tally_add(t, PART(late_partner), sent_ns - from_ns);
		from_ns = sent_ns;
	}
	torn = unsent_is_torn(s->m, call) || c->is_of_files;
	rest_ns = c->leave_ns - from_ns -
		  walk_clip(w, w->n, from_ns,
			    torn ? known_until_ns(s, i, call, from_ns, w->price) : c->leave_ns, t);
	usual_ns = torn ? earlier(rest_ns, LEDGER_OVERHEAD_NS) : rest_ns;
	/* Else the call outlasts its message only when clocks disagree, or as a Probe's Recv. */
	tally_add(t, PART(receive_overhead), usual_ns);
	tally_add(t, c->is_of_files ? COST_file_access : COST_not_identifiable, COST_late_partner,
		  rest_ns - usual_ns);
}

/*
 * An MPI_Sendrecv that has never returned: for the message that it was to receive, and that never
 * came.
 */
static int is_for_another(const struct scene *s, uint32_t i, uint32_t call)
{
	return (s->facts[i].flags & MESSAGE_SENDRECV) && trace_is_open(s->t, call);
}

/* What a call received. */
struct received {
	/*
	 * When the last was sent: before, the call waited for that one, too, and whatever held its
	 * own sends did not matter yet. Its start if there is none.
	 */
	int64_t last_sent_ns;
	int64_t handling_ns; /* all may take so much to handle, at most */
};

static struct received received_in(const struct scene *s, uint32_t call)
{
	const struct call *c = &s->t->calls[call];
	const struct rank *r = &s->t->ranks[c->rank];
	uint32_t first = s->m->by_dst[c->rank], end = s->m->by_dst[c->rank + 1], i;
	struct instants dones = {&s->facts[first].done_ns, sizeof(*s->facts), end - first};
	uint64_t near = (uint64_t)dones.n * (call - r->first_call) / r->calls; /* of even calls */
	struct received x = {c->enter_ns, 0};

	if (trace_call_kind(s->t, call) != REGION_WAITALL)
		return x;
	i = first + instants_until(dones, (uint32_t)near, c->enter_ns - 1);
	for (; i < end && s->facts[i].done_ns <= c->leave_ns; i++)
		if (s->facts[i].recv_done == call) {
			x.last_sent_ns = later(x.last_sent_ns, s->facts[i].sent_ns);
			x.handling_ns +=
				(int64_t)(machine_slowest_handling_s((double)s->m->m[i].bytes) *
					  1e9);
		}
	return x;
}

/* How an eager send's call went on: first for those who had not sent yet what it receives. */
static int64_t still_late_ns(const struct scene *s, uint32_t call, int64_t last_sent_ns,
			     int64_t rest_ns)
{
	int64_t until_ns = last_sent_ns - (s->t->calls[call].leave_ns - rest_ns);

	return earlier(rest_ns, later(0, until_ns));
}

/*
 * How a send call ended that had nothing to do with its receiver any more. What held an eager one
 * was room, for which a receiver that computes does nothing; whether it is one and not waits for
 * its receive and its way may be unknown. So is what held it if its call was also for a message
 * that is not in the trace. handling_ns: what its call received may take so long.
 */
static void send_rest(const struct scene *s, uint32_t i, uint32_t call, int64_t rest_ns,
		      int64_t handling_ns, const struct price *p, struct tally *t)
{
	int64_t usual_ns = earlier(rest_ns, LEDGER_OVERHEAD_NS + p->o_s_ns), leave_ns, outside_ns;
	int is_open = (s->facts[i].flags & MESSAGE_OPEN) || unsent_is_torn(s->m, call);

	if (s->facts[i].flags & MESSAGE_SYNCHRONOUS) {
		usual_ns = earlier(rest_ns, LEDGER_OVERHEAD_NS + p->o_s_ns + p->L_ns);
		tally_add(t, PART(wire), usual_ns); /* the acknowledgement */
		tally_add(t, COST_not_identifiable,
			  s->facts[i].flags & MESSAGE_NETWORK ? COST_network_contention
							      : COST_handler_contention,
			  rest_ns - usual_ns);
	} else {
		tally_add(t, PART(send_overhead), usual_ns);
		rest_ns -= usual_ns;
		leave_ns = s->t->calls[call].leave_ns;
		outside_ns =
			presence_outside_ns(s->presence, s->facts[i].dst, s->facts[i].recv_done,
					    leave_ns - rest_ns, leave_ns);
		outside_ns = later(0, outside_ns - handling_ns);
		tally_add(t, is_open ? COST_not_identifiable : COST_inattention,
			  is_open ? COST_inattention : COST_back_pressure, outside_ns);
		rest_ns -= outside_ns;
		tally_add(t, is_open ? COST_not_identifiable : COST_back_pressure,
			  is_open ? COST_back_pressure : COST_not_identifiable, rest_ns);
	}
}

void ledger_send(const struct scene *s, uint32_t i, uint32_t call, const struct walk *w,
		 struct tally *t)
{
	const struct call *c = &s->t->calls[call];
	struct received received = {c->enter_ns, 0};
	int64_t rest_ns, late_ns = 0;

	if (trace_call_kind(s->t, call) == REGION_TEST) {
		tally_add(t, PART(send_overhead), c->leave_ns - c->enter_ns);
		return;
	}
	rest_ns = c->leave_ns - c->enter_ns -
		  walk_clip(w, w->sender_n, c->enter_ns, earlier(c->leave_ns, w->sender_ns), t);
	if (rest_ns > 0 && !(s->facts[i].flags & MESSAGE_SYNCHRONOUS)) {
		received = received_in(s, call);
		late_ns = still_late_ns(s, call, received.last_sent_ns, rest_ns);
	}
	tally_add(t, PART(late_partner), late_ns);
	rest_ns -= late_ns;
	if (is_for_another(s, i, call))
		tally_add(t, PART(not_identifiable), rest_ns);
	else if (c->is_of_files)
		tally_add(t, COST_file_access, COST_not_identifiable, rest_ns);
	else if (w->price->known)
		send_rest(s, i, call, rest_ns, received.handling_ns, w->price, t);
	else
		tally_add(t, COST_not_identifiable, COST_network_contention, rest_ns);
}

/*
 * Polls that found nothing, for nobody knows what. What the program did between those of a flood is
 * its own; that it slept for that is known.
 */
static void polls(const struct trace *trace, const struct call *c, struct tally *t)
{
	const struct flood *flood = trace_flood(trace, c);
	int64_t took_ns = c->leave_ns - c->enter_ns, inside_ns = took_ns, asleep_ns = 0;

	if (flood) {
		asleep_ns = earlier(took_ns, flood->asleep_ns);
		inside_ns = earlier(took_ns, flood->inside_ns) - asleep_ns;
	}
	tally_add(t, COST_not_identifiable, COST_late_partner, asleep_ns);
	if (c->is_of_files) /* it went on in there */
		tally_add(t, PART(file_access), inside_ns);
	else
		tally_add(t, PART(send_overhead), inside_ns);
	tally_add(t, PART(compute), took_ns - inside_ns - asleep_ns);
}

/*
 * A call that synchronizes one-sided communication: a wait for another rank, then its operations.
 */
static void one_sided(const struct onesided_call *x, const struct call *c, struct tally *t)
{
	int64_t waited_ns = x->until_ns - c->enter_ns, rest_ns = c->leave_ns - x->until_ns;
	/* what its operations take is not known: a short call may be nothing else */
	int is_unknown = x->far && !x->idle_ns;
	int64_t most_ns = is_unknown ? LEDGER_OVERHEAD_NS : x->idle_most_ns;
	int64_t moving_ns = earlier(waited_ns, most_ns - earlier(rest_ns, most_ns));
	int64_t usual_ns = earlier(rest_ns, x->idle_ns),
		least_ns = earlier(rest_ns, x->idle_least_ns);
	enum cost others = x->far ? COST_network_contention : COST_handler_contention;

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
	tally_add(t, PART(wire), least_ns);
	tally_add(t, COST_wire, others, usual_ns - least_ns);
	rest_ns -= usual_ns;
	tally_allow(t, COST_wire, earlier(rest_ns, x->idle_most_ns - x->idle_ns));
	usual_ns = earlier(rest_ns, LEDGER_OVERHEAD_NS);
	/* or others' data were in the way */
	tally_add(t, COST_send_overhead,
		  is_unknown ? COST_wire
		  : x->far   ? COST_network_contention
			     : COST_send_overhead,
		  usual_ns);
	tally_add(t, COST_not_identifiable, others, rest_ns - usual_ns);
}

/* Who takes part in access to files of all waits at most until the last one does. */
static void file_access(const struct gathering *g, uint32_t call, struct tally *t)
{
	const struct call *c = &g->t->calls[call];
	int64_t joined_ns = file_calls_joined_ns(&g->files, call);

	tally_add(t, COST_file_access, COST_collective_wait, joined_ns - c->enter_ns);
	tally_add(t, PART(file_access), c->leave_ns - joined_ns);
}

static void collective(const struct gathering *g, uint32_t call, int64_t ready_ns, struct tally *t)
{
	const struct call *c = &g->t->calls[call];
	int64_t handed_ns = gathering_handed_ns(g, call, ready_ns);
	int64_t attended_ns = gathering_attended_ns(g, call, handed_ns);
	int64_t last_ns = gathering_last_ns(g, call, attended_ns);
	int64_t moving_ns = c->leave_ns - attended_ns;
	int64_t contended_ns = gathering_contention_ns(g, call, moving_ns);

	if (gathering_lacks_ranks(g, call)) { /* or it was moving data, but who knows since when */
		tally_add(t, PART(collective_wait), ready_ns - c->enter_ns);
		tally_add(t, COST_not_identifiable, COST_collective_wait, c->leave_ns - ready_ns);
		return;
	}
	tally_add(t, COST_collective_wait,
		  gathering_is_partial(g, call) ? COST_collective_transfer : COST_collective_wait,
		  ready_ns - c->enter_ns);
	tally_add(t, COST_collective_wait, COST_collective_transfer, handed_ns - ready_ns);
	tally_add(t, COST_inattention, COST_collective_transfer, attended_ns - handed_ns);
	if (c->is_of_files) { /* whichever took longer */
		tally_add(t, COST_file_access, COST_collective_transfer, moving_ns);
		return;
	}
	/* or for one that is to hand on something, which came before it was over */
	last_ns = earlier(last_ns - attended_ns, moving_ns - contended_ns);
	tally_add(t, COST_collective_transfer, COST_collective_wait, last_ns);
	tally_add(t, PART(collective_transfer), moving_ns - contended_ns - last_ns);
	tally_add(t, COST_network_contention, COST_collective_transfer, contended_ns);
}

void ledger_other(const struct scene *s, const struct gathering *g, const struct onesided *o,
		  uint32_t call, struct tally *t)
{
	const struct call *c = &s->t->calls[call];
	int64_t took_ns = c->leave_ns - c->enter_ns, ready_ns = gathering_ready_ns(g, call);
	const struct onesided_call *x;

	if (trace_awaits(s->t, call) != TRACE_NONE) {
		tally_add(t, PART(late_partner), took_ns);
		return;
	}
	switch (trace_call_kind(s->t, call)) {
	case REGION_OTHER:
		tally_add(t, PART(compute), took_ns);
		break;
	case REGION_IO:
		tally_add(t, PART(file_access), took_ns);
		break;
	case REGION_INIT:
		tally_add(t, PART(start_end), took_ns);
		break;
	case REGION_FINALIZE:
		tally_add(t, PART(collective_wait), ready_ns - c->enter_ns);
		tally_add(t, COST_start_end,
			  gathering_lacks_ranks(g, call) ? COST_not_identifiable : COST_start_end,
			  c->leave_ns - ready_ns);
		break;
	case REGION_COLLECTIVE: /* if the trace does not say of whom, it may be all waiting */
		if (call_collective(c) != TRACE_NONE)
			collective(g, call, ready_ns, t);
		else if (c->is_of_files)
			file_access(g, call, t);
		else
			tally_add(t, PART(not_identifiable), took_ns);
		break;
	case REGION_TEST:
	case REGION_IPROBE:
		polls(s->t, c, t);
		break;
	case REGION_MPI_LOCAL:
	case REGION_ISEND:
		if (s->t->regions[c->region].is_of_files)
			tally_add(t, PART(file_access), took_ns);
		else
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
		else if (c->is_of_files)
			file_access(g, call, t);
		else
			tally_add(t, PART(not_identifiable), took_ns);
	}
}
