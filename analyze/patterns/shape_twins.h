/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Other names for the pairs of a shape, which has just been measured: those that only time or
 * numbers of messages tell, and those that are the same up to the numbers of ranks.
 */
#ifndef ANALYZE_SHAPE_TWINS_H
#define ANALYZE_SHAPE_TWINS_H

#include "analyze/patterns/shape_fit.h"

/*
 * Propose the twin of c, the shape's own candidate, if there is one and time is with it: a grid's
 * is a sweep, a hypercube's a butterfly. Return 0, or -1 with *err set (out of memory).
 */
int shape_twin_sweep(struct shape_fit *x, const struct shape *s, struct candidate c);
int shape_twin_butterfly(struct shape_fit *x, const struct shape *s, struct candidate c);

/*
 * The same of a grid whose dimensions of two may be joined at both ends, as all others are: those
 * have the same pairs, and only how often they are used is with one or the other.
 */
int shape_twin_torus(struct shape_fit *x, const struct shape *s, const uint32_t *label,
		     struct candidate c);

/* What a torus is as a hypercube, or a hypercube as a torus, joins the candidate; or nothing. */
void shape_twin_equivalent(const struct shape_fit *x, const struct shape *s, struct candidate *c);

#endif
