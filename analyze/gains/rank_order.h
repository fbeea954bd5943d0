/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which ranks should share a node? Places of ranks on nodes with as little as possible
 * between nodes: groups are grown greedily, each by the rank that is tied most to it, and
 * then ranks are swapped while that helps (Kernighan and Lin, Bell System Technical Journal 1970,
 * with the first pair that gains instead of the best sequence). A heuristic: not the best there is.
 * Pure but for its working memory.
 */
#ifndef ANALYZE_RANK_ORDER_H
#define ANALYZE_RANK_ORDER_H

#include <stdint.h>

#include "common/err.h"

struct rank_order {
	uint32_t ranks;
	uint32_t nodes;
	const uint32_t *node; /* per rank: where it is now, 0 .. nodes - 1 */
	const double *weight; /* ranks * ranks, symmetric, >= 0: what a pair pays across nodes */
};

/*
 * order[i]: the rank that should run where rank i runs now; as many per node as now. Never worse
 * than the present. Returns 0, or -1 with *err set (out of memory).
 */
int rank_order_find(const struct rank_order *x, uint32_t *order, struct err *err);

/*
 * What is paid between nodes when rank order[i] runs at rank i's place; order NULL: as it is now.
 */
double rank_order_cost(const struct rank_order *x, const uint32_t *order);

#endif
