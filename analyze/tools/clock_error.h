/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the error of two clocks is written down: a bound, and whether one of them was shifted. */
#ifndef ANALYZE_CLOCK_ERROR_H
#define ANALYZE_CLOCK_ERROR_H

#include <stdint.h>

/*
 * An error of two clocks of which one was shifted against the other, so that their difference
 * proves nothing: the bound of what is left, as a number below 0.
 */
static inline int64_t clock_moved_ns(int64_t bound_ns)
{
	return -1 - bound_ns;
}

static inline int clock_is_moved(int64_t error_ns)
{
	return error_ns < 0;
}

static inline int64_t clock_bound_ns(int64_t error_ns)
{
	return clock_is_moved(error_ns) ? -1 - error_ns : error_ns;
}

#endif
