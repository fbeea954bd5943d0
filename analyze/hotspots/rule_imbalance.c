/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Not contention: some ranks compute longer than others, who wait for them in collectives and
 * receives. What equal shares would save is replayed (levelling.c): nothing where ranks work one
 * after the other. What the calls that all ranks make together cut the run into are its steps;
 * when each step has another longest rank, no fixed division of the work helps, and what levelling
 * each step would save is only the upper end of the saving. Ranks that share cores take longer by
 * turns: what that can explain, up to as many times the mean as ranks share a core, is no
 * imbalance. Where the kernel tells how long a rank waited for its core, whoever had it, that is
 * no imbalance, and no more: without it the longest has computed at least for the rest, and nobody
 * longer than there was a core. Where it is not recorded how many cores there were, none of it is
 * certain on a host of several ranks.
 */
#include "analyze/gains/shared_cores.h"
#include "analyze/hotspots/rules.h"
#include "analyze/opinion/server_load.h"
#include "analyze/run/run_ends.h"
#include "common/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHARE_FIXED \
	0.02 /* of wall time: least saving when always the same ranks compute longest, */
#define SHARE_CHANGING 0.05 /* when others do from step to step: that much is noise, */
#define CORES_MATTER   1.1  /* times what a replay saves at most: waits for cores may go, too */
#define REPEATS_MIN    3    /* and so it is where the difference is not of so many pieces */

struct work {
	const struct evidence_base *b;
	double *rank_s; /* per rank: computation between MPI_Init and MPI_Finalize */
	double *wait_s; /* per rank: waiting for others that came late */
	double *sum_s;  /* per step: of all ranks */
	double *most_s; /* per step: of the rank with most */
	double *step_s; /* per step: of the rank at hand, in so many steps */
	uint32_t steps;
	double *all_s;  /* per key: computation before calls there, of all ranks, */
	double *mine_s; /* of the rank with most of all, */
	double *from_s; /* and of that, by the call before it */
};

/* Outcome: the run's sums. */
struct balance {
	double mean_s, most_s, least_s;
	uint32_t most, least;   /* ranks */
	double fixed_s;         /* longest - mean over the run */
	double steps_s;         /* the same step by step */
	double proven_s;        /* longest - mean, whatever of it was waiting for a core */
	double wait_s;          /* of an average rank */
	double away_s;          /* without a core though it could run: the rank with most, */
	double all_away_s;      /* and all together */
	struct levelling saves; /* what an even share would save, by the replay and the cores; */
	double replayed_most_s; /* by the replay */
};

static void add_up(void *what, const struct own_piece *p)
{
	struct work *w = what;

	w->rank_s[w->b->t->calls[p->call].rank] += p->own_s;
	w->all_s[trace_place(w->b->t, p->call)] += p->own_s;
	w->step_s[p->step] += p->own_s;
	w->steps = p->step + 1;
}

static void add_mine(void *what, const struct own_piece *p)
{
	struct work *w = what;

	w->mine_s[trace_place(w->b->t, p->call)] += p->own_s;
}

/* A rank's own time, and in each step: its to the sums of all. */
static void weigh_rank(struct work *w, uint32_t rank)
{
	memset(w->step_s, 0, w->steps * sizeof(*w->step_s));
	w->steps = 0;
	own_pieces_each(w->b, rank, add_up, w);
	for (uint32_t k = 0; k < w->steps; k++) {
		w->sum_s[k] += w->step_s[k];
		w->most_s[k] = fmax(w->most_s[k], w->step_s[k]);
	}
}

static void weigh(struct work *w, struct balance *x)
{
	const struct trace *t = w->b->t;

	for (uint32_t r = 0; r < t->n_ranks; r++) {
		const struct part *p = w->b->a->rank_budget[r].parts;

		weigh_rank(w, r);
		w->wait_s[r] = (p[COST_collective_wait].ns + p[COST_late_partner].ns) * 1e-9;
		x->wait_s += w->wait_s[r] / t->n_ranks;
		x->mean_s += w->rank_s[r] / t->n_ranks;
		x->all_away_s += (double)t->ranks[r].core_awaited_ns * 1e-9;
		if (w->rank_s[r] > w->rank_s[x->most])
			x->most = r;
		if (w->rank_s[r] < w->rank_s[x->least])
			x->least = r;
	}
	x->away_s = (double)t->ranks[x->most].core_awaited_ns * 1e-9;
	x->most_s = w->rank_s[x->most];
	x->least_s = w->rank_s[x->least];
	x->fixed_s = x->most_s - x->mean_s;
	x->proven_s = x->most_s - x->away_s;
	for (uint32_t r = 0; r < t->n_ranks; r++)
		x->proven_s -=
			fmin(w->rank_s[r], w->b->wall_s - t->ranks[r].core_awaited_ns * 1e-9) /
			t->n_ranks;
	for (uint32_t k = 0; k <= w->b->c->n; k++)
		x->steps_s += w->most_s[k] - w->sum_s[k] / t->n_ranks;
}

/* The two calls around the computation in which the rank with most exceeds the mean most. */
struct bounds {
	uint32_t from, to; /* calls, or TRACE_NONE */
	double excess_s;
	uint32_t pieces; /* of that rank's computation there */
};

static void find_bounds(struct work *w, const struct balance *x, struct bounds *out)
{
	const struct trace *t = w->b->t;
	const struct rank *r = &t->ranks[x->most];
	uint32_t keys = trace_places(t), worst = 0;
	double most_s = 0;

	own_pieces_each(w->b, x->most, add_mine, w);
	for (uint32_t k = 0; k < keys; k++)
		if (w->mine_s[k] - w->all_s[k] / t->n_ranks >
		    w->mine_s[worst] - w->all_s[worst] / t->n_ranks)
			worst = k;
	*out = (struct bounds){TRACE_NONE, TRACE_NONE,
			       w->mine_s[worst] - w->all_s[worst] / t->n_ranks, 0};
	for (uint32_t c = r->first_call + 1; c < r->first_call + r->calls; c++) {
		double *from_s = &w->from_s[trace_place(t, c - 1)];

		if (trace_place(t, c) != worst)
			continue;
		out->pieces++;
		*from_s += own_pieces_s(w->b, c, t->calls[c - 1].leave_ns);
		if (*from_s > most_s) {
			most_s = *from_s;
			out->from = c - 1;
			out->to = c;
		}
	}
}

static uint32_t count_long(const struct work *w, const struct balance *x)
{
	uint32_t n = 0;

	for (uint32_t r = 0; r < w->b->t->n_ranks; r++)
		n += w->rank_s[r] >= x->mean_s + x->fixed_s / 2;
	return n;
}

/* "between MPI_Recv at a.c:7 and MPI_Send at a.c:9", or from one call of a place to the next. */
static void write_bounds(const struct trace *t, const struct bounds *at, size_t size,
			 char text[size])
{
	char from[80] = "the start", to[80] = "the end";

	if (at->from != TRACE_NONE)
		rule_place(t, at->from, sizeof(from), from);
	if (at->to != TRACE_NONE)
		rule_place(t, at->to, sizeof(to), to);
	if (strcmp(from, to) != 0)
		snprintf(text, size, "between %s and %s", from, to);
	else
		snprintf(text, size, "from one %s to the next", to);
}

/* May it have shared a core with another rank, unsaid? */
static int may_share_core(const struct trace *t, uint32_t rank)
{
	for (uint32_t r = 0; r < t->n_ranks && !(t->ranks[rank].crowd > 0); r++)
		if (r != rank && t->ranks[r].home == t->ranks[rank].home)
			return 1;
	return 0;
}

static const char *words_of_cores(const struct trace *t, const struct balance *x)
{
	if (may_share_core(t, x->most))
		return "; whether ranks shared cores is not recorded: waiting for a core looks "
		       "like this, too";
	if (x->saves.most_s >= CORES_MATTER * x->replayed_most_s)
		return "; ranks that wait less leave cores to others: that may save more";
	return "";
}

static void write_words(const struct work *w, const struct balance *x, const struct bounds *at,
			struct hotspot *h)
{
	const struct trace *t = w->b->t;
	uint32_t many = count_long(w, x);
	char who[48] = "", where[180];

	if (many > 1)
		snprintf(who, sizeof(who), " and %u more", many - 1);
	if (x->saves.run_s < x->saves.steps_s / 2)
		snprintf(h->title, sizeof(h->title),
			 "from step to step another rank computes longest, the others wait");
	else if (2 * many > t->n_ranks)
		snprintf(h->title, sizeof(h->title),
			 "rank %u computes %.0f %% of the mean, and waits for the others", x->least,
			 x->mean_s > 0 ? 100 * x->least_s / x->mean_s : 0);
	else
		snprintf(h->title, sizeof(h->title),
			 "rank %u%s computes %.1f times the mean, the others wait", x->most, who,
			 x->mean_s > 0 ? x->most_s / x->mean_s : 0);
	write_bounds(t, at, sizeof(where), where);
	snprintf(h->why, sizeof(h->why),
		 "not contention: computation between MPI calls is %s a rank, %s on rank %u, most "
		 "of the difference %s; a rank waits %s for late ones on average%s",
		 number_seconds(x->mean_s).text, number_seconds(x->most_s).text, x->most, where,
		 number_seconds(x->wait_s).text, words_of_cores(t, x));
	snprintf(h->advice, sizeof(h->advice), "%s",
		 x->saves.run_s < x->saves.steps_s / 2
			 ? "divide the work anew while it runs, or let ranks run ahead: fewer or "
			   "non-blocking collectives"
			 : "divide the work by its cost rather than by its count; look for a rank "
			   "that does I/O or others' work alone");
}

/*
 * Would always the same share save that much, or another share step by step? Beside what may be
 * the time in which ranks were without their cores.
 */
static int is_long(const struct work *w, const struct balance *x, double share_fixed)
{
	return fmin(x->proven_s, x->wait_s) >= share_fixed * w->b->wall_s ||
	       fmin(x->steps_s - x->all_away_s, x->wait_s) >= SHARE_CHANGING * w->b->wall_s;
}

/* Is it worth a line? */
static int is_saving(const struct work *w, const struct balance *x)
{
	return x->saves.run_s >= SHARE_FIXED * w->b->wall_s ||
	       x->saves.steps_s >= SHARE_CHANGING * w->b->wall_s;
}

static int report(struct work *w, const struct balance *x, struct findings *out, struct err *err)
{
	const struct evidence_base *b = w->b;
	struct hotspot h = {.kind = "imbalance", .site = TRACE_NONE, .region = TRACE_NONE};
	struct bounds at;

	find_bounds(w, x, &at);
	if (at.pieces < REPEATS_MIN && !is_long(w, x, SHARE_CHANGING))
		return 0;
	if (at.to != TRACE_NONE) {
		h.site = b->t->calls[at.to].site;
		h.region = b->t->calls[at.to].region;
	}
	h.rank = x->most;
	h.saves_mid_s = x->saves.run_s;
	h.saves_high_s = x->saves.most_s;
	/* The longest rank's own waiting shows that it is not always the one to be waited for. */
	if (!may_share_core(b->t, x->most))
		h.saves_low_s = fmin(fmax(x->proven_s - w->wait_s[x->most], 0), x->saves.least_s);
	write_words(w, x, &at, &h);
	hotspot_evidence(&h, "compute_mean_s", x->mean_s);
	hotspot_evidence(&h, "compute_most_s", x->most_s);
	hotspot_evidence(&h, "compute_least_s", x->least_s);
	hotspot_evidence(&h, "rank_least", x->least);
	hotspot_evidence(&h, "excess_fixed_s", x->fixed_s);
	hotspot_evidence(&h, "excess_by_steps_s", x->steps_s);
	hotspot_evidence(&h, "excess_at_site_s", at.excess_s);
	hotspot_evidence(&h, "wait_mean_s", x->wait_s);
	hotspot_evidence(&h, "wait_of_rank_s", w->wait_s[x->most]);
	hotspot_evidence(&h, "core_awaited_s", x->away_s);
	return findings_add(out, &h, err);
}

/* Can the difference be that ranks take turns on their cores, of which the kernel does not tell? */
static int is_turns(const struct work *w, const struct balance *x)
{
	const struct trace *t = w->b->t;

	return trace_shares_core(t, x->most) && x->away_s <= 0 &&
	       x->most_s <= t->ranks[x->most].crowd * x->mean_s;
}

/* Pauses and ranks that were not recorded, or that died, hide who had to compute what. */
static int is_whole(const struct trace *t)
{
	if (run_ends_first_gone(t) != TRACE_NONE)
		return 0;
	for (uint32_t r = 0; r < t->n_ranks; r++)
		if (trace_recorded_ns(t, r) < t->wall_ns)
			return 0;
	return t->n_ranks > 1;
}

int rule_imbalance(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct work w = {.b = b};
	struct balance x = {0};
	size_t ranks = b->t->n_ranks + 1u, steps = b->c->n + 2u, keys = trace_places(b->t) + 1u;
	struct server_load load;
	int ret;

	if (!is_whole(b->t) || server_load_is_dialogue(b))
		return 0;
	/* Who asks for more when it is done has no fixed share; servers compute nothing. */
	ret = server_load_find(b, &load, err);
	if (ret)
		return ret < 0 ? -1 : 0;
	w.rank_s = calloc(2 * ranks + 3 * steps + 3 * keys, sizeof(*w.rank_s));
	if (!w.rank_s)
		return err_set(err, "out of memory for %u ranks", b->t->n_ranks);
	w.wait_s = w.rank_s + ranks;
	w.sum_s = w.wait_s + ranks;
	w.most_s = w.sum_s + steps;
	w.step_s = w.most_s + steps;
	w.all_s = w.step_s + steps;
	w.mine_s = w.all_s + keys;
	w.from_s = w.mine_s + keys;
	weigh(&w, &x);
	ret = 0;
	if (!is_turns(&w, &x) && is_long(&w, &x, SHARE_FIXED)) {
		ret = levelling_find(b, &x.saves, err);
		x.replayed_most_s = x.saves.most_s;
		shared_cores_allow(b, w.rank_s, x.most, &x.saves);
		if (!ret && is_saving(&w, &x))
			ret = report(&w, &x, out, err);
	}
	free(w.rank_s);
	return ret;
}
