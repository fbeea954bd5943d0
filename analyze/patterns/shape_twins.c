/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/patterns/shape_twins.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the steps of a butterfly so many have a receive between. */
#define STAGED_MIN 0.5

/*
 * Both neighbours along a dimension of two are one rank, if its ends are joined: it gets so much of
 * what two get along the other dimensions.
 */
#define BOTH_MIN 0.75

int shape_twin_sweep(struct shape_fit *x, const struct shape *s, struct candidate c)
{
	char sizes[PATTERN_NAME];
	const char *space;

	if (s->kind != SHAPE_GRID || s->periodic || s->diagonals || s->dimensions > 3 ||
	    x->t->time.receive_led < SHAPE_SWEEP_MIN || x->lean > SHAPE_LEAN_MAX)
		return 0;
	shape_name(s, sizeof(sizes), sizes);
	space = strrchr(sizes, ' ');
	if (s->dimensions == 1)
		snprintf(c.name, sizeof(c.name), "1-D sweep (pipeline)");
	else
		snprintf(c.name, sizeof(c.name), "%u-D sweep %s", s->dimensions, space + 1);
	c.time = x->t->time.receive_led;
	return candidates_add(x->out, &c, x->err);
}

int shape_twin_butterfly(struct shape_fit *x, const struct shape *s, struct candidate c)
{
	if (s->kind != SHAPE_HYPERCUBE || x->t->time.staged < STAGED_MIN ||
	    x->t->time.repeated >= SHAPE_REPEATED_MIN)
		return 0;
	snprintf(c.name, sizeof(c.name), "butterfly %u (recursive doubling)", s->ranks);
	c.time = x->t->time.staged;
	return candidates_add(x->out, &c, x->err);
}

void shape_twin_equivalent(const struct shape_fit *x, const struct shape *s, struct candidate *c)
{
	struct shape other = {.kind = SHAPE_GRID, .ranks = s->ranks};
	struct shape twin;
	uint32_t left = s->ranks;

	if (s->kind != SHAPE_HYPERCUBE && shape_is_hypercube(s) && x->mutual >= SHAPE_MUTUAL_MIN) {
		snprintf(c->equivalent, sizeof(c->equivalent), "hypercube %u", s->ranks);
		return;
	}
	if (s->kind != SHAPE_HYPERCUBE) {
		if (!shape_is_hypercube(s) && x->mutual >= SHAPE_MUTUAL_MIN && shape_twin(s, &twin))
			shape_name(&twin, sizeof(c->equivalent), c->equivalent);
		return;
	}
	for (; left > 1 && other.dimensions < SHAPE_DIMENSIONS; other.dimensions++) {
		int two = left == 2 || left == 8 || left == 32;

		other.size[other.dimensions] = two ? 2 : 4;
		if (!two)
			other.periodic |= 1u << other.dimensions;
		left /= two ? 2 : 4;
	}
	if (left == 1)
		shape_name(&other, sizeof(c->equivalent), c->equivalent);
}

/* Messages of two neighbours along the slot, mean. */
static double mean_along(const struct shape_fit *x, const struct shape *s, uint32_t slot,
			 const uint32_t *label)
{
	double messages = 0;
	double pairs = 0;

	for (uint32_t r = 0; r < s->ranks; r++) {
		uint32_t to = shape_neighbour(s, r, slot);
		const struct pair *p;

		if (to == SHAPE_NONE)
			continue;
		p = shape_fit_pair(x, label, r, to);
		messages += p ? p->count : 0;
		pairs++;
	}
	return pairs > 0 ? messages / pairs : 0;
}

/* Are there dimensions of two, and do all others go round? */
static int may_go_round(const struct shape *s)
{
	uint32_t twos = 0;

	for (uint32_t d = 0; d < s->dimensions; d++) {
		if (s->size[d] > 2 && !(s->periodic & 1u << d))
			return 0;
		twos += s->size[d] == 2;
	}
	return s->kind == SHAPE_GRID && s->periodic && !s->helical && twos;
}

/* Then do those of two, too? */
static int goes_round(const struct shape_fit *x, const struct shape *s, const uint32_t *label)
{
	double of_two = HUGE_VAL;
	double of_others = 0;

	for (uint32_t slot = 0; slot < shape_slots(s); slot++) {
		uint32_t d = shape_axis(s, slot);

		if (d == SHAPE_NONE)
			continue;
		if (s->size[d] == 2)
			of_two = fmin(of_two, mean_along(x, s, slot, label));
		else
			of_others = fmax(of_others, mean_along(x, s, slot, label));
	}
	return of_two >= 2 * BOTH_MIN * of_others;
}

int shape_twin_torus(struct shape_fit *x, const struct shape *s, const uint32_t *label,
		     struct candidate c)
{
	struct shape torus = *s;

	if (!may_go_round(s))
		return 0;
	torus.periodic = (1u << s->dimensions) - 1;
	shape_name(&torus, sizeof(c.name), c.name);
	if (goes_round(x, s, label))
		c.length -= shape_length(s) - shape_length(&torus);
	else
		c.length++;
	return candidates_add(x->out, &c, x->err);
}
