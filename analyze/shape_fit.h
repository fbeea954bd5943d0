/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How well a shape fits a traffic, and what it is called: a candidate for the shape, and for its
 * twins that only time tells. A grid whose ranks receive before they send is a sweep, a hypercube
 * whose ranks receive between its dimensions a butterfly. Shapes that lie within each other differ
 * in few of their pairs, as a grid and a torus do: those decide, however little they carry.
 */
#ifndef ANALYZE_SHAPE_FIT_H
#define ANALYZE_SHAPE_FIT_H

#include "analyze/pattern_fit.h"
#include "analyze/shapes.h"

/* A shape with more of all pairs than this is not told from a total exchange with gaps. */
#define SHAPE_DENSITY_MAX 0.8

struct shape_fit {
	const struct traffic *t;
	struct candidates *out;
	struct err *err;
	double destinations; /* that a rank has, mean */
	double *across;      /* room for one for each rank */
	struct fit fit;      /* of the shape measured last, as are these: */
	double lean; /* how much pairs of one direction differ in who of the two sends, 0 to 0.5 */
	double mutual; /* 1: the two of a pair send the same, 0: only one does */
};

/* Returns 0, or -1 with *err set (out of memory). Then shape_fit_release. */
int shape_fit_init(struct shape_fit *x, const struct traffic *t, struct candidates *out,
		   struct err *err);
void shape_fit_release(struct shape_fit *x);

/* Of all pairs of ranks. */
double shape_density(const struct shape *s);

/*
 * Propose the shape and its twins if they are any good. label: the rank that each rank of the shape
 * is, NULL for the same. Returns 0, or -1 with *err set (out of memory).
 */
int shape_fit_propose(struct shape_fit *x, const struct shape *s, const uint32_t *label);

#endif
