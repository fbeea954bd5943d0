/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How well a shape fits a traffic, and what it is called: a candidate for the shape, and for its
 * twins that only time tells. A grid whose ranks receive before they send is a sweep, a hypercube
 * whose ranks receive between its dimensions a butterfly. Shapes that lie within each other differ
 * in few of their pairs, as a grid and a torus do: those decide, however little they carry.
 */
#ifndef ANALYZE_SHAPE_FIT_H
#define ANALYZE_SHAPE_FIT_H

#include "analyze/patterns/pattern_fit.h"
#include "analyze/patterns/shapes.h"

/* A shape with more of all pairs than this is not told from a total exchange with gaps. */
#define SHAPE_DENSITY_MAX 0.8

/* Rounds that begin with a receive: from here on a grid is a sweep. */
#define SHAPE_SWEEP_MIN 0.75

/* Along a line or a sweep the pairs agree who of the two sends. */
#define SHAPE_LEAN_MAX 0.3

/* Both of a pair send, where everybody is to hear from everybody. */
#define SHAPE_MUTUAL_MIN 0.5

/*
 * Of the sends so many go where the one before went if there are two ways to the same rank: round
 * a torus of two, both ends joined. Dimensions taken forth and back repeat a third at most.
 */
#define SHAPE_REPEATED_MIN 0.4

struct shape_fit {
	const struct traffic *t;
	struct candidates *out;
	struct err *err;
	double destinations; /* that a rank has, mean */
	double misfits;      /* whole pairs that do not fit the labels, 0 if they are exact */
	double *across;      /* room for one for each rank */
	struct fit fit;      /* of the shape measured last, as are these: */
	double lean; /* how much pairs of one direction differ in who of the two sends, 0 to 0.5 */
	double mutual; /* 1: the two of a pair send the same, 0: only one does */
};

/* Returns 0, or -1 with *err set (out of memory). Then shape_fit_release. */
int shape_fit_init(struct shape_fit *x, const struct traffic *t, struct candidates *out,
		   struct err *err);
void shape_fit_release(struct shape_fit *x);

/*
 * What the two ranks of the traffic exchange that are these of the shape. NULL: nothing. label: as
 * below.
 */
const struct pair *shape_fit_pair(const struct shape_fit *x, const uint32_t *label, uint32_t r,
				  uint32_t to);

/* Of all pairs of ranks. */
double shape_density(const struct shape *s);

/*
 * Propose the shape and its twins if they are any good. label: the rank that each rank of the shape
 * is, NULL for the same. Returns 0, or -1 with *err set (out of memory).
 */
int shape_fit_propose(struct shape_fit *x, const struct shape *s, const uint32_t *label);

#endif
