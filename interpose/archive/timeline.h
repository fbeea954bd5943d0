/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A node's clock against the reference, the clock of rank 0's node. The points where the
 * two were compared are joined by lines; ticks are common to the ranks of a node, so the
 * leader's points serve all of them and no two of a node disagree.
 *
 * How far a time may be off, between points a and b whose offsets are known to e_a and e_b:
 *
 *   e(t) = e_a + (e_b - e_a) (t - a) / (b - a) + rate min(t - a, b - t)
 *
 * where rate is how much the difference of the two clocks' rates may vary meanwhile. What
 * that does not explain is a step: a clock was set or stood still. It adds its own size.
 * No MPI, no I/O. ns; ticks are those of the log.
 */
#ifndef INTERPOSE_TIMELINE_H
#define INTERPOSE_TIMELINE_H

#include "interpose/log/ticks.h"

struct timeline {
	struct log_offset *points; /* ascending in ticks, once sorted */
	uint32_t n;
	uint32_t has_ticks;
	uint64_t last_tick; /* until when it has to serve */
};

/* What is to be told of a node's clock. */
struct timeline_quality {
	int64_t error_ns; /* at its worst */
	int64_t first_ns; /* bound at the first comparison, ... */
	int64_t final_ns; /* ... at the last */
	uint32_t steps;   /* the clock was set, or stood still, between two comparisons */
	int64_t step_ns;  /* the largest, with its sign */
};

/*
 * Take in the points of a digest (defs.h): in its header and among its definitions. Returns
 * 0, or -1 without memory. Call timeline_sort after the last.
 */
int timeline_add(struct timeline *t, const char *digest, size_t n);
void timeline_sort(struct timeline *t);
void timeline_release(struct timeline *t);

/* The reference's time of a tick; own is the log's scale, for what the points do not tell. */
int64_t timeline_ns(const struct timeline *t, const struct ticks_scale *own, uint64_t tick);

/* Bound of the error, ns, half way between point i and the next: the worst of that piece. */
int64_t timeline_between_ns(const struct timeline *t, uint32_t i);

struct timeline_quality timeline_judge(const struct timeline *t);

#endif
