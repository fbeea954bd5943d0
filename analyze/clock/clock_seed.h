/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A first guess of how clocks that drift are to be corrected. */
#ifndef ANALYZE_CLOCK_SEED_H
#define ANALYZE_CLOCK_SEED_H

#include "analyze/clock/clock_course.h"
#include "analyze/clock/clock_pairs.h"

/*
 * From clock to clock, where something went both ways: at each knot midway between what the fastest
 * there and back allow. Clocks of which nothing is known stay. Returns 0, or -1: out of memory.
 */
int clock_seed(const struct clock_pairs *pairs, struct clock_course *c);

#endif
