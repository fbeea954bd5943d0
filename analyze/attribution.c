/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Both views, each scenario in turn: a flow gives every message's estimated way, a walk cuts
 * its measured interval along it, and the legs are booked for the message and for the calls
 * that it ended. The default scenario fills the tables, the others widen the intervals.
 */
#include "analyze/attribution.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/envelope.h"
#include "analyze/ledger.h"
#include "analyze/pollers.h"

const struct cost_row cost_rows[COST_COUNT] = {
#define COST(name, label, colour, meaning) {#name, label, colour, meaning},
#include "analyze/costs.def"
#undef COST
};

/* The sums of one scenario. */
struct sums {
	struct tally blame;
	struct tally *rank; /* per rank, MPI calls only */
};

struct run {
	struct tally
		*other; /* per rank: calls that no message released; the same in all scenarios */
	struct scene scene;
	struct gathering gathering;
	struct pollers polls;
	struct flow flow;
	struct arrivals arrivals;
	struct handlings handlings;
	struct sums sums;
	struct attribution *out;
	int failed; /* *err is set */
	struct err *err;
};

static int64_t contention(const struct tally *t)
{
	int64_t sum = 0;

	for (int c = 0; c < COST_COUNT; c++)
		if (cost_is_contention(c))
			sum += t->ns[c];
	return sum;
}

int64_t attribution_contention_ns(const struct attribution *a, uint32_t message)
{
	struct tally t = {0};

	slices_add(&a->message, message, t.ns);
	return contention(&t);
}

/* Take ns off the parts, in their order. */
static void cut(struct tally *t, int64_t ns)
{
	for (int c = 0; c < COST_COUNT && ns > 0; c++) {
		int64_t off = t->ns[c] < ns ? t->ns[c] : ns;

		t->ns[c] -= off;
		if (t->less_ns[c] > t->ns[c])
			t->less_ns[c] = t->ns[c];
		ns -= off;
	}
}

/*
 * Book one call into its rank's sums. covered: what another thread's calls have booked of it
 * already; that is taken off again so that the rank's time adds up.
 */
static void book_call(struct run *run, uint32_t call, int64_t covered, struct tally *x,
		      struct tally *ranks)
{
	const struct trace *t = run->scene.t;

	if (run->flow.scenario == SCENARIO_MID)
		run->failed |= slices_put(&run->out->call, call, x->ns, run->err);
	if (trace_call_kind(t, call) == REGION_OTHER)
		return; /* the user's own regions may hold MPI calls */
	cut(x, covered);
	tally_merge(&ranks[t->calls[call].rank], x);
}

/* How much of a call lies under earlier calls of its rank (threads). */
static int64_t covered_ns(const struct scene *s, uint32_t call)
{
	const struct call *c = &s->t->calls[call];
	int64_t reach, covered;

	if (call == s->t->ranks[c->rank].first_call)
		return 0;
	reach = s->presence.reach_ns[call - 1];
	covered = (reach < c->leave_ns ? reach : c->leave_ns) - c->enter_ns;
	return covered > 0 ? covered : 0;
}

/* Is an end of message i on a core that it has to share? */
static int shares_core(const struct scene *s, uint32_t i)
{
	return trace_shares_core(s->t, s->facts[i].src) || trace_shares_core(s->t, s->facts[i].dst);
}

/* Does message i move although neither end calls MPI? */
static int moves_alone(const struct run *run, uint32_t i)
{
	uint8_t flags = run->scene.facts[i].flags;
	enum locality where = flags & MESSAGE_NETWORK ? LOCALITY_NETWORK : LOCALITY_NODE;

	return flags & MESSAGE_RENDEZVOUS &&
	       run->flow.machine->classes[where].progress >= MACHINE_PROGRESSES;
}

/* Is more than the order of messages in doubt about message i? */
static int is_doubtful(const struct run *run, uint32_t i)
{
	return shares_core(&run->scene, i) || moves_alone(run, i);
}

/* All of that part may be anything else. */
static void doubt_part(struct tally *t, enum cost c)
{
	t->more_ns[COST_not_identifiable] += t->ns[c] - t->less_ns[c];
	t->less_ns[c] = t->ns[c];
}

/*
 * A rank that waits for a core looks like a busy handler, or as if a message were on its way; and
 * where the network does without its ends, nobody has to be attentive.
 */
static void doubt(const struct run *run, uint32_t i, struct tally *t)
{
	if (shares_core(&run->scene, i)) {
		doubt_part(t, COST_network_contention);
		doubt_part(t, COST_handler_contention);
	}
	if (moves_alone(run, i))
		doubt_part(t, COST_inattention);
}

/* Call, which message i ended: split it by the message, into its rank's sums. */
static void book_release(struct run *run, uint32_t i, uint32_t call, const struct walk *w)
{
	const struct scene *s = &run->scene;
	int64_t covered = covered_ns(s, call);
	int direct = run->flow.scenario != SCENARIO_MID && covered == 0 && !is_doubtful(run, i);
	struct tally own, *t = direct ? &run->sums.rank[s->t->calls[call].rank] : &own;

	if (!direct)
		memset(&own, 0, sizeof(own));
	if (pollers_has(s, i, call))
		pollers_book(s, i, call, w, t);
	else if (s->release[call].as_sender)
		ledger_send(s, i, call, w, t);
	else
		ledger_receive(s, i, call, w, t);
	if (direct)
		return;
	doubt(run, i, &own);
	if (run->flow.scenario == SCENARIO_MID)
		run->out->held_ns[i] += contention(&own);
	book_call(run, call, covered, &own, run->sums.rank);
}

/* The calls that message i ended: the receiver's, a Probe before it, the sender's. */
static void book_calls_of(struct run *run, uint32_t i, const struct walk *w)
{
	const struct scene *s = &run->scene;
	const struct message *x = &s->m->m[i];
	const struct release *r = &s->release[x->recv_done];

	if (r->message == i && !r->as_sender)
		book_release(run, i, x->recv_done, w);
	if (x->recv_done > 0 && r[-1].message == i &&
	    trace_call_kind(s->t, x->recv_done - 1) == REGION_PROBE)
		book_release(run, i, x->recv_done - 1, w);
	if (x->send_done != TRACE_NONE && s->release[x->send_done].message == i &&
	    s->release[x->send_done].as_sender)
		book_release(run, i, x->send_done, w);
	for (uint32_t c = run->polls.first[i]; c != TRACE_NONE; c = run->polls.next[c])
		book_release(run, i, c, w);
}

/* The network contention of a message between clocks may be more or less by their error. */
static void widen(struct tally *t, int64_t error_ns)
{
	t->more_ns[COST_network_contention] += error_ns;
	t->less_ns[COST_network_contention] += error_ns;
	if (t->less_ns[COST_network_contention] > t->ns[COST_network_contention])
		t->less_ns[COST_network_contention] = t->ns[COST_network_contention];
}

/* What the tables keep of message i: the default scenario. */
static void keep_message(struct run *run, uint32_t i, const struct walk *w, const struct tally *t)
{
	struct attribution *out = run->out;

	run->failed |= slices_put(&out->message, i, t->ns, run->err);
	out->wait_caused_ns[run->scene.m->m[i].dst] += contention(t);
	out->arrival_ns[i] = w->start_ns;
	for (int k = 0; k < w->n; k++) {
		enum cost c = w->leg[k].part;

		if (c == COST_wire || c == COST_receiver_port || c == COST_network_contention)
			out->arrival_ns[i] = w->leg[k].end_ns;
	}
}

/* One message's own time. */
static void book_message(struct run *run, uint32_t i, const struct walk *w)
{
	const struct scene *s = &run->scene;
	int64_t error_ns = scene_clock_error_ns(s, i);
	struct tally own;

	if (error_ns <= 0 && run->flow.scenario != SCENARIO_MID && !is_doubtful(run, i)) {
		walk_clip(w, w->n, w->start_ns, w->end_ns, &run->sums.blame);
		return;
	}
	memset(&own, 0, sizeof(own));
	walk_clip(w, w->n, w->start_ns, w->end_ns, &own);
	if (error_ns > 0 && own.ns[COST_network_contention] > 0)
		widen(&own, error_ns);
	doubt(run, i, &own);
	tally_merge(&run->sums.blame, &own);
	if (run->flow.scenario == SCENARIO_MID)
		keep_message(run, i, w, &own);
}

/* Calls that no message released do not depend on the scenario. */
static void book_others(struct run *run)
{
	const struct scene *s = &run->scene;

	for (uint32_t c = 0; c < s->t->n_calls; c++) {
		struct tally t = {0};

		if (s->release[c].message != TRACE_NONE)
			continue;
		ledger_other(s, &run->gathering, &run->out->onesided, c, &t);
		book_call(run, c, covered_ns(s, c), &t, run->other);
	}
}

static void book_all(struct run *run)
{
	const struct scene *s = &run->scene;

	for (uint32_t i = 0; i < s->m->n; i++) {
		struct walk w;

		messages_fetch(s->t, s->m, i);
		walk_message(&run->handlings, i, &w);
		book_message(run, i, &w);
		book_calls_of(run, i, &w);
	}
	for (uint32_t r = 0; r < s->t->n_ranks; r++) {
		struct tally *t = &run->sums.rank[r];
		int64_t left = s->t->wall_ns - trace_paused_ns(s->t, r);

		tally_merge(t, &run->other[r]);
		for (int c = 0; c < COST_COUNT; c++)
			left -= t->ns[c];
		if (left < 0) /* a rank whose clock was moved beyond the others' end */
			cut(t, -left);
		else
			tally_add(t, COST_compute, COST_compute, left);
	}
}

static void fold_all(struct run *run, enum scenario scenario)
{
	int is_first = scenario == SCENARIO_MID;
	struct tally all = {0};

	envelope_take(&run->out->blame, &run->sums.blame, is_first);
	for (uint32_t r = 0; r < run->scene.t->n_ranks; r++) {
		envelope_take(&run->out->rank_budget[r], &run->sums.rank[r], is_first);
		tally_merge(&all, &run->sums.rank[r]);
	}
	envelope_take(&run->out->budget, &all, is_first);
}

static void bound_all(struct attribution *a, uint32_t ranks)
{
	envelope_bound(&a->blame);
	envelope_bound(&a->budget);
	for (uint32_t r = 0; r < ranks; r++)
		envelope_bound(&a->rank_budget[r]);
}

static int run_scenario(struct run *run, enum scenario scenario, struct err *err)
{
	if (flow_run(&run->flow, scenario, err))
		return -1;
	if (scenario == SCENARIO_MID) {
		ledger_find_releases(&run->scene, &run->flow);
		if (pollers_find(&run->polls, &run->scene, err))
			return -1;
		book_others(run);
	}
	if (arrivals_run(&run->arrivals, err))
		return -1;
	handlings_run(&run->handlings);
	memset(&run->sums.blame, 0, sizeof(run->sums.blame));
	memset(run->sums.rank, 0, run->scene.t->n_ranks * sizeof(*run->sums.rank));
	book_all(run);
	fold_all(run, scenario);
	return run->failed;
}

static int make_tables(struct attribution *a, size_t ranks, size_t calls, size_t messages,
		       struct err *err)
{
	memset(a, 0, sizeof(*a));
	a->rank_budget = calloc(ranks + 1, sizeof(*a->rank_budget));
	a->wait_caused_ns = calloc(ranks + 1, sizeof(*a->wait_caused_ns));
	a->held_ns = calloc(messages + 1, sizeof(*a->held_ns));
	a->arrival_ns = calloc(messages + 1, sizeof(*a->arrival_ns));
	if (!a->rank_budget || !a->wait_caused_ns || !a->held_ns || !a->arrival_ns)
		err_set(err, "out of memory for the costs of %zu messages", messages);
	else if (!slices_init(&a->call, calls, COST_COUNT, err) &&
		 !slices_init(&a->message, messages, COST_COUNT, err))
		return 0;
	attribution_release(a);
	return -1;
}

int attribution_run(const struct trace *t, const struct messages *m, const struct collectives *c,
		    const struct machine *machine, const struct clock_quality *clock,
		    struct attribution *out, struct err *err)
{
	struct attribution a;
	struct run run = {.out = &a, .err = err};
	int ret = -1;

	if (make_tables(&a, t->n_ranks, t->n_calls, m->n, err))
		return -1;
	run.sums.rank = calloc((size_t)t->n_ranks + 1, sizeof(*run.sums.rank));
	run.other = calloc((size_t)t->n_ranks + 1, sizeof(*run.other));
	if (!run.sums.rank || !run.other) {
		err_set(err, "out of memory for %u ranks", t->n_ranks);
		goto out;
	}
	if (scene_init(&run.scene, t, m, machine, err))
		goto out;
	run.scene.clock = clock;
	if (gathering_init(&run.gathering, t, c, machine, err) ||
	    onesided_find(&a.onesided, t, &run.scene.presence, machine, err) ||
	    flow_init(&run.flow, &run.scene, machine, err) ||
	    arrivals_init(&run.arrivals, &run.flow, err) ||
	    handlings_init(&run.handlings, &run.arrivals, err))
		goto out;
	for (int k = SCENARIO_MID; k < SCENARIO_COUNT; k++)
		if (flow_has(machine, k) && run_scenario(&run, k, err))
			goto out;
	bound_all(&a, t->n_ranks);
	*out = a;
	ret = 0;
out:
	handlings_release(&run.handlings);
	arrivals_release(&run.arrivals);
	flow_release(&run.flow);
	pollers_release(&run.polls);
	gathering_release(&run.gathering);
	if (run.scene.t)
		scene_release(&run.scene);
	free(run.other);
	free(run.sums.rank);
	if (ret)
		attribution_release(&a);
	return ret;
}

void attribution_release(struct attribution *a)
{
	onesided_release(&a->onesided);
	free(a->arrival_ns);
	free(a->held_ns);
	free(a->wait_caused_ns);
	slices_release(&a->message);
	slices_release(&a->call);
	free(a->rank_budget);
	memset(a, 0, sizeof(*a));
}
