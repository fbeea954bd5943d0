/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who competes with whom, when each rank of a node may use some of its processors and no others.
 * However a scheduler shares them out, ranks that are confined to P processors, so many as N,
 * cannot have more than P / N of one each (Hall's condition, for shares). So the rivals of a rank
 * are those of the group with most ranks to a processor that it is in: the densest group of all
 * first, with all its processors, then the densest of what is left, and so on: by then everybody
 * has the fairest share that the sets allow. Groups that have no processor in common are several.
 *
 * Exact: the densest is found by maximum flow, a denser one each time (Dinkelbach 1967), in whole
 * numbers. Every rank counts as one, whatever its threads. Time grows with the different sets.
 */
#ifndef ANALYZE_RIVALS_H
#define ANALYZE_RIVALS_H

#include "common/err.h"
#include "common/processor_set.h"

#include <stdint.h>

struct rivals_group {
	uint32_t ranks;
	uint32_t cores; /* that they have for themselves together, and which: */
	struct processor_set which;
};

struct rivals {
	uint32_t n_groups;
	struct rivals_group *groups;
	uint32_t *group; /* of each rank */
};

/*
 * Of n ranks, each of which may use some processors. Returns 0, or -1 with *err set (out of
 * memory); else rivals_release().
 */
int rivals_find(uint32_t n, const struct processor_set may_use[], struct rivals *out,
		struct err *err);
void rivals_release(struct rivals *r);

#endif
