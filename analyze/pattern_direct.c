/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each rank sends to one: shifts, pairs, permutations, the transpose of a square of ranks.
 */
#include "analyze/pattern_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Edges with less than this share of the typical messages are no more than strays. */
#define STRAY 0.25

static uint32_t distance(const struct traffic *t, const struct edge *e)
{
	return (e->dst + t->ranks - e->src) % t->ranks;
}

/* Propose all edges to the rank k further; and those with the ones that answer. */
static int propose_shift(const struct traffic *t, struct fit *f, uint32_t k, int answered,
			 struct candidates *out, struct err *err)
{
	struct candidate c = {.regular = 1, .length = 2 + (unsigned)answered};
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
	snprintf(c.name, sizeof(c.name), "shift(%u)%s", k, answered ? " and back" : "");
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
	/* To the next rank is a ring, which is among the shapes. */
	if (best > 1 && best + 1 < t->ranks && volume[best] >= 0.4 * t->volume) {
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
		if (t->edges[i].count >= STRAY * t->typical)
			takes_part[t->edges[i].src] = takes_part[t->edges[i].dst] = 1;
	for (uint32_t r = 0; r < t->ranks; r++)
		n += takes_part[r];
	free(takes_part);
	*out = n;
	return 0;
}

/* Two candidates of each rank's heaviest edge: all of them, and those that are mutual. */
static int propose_single(const struct traffic *t, uint8_t *taken, struct candidates *out,
			  struct err *err)
{
	struct candidate all = {
		.regular = 1, .length = PATTERN_LENGTH_PERMUTATION, .name = "permutation"};
	struct candidate mutual = {.regular = 1, .length = 3, .name = "pairwise"};
	struct fit f;
	struct fit g;
	uint32_t taking_part, r;

	if (count_taking_part(t, &taking_part, err) || fit_init(&f, t, t->ranks, err))
		return -1;
	if (fit_init(&g, t, t->ranks, err)) {
		fit_release(&f);
		return -1;
	}
	for (r = 0; r < t->ranks; r++) {
		const struct edge *e = heaviest(t, r);
		const struct edge *back = e ? heaviest(t, e->dst) : NULL;

		if (!e)
			continue;
		if (!taken[e->dst]++)
			fit_add(&f, e->count, e->volume, e->volume);
		if (back && back->dst == r)
			fit_add(&g, e->count, e->volume, e->volume);
	}
	fit_group(&f, taking_part);
	fit_group(&g, taking_part);
	fit_result(&f, &all);
	fit_result(&g, &mutual);
	fit_release(&f);
	fit_release(&g);
	return candidates_add(out, &all, err) || candidates_add(out, &mutual, err) ? -1 : 0;
}

int pattern_permutation(const struct traffic *t, struct candidates *out, struct err *err)
{
	uint8_t *taken = calloc((size_t)t->ranks + 1, 1);
	int ret;

	if (!taken)
		return err_set(err, "out of memory for %u ranks", t->ranks);
	ret = propose_single(t, taken, out, err);
	free(taken);
	return ret;
}

int pattern_transpose(const struct traffic *t, struct candidates *out, struct err *err)
{
	uint32_t side = (uint32_t)lround(sqrt(t->ranks));
	struct candidate c = {.regular = 1, .length = 2};
	struct fit f;
	uint32_t r;

	if (side < 3 || side * side != t->ranks)
		return 0;
	if (fit_init(&f, t, t->ranks, err))
		return -1;
	for (r = 0; r < t->ranks; r++) {
		const struct edge *e = traffic_edge(t, r, r % side * side + r / side);

		if (e)
			fit_add(&f, e->count, e->volume, e->volume);
	}
	fit_group(&f, t->ranks - side);
	fit_result(&f, &c);
	fit_release(&f);
	snprintf(c.name, sizeof(c.name), "transpose %ux%u", side, side);
	return candidates_add(out, &c, err);
}
