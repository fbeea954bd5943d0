/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/recording.h"

#include <math.h>

#define NS_PER_S 1e9
#define TRUE_TO  2 /* what the recorder says of itself; up to 2.3 was measured */

/* Calls of one rank as the recorder passes through them: polls in floods, and others. */
struct passes {
	uint64_t polls, others;
};

static struct passes passes_of(const struct trace *t, const struct rank *r)
{
	struct passes n = {0, 0};
	const struct flood *flood;
	uint32_t i;

	for (i = r->first_call; i < r->first_call + r->calls; i++) {
		flood = trace_flood(t, &t->calls[i]);
		if (flood && flood->polls > 1)
			n.polls += flood->polls;
		else
			n.others++;
	}
	return n;
}

int recording_of(const struct trace *t, struct recording *out)
{
	struct recording sum = {0};
	struct passes n;
	double s = 0;
	uint32_t r;

	for (r = 0; r < t->n_ranks; r++) {
		const struct rank *rank = &t->ranks[r];
		const struct rank_cost *cost = &rank->cost;

		if (cost->call_ns <= 0)
			return 0;
		n = passes_of(t, rank);
		sum.calls += n.polls + n.others;
		sum.polls += n.polls;
		sum.requests += rank->requests;
		sum.call_s += cost->call_ns / NS_PER_S / t->n_ranks;
		sum.request_s += cost->request_ns / NS_PER_S / t->n_ranks;
		sum.poll_s += cost->poll_ns / NS_PER_S / t->n_ranks;
		sum.sites_s += cost->sites_ns / NS_PER_S;
		sum.writing_s += cost->writing_ns / NS_PER_S;
		sum.aside_s += cost->aside_ns / NS_PER_S;
		s += ((double)n.others * cost->call_ns + (double)n.polls * cost->poll_ns +
		      (double)rank->requests * cost->request_ns) /
		     NS_PER_S;
	}
	if (!t->n_ranks || t->wall_ns <= 0)
		return 0;
	s += sum.sites_s + sum.writing_s + sum.aside_s;
	sum.share = s / ((double)t->wall_ns / NS_PER_S * t->n_ranks);
	*out = sum;
	return 1;
}

/* Of a budget's time ranks do something in so much. */
static double share_at_work(const struct view *v)
{
	return (double)(v->parts[COST_compute].ns + v->parts[COST_file_access].low_ns +
			v->parts[COST_send_overhead].ns + v->parts[COST_receive_overhead].ns +
			v->parts[COST_handler_contention].ns) /
	       (double)v->total_ns;
}

struct recording_effect recording_effect(double share, const struct view *budget)
{
	double between, work;

	if (isnan(share))
		return (struct recording_effect){NAN, NAN};
	if (budget->total_ns <= 0)
		return (struct recording_effect){0, share};
	between = 1 - (double)budget->parts[COST_start_end].ns / (double)budget->total_ns;
	work = fmax(share_at_work(budget), share);
	return (struct recording_effect){
		.least = fmax(0, share / TRUE_TO - (between - work)),
		.most = work > 0 ? fmin(between, TRUE_TO * share / work * between) : 0};
}
