/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/own_work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/gains/hub.h"
#include "analyze/gains/shared_cores.h"

static int shares_work(const struct own_work *w, uint32_t rank)
{
	return rank != w->cut.apart;
}

static void add_up(void *what, const struct own_piece *p)
{
	struct own_work *w = what;
	uint32_t rank = w->b->t->calls[p->call].rank;

	w->rank_s[rank] += p->own_s;
	w->files_s[rank] += p->files_s;
	if (!shares_work(w, rank))
		return;
	w->all_s[trace_place(w->b->t, p->call)] += p->own_s;
	w->step_s[p->step] += p->own_s;
	w->step_files_s[p->step] += p->files_s;
	w->steps = p->step + 1;
}

#define NOTHING 0.1 /* of the mean */

/* A rank's own time, and in each step: its to the sums of all. */
static void weigh_rank(struct own_work *w, uint32_t rank)
{
	memset(w->step_s, 0, w->steps * sizeof(*w->step_s));
	memset(w->step_files_s, 0, w->steps * sizeof(*w->step_files_s));
	w->steps = 0;
	own_pieces_each(w->b, &w->cut, rank, add_up, w);
	for (uint32_t k = 0; k < w->steps; k++) {
		w->sum_s[k] += w->step_s[k];
		w->sum_files_s[k] += w->step_files_s[k];
		if (w->step_s[k] <= w->most_s[k])
			continue;
		w->most_s[k] = w->step_s[k];
		w->most_files_s[k] = w->step_files_s[k];
		w->who[k] = rank;
	}
}

static void weigh_steps(struct own_work *w)
{
	struct own_sums *x = &w->sum;
	uint32_t share = 0;
	double led_s = 0;

	for (uint32_t r = 0; r < w->b->t->n_ranks; r++)
		share += shares_work(w, r) && w->rank_s[r] >= NOTHING * x->mean_s;
	for (uint32_t k = 0; k < w->cut.most; k++) {
		double s = w->most_s[k] - w->sum_s[k] / w->cut.share;

		x->steps_s += s;
		x->among_s += fmax(0, w->most_s[k] - w->sum_s[k] / share);
		x->files_steps_s += w->most_files_s[k] - w->sum_files_s[k] / w->cut.share;
		led_s += w->who[k] == x->most ? s : 0;
	}
	x->led_share = x->steps_s > 0 ? led_s / x->steps_s : 0;
}

/* What a rank that shares the work adds to the sums. */
static void add_rank(struct own_work *w, uint32_t r)
{
	const struct part *p = w->b->a->rank_budget[r].parts;
	struct own_sums *x = &w->sum;
	double ranks = w->cut.share;

	x->span_s += (w->b->wall_s - p[COST_start_end].ns * 1e-9) / ranks;
	x->wait_s += w->wait_s[r] / ranks;
	x->kept_s += (w->wait_s[r] + p[COST_inattention].ns * 1e-9) / ranks;
	if (w->b->c->n_starts) /* rooted ones: what nobody moves on while he computes */
		x->kept_s += p[COST_collective_transfer].ns * 1e-9 / ranks;
	x->mean_s += w->rank_s[r] / ranks;
	x->mean_files_s += w->files_s[r] / ranks;
	x->all_away_s += shared_cores_away_s(w->b, r, w->rank_s[r]);
	if (w->rank_s[r] > w->rank_s[x->most])
		x->most = r;
	if (w->rank_s[r] < w->rank_s[x->least])
		x->least = r;
}

/* The rank with most has more than others can have had, whatever of its time it had no core. */
static double proven_s(const struct own_work *w)
{
	const struct trace *t = w->b->t;
	double ranks = w->cut.share, s = (w->sum.most_s - w->sum.away_s) * (1 - 1 / ranks);

	for (uint32_t r = 0; r < t->n_ranks; r++)
		if (r != w->sum.most && shares_work(w, r))
			s -= fmin(w->rank_s[r], w->b->wall_s - t->ranks[r].core_awaited_ns * 1e-9) /
			     ranks;
	return s;
}

static void weigh(struct own_work *w)
{
	const struct trace *t = w->b->t;
	struct own_sums *x = &w->sum;

	x->most = x->least = w->cut.apart == 0;
	for (uint32_t r = 0; r < t->n_ranks; r++) {
		const struct part *p = w->b->a->rank_budget[r].parts;

		w->wait_s[r] = (p[COST_collective_wait].ns + p[COST_late_partner].ns) * 1e-9;
		weigh_rank(w, r);
		if (shares_work(w, r))
			add_rank(w, r);
	}
	x->away_s = (double)t->ranks[x->most].core_awaited_ns * 1e-9;
	x->most_s = w->rank_s[x->most];
	x->files_s = w->files_s[x->most];
	x->least_s = w->rank_s[x->least];
	x->fixed_s = x->most_s - x->mean_s;
	x->proven_s = proven_s(w);
	weigh_steps(w);
}

/* That of a step, or of the run: the one whose time there the others may have waited for. */
static int is_longest(const struct own_work *w, const struct own_piece *p)
{
	uint32_t rank = w->b->t->calls[p->call].rank;

	return rank == (w->longest == TRACE_NONE ? w->who[p->step] : w->longest);
}

static void add_mine(void *what, const struct own_piece *p)
{
	struct own_work *w = what;

	w->mine_s[trace_place(w->b->t, p->call)] += is_longest(w, p) ? p->own_s : 0;
}

static void add_from(void *what, const struct own_piece *p)
{
	struct own_work *w = what;
	struct own_bounds *at = &w->at;
	double *from_s;

	if (trace_place(w->b->t, p->call) != at->place || !is_longest(w, p) ||
	    p->before == TRACE_NONE)
		return;
	at->pieces++;
	from_s = &w->from_s[trace_place(w->b->t, p->before)];
	*from_s += p->own_s;
	if (*from_s > at->most_s) {
		at->most_s = *from_s;
		at->from = p->before;
		at->to = p->call;
	}
}

static void each_of_longest(struct own_work *w, own_pieces_visit *visit)
{
	for (uint32_t r = 0; r < w->b->t->n_ranks; r++)
		if (shares_work(w, r) && (w->longest == TRACE_NONE || r == w->longest))
			own_pieces_each(w->b, &w->cut, r, visit, w);
}

const struct own_bounds *own_work_bounds(struct own_work *w, uint32_t longest)
{
	const struct trace *t = w->b->t;
	uint32_t keys = trace_places(t), worst = 0;

	w->longest = longest;
	each_of_longest(w, add_mine);
	for (uint32_t k = 0; k < keys; k++)
		if (w->mine_s[k] - w->all_s[k] / w->cut.share >
		    w->mine_s[worst] - w->all_s[worst] / w->cut.share)
			worst = k;
	w->at = (struct own_bounds){TRACE_NONE, TRACE_NONE,
				    worst,      w->mine_s[worst] - w->all_s[worst] / w->cut.share,
				    0,          0};
	each_of_longest(w, add_from);
	return &w->at;
}

int own_work_init(struct own_work *w, const struct evidence_base *b, struct err *err)
{
	size_t ranks = b->t->n_ranks + 1u, keys = trace_places(b->t) + 1u, steps;

	*w = (struct own_work){.b = b};
	if (own_steps_find(b, &w->cut, err))
		return -1;
	w->cut.apart = hub_that_serves(b);
	w->cut.share -= w->cut.apart != TRACE_NONE;
	steps = w->cut.most + 1u;
	w->who = calloc(steps, sizeof(*w->who));
	w->rank_s = calloc(3 * ranks + 6 * steps + 3 * keys, sizeof(*w->rank_s));
	if (!w->rank_s || !w->who) {
		own_work_release(w);
		return err_set(err, "out of memory for %u ranks", b->t->n_ranks);
	}
	w->wait_s = w->rank_s + ranks;
	w->files_s = w->wait_s + ranks;
	w->sum_s = w->files_s + ranks;
	w->most_s = w->sum_s + steps;
	w->step_s = w->most_s + steps;
	w->step_files_s = w->step_s + steps;
	w->sum_files_s = w->step_files_s + steps;
	w->most_files_s = w->sum_files_s + steps;
	w->all_s = w->most_files_s + steps;
	w->mine_s = w->all_s + keys;
	w->from_s = w->mine_s + keys;
	weigh(w);
	return 0;
}

void own_work_release(struct own_work *w)
{
	free(w->who);
	free(w->rank_s);
	memset(w, 0, sizeof(*w));
}
