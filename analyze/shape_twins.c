/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/shape_twins.h"

#include <stdio.h>
#include <string.h>

/* Of the steps of a butterfly so many have a receive between. */
#define STAGED_MIN 0.5

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
