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
	double least_s;  /* and they take so long at least without any wait for a core */
	double away_s;   /* all ranks that share cores waited for one; INFINITY: not known */
};

/* Of the rank's time but for starting and ending MPI, s. */
static double span_s(const struct evidence_base *b, uint32_t rank)
{
	return b->wall_s - (double)b->a->rank_budget[rank].parts[COST_start_end].ns * 1e-9;
}

static void add_rank(const struct evidence_base *b, uint32_t rank, double own_s, struct needs *out)
{
	const struct rank *r = &b->t->ranks[rank];
	double used_s = (double)r->core_used_ns * 1e-9, away_s = (double)r->core_awaited_ns * 1e-9;
	double slept_s = fmax(0, span_s(b, rank) - used_s - away_s), n = b->t->n_ranks;
	int may_poll = used_s + away_s >= span_s(b, rank) - own_s;

	out->likely_s += fmax(0, fmin(own_s - slept_s, used_s)) / n;
	out->most_s += (used_s > 0 ? fmin(own_s, used_s) : own_s) / n;
	if (!trace_shares_core(b->t, rank))
		away_s = 0;
	else if (away_s <= 0)
		away_s = INFINITY;
	out->least_s += fmax(own_s - away_s, may_poll ? fmin(own_s, slept_s) : 0) / n;
	out->away_s += away_s;
}

/* The rank whose node has most ranks to a core. */
static uint32_t most_crowded(const struct trace *t)
{
	uint32_t most = 0;

	for (uint32_t r = 1; r < t->n_ranks; r++)
		if (t->ranks[r].crowd > t->ranks[most].crowd)
			most = r;
	return most;
}

static double cores_of(const struct trace *t, uint32_t rank)
{
	uint32_t n = 0;

	for (uint32_t r = 0; r < t->n_ranks; r++)
		n += t->ranks[r].node == t->ranks[rank].node;
	return n / t->ranks[rank].crowd;
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
	least_s =
		run_s - all.most_s * crowd - (run_s - x->least_s) * (1 - 1 / cores_of(b->t, rank));
	x->run_s = fmin(x->run_s, likely_s);
	x->steps_s = fmin(x->steps_s, likely_s);
	x->least_s = fmin(x->least_s, fmax(0, least_s));
	x->most_s = fmax(x->most_s, fmin(x->most_s + all.away_s, run_s - all.least_s));
}
