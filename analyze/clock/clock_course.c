/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/clock/clock_course.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is added changes by at most this share of the time that passes. */
#define STEEPEST 0.1

int clock_course_init(struct clock_course *c, uint32_t clocks, uint32_t windows, int64_t wall_ns)
{
	*c = (struct clock_course){.clocks = clocks,
				   .windows = windows,
				   .window_ns = windows ? wall_ns / windows + 1 : 1};
	c->knot_ns = calloc((size_t)clocks * (windows + 1) + 1, sizeof(*c->knot_ns));
	return c->knot_ns ? 0 : -1;
}

void clock_course_release(struct clock_course *c)
{
	free(c->knot_ns);
	c->knot_ns = NULL;
}

static double *knots_of(const struct clock_course *c, uint32_t clock)
{
	return &c->knot_ns[(size_t)clock * (c->windows + 1)];
}

/* The window in which a time is; those outside count for the first and the last. */
static uint32_t window_at(const struct clock_course *c, int64_t ns)
{
	int64_t k = ns / c->window_ns;

	return k < 0 ? 0 : k < c->windows ? (uint32_t)k : c->windows - 1;
}

/* 0 to 1 */
static double into_window(const struct clock_course *c, uint32_t k, int64_t ns)
{
	return fmin(fmax((double)(ns - k * c->window_ns) / (double)c->window_ns, 0), 1);
}

double clock_course_at(const struct clock_course *c, uint32_t clock, int64_t ns)
{
	const double *knot = knots_of(c, clock);
	double into;
	uint32_t k;

	if (!c->windows)
		return knot[0];
	k = window_at(c, ns);
	into = into_window(c, k, ns);
	return knot[k] * (1 - into) + knot[k + 1] * into;
}

void clock_course_raise(struct clock_course *c, uint32_t clock, int64_t ns, double by_ns)
{
	double *knot = knots_of(c, clock), into, share;
	uint32_t k;

	if (!c->windows) {
		knot[0] += by_ns;
		return;
	}
	k = window_at(c, ns);
	into = into_window(c, k, ns);
	share = by_ns / (into * into + (1 - into) * (1 - into));
	knot[k] += share * (1 - into);
	knot[k + 1] += share * into;
}

double clock_course_rate(const struct clock_course *c, uint32_t clock)
{
	const double *knot = knots_of(c, clock);
	double most = 0;

	for (uint32_t k = 0; k < c->windows; k++)
		most = fmax(most, fabs(knot[k + 1] - knot[k]) / (double)c->window_ns);
	return most;
}

int clock_course_is_steep(const struct clock_course *c)
{
	for (uint32_t clock = 0; clock < c->clocks; clock++)
		if (clock_course_rate(c, clock) > STEEPEST)
			return 1;
	return 0;
}

int clock_course_is_same(const struct clock_course *c, uint32_t a, uint32_t b)
{
	return !memcmp(knots_of(c, a), knots_of(c, b), (c->windows + 1) * sizeof(*c->knot_ns));
}

int clock_course_is_zero(const struct clock_course *c, uint32_t clock)
{
	const double *knot = knots_of(c, clock);

	for (uint32_t k = 0; k <= c->windows; k++)
		if (knot[k] != 0)
			return 0;
	return 1;
}
