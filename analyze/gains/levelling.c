/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/levelling.h"

#include <math.h>
#include <string.h>

#include "analyze/gains/retime.h"
#include "analyze/tools/instants.h"
#include "common/table.h"

struct level {
	const struct evidence_base *b;
	int by_steps;     /* else all of them are one */
	double *all_s;    /* per step: of all ranks */
	double *mine_s;   /* of the rank at hand, */
	int64_t *own_ns;  /* per call: so much less is done before it */
	int64_t *less_ns; /* per message: its way is so much shorter */
	uint32_t begun;   /* step of the rank at hand in which it does anything; TRACE_NONE */
};

static uint32_t step_of(const struct level *l, const struct own_piece *p)
{
	return l->by_steps ? p->step : 0;
}

static void add_up(void *what, const struct own_piece *p)
{
	struct level *l = what;

	l->all_s[step_of(l, p)] += p->own_s;
}

static void add_mine(void *what, const struct own_piece *p)
{
	struct level *l = what;

	l->mine_s[step_of(l, p)] += p->own_s;
}

/* A rank that did nothing in a step does its share before its first call there. */
static void level(void *what, const struct own_piece *p)
{
	struct level *l = what;
	uint32_t step = step_of(l, p);
	double share_s = l->all_s[step] / l->b->t->n_ranks;

	if (l->mine_s[step] > 0)
		l->own_ns[p->call] = (int64_t)(p->own_s * (1 - share_s / l->mine_s[step]) * 1e9);
	else
		l->own_ns[p->call] = step != l->begun ? (int64_t)(-share_s * 1e9) : 0;
	l->begun = step;
}

/* What is done before each call then. */
static void level_all(struct level *l)
{
	size_t steps = l->b->c->n + 1u;

	memset(l->all_s, 0, steps * sizeof(*l->all_s));
	memset(l->own_ns, 0, l->b->t->n_calls * sizeof(*l->own_ns));
	for (uint32_t r = 0; r < l->b->t->n_ranks; r++)
		own_pieces_each(l->b, r, add_up, l);
	for (uint32_t r = 0; r < l->b->t->n_ranks; r++) {
		memset(l->mine_s, 0, steps * sizeof(*l->mine_s));
		l->begun = TRACE_NONE;
		own_pieces_each(l->b, r, add_mine, l);
		own_pieces_each(l->b, r, level, l);
	}
}

/* When messages are there is an estimate: all that kept them may be that nobody asked for them. */
static void free_ways(struct level *l)
{
	const uint32_t kept = COSTS_OF_CONTENTION | 1u << COST_not_identifiable;

	for (uint32_t i = 0; i < l->b->m->n; i++)
		l->less_ns[i] =
			earlier(retime_way_ns(l->b, i), slices_sum(&l->b->a->message, i, kept));
}

/* Returns 0, or -1 with *err set. */
static int replay(const struct level *l, const int64_t *own_ns, double *saved_s, struct err *err)
{
	return retime_run(l->b, &(struct retime){.less_ns = l->less_ns, .own_ns = own_ns}, saved_s,
			  err);
}

/* Returns 0, or -1 with *err set. */
static int find(struct level *l, struct levelling *out, struct err *err)
{
	double free_s, both_s;

	l->by_steps = 1;
	level_all(l);
	if (replay(l, l->own_ns, &out->steps_s, err))
		return -1;
	l->by_steps = 0;
	level_all(l);
	if (replay(l, l->own_ns, &out->run_s, err))
		return -1;
	free_ways(l);
	if (replay(l, NULL, &free_s, err) || replay(l, l->own_ns, &both_s, err))
		return -1;
	out->most_s = fmax(fmax(out->run_s, out->steps_s), both_s - free_s);
	return 0;
}

int levelling_find(const struct evidence_base *b, struct levelling *out, struct err *err)
{
	struct level l = {.b = b};
	int ret = -1;

	l.all_s = table_calloc((size_t)b->c->n + 1, sizeof(*l.all_s));
	l.mine_s = table_calloc((size_t)b->c->n + 1, sizeof(*l.mine_s));
	l.own_ns = table_calloc((size_t)b->t->n_calls + 1, sizeof(*l.own_ns));
	l.less_ns = table_calloc((size_t)b->m->n + 1, sizeof(*l.less_ns));
	if (!l.all_s || !l.mine_s || !l.own_ns || !l.less_ns)
		err_set(err, "out of memory for %u calls", b->t->n_calls);
	else
		ret = find(&l, out, err);
	table_free(l.less_ns);
	table_free(l.own_ns);
	table_free(l.mine_s);
	table_free(l.all_s);
	return ret;
}
