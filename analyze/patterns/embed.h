/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which rank is where in a shape, when ranks are not numbered along it and some of its pairs lack
 * messages or are no more than strays: ranks are placed one after another, each next to those that
 * are there, and the likeliest beginnings are kept (beam search). What counts against one is each
 * pair of the shape with few messages, each other pair with many, and each rank with more or fewer
 * neighbours than its place has. Where nothing is missing, relabel.h is quicker and exact.
 */
#ifndef ANALYZE_EMBED_H
#define ANALYZE_EMBED_H

#include "analyze/patterns/pair_odds.h"
#include "analyze/patterns/relabel.h"
#include "analyze/patterns/traffic.h"

/*
 * How likely the messages of two ranks are: pair_odds_if_pair(), pair_odds_if_not(); and does the
 * first one send most of them?
 */
struct edge_odds {
	double if_pair;
	double if_not;
	int sends;
};

/* The pairs of a traffic, as they are looked for in shapes. */
struct embed {
	const struct traffic *t;
	struct graph g;         /* pairs of more than a few messages */
	struct edge_odds *edge; /* of each of its neighbours */
	uint32_t *degree;       /* per rank: neighbours of at least half of the typical messages */
	uint32_t *sends_to;     /* and of them those that it sends most to */
	struct pair_odds odds;
	double if_none; /* pair_odds_if_pair() of no message */
	double misfits; /* of the shape found last: pairs that are weak, others that are odd */
	double strong;  /* pairs of at least half of the typical messages */
	int is_forward; /* of the next shape: its vertices send to those behind them only */
	uint32_t beam;  /* beginnings that are kept: more of them find more, and take longer */
	long budget;    /* steps that may still be taken, for all shapes together */
};

/*
 * typical: messages of a pair that lacks none, at least 1. The caller sets the beam and
 * is_forward. Returns 0, or
 * -1 with *err set (out of memory). Then embed_release.
 */
int embed_init(struct embed *e, const struct traffic *t, double typical, struct err *err);
void embed_release(struct embed *e);

/*
 * label[v]: the rank of the traffic that vertex v of the shape, of as many, is. Returns 1 when
 * found, and all that does not fit is no more than chance makes; 0 when there is none (or none in
 * reasonable time), -1 with *err set (out of memory).
 */
int embed_find(struct embed *e, const struct graph *shape, uint32_t *label, struct err *err);

#endif
