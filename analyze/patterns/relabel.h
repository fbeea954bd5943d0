/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which rank is where in a shape, when ranks are not numbered along it: the two graphs are
 * coloured by their neighbourhoods until each rank stands out; where a symmetry is left,
 * one rank is singled out and, if that leads nowhere, the next.
 * Exact: every pair of neighbours must be there and no other.
 */
#ifndef ANALYZE_RELABEL_H
#define ANALYZE_RELABEL_H

#include "analyze/patterns/graph.h"

/* Vertices that may be coloured, for all shapes of a traffic: one that is there needs less. */
#define RELABEL_BUDGET 8000000

/*
 * label[v]: the vertex of g that vertex v of shape is. Returns 1 when found, 0 when there is none
 * (or none before the budget is used up), -1 with *err set (out of memory).
 */
int relabel(const struct graph *shape, const struct graph *g, uint32_t *label, long *budget,
	    struct err *err);

#endif
