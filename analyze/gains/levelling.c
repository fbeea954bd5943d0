/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/levelling.h"

#include <math.h>
#include <string.h>

#include "analyze/gains/retime.h"
#include "analyze/tools/instants.h"
#include "common/table.h"

enum manner {
	MANNER_ADDED,    /* who gets more has as much more before each call of a place */
	MANNER_SCALED,   /* or in one proportion, as who gets less */
	MANNER_EVEN,     /* the same before each call of a place, before and after, */
	MANNER_UNSHARED, /* and that before */
};

/* A rank's own time before the calls of a place. */
struct usual {
	double sum_s;
	uint32_t n;
};

/* In the steps that end at a place: what the rank at hand has less than others, and has. */
struct lack {
	double sum_s, mine_s;
	uint32_t n;
};

struct level {
	const struct evidence_base *b;
	const struct own_steps *cut;
	enum manner manner;
	int by_steps;        /* each of them is levelled, else the run */
	uint32_t steps;      /* so many there are */
	double *all_s;       /* per step: of all ranks */
	double *mine_s;      /* of the rank at hand, */
	double *evened_s;    /* the usual before each of its calls, */
	double *more_s;      /* what it would have beside its own or, below 0, less, */
	uint32_t *end;       /* and the place of its last call */
	struct usual *usual; /* per place, of the rank at hand; */
	struct lack *lack;   /* likewise */
	int64_t *own_ns;     /* per call: so much less is done before it, */
	int64_t *rest_ns;    /* and it returns so much sooner */
	int64_t *less_ns;    /* per message: its way is so much shorter */
	uint32_t begun;      /* step of the rank at hand in which it does anything; TRACE_NONE */
	double run_all_s, run_mine_s, run_evened_s; /* of all steps */
};

static void add_up(void *what, const struct own_piece *p)
{
	struct level *l = what;

	l->all_s[p->step] += p->own_s;
	l->run_all_s += p->own_s;
	if (l->steps <= p->step)
		l->steps = p->step + 1;
}

static double usual_s(const struct level *l, const struct own_piece *p)
{
	const struct usual *u = &l->usual[trace_place(l->b->t, p->call)];

	return u->sum_s / u->n;
}

static void add_usual(void *what, const struct own_piece *p)
{
	struct level *l = what;
	struct usual *u = &l->usual[trace_place(l->b->t, p->call)];

	u->sum_s += p->own_s;
	u->n++;
}

static void add_mine(void *what, const struct own_piece *p)
{
	struct level *l = what;

	l->mine_s[p->step] += p->own_s;
	l->evened_s[p->step] += usual_s(l, p);
	l->run_mine_s += p->own_s;
	l->run_evened_s += usual_s(l, p);
	l->end[p->step] = trace_place(l->b->t, p->call);
}

/*
 * Who has too little of the run has more of it in the steps in which others have more than it has,
 * as much in each that ends at the same place; who has too much less in those in which they have
 * less, of these in one proportion.
 */
static void find_more(struct level *l)
{
	uint32_t places = trace_places(l->b->t), k;
	double ranks = l->cut->share, wanted_s = l->run_all_s / ranks - l->run_mine_s;
	double sign = wanted_s < 0 ? -1 : 1, lacks_s = 0.0;

	memset(l->lack, 0, places * sizeof(*l->lack));
	for (k = 0; k < l->steps; k++) {
		struct lack *x = &l->lack[l->end[k]];

		l->more_s[k] = l->all_s[k] / ranks - l->mine_s[k];
		x->sum_s += l->more_s[k];
		x->mine_s += l->mine_s[k];
		x->n++;
	}
	for (k = 0; k < places; k++)
		lacks_s += fmax(0, sign * l->lack[k].sum_s);
	for (k = 0; k < l->steps && !l->by_steps; k++) {
		const struct lack *x = &l->lack[l->end[k]];
		double of_it = lacks_s > 0 ? fmax(0, sign * x->sum_s) / lacks_s : 0.0;

		l->more_s[k] = wanted_s * of_it *
			       (wanted_s < 0 ? l->mine_s[k] / fmax(x->mine_s, 1e-9) : 1.0 / x->n);
	}
}

/* What it does before the call beside its own; in a step where it has none, before the first. */
static double added_s(const struct level *l, const struct own_piece *p)
{
	double more_s = l->more_s[p->step];

	if (more_s < 0)
		return p->own_s * more_s / l->mine_s[p->step];
	if (l->evened_s[p->step] > 0)
		return usual_s(l, p) * more_s / l->evened_s[p->step];
	return p->step != l->begun ? more_s : 0.0;
}

/* The same when all of its own time is otherwise. */
static double otherwise_s(const struct level *l, const struct own_piece *p)
{
	double share_s = l->run_all_s / l->cut->share;

	if (l->manner == MANNER_UNSHARED)
		return usual_s(l, p) - p->own_s;
	if (!(l->run_mine_s > 0))
		return l->begun == TRACE_NONE ? share_s : 0.0;
	if (l->manner == MANNER_EVEN)
		return usual_s(l, p) * share_s / l->run_evened_s - p->own_s;
	return p->own_s * share_s / l->run_mine_s - p->own_s;
}

static void level(void *what, const struct own_piece *p)
{
	struct level *l = what;
	double more_s = l->manner == MANNER_ADDED ? added_s(l, p) : otherwise_s(l, p);

	l->own_ns[p->call] = (int64_t)(-more_s * 1e9);
	l->begun = p->step;
}

static void level_rank(struct level *l, uint32_t rank)
{
	memset(l->usual, 0, trace_places(l->b->t) * sizeof(*l->usual));
	memset(l->mine_s, 0, l->steps * sizeof(*l->mine_s));
	memset(l->evened_s, 0, l->steps * sizeof(*l->evened_s));
	memset(l->end, 0, l->steps * sizeof(*l->end));
	l->run_mine_s = l->run_evened_s = 0.0;
	l->begun = TRACE_NONE;
	own_pieces_each(l->b, l->cut, rank, add_usual, l);
	own_pieces_each(l->b, l->cut, rank, add_mine, l);
	find_more(l);
	own_pieces_each(l->b, l->cut, rank, level, l);
}

/* Returns 0, or -1 with *err set. Of l: less_ns and rest_ns, what was shorter before. */
static int replay(struct level *l, enum manner manner, int by_steps, double *saved_s,
		  struct err *err)
{
	l->manner = manner;
	l->by_steps = by_steps;
	l->steps = 0;
	l->run_all_s = 0.0;
	memset(l->all_s, 0, l->cut->most * sizeof(*l->all_s));
	memset(l->own_ns, 0, l->b->t->n_calls * sizeof(*l->own_ns));
	for (uint32_t r = 0; r < l->b->t->n_ranks; r++)
		if (r != l->cut->apart)
			own_pieces_each(l->b, l->cut, r, add_up, l);
	for (uint32_t r = 0; r < l->b->t->n_ranks; r++)
		if (r != l->cut->apart)
			level_rank(l, r);
	return retime_run(
		l->b,
		&(struct retime){.less_ns = l->less_ns, .rest_ns = l->rest_ns, .own_ns = l->own_ns},
		saved_s, err);
}

/*
 * When messages are there is an estimate: all that kept them may be that nobody asked for them. And
 * who returned late from a call may have been without a core there, having nothing to do.
 */
static void free_ways(struct level *l)
{
	const uint32_t kept = COSTS_OF_CONTENTION | 1u << COST_not_identifiable;
	const uint32_t late = kept | 1u << COST_uncollected | 1u << COST_inattention;

	for (uint32_t i = 0; i < l->b->m->n; i++)
		l->less_ns[i] =
			earlier(retime_way_ns(l->b, i), slices_sum(&l->b->a->message, i, kept));
	for (uint32_t c = 0; c < l->b->t->n_calls; c++)
		l->rest_ns[c] = slices_sum(&l->b->a->call, c, late);
}

/* Returns 0, or -1 with *err set. */
static int find(struct level *l, struct levelling *out, struct err *err)
{
	double scaled_s, uneven_s, even_s;

	if (replay(l, MANNER_ADDED, 1, &out->steps_s, err) ||
	    replay(l, MANNER_ADDED, 0, &out->run_s, err) ||
	    replay(l, MANNER_SCALED, 0, &scaled_s, err))
		return -1;
	free_ways(l);
	if (replay(l, MANNER_UNSHARED, 0, &uneven_s, err) ||
	    replay(l, MANNER_EVEN, 0, &even_s, err))
		return -1;
	out->least_s = fmax(0, fmin(out->run_s, scaled_s));
	out->most_s = fmax(fmax(out->run_s, scaled_s), fmax(out->steps_s, even_s - uneven_s));
	return 0;
}

int levelling_find(const struct evidence_base *b, const struct own_steps *cut,
		   struct levelling *out, struct err *err)
{
	struct level l = {.b = b, .cut = cut};
	int ret = -1;

	l.all_s = table_calloc(cut->most, sizeof(*l.all_s));
	l.mine_s = table_calloc(cut->most, sizeof(*l.mine_s));
	l.evened_s = table_calloc(cut->most, sizeof(*l.evened_s));
	l.more_s = table_calloc(cut->most, sizeof(*l.more_s));
	l.end = table_calloc(cut->most, sizeof(*l.end));
	l.usual = table_calloc((size_t)trace_places(b->t) + 1, sizeof(*l.usual));
	l.lack = table_calloc((size_t)trace_places(b->t) + 1, sizeof(*l.lack));
	l.own_ns = table_calloc((size_t)b->t->n_calls + 1, sizeof(*l.own_ns));
	l.rest_ns = table_calloc((size_t)b->t->n_calls + 1, sizeof(*l.rest_ns));
	l.less_ns = table_calloc((size_t)b->m->n + 1, sizeof(*l.less_ns));
	if (!l.all_s || !l.mine_s || !l.evened_s || !l.more_s || !l.end || !l.usual || !l.lack ||
	    !l.own_ns || !l.rest_ns || !l.less_ns)
		err_set(err, "out of memory for %u calls", b->t->n_calls);
	else
		ret = find(&l, out, err);
	table_free(l.less_ns);
	table_free(l.rest_ns);
	table_free(l.own_ns);
	table_free(l.lack);
	table_free(l.usual);
	table_free(l.end);
	table_free(l.more_s);
	table_free(l.evened_s);
	table_free(l.mine_s);
	table_free(l.all_s);
	return ret;
}
