/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Both views, each scenario in turn: a flow gives every message's estimated way, a walk cuts
 * its measured interval along it, and the legs are booked for the message and for the calls
 * that it ended. The default scenario fills the tables, the others widen the intervals.
 */
#include "analyze/attribution.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/ledger.h"

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
	struct scene scene;
	struct gathering gathering;
	struct flow flow;
	struct sums sums;
	struct attribution *out;
};

static int64_t contention(const struct tally *t)
{
	int64_t sum = 0;

	for (int c = 0; c < COST_COUNT; c++)
		if (cost_is_contention(c))
			sum += t->ns[c];
	return sum;
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
 * Book one call of a rank. covered: what another thread's calls have booked of it already;
 * that is taken off again so that the rank's time adds up.
 */
static void book_call(struct run *run, uint32_t call, int64_t covered, struct tally *x)
{
	const struct trace *t = run->scene.t;

	if (run->flow.scenario == SCENARIO_MID)
		memcpy(run->out->call_ns[call], x->ns, sizeof(x->ns));
	if (trace_call_kind(t, call) == REGION_OTHER)
		return; /* the user's own regions may hold MPI calls */
	cut(x, covered);
	tally_merge(&run->sums.rank[t->calls[call].rank], x);
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

/* The calls that message i ended. */
static void book_calls_of(struct run *run, uint32_t i, const struct walk *w)
{
	const struct message *x = &run->scene.m->m[i];
	const uint32_t ended[] = {x->recv_done, x->recv_done - 1, x->send_done};
	struct price p = flow_price(&run->flow, i);

	for (size_t k = 0; k < sizeof(ended) / sizeof(*ended); k++) {
		const struct release *r;
		struct tally t = {0};
		int as_sender = k == 2;

		if (ended[k] >= run->scene.t->n_calls || (k == 1 && ended[0] == 0))
			continue;
		r = &run->scene.release[ended[k]];
		if (r->message != i || r->as_sender != as_sender)
			continue;
		if (k == 1 && trace_call_kind(run->scene.t, ended[k]) != REGION_PROBE)
			continue;
		if (as_sender)
			ledger_send(&run->scene, i, ended[k], w, &p, &t);
		else
			ledger_receive(&run->scene, i, ended[k], w, &t);
		if (run->flow.scenario == SCENARIO_MID)
			run->out->held_ns[i] += contention(&t);
		book_call(run, ended[k], covered_ns(&run->scene, ended[k]), &t);
	}
}

/* One message's own time; a clock error may make network contention of it, or less. */
static void book_message(struct run *run, uint32_t i, const struct walk *w)
{
	const struct scene *s = &run->scene;
	struct attribution *out = run->out;
	struct tally t = {0};

	walk_clip(w, w->n, w->start_ns, w->end_ns, &t);
	if (s->flags[i] & MESSAGE_CLOCKS && t.ns[COST_network_contention] > 0) {
		t.less_ns[COST_network_contention] += s->clock_error_ns;
		t.more_ns[COST_network_contention] += s->clock_error_ns;
	}
	for (int c = 0; c < COST_COUNT; c++)
		if (t.less_ns[c] > t.ns[c])
			t.less_ns[c] = t.ns[c];
	tally_merge(&run->sums.blame, &t);
	if (run->flow.scenario != SCENARIO_MID)
		return;
	memcpy(out->message[i].ns, t.ns, sizeof(t.ns));
	out->wait_caused_ns[s->m->m[i].dst] += contention(&t);
	out->ports_ns[i] = run->flow.arrive_ns[i];
	out->arrival_ns[i] = w->start_ns;
	for (int k = 0; k < w->n; k++) {
		enum cost c = w->leg[k].part;

		if (c == COST_wire || c == COST_receiver_port || c == COST_network_contention)
			out->arrival_ns[i] = w->leg[k].end_ns;
	}
}

static void book_all(struct run *run)
{
	const struct scene *s = &run->scene;

	for (uint32_t i = 0; i < s->m->n; i++) {
		struct walk w;

		walk_message(&run->flow, i, &w);
		book_message(run, i, &w);
		book_calls_of(run, i, &w);
	}
	for (uint32_t c = 0; c < s->t->n_calls; c++) {
		struct tally t = {0};

		if (s->release[c].message != TRACE_NONE)
			continue;
		ledger_other(s, &run->gathering, c, &t);
		book_call(run, c, covered_ns(s, c), &t);
	}
	for (uint32_t r = 0; r < s->t->n_ranks; r++) {
		struct tally *t = &run->sums.rank[r];
		int64_t left = s->t->wall_ns;

		for (int c = 0; c < COST_COUNT; c++)
			left -= t->ns[c];
		if (left < 0) /* a rank whose clock was moved beyond the others' end */
			cut(t, -left);
		else
			tally_add(t, COST_compute, COST_compute, left);
	}
}

/* Take a scenario's sums into a view: the default fixes the values, all widen the intervals. */
static void fold(struct view *v, const struct tally *t, enum scenario scenario)
{
	for (int c = 0; c < COST_COUNT; c++) {
		struct part *p = &v->parts[c];
		int64_t low = t->ns[c] - t->less_ns[c], high = t->ns[c] + t->more_ns[c];

		low = low > 0 ? low : 0;
		if (scenario == SCENARIO_MID) {
			*p = (struct part){t->ns[c], low, high};
			v->total_ns += t->ns[c];
			continue;
		}
		p->low_ns = low < p->low_ns ? low : p->low_ns;
		p->high_ns = high > p->high_ns ? high : p->high_ns;
	}
}

static void fold_all(struct run *run, enum scenario scenario)
{
	struct tally all = {0};

	fold(&run->out->blame, &run->sums.blame, scenario);
	for (uint32_t r = 0; r < run->scene.t->n_ranks; r++) {
		fold(&run->out->rank_budget[r], &run->sums.rank[r], scenario);
		tally_merge(&all, &run->sums.rank[r]);
	}
	fold(&run->out->budget, &all, scenario);
}

static int run_scenario(struct run *run, const struct machine *machine, enum scenario scenario,
			struct err *err)
{
	if (flow_run(&run->flow, &run->scene, machine, scenario, err))
		return -1;
	if (scenario == SCENARIO_MID)
		ledger_find_releases(&run->scene, &run->flow);
	memset(&run->sums.blame, 0, sizeof(run->sums.blame));
	memset(run->sums.rank, 0, run->scene.t->n_ranks * sizeof(*run->sums.rank));
	book_all(run);
	fold_all(run, scenario);
	flow_release(&run->flow);
	return 0;
}

static int make_tables(struct attribution *a, size_t ranks, size_t calls, size_t messages,
		       struct err *err)
{
	memset(a, 0, sizeof(*a));
	a->rank_budget = calloc(ranks + 1, sizeof(*a->rank_budget));
	a->call_ns = calloc(calls + 1, sizeof(*a->call_ns));
	a->message = calloc(messages + 1, sizeof(*a->message));
	a->wait_caused_ns = calloc(ranks + 1, sizeof(*a->wait_caused_ns));
	a->held_ns = calloc(messages + 1, sizeof(*a->held_ns));
	a->arrival_ns = calloc(messages + 1, sizeof(*a->arrival_ns));
	a->ports_ns = calloc(messages + 1, sizeof(*a->ports_ns));
	if (a->rank_budget && a->call_ns && a->message && a->wait_caused_ns && a->held_ns &&
	    a->arrival_ns && a->ports_ns)
		return 0;
	attribution_release(a);
	return err_set(err, "out of memory for the costs of %zu messages", messages);
}

int attribution_run(const struct trace *t, const struct messages *m, const struct collectives *c,
		    const struct machine *machine, const struct clock_quality *clock,
		    struct attribution *out, struct err *err)
{
	struct attribution a;
	struct run run = {.out = &a};
	int ret = -1;

	if (make_tables(&a, t->n_ranks, t->n_calls, m->n, err))
		return -1;
	run.sums.rank = calloc((size_t)t->n_ranks + 1, sizeof(*run.sums.rank));
	if (!run.sums.rank) {
		err_set(err, "out of memory for %u ranks", t->n_ranks);
		goto out;
	}
	if (scene_init(&run.scene, t, m, machine, err))
		goto out;
	run.scene.clock_error_ns = clock->error_ns;
	if (gathering_init(&run.gathering, t, c, err))
		goto out;
	for (int k = SCENARIO_MID; k < SCENARIO_COUNT; k++)
		if (run_scenario(&run, machine, k, err))
			goto out;
	*out = a;
	ret = 0;
out:
	gathering_release(&run.gathering);
	if (run.scene.t)
		scene_release(&run.scene);
	free(run.sums.rank);
	if (ret)
		attribution_release(&a);
	return ret;
}

void attribution_release(struct attribution *a)
{
	free(a->ports_ns);
	free(a->arrival_ns);
	free(a->held_ns);
	free(a->wait_caused_ns);
	free(a->message);
	free(a->call_ns);
	free(a->rank_budget);
	memset(a, 0, sizeof(*a));
}
