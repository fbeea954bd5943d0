/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each rank sends to one: shifts, pairs, permutations, the transpose of a square of ranks; or
 * to one or two at a time, and to others after some rounds.
 */
#include "analyze/patterns/pairing.h"
#include "analyze/patterns/pattern_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Where so many rounds begin with a receive, it is a path that fewer messages than this close, if
 * they may be strays: if there are messages that are nothing else.
 */
#define LED_MIN 0.75
#define CLOSING 0.6

/* So many pairs at least: one is a chain. */
#define ONE_WAY_MIN 2

/* Of the volume so much goes over the distance of a shift, there or back. */
#define SHIFTED_MIN 0.4

/* Of a permutation's ranks so many come round to where they began: a path's do not. */
#define CLOSED_MIN 0.5

/* With so many of its edges between two that send to each other it is pairs and strays. */
#define PAIRED_MAX 0.75

/* So much of the messages is in circles where they are others in every round. */
#define ALL_CIRCLED 0.9

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

/*
 * Ranks with a single edge's messages at least, sent and received: half of what is due, and strays
 * are fewer; and those that their edges are with. The ones on a transpose's diagonal, who send to
 * themselves, are not among them. messages: room for all, zeroed.
 */
static uint32_t count_taking_part(const struct traffic *t, const struct edge *const *next,
				  uint32_t *messages)
{
	uint32_t least = (uint32_t)ceil(t->typical);
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->n_edges; i++) {
		messages[t->edges[i].src] += t->edges[i].count;
		messages[t->edges[i].dst] += t->edges[i].count;
	}
	for (uint32_t r = 0; r < t->ranks; r++)
		if (next[r] && (messages[r] >= least || messages[next[r]->dst] >= least))
			messages[r] = messages[next[r]->dst] = least;
	for (uint32_t r = 0; r < t->ranks; r++)
		n += messages[r] >= least;
	return n;
}

/* The same and both ends of each edge to the next, however few its messages are beside others'. */
static uint32_t count_with_ends(const struct traffic *t, const struct edge *const *next,
				uint32_t *messages)
{
	uint32_t n = 0;

	for (uint32_t r = 0; r < t->ranks; r++)
		if (next[r])
			messages[r] = messages[next[r]->dst] = UINT32_MAX;
	for (uint32_t r = 0; r < t->ranks; r++)
		n += messages[r] >= t->typical;
	return n;
}

/* Messages that an edge from a rank to the next has at least. */
static double least_of(const struct traffic *t, const struct edge *const *next)
{
	double of_edges = 0;

	for (uint32_t r = 0; r < t->ranks; r++)
		of_edges += next[r] ? next[r]->count : 0;
	if (t->time.receive_led >= LED_MIN && of_edges < t->messages)
		return CLOSING * t->typical;
	return TRAFFIC_STRAY * t->typical;
}

/* The rank that a rank sends to, at least so many messages; TRAFFIC_NONE: there is none. */
static uint32_t next_of(const struct edge *e, double least)
{
	return e && e->count >= least ? e->dst : TRAFFIC_NONE;
}

/* Ranks whose edges lead back to them. seen: room for all, zeroed. */
static uint32_t count_closed(const struct traffic *t, const struct edge *const *next,
			     uint32_t *seen)
{
	double least = least_of(t, next);
	uint32_t closed = 0;

	for (uint32_t first = 0; first < t->ranks; first++) {
		uint32_t r = first;

		/* The walk ends where one was before; this walk has the mark first + 1. */
		while (r != TRAFFIC_NONE && !seen[r]) {
			seen[r] = first + 1;
			r = next_of(next[r], least);
		}
		if (r == TRAFFIC_NONE || seen[r] != first + 1)
			continue;
		for (uint32_t at = r; closed++, (at = next_of(next[at], least)) != r;)
			;
	}
	return closed;
}

/*
 * Each rank's edge to the next. Paths are no permutation, but for a few edges that are missing by
 * chance: not where ranks receive before they send. seen: room for all ranks, zeroed.
 */
static int propose_permutation(const struct traffic *t, struct fit *f, uint32_t taking_part,
			       const struct edge *const *next, uint32_t *seen,
			       struct candidates *out, struct err *err)
{
	struct candidate c = {
		.regular = 1, .length = PATTERN_LENGTH_PERMUTATION, .name = "permutation"};
	uint32_t closed = count_closed(t, next, seen);
	uint32_t mutual = 0;

	for (uint32_t r = 0; r < t->ranks; r++) {
		const struct edge *e = next[r];

		if (!e)
			continue;
		fit_add(f, e->count, e->volume, e->volume);
		mutual += next[e->dst] && next[e->dst]->dst == r;
	}
	if (mutual >= PAIRED_MAX * (double)f->n)
		return 0;
	fit_group(f, taking_part);
	fit_result(f, &c);
	if (closed < CLOSED_MIN * taking_part &&
	    (t->time.receive_led >= LED_MIN || !fit_lacks_by_chance(f)))
		return 0;
	return candidates_add(out, &c, err);
}

/* Each rank and its partner, both ways. */
static int propose_pairs(const struct traffic *t, struct fit *f, uint32_t taking_part,
			 const uint32_t *partner, struct candidates *out, struct err *err)
{
	struct candidate c = {.regular = 1, .length = 3, .name = "pairwise"};

	for (uint32_t r = 0; r < t->ranks; r++) {
		const struct edge *e =
			partner[r] == TRAFFIC_NONE ? NULL : traffic_edge(t, r, partner[r]);

		if (e)
			fit_add(f, e->count, e->volume, e->volume);
	}
	fit_group(f, taking_part);
	fit_result(f, &c);
	return candidates_add(out, &c, err);
}

/*
 * Who sends does so to one who only receives, as a rank that computes to one that writes for it.
 * gets: room for all ranks.
 */
static int propose_one_way(const struct traffic *t, struct fit *f, uint32_t taking_part,
			   const struct edge *const *next, uint32_t *gets, struct candidates *out,
			   struct err *err)
{
	struct candidate c = {.regular = 1, .length = 4, .name = "pairs, one way"};

	memset(gets, 0, t->ranks * sizeof(*gets));
	for (uint32_t r = 0; r < t->ranks; r++)
		if (next[r])
			gets[next[r]->dst] = 1;
	for (uint32_t r = 0; r < t->ranks; r++)
		if (next[r] && !gets[r] && !next[next[r]->dst])
			fit_add(f, next[r]->count, next[r]->volume, next[r]->volume);
	if (f->n < ONE_WAY_MIN)
		return 0;
	fit_group(f, taking_part / 2.0);
	fit_result(f, &c);
	return candidates_add(out, &c, err);
}

int pattern_permutation(const struct traffic *t, struct candidates *out, struct err *err)
{
	const struct edge **next = calloc((size_t)t->ranks + 1, sizeof(const struct edge *));
	uint32_t *room = calloc((size_t)t->ranks + 1, sizeof(*room));
	struct fit f = {0};
	uint32_t taking_part, with_ends;
	int ret = -1;

	if (!next || !room) {
		err_set(err, "out of memory for %u ranks", t->ranks);
		goto out;
	}
	ret = 0;
	if (pairing_messages_max(t) < PATTERN_MESSAGES_SHARE * t->messages)
		goto out;
	ret = -1;
	if (fit_init(&f, t, t->ranks, err) || pairing_one_way(t, next, err))
		goto out;
	taking_part = count_taking_part(t, next, room);
	with_ends = count_with_ends(t, next, room);
	memset(room, 0, t->ranks * sizeof(*room));
	ret = propose_permutation(t, &f, with_ends, next, room, out, err);
	fit_clear(&f);
	if (!ret)
		ret = propose_one_way(t, &f, with_ends, next, room, out, err);
	fit_clear(&f);
	if (!ret)
		ret = pairing_mutual(t, room, err);
	if (!ret)
		ret = propose_pairs(t, &f, taking_part, room, out, err);
out:
	fit_release(&f);
	free(room);
	free(next);
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

/* Messages in circles that go one way. */
static double count_circled(const struct traffic *t)
{
	double sum = 0;

	for (uint32_t r = 0; r < t->ranks; r++)
		sum += t->circled[r].count[CIRCLE_ONE_WAY];
	return sum;
}

/*
 * Circles that stay for some rounds and are others then: which they will be nobody knows, so it is
 * no regular one.
 */
int pattern_turns(const struct traffic *t, struct candidates *out, struct err *err)
{
	const struct timing *x = &t->time;
	double by_chance = x->neighbours_now / (2 - x->neighbours_now);

	if (!t->circled || x->rounds < 2)
		return 0;
	/* Other ones in every round: chance makes few messages a circle, and not all. */
	if (x->neighbours_kept - by_chance < TURN_KEPT * (1 - by_chance))
		return count_circled(t) < ALL_CIRCLED * t->messages
			       ? 0
			       : propose_turns(t, CIRCLE_ONE_WAY, "permutations, one after another",
					       out, err);
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
