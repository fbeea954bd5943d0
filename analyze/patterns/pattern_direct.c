/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each rank sends to one: shifts, pairs, permutations, the transpose of a square of ranks; or
 * to one or two at a time, and to others after some rounds.
 */
#include "analyze/patterns/pattern_fit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Where so many rounds begin with a receive, it is a path that fewer messages than this close, if
 * they may be strays: if there are messages that are nothing else.
 */
#define LED_MIN 0.75
#define CLOSING 0.6

/* Of the volume so much goes over the distance of a shift, there or back. */
#define SHIFTED_MIN 0.4

/* Of a permutation's ranks so many come round to where they began: a path's do not. */
#define CLOSED_MIN 0.5

/* With so many of its edges between two that send to each other it is pairs and strays. */
#define PAIRED_MAX 0.75

/* Of what chance does not keep of the neighbours from round to round so much is kept. */
#define TURN_KEPT 0.4

static uint32_t distance(const struct traffic *t, const struct edge *e)
{
	return (e->dst + t->ranks - e->src) % t->ranks;
}

/* Of both. */
static uint32_t greatest_divisor(uint32_t a, uint32_t b)
{
	while (b) {
		uint32_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Propose all edges to the rank k further; and those with the ones that answer. */
static int propose_shift(const struct traffic *t, struct fit *f, uint32_t k, int answered,
			 struct candidates *out, struct err *err)
{
	struct candidate c = {.regular = 1, .length = 2 + (unsigned)answered};
	double by_chance = (1.0 + answered) / (t->ranks - 1.0);
	uint32_t i;

	fit_clear(f);
	for (i = 0; i < t->n_edges; i++)
		if (distance(t, &t->edges[i]) == k)
			fit_add(f, t->edges[i].count, t->edges[i].volume, t->edges[i].volume);
	fit_group(f, t->ranks);
	for (i = 0; answered && i < t->n_edges; i++)
		if (distance(t, &t->edges[i]) == t->ranks - k)
			fit_add(f, t->edges[i].count, t->edges[i].volume, t->edges[i].volume);
	if (answered)
		fit_group(f, t->ranks);
	fit_result(f, &c);
	/* Of few ranks many pairs are so far apart by chance. */
	if (c.explained - by_chance < PATTERN_EXPLAINED_MIN * (1 - by_chance))
		return 0;
	snprintf(c.name, sizeof(c.name), "shift(%u)%s", k, answered ? " and back" : "");
	/* It comes to all ranks before it comes back. */
	if (greatest_divisor(k, t->ranks) == 1)
		strcpy(c.equivalent, "ring");
	return candidates_add(out, &c, err);
}

int pattern_shift(const struct traffic *t, struct candidates *out, struct err *err)
{
	double *volume = calloc((size_t)t->ranks + 1, sizeof(*volume));
	struct fit f = {0};
	uint32_t best = 0;
	uint32_t i;
	int ret = -1;

	if (!volume) {
		err_set(err, "out of memory for %u ranks", t->ranks);
		goto out;
	}
	for (i = 0; i < t->n_edges; i++)
		volume[distance(t, &t->edges[i])] += t->edges[i].volume;
	for (i = 1; i < t->ranks; i++)
		if (volume[i] > volume[best])
			best = i;
	ret = 0;
	/* There and back is no further than half way round. */
	if (2 * best > t->ranks && volume[t->ranks - best] >= TRAFFIC_STRAY * volume[best])
		best = t->ranks - best;
	/* To the next rank is a ring, which is among the shapes. */
	if (best > 1 && best + 1 < t->ranks &&
	    volume[best] + volume[t->ranks - best] >= SHIFTED_MIN * t->volume) {
		ret = fit_init(&f, t, t->ranks, err);
		if (!ret)
			ret = propose_shift(t, &f, best, 0, out, err);
		if (!ret && 2 * best != t->ranks)
			ret = propose_shift(t, &f, best, 1, out, err);
		fit_release(&f);
	}
out:
	free(volume);
	return ret;
}

static const struct edge *heaviest(const struct traffic *t, uint32_t src)
{
	const struct edge *best = NULL;
	uint32_t i;

	for (i = t->row[src]; i < t->row[src + 1]; i++)
		if (!best || t->edges[i].volume > best->volume)
			best = &t->edges[i];
	return best;
}

/*
 * Ranks with more than stray messages. Those on a transpose's diagonal, who send to themselves, are
 * not among them. Returns 0 and the number, or -1 with *err set (out of memory).
 */
static int count_taking_part(const struct traffic *t, uint32_t *out, struct err *err)
{
	uint8_t *takes_part = calloc((size_t)t->ranks + 1, 1);
	uint32_t n = 0;

	if (!takes_part)
		return err_set(err, "out of memory for %u ranks", t->ranks);
	for (uint32_t i = 0; i < t->n_edges; i++)
		if (t->edges[i].count >= TRAFFIC_STRAY * t->typical)
			takes_part[t->edges[i].src] = takes_part[t->edges[i].dst] = 1;
	for (uint32_t r = 0; r < t->ranks; r++)
		n += takes_part[r];
	free(takes_part);
	*out = n;
	return 0;
}

/* Messages that an edge from a rank to the next has at least. */
static double least_of(const struct traffic *t)
{
	double heaviest_ones = 0;

	for (uint32_t r = 0; r < t->ranks; r++) {
		const struct edge *e = heaviest(t, r);

		heaviest_ones += e ? e->count : 0;
	}
	if (t->time.receive_led >= LED_MIN && heaviest_ones < t->messages)
		return CLOSING * t->typical;
	return TRAFFIC_STRAY * t->typical;
}

/* The rank that a rank sends most to, at least so many messages; TRAFFIC_NONE: there is none. */
static uint32_t next_of(const struct traffic *t, uint32_t r, double least)
{
	const struct edge *e = heaviest(t, r);

	return e && e->count >= least ? e->dst : TRAFFIC_NONE;
}

/* Ranks whose heaviest edges lead back to them. seen: room for all, zeroed. */
static uint32_t count_closed(const struct traffic *t, uint32_t *seen)
{
	double least = least_of(t);
	uint32_t closed = 0;

	for (uint32_t first = 0; first < t->ranks; first++) {
		uint32_t r = first;

		/* The walk ends where one was before; this walk has the mark first + 1. */
		while (r != TRAFFIC_NONE && !seen[r]) {
			seen[r] = first + 1;
			r = next_of(t, r, least);
		}
		if (r == TRAFFIC_NONE || seen[r] != first + 1)
			continue;
		for (uint32_t at = r; closed++, (at = next_of(t, at, least)) != r;)
			;
	}
	return closed;
}

/* Do the two send most to each other? */
static int is_mutual(const struct traffic *t, const struct edge *e)
{
	const struct edge *back = heaviest(t, e->dst);

	return back && back->dst == e->src;
}

/* Each rank's heaviest edge. seen: room for all ranks, zeroed. */
static int propose_permutation(const struct traffic *t, struct fit *f, uint32_t taking_part,
			       uint32_t *seen, struct candidates *out, struct err *err)
{
	struct candidate c = {
		.regular = 1, .length = PATTERN_LENGTH_PERMUTATION, .name = "permutation"};
	uint32_t mutual = 0;

	if (count_closed(t, seen) < CLOSED_MIN * taking_part)
		return 0;
	memset(seen, 0, t->ranks * sizeof(*seen));
	for (uint32_t r = 0; r < t->ranks; r++) {
		const struct edge *e = heaviest(t, r);

		if (!e || seen[e->dst]++)
			continue;
		fit_add(f, e->count, e->volume, e->volume);
		mutual += (uint32_t)is_mutual(t, e);
	}
	if (mutual >= PAIRED_MAX * (double)f->n)
		return 0;
	fit_group(f, taking_part);
	fit_result(f, &c);
	return candidates_add(out, &c, err);
}

/* And those of them that are mutual. */
static int propose_pairs(const struct traffic *t, struct fit *f, uint32_t taking_part,
			 struct candidates *out, struct err *err)
{
	struct candidate c = {.regular = 1, .length = 3, .name = "pairwise"};

	for (uint32_t r = 0; r < t->ranks; r++) {
		const struct edge *e = heaviest(t, r);

		if (e && is_mutual(t, e))
			fit_add(f, e->count, e->volume, e->volume);
	}
	fit_group(f, taking_part);
	fit_result(f, &c);
	return candidates_add(out, &c, err);
}

int pattern_permutation(const struct traffic *t, struct candidates *out, struct err *err)
{
	uint32_t *seen = calloc((size_t)t->ranks + 1, sizeof(*seen));
	struct fit f = {0};
	uint32_t taking_part;
	int ret = -1;

	if (!seen) {
		err_set(err, "out of memory for %u ranks", t->ranks);
		goto out;
	}
	if (count_taking_part(t, &taking_part, err) || fit_init(&f, t, t->ranks, err))
		goto out;
	ret = propose_permutation(t, &f, taking_part, seen, out, err);
	fit_clear(&f);
	if (!ret)
		ret = propose_pairs(t, &f, taking_part, out, err);
out:
	fit_release(&f);
	free(seen);
	return ret;
}

/* A rank's messages in circles of that kind are to be as many and as large as another's. */
static int propose_turns(const struct traffic *t, enum circle kind, const char *name,
			 struct candidates *out, struct err *err)
{
	struct candidate c = {.length = 6};
	struct fit f;

	if (fit_init(&f, t, t->ranks, err))
		return -1;
	for (uint32_t r = 0; r < t->ranks; r++) {
		const struct circled *x = &t->circled[r];

		if (x->count[kind] > 0)
			fit_add(&f, x->count[kind], x->volume[kind], x->volume[kind]);
	}
	fit_group(&f, t->active);
	fit_result(&f, &c);
	fit_release(&f);
	strcpy(c.name, name);
	return candidates_add(out, &c, err);
}

/*
 * Circles that stay for some rounds and are others then: which they will be nobody knows, so it is
 * no regular one.
 */
int pattern_turns(const struct traffic *t, struct candidates *out, struct err *err)
{
	const struct timing *x = &t->time;
	double by_chance = x->neighbours_now / (2 - x->neighbours_now);

	if (!t->circled || x->rounds < 2 ||
	    x->neighbours_kept - by_chance < TURN_KEPT * (1 - by_chance))
		return 0;
	if (propose_turns(t, CIRCLE_ONE_WAY, "permutations, one after another", out, err))
		return -1;
	return propose_turns(t, CIRCLE_BOTH_WAYS, "rings, one after another", out, err);
}

/* Rank (i, j) of so many rows and columns sends to (j, i) of as many columns and rows. */
static int propose_transpose(const struct traffic *t, struct fit *f, uint32_t rows,
			     struct candidates *out, struct err *err)
{
	struct candidate c = {.regular = 1, .length = 2};
	uint32_t columns = t->ranks / rows;
	uint32_t expected = 0;

	fit_clear(f);
	for (uint32_t r = 0; r < t->ranks; r++) {
		uint32_t to = r % columns * rows + r / columns;
		const struct edge *e = traffic_edge(t, r, to);

		expected += to != r;
		if (e)
			fit_add(f, e->count, e->volume, e->volume);
	}
	fit_group(f, expected);
	fit_result(f, &c);
	snprintf(c.name, sizeof(c.name), "transpose %ux%u", rows, columns);
	return candidates_add(out, &c, err);
}

int pattern_transpose(const struct traffic *t, struct candidates *out, struct err *err)
{
	struct fit f;
	int ret = 0;

	if (fit_init(&f, t, t->ranks, err))
		return -1;
	/* The corners are fixed: two rows and columns are a pair and nothing else. */
	for (uint32_t rows = 2; !ret && t->ranks > 4 && rows <= t->ranks / 2; rows++)
		if (t->ranks % rows == 0)
			ret = propose_transpose(t, &f, rows, out, err);
	fit_release(&f);
	return ret;
}
