/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is to be added to each clock's times: a constant, or along a polygon whose knots are as
 * far from each other as the windows are long. ns of the trace.
 */
#ifndef ANALYZE_CLOCK_COURSE_H
#define ANALYZE_CLOCK_COURSE_H

#include <stdint.h>

struct clock_course {
	uint32_t clocks;
	uint32_t windows; /* 0: constants */
	int64_t window_ns;
	double *knot_ns; /* [clock * (windows + 1) + knot] */
};

/* All zero, for times from 0 to wall_ns. Returns 0, or -1: no memory. */
int clock_course_init(struct clock_course *c, uint32_t clocks, uint32_t windows, int64_t wall_ns);
void clock_course_release(struct clock_course *c);

double clock_course_at(const struct clock_course *c, uint32_t clock, int64_t ns);

/* From now on it is so much more at ns, by the least change of the knots around it. */
void clock_course_raise(struct clock_course *c, uint32_t clock, int64_t ns, double by_ns);

/* By what share of the time that passes what is added to a clock changes, at most. */
double clock_course_rate(const struct clock_course *c, uint32_t clock);

/* Does it bend some clock more than any clock is wrong? */
int clock_course_is_steep(const struct clock_course *c);

int clock_course_is_zero(const struct clock_course *c, uint32_t clock);

/* Is the same added to both, always? */
int clock_course_is_same(const struct clock_course *c, uint32_t a, uint32_t b);

#endif
