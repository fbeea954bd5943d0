/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts of a run between whose clocks there is nothing to compare: no message or collective went
 * from one to the other, directly or through others, and the recorder says nothing of them.
 */
#ifndef ANALYZE_CLOCK_PARTS_H
#define ANALYZE_CLOCK_PARTS_H

#include "analyze/clock/clock_course.h"
#include "analyze/trace.h"

struct clock_pairs;

struct clock_parts {
	uint32_t n;
	uint32_t moved; /* of these: such as by their clocks ran when the first rank's did not */
};

/*
 * Find them. Ranks of one job run at the same time: what did not, by its clocks, is taken to have
 * begun when the first rank's part did (added to c). Returns 0, or -1: out of memory.
 */
int clock_parts_align(const struct trace *t, const struct clock_pairs *x, struct clock_course *c,
		      struct clock_parts *out);

#endif
