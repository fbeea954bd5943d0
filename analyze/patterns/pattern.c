/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/patterns/pattern.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Scores this near to each other are a tie. */
#define TIE 0.02

/* A runner-up below this is not worth a word. */
#define RUNNER_UP_MIN 0.1

/* An irregular pattern is named from this score on; what is below is just irregular. */
#define IRREGULAR_MIN 0.5

/* Of a sum of shares, each rounded, that is all. */
#define SCORE_MAX (1 + 1e-9)

struct recogniser {
	const char *what;
	int (*find)(const struct traffic *t, struct candidates *out, struct err *err);
};

/* One row a pattern. Those that need to look less come first; order is of no consequence. */
static const struct recogniser recognisers[] = {
	{"shift(k)", pattern_shift},
	{"pairwise, permutation", pattern_permutation},
	{"permutations, rings in turns", pattern_turns},
	{"transpose", pattern_transpose},
	{"broadcast trees", pattern_broadcast},
	{"reduce trees", pattern_reduce},
	{"trees up and down", pattern_two_way_tree},
	{"scatter", pattern_scatter},
	{"gather, incast", pattern_gather},
	{"client-server, work-pile", pattern_server},
	{"total exchange and its rounds", pattern_total_exchange},
	{"total exchange in groups", pattern_groups},
	{"chain, ring, stencils, sweeps, hypercube, butterfly", pattern_shapes},
	{"the same with ranks permuted", pattern_permuted},
	{"all-to-any", pattern_any},
	{"irregular sparse", pattern_sparse},
};

/* explained * presence * uniformity */
static double score(const struct candidate *c)
{
	return c->explained * c->presence * c->uniformity;
}

int candidate_is_sure(const struct candidate *c)
{
	return c->regular && c->explained >= PATTERN_EXPLAINED_MIN &&
	       c->of_messages >= PATTERN_MESSAGES_SHARE &&
	       (c->presence >= PATTERN_PRESENCE_MIN || c->by_chance) &&
	       score(c) >= PATTERN_SCORE_MIN;
}

int candidates_add(struct candidates *all, const struct candidate *c, struct err *err)
{
	assert(score(c) <= SCORE_MAX);
	if (all->n == all->room) {
		uint32_t room = 2 * all->room + 32;
		struct candidate *more = reallocarray(all->c, room, sizeof(*more));

		if (!more)
			return err_set(err, "out of memory for patterns");
		all->c = more;
		all->room = room;
	}
	all->c[all->n++] = *c;
	return 0;
}

/* Is a to be preferred to b, whose scores are a tie? */
static int is_simpler(const struct candidate *a, const struct candidate *b)
{
	if (a->length != b->length)
		return a->length < b->length;
	if (fabs(a->time - b->time) > 1e-9)
		return a->time > b->time;
	return score(a) > score(b);
}

/* Not a regular one, but good enough to say which. */
static int is_fair(const struct candidate *c)
{
	return !c->regular && score(c) >= IRREGULAR_MIN;
}

/* The best of those that may be said; NULL: there is none. */
static const struct candidate *best_of(const struct candidates *all,
				       int (*may_be_said)(const struct candidate *c))
{
	const struct candidate *best = NULL;
	double top = 0;
	uint32_t i;

	for (i = 0; i < all->n; i++)
		if (may_be_said(&all->c[i]))
			top = fmax(top, score(&all->c[i]));
	for (i = 0; i < all->n; i++) {
		const struct candidate *c = &all->c[i];

		if (may_be_said(c) && score(c) >= top - TIE && (!best || is_simpler(c, best)))
			best = c;
	}
	return best;
}

static void add_equivalent(struct pattern *p, const char *name)
{
	uint32_t i;

	if (!*name || !strcmp(name, p->best.name) || p->n_equivalent == PATTERN_EQUIVALENT)
		return;
	for (i = 0; i < p->n_equivalent; i++)
		if (!strcmp(p->equivalent[i], name))
			return;
	strcpy(p->equivalent[p->n_equivalent++], name);
}

/* Do the two expect the same pairs of ranks? */
static int same_support(const struct candidate *a, const struct candidate *b)
{
	return a->regular && b->regular &&
	       (a->permuted == b->permuted || a->of_any_order || b->of_any_order) &&
	       fabs(a->explained - b->explained) < 1e-9 &&
	       fabs(a->of_messages - b->of_messages) < 1e-9 &&
	       fabs(a->expected - b->expected) < 0.5;
}

static int is_equivalent(const struct pattern *p, const char *name)
{
	uint32_t i;

	for (i = 0; i < p->n_equivalent; i++)
		if (!strcmp(p->equivalent[i], name))
			return 1;
	return !strcmp(p->best.name, name);
}

/*
 * How likely, at most, chance has made it of another: a pair that is expected may lack all of its
 * messages, or strays make half of what a pair has. If ranks are numbered along it, that one is
 * where the two differ; of permuted ranks it may be anywhere. It takes as many of them as are the
 * hinge.
 */
static double doubt_of(const struct traffic *t, const struct candidate *c)
{
	double own = c->of_messages * t->messages;
	double due = own / fmax(0.5, 1 - c->lacking);
	double of_pair = due / c->expected * (c->hinge > 0 ? c->hinge : 1);
	double missing = (due - own + 1) / (due + 2);
	double strays = (t->messages - own + 1) / (0.5 * t->ranks * (t->ranks - 1.0) + 2);
	double places = c->permuted ? t->ranks : 1;

	return fmin(1, places * fmax(pow(missing, of_pair), pow(strays, ceil(of_pair / 2))));
}

/* Is c another name that could be said as well? What takes longer to say is the more general. */
static int is_rival(const struct pattern *p, const struct candidate *c)
{
	return candidate_is_sure(c) && c->length <= p->best.length && !is_equivalent(p, c->name);
}

int pattern_is_confident(const struct pattern *p)
{
	return p->best.regular && p->margin >= PATTERN_MARGIN_MIN && p->doubt <= PATTERN_DOUBT_MAX;
}

static void compare_others(const struct candidates *all, struct pattern *p)
{
	double second = RUNNER_UP_MIN;
	uint32_t i;

	p->margin = p->score;

	add_equivalent(p, p->best.equivalent);
	for (i = 0; i < all->n; i++)
		if (same_support(&p->best, &all->c[i])) {
			add_equivalent(p, all->c[i].name);
			add_equivalent(p, all->c[i].equivalent);
		}
	for (i = 0; i < all->n; i++) {
		const struct candidate *c = &all->c[i];

		if (is_rival(p, c))
			p->margin = fmin(p->margin, p->score - score(c));
		if (score(c) < second || is_equivalent(p, c->name))
			continue;
		second = score(c);
		strcpy(p->runner_up, c->name);
	}
}

static void choose(const struct candidates *all, struct pattern *p)
{
	const struct candidate *best = best_of(all, candidate_is_sure);

	if (!best)
		best = best_of(all, is_fair);
	if (best) {
		p->best = *best;
		p->score = score(best);
		p->doubt = best->regular ? doubt_of(all->t, best) : 1;
	} else {
		strcpy(p->best.name, "irregular");
	}
	compare_others(all, p);
}

/* Is there too little to see a pattern in? Then *p is called so, and why. */
static int say_too_few(const struct traffic *t, struct pattern *p)
{
	if (t->active < PATTERN_RANKS_MIN)
		snprintf(p->why_none, sizeof(p->why_none),
			 "%u ranks send or receive here; a pattern needs %d", t->active,
			 PATTERN_RANKS_MIN);
	else if (t->messages < PATTERN_MESSAGES_MIN)
		snprintf(p->why_none, sizeof(p->why_none),
			 "%.0f messages are sent here; a pattern needs %d", t->messages,
			 PATTERN_MESSAGES_MIN);
	else
		return 0;
	strcpy(p->best.name, "insufficient data");
	return 1;
}

int pattern_find(const struct traffic *t, struct pattern *out, struct err *err)
{
	struct candidates all = {.t = t};
	struct pattern p = {0};
	size_t i;
	int ret = 0;

	if (say_too_few(t, &p)) {
		*out = p;
		return 0;
	}
	for (i = 0; !ret && i < sizeof(recognisers) / sizeof(recognisers[0]); i++)
		ret = recognisers[i].find(t, &all, err);
	if (!ret) {
		choose(&all, &p);
		*out = p;
	}
	free(all.c);
	return ret;
}
