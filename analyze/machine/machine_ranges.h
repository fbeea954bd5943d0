/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How well the idle machine's parameters are known, by size: a large message's time may be known to
 * a hundredth where an empty one's is known to a half. A machine file has an interval for each
 * parameter of each size; what has none (made by hand, or from the trace) has one width for all.
 */
#ifndef ANALYZE_MACHINE_RANGES_H
#define ANALYZE_MACHINE_RANGES_H

#include "analyze/machine/machine.h"

struct json_t;

/* A 95 % interval's ends. */
struct machine_range {
	double least, most;
};
/* Of L, g and L + g as times the value: { 0.9, 1.1 } is +- 10 %. */
struct machine_ranges {
	struct machine_range o_s_s, o_r_s;
	struct machine_range g, time;
	struct machine_range
		L; /* what the ends of g leave of those of L + g, which is known best */
};

/* Between the points as their values are; beyond the last one no better than at the worst. */
struct machine_ranges machine_ranges_at(const struct machine_class *c, uint64_t bytes);

/*
 * The intervals of a file's points, when all have them: sets c->ends, tables as c->points. What
 * else c has is set. Returns 0, or -1 with *err set (out of memory).
 */
int machine_ranges_take(const struct json_t *points, const char *path, struct machine_class *c,
			struct err *err);

/*
 * How well the time is known that a trace's messages there would take on the idle machine: the half
 * of the interval, as a share of it. Of many messages some are looked at.
 */
double machine_ranges_width(const struct machine *machine, enum locality where,
			    const struct trace *t, const struct messages *m);

#endif
