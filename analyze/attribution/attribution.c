/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Both views, in all scenarios: a flow gives every message's estimated way, a walk cuts
 * its measured interval along it, and the legs are booked for the message and for the calls
 * that it ended. The default scenario fills the tables, the others widen the intervals. Those
 * that have no ports are walked in the default one's sweep over the receivers, the others each in
 * its own.
 */
#include "analyze/attribution/attribution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/attribution/booking.h"
#include "analyze/attribution/envelope.h"
#include "analyze/attribution/hindered.h"
#include "analyze/attribution/resent.h"
#include "analyze/flow/attention.h"
#include "analyze/flow/releases.h"
#include "analyze/tools/instants.h"
#include "analyze/tools/share.h"
#include "common/table.h"

const struct cost_row cost_rows[COST_COUNT] = {
#define COST(name, label, colour, meaning) {#name, label, colour, meaning},
#include "analyze/costs.def"
#undef COST
};

#define LEFT_OUT (-1)

/*
 * Bounds so far apart, as a share of the view, say nothing if the lower is so little of the upper
 */
#define UNTOLD_LEAST 0.5
#define NONE_MOST    0.1

struct run {
	struct booking b;
	unsigned hands;
	struct hand *hand;    /* each */
	struct sums sums;     /* of the scenario at work */
	int64_t *recorded_ns; /* of each rank, asked once: a call of each is a page of each */
	struct attribution *out;
};

int64_t attribution_contention_ns(const struct attribution *a, uint32_t message)
{
	return slices_sum(&a->message, message, COSTS_OF_CONTENTION);
}

double attribution_core_doubt(const struct attribution *a)
{
	double contention_ns = (double)a->budget.contention.ns;

	return contention_ns > 0 ? fmin(1, (double)a->awaited_ns / contention_ns) : 0;
}

int view_is_untold(const struct view *v, enum cost c)
{
	const struct part *p = &v->parts[c];

	return c != COST_not_identifiable && p->high_ns > 0 &&
	       (double)(p->high_ns - p->low_ns) >= UNTOLD_LEAST * (double)v->total_ns &&
	       (double)p->low_ns <= NONE_MOST * (double)p->high_ns;
}

/*
 * The sums of all hands in a lane, and what the calls do not cover of a rank's time: computation.
 */
static void sum_up(struct run *run, unsigned lane)
{
	const struct trace *trace = run->b.scene.t;

	memset(&run->sums.blame, 0, sizeof(run->sums.blame));
	for (unsigned k = 0; k < run->hands; k++) {
		booking_end(&run->hand[k], lane);
		for (int x = 0; x < SUMS; x++)
			tally_merge(&run->sums.blame, &run->hand[k].sum[lane][x].blame);
	}
	for (uint32_t r = 0; r < trace->n_ranks; r++) {
		struct tally *t = &run->sums.rank[r];
		int64_t left = run->recorded_ns[r];

		if (left == LEFT_OUT) {
			memset(t, 0, sizeof(*t));
			continue;
		}
		*t = run->b.other[r];
		tally_add(t, COST_start_end, COST_start_end, trace_launch_ns(trace, r));
		for (unsigned k = 0; k < run->hands; k++)
			for (int x = 0; x < (run->b.is_crowded ? SUMS : 1); x++)
				tally_merge(t, &run->hand[k].sum[lane][x].rank[r]);
		for (int c = 0; c < COST_COUNT; c++)
			left -= t->ns[c];
		if (left < 0) /* a rank whose clock was moved beyond the others' end */
			tally_cut(t, -left);
		else
			tally_add(t, COST_compute, COST_compute, left);
	}
}

static void fold_all(struct run *run, enum scenario scenario)
{
	int is_first = scenario == SCENARIO_MID;
	struct tally all = {0};

	envelope_take(&run->out->blame, &run->sums.blame, is_first);
	for (uint32_t r = 0; r < run->b.scene.t->n_ranks; r++) {
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

static int book_receiver(void *hands, unsigned hand, uint32_t rank, struct err *err)
{
	struct hand *h = hands;

	return booking_receiver(&h[hand], rank, err);
}

static int book_others(void *hands, unsigned hand, uint32_t rank, struct err *err)
{
	struct hand *h = hands;

	return booking_others(&h[hand], rank, err);
}

/* Is there a message that moves while its ends compute, or not, for all that is known? */
static int has_open_progress(const struct booking *b)
{
	for (int k = 0; k < LOCALITY_COUNT; k++)
		if (b->scene.census[k].rendezvous &&
		    machine_progress_is_open(b->flow.machine->classes[k].progress))
			return 1;
	return 0;
}

static void leave_lanes(struct booking *b)
{
	for (unsigned k = 0; k < b->lanes; k++)
		if (!b->lane[k].passage)
			flow_unbranch(&b->lane[k]);
	b->lanes = 0;
}

/* All receivers' messages, in the lanes that there are. */
static int sweep(struct run *run, struct err *err)
{
	struct booking *b = &run->b;

	for (unsigned k = 0; k < run->hands; k++)
		if (booking_begin(&run->hand[k], err))
			return -1;
	if (share_run(run->hands, b->scene.t->n_ranks, book_receiver, run->hand, err))
		return -1;
	for (unsigned k = 0; k < b->lanes; k++) {
		sum_up(run, k);
		fold_all(run, b->lane[k].scenario);
	}
	leave_lanes(b);
	return 0;
}

/* Is there anything to be learnt from it? Then the messages are taken for what they are in it. */
static int is_worthwhile(struct run *run, enum scenario scenario)
{
	struct booking *b = &run->b;

	if (!flow_has(b->flow.machine, scenario))
		return 0;
	if (scenario == SCENARIO_PROGRESS)
		return has_open_progress(b);
	return scenario < SCENARIO_EAGER ||
	       scene_take_open(&b->scene, scenario == SCENARIO_RENDEZVOUS);
}

/* With the ports as they are in it: a lane. */
static int run_ports(struct run *run, enum scenario scenario, struct err *err)
{
	struct booking *b = &run->b;

	if (flow_run(&b->flow, scenario, err))
		return -1;
	if ((scenario == SCENARIO_MID || scenario >= SCENARIO_EAGER) &&
	    releases_find(&b->scene, &b->flow, err))
		return -1;
	b->lane[b->lanes++] = b->flow;
	return 0;
}

/* The default scenario, and in its sweep all without ports. with_ports: a bit of each that has. */
static int run_default(struct run *run, unsigned *with_ports, struct err *err)
{
	struct booking *b = &run->b;

	if (run_ports(run, SCENARIO_MID, err) || pollers_find(&b->polls, &b->scene, err) ||
	    share_run(run->hands, b->scene.t->n_ranks, book_others, run->hand, err))
		return -1;
	for (enum scenario k = SCENARIO_MID + 1; k < SCENARIO_EAGER; k++) {
		int is_branch;

		if (!is_worthwhile(run, k))
			continue;
		is_branch = flow_branch(&b->lane[b->lanes], &b->flow, k, err);
		if (is_branch < 0)
			return -1;
		b->lanes += (unsigned)is_branch;
		*with_ports |= (unsigned)!is_branch << k;
	}
	return sweep(run, err);
}

static int run_all(struct run *run, struct err *err)
{
	unsigned with_ports = 0;

	if (run_default(run, &with_ports, err))
		return -1;
	for (enum scenario k = SCENARIO_MID + 1; k < SCENARIO_COUNT; k++) {
		if (k < SCENARIO_EAGER ? !(with_ports >> k & 1) : !is_worthwhile(run, k))
			continue;
		if (run_ports(run, k, err) || sweep(run, err))
			return -1;
	}
	return 0;
}

static int make_tables(struct attribution *a, size_t ranks, size_t calls, size_t messages,
		       struct err *err)
{
	memset(a, 0, sizeof(*a));
	a->rank_budget = calloc(ranks + 1, sizeof(*a->rank_budget));
	a->wait_caused_ns = calloc(ranks + 1, sizeof(*a->wait_caused_ns));
	a->held_ns = table_calloc(messages + 1, sizeof(*a->held_ns));
	a->arrival_ns = table_calloc(messages + 1, sizeof(*a->arrival_ns));
	if (!a->rank_budget || !a->wait_caused_ns || !a->held_ns || !a->arrival_ns)
		err_set(err, "out of memory for the costs of %zu messages", messages);
	else if (!slices_init(&a->call, calls, COST_COUNT, err) &&
		 !slices_init(&a->message, messages, COST_COUNT, err))
		return 0;
	attribution_release(a);
	return -1;
}

static int make_hands(struct run *run, struct err *err)
{
	const struct trace *t = run->b.scene.t;
	size_t ranks = t->n_ranks;

	run->sums.rank = calloc(ranks + 1, sizeof(*run->sums.rank));
	run->b.other = calloc(ranks + 1, sizeof(*run->b.other));
	run->recorded_ns = calloc(ranks + 1, sizeof(*run->recorded_ns));
	run->hands = share_hands();
	run->hand = calloc(run->hands, sizeof(*run->hand));
	if (!run->sums.rank || !run->b.other || !run->recorded_ns || !run->hand)
		return err_set(err, "out of memory for %zu ranks", ranks);
	for (uint32_t r = 0; r < ranks; r++)
		run->b.is_crowded |= trace_shares_core(t, r);
	for (uint32_t r = 0; r < ranks; r++)
		run->recorded_ns[r] = trace_is_left_out(t, r)
					      ? LEFT_OUT
					      : trace_recorded_ns(t, r) - t->ranks[r].gone_ns;
	for (unsigned k = 0; k < run->hands; k++)
		if (booking_init(&run->hand[k], &run->b, err))
			return -1;
	return 0;
}

static void release(struct run *run)
{
	struct booking *b = &run->b;

	for (unsigned k = 0; run->hand && k < run->hands; k++)
		booking_release(&run->hand[k]);
	free(run->hand);
	free(run->sums.rank);
	free(run->recorded_ns);
	free(b->other);
	leave_lanes(b);
	flow_release(&b->flow);
	pollers_release(&b->polls);
	gathering_release(&b->gathering);
	if (b->scene.t)
		scene_release(&b->scene);
}

int attribution_run(const struct trace *t, const struct messages *m, const struct collectives *c,
		    const struct machine *machine, const struct clock_quality *clock,
		    struct attribution *out, struct err *err)
{
	struct attribution a;
	struct run run = {.b.out = &a, .out = &a};
	struct booking *b = &run.b;
	int ret = -1;

	if (make_tables(&a, t->n_ranks, t->n_calls, m->n, err))
		return -1;
	a.collectives = c;
	if (presence_init(&a.presence, t, err) || sizes_number(&a.sizes, t, m, err) ||
	    scene_init(&b->scene, t, m, &a.sizes, machine, err))
		goto out;
	b->scene.presence = &a.presence;
	b->scene.clock = clock;
	if (attention_find(t, c, &a.presence, machine, &a.back, err) ||
	    gathering_init(&b->gathering, t, c, a.back, machine, err) ||
	    onesided_find(&a.onesided, t, &a.presence, machine, err) ||
	    target_load_find(&a.targets, t, &a.onesided, err) ||
	    flow_init(&b->flow, &b->scene, machine, err) || make_hands(&run, err) ||
	    run_all(&run, err))
		goto out;
	if (hindered_doubt(t, m, &a, err) || resent_find(t, m, machine, &a, err) ||
	    count_loads_find(&a.counts, t, c, &a.call, err))
		goto out;
	bound_all(&a, t->n_ranks);
	memcpy(a.census, b->scene.census, sizeof(a.census));
	a.kept_by = b->gathering.kept_by;
	b->gathering.kept_by = NULL;
	a.polled = pollers_take(&b->polls, &b->scene);
	a.by_send = b->scene.by_send.message;
	b->scene.by_send.message = NULL;
	*out = a;
	ret = 0;
out:
	release(&run);
	if (ret)
		attribution_release(&a);
	return ret;
}

void attribution_release(struct attribution *a)
{
	presence_release(&a->presence);
	sizes_release(&a->sizes);
	count_loads_release(&a->counts);
	target_load_release(&a->targets);
	onesided_release(&a->onesided);
	table_free(a->by_send);
	table_free(a->polled);
	table_free(a->kept_by);
	table_free(a->back);
	table_free(a->arrival_ns);
	table_free(a->held_ns);
	free(a->wait_caused_ns);
	slices_release(&a->message);
	slices_release(&a->call);
	free(a->rank_budget);
	memset(a, 0, sizeof(*a));
}
