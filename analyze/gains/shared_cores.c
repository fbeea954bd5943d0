/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/shared_cores.h"

#include <math.h>

/*
 * Of own times: the mean of all ranks. An MPI that polls never sleeps, so who does is outside: it
 * may be one if its ranks ran or waited for a core for as long as they were in it.
 */
struct needs {
	double likely_s; /* so long they need a core if MPI polls, */
	double most_s;   /* at most so long; */
	double least_s;  /* and they take so long at least without any wait for a core; */
	double sure_s;   /* of a core they had so much in their own time, whatever else they did; */
	double away_s;   /* all ranks that share cores waited for one; INFINITY: not known */
};

/* Of the rank's time but for starting and ending MPI, s. */
static double span_s(const struct evidence_base *b, uint32_t rank)
{
	return b->wall_s - (double)b->a->rank_budget[rank].parts[COST_start_end].ns * 1e-9;
}

/* The counters go on in MPI_Finalize, s. */
static double finalize_s(const struct trace *t, uint32_t rank)
{
	const struct rank *r = &t->ranks[rank];
	uint32_t last = r->first_call + r->calls - 1;

	if (!r->calls || trace_call_kind(t, last) != REGION_FINALIZE)
		return 0;
	return (double)(t->calls[last].leave_ns - t->calls[last].enter_ns) * 1e-9;
}

/* It ran or waited for a core for so long, s. */
static double counted_s(const struct evidence_base *b, uint32_t rank)
{
	const struct rank *r = &b->t->ranks[rank];

	return (double)(r->core_used_ns + r->core_awaited_ns) * 1e-9;
}

/* All but what it can have waited for a core or slept; threads can do both at once. */
double shared_cores_sure_s(const struct evidence_base *b, uint32_t rank, double own_s)
{
	const struct rank *r = &b->t->ranks[rank];
	double asleep_s = fmax(0, span_s(b, rank) + finalize_s(b->t, rank) - counted_s(b, rank));

	if (r->core_used_ns <= 0 || r->is_threaded)
		return 0;
	return fmax(0, own_s - (double)r->core_awaited_ns * 1e-9 - asleep_s);
}

/* Of its time but for starting and ending MPI a rank neither ran nor waited for a core, s. */
static double slept_s(const struct evidence_base *b, uint32_t rank)
{
	return fmax(0, span_s(b, rank) - counted_s(b, rank));
}

/* Of that time own_s were outside MPI: can it have run or waited for a core in all others? */
static int may_poll(const struct evidence_base *b, uint32_t rank, double own_s)
{
	return counted_s(b, rank) >= span_s(b, rank) - own_s;
}

double shared_cores_away_s(const struct evidence_base *b, uint32_t rank, double own_s)
{
	const struct rank *r = &b->t->ranks[rank];

	if (r->core_used_ns > 0 && may_poll(b, rank, own_s))
		own_s = fmax(0, own_s - slept_s(b, rank));
	return fmin((double)r->core_awaited_ns * 1e-9, own_s);
}

static void add_rank(const struct evidence_base *b, uint32_t rank, double own_s, struct needs *out)
{
	const struct rank *r = &b->t->ranks[rank];
	double used_s = (double)r->core_used_ns * 1e-9, away_s = (double)r->core_awaited_ns * 1e-9;
	double asleep_s = slept_s(b, rank), n = b->t->n_ranks;
	int polls = may_poll(b, rank, own_s);

	out->likely_s += fmax(0, fmin(own_s - asleep_s, used_s)) / n;
	out->sure_s += shared_cores_sure_s(b, rank, own_s) / n;
	out->most_s += (used_s > 0 ? fmin(own_s, used_s) : own_s) / n;
	if (!trace_shares_core(b->t, rank))
		away_s = 0;
	else if (away_s <= 0)
		away_s = INFINITY;
	out->least_s += fmax(own_s - away_s, polls ? fmin(own_s, asleep_s) : 0) / n;
	out->away_s += away_s;
}

/* The rank with most ranks to a core beside it. */
static uint32_t most_crowded(const struct trace *t)
{
	uint32_t most = 0;

	for (uint32_t r = 1; r < t->n_ranks; r++)
		if (t->ranks[r].crowd > t->ranks[most].crowd)
			most = r;
	return most;
}

/* How long cores are busy with work that each rank has as much of, one group's after another. */
static double busy_by_turns(const struct trace *t)
{
	double sum = 0;

	for (uint32_t k = 0; k < t->core_groups.n; k++)
		if (core_group_crowd(&t->core_groups.g[k]) > 1)
			sum += core_group_crowd(&t->core_groups.g[k]);
	return sum;
}

/* Whoever is on the longest chain has at least such a share of its cores to itself then. */
static double share_of_cores(const struct trace *t)
{
	double share = 1;

	for (uint32_t r = 0; r < t->n_ranks; r++)
		if (!trace_shares_core(t, r))
			return 0; /* that is no work of the crowd's */
	for (uint32_t k = 0; k < t->core_groups.n; k++)
		share = fmin(share, 1 / t->core_groups.g[k].cores);
	return share;
}

void shared_cores_allow(const struct evidence_base *b, const double own_s[], uint32_t longest,
			struct levelling *x)
{
	uint32_t rank = most_crowded(b->t);
	double crowd = b->t->ranks[rank].crowd, run_s = span_s(b, longest), likely_s, least_s;
	struct needs all = {0};

	if (!trace_shares_core(b->t, rank))
		return;
	for (uint32_t r = 0; r < b->t->n_ranks; r++)
		add_rank(b, r, own_s[r], &all);
	likely_s = fmax(0, run_s - all.likely_s * crowd);
	least_s = run_s - all.most_s * busy_by_turns(b->t) -
		  (run_s - x->least_s) * (1 - share_of_cores(b->t));
	x->run_s = fmin(x->run_s, likely_s);
	x->steps_s = fmin(x->steps_s, likely_s);
	x->least_s = fmin(x->least_s, fmax(0, least_s));
	x->most_s = fmax(x->most_s, fmin(x->most_s + all.away_s, run_s - all.least_s));
	x->most_s = fmax(x->run_s, fmin(x->most_s, run_s - all.sure_s * crowd));
}

double shared_cores_awaited_s(const struct evidence_base *b)
{
	double sum_s = 0;

	for (uint32_t r = 0; r < b->t->n_ranks; r++)
		if (trace_shares_core(b->t, r))
			sum_s += (double)b->t->ranks[r].core_awaited_ns * 1e-9;
	return sum_s / b->t->n_ranks;
}
