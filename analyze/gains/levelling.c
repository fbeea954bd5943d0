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

struct level {
	const struct evidence_base *b;
	const struct own_steps *cut;
	enum manner manner;
	int by_steps; /* else all of them are one */
	uint32_t steps;
	double *all_s;       /* per step: of all ranks */
	double *mine_s;      /* of the rank at hand, */
	double *evened_s;    /* and the usual before each of its calls */
	struct usual *usual; /* per place, of the rank at hand */
	int64_t *own_ns;     /* per call: so much less is done before it, */
	int64_t *rest_ns;    /* and it returns so much sooner */
	int64_t *less_ns;    /* per message: its way is so much shorter */
	uint32_t begun;      /* step of the rank at hand in which it does anything; TRACE_NONE */
};

static uint32_t step_of(const struct level *l, const struct own_piece *p)
{
	return l->by_steps ? p->step : 0;
}

static void add_up(void *what, const struct own_piece *p)
{
	struct level *l = what;

	l->all_s[step_of(l, p)] += p->own_s;
	if (l->steps <= step_of(l, p))
		l->steps = step_of(l, p) + 1;
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

	l->mine_s[step_of(l, p)] += p->own_s;
	l->evened_s[step_of(l, p)] += usual_s(l, p);
}

/* What the rank, whose own time in the step is not 0, does before the call then. */
static double shared_s(const struct level *l, const struct own_piece *p, double share_s)
{
	uint32_t step = step_of(l, p);
	double mine_s = l->mine_s[step];

	if (l->manner == MANNER_UNSHARED)
		return usual_s(l, p);
	if (l->manner == MANNER_EVEN)
		return usual_s(l, p) * share_s / l->evened_s[step];
	if (l->manner == MANNER_ADDED && share_s > mine_s)
		return p->own_s + usual_s(l, p) * (share_s - mine_s) / l->evened_s[step];
	return p->own_s * share_s / mine_s;
}

/* A rank that did nothing in a step does its share before its first call there. */
static void level(void *what, const struct own_piece *p)
{
	struct level *l = what;
	uint32_t step = step_of(l, p);
	double share_s = l->all_s[step] / l->b->t->n_ranks;

	if (l->mine_s[step] > 0)
		l->own_ns[p->call] = (int64_t)((p->own_s - shared_s(l, p, share_s)) * 1e9);
	else if (step != l->begun && l->manner != MANNER_UNSHARED)
		l->own_ns[p->call] = (int64_t)(-share_s * 1e9);
	l->begun = step;
}

static void level_rank(struct level *l, uint32_t rank)
{
	memset(l->usual, 0, trace_places(l->b->t) * sizeof(*l->usual));
	memset(l->mine_s, 0, l->steps * sizeof(*l->mine_s));
	memset(l->evened_s, 0, l->steps * sizeof(*l->evened_s));
	l->begun = TRACE_NONE;
	own_pieces_each(l->b, l->cut, rank, add_usual, l);
	own_pieces_each(l->b, l->cut, rank, add_mine, l);
	own_pieces_each(l->b, l->cut, rank, level, l);
}

/* Returns 0, or -1 with *err set. Of l: less_ns and rest_ns, what was shorter before. */
static int replay(struct level *l, enum manner manner, int by_steps, double *saved_s,
		  struct err *err)
{
	l->manner = manner;
	l->by_steps = by_steps;
	l->steps = 0;
	memset(l->all_s, 0, l->cut->most * sizeof(*l->all_s));
	memset(l->own_ns, 0, l->b->t->n_calls * sizeof(*l->own_ns));
	for (uint32_t r = 0; r < l->b->t->n_ranks; r++)
		own_pieces_each(l->b, l->cut, r, add_up, l);
	for (uint32_t r = 0; r < l->b->t->n_ranks; r++)
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
	l.usual = table_calloc((size_t)trace_places(b->t) + 1, sizeof(*l.usual));
	l.own_ns = table_calloc((size_t)b->t->n_calls + 1, sizeof(*l.own_ns));
	l.rest_ns = table_calloc((size_t)b->t->n_calls + 1, sizeof(*l.rest_ns));
	l.less_ns = table_calloc((size_t)b->m->n + 1, sizeof(*l.less_ns));
	if (!l.all_s || !l.mine_s || !l.evened_s || !l.usual || !l.own_ns || !l.rest_ns ||
	    !l.less_ns)
		err_set(err, "out of memory for %u calls", b->t->n_calls);
	else
		ret = find(&l, out, err);
	table_free(l.less_ns);
	table_free(l.rest_ns);
	table_free(l.own_ns);
	table_free(l.usual);
	table_free(l.evened_s);
	table_free(l.mine_s);
	table_free(l.all_s);
	return ret;
}
