/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times as clocks that were corrected would have had them. */
#ifndef ANALYZE_CLOCK_CORRECT_H
#define ANALYZE_CLOCK_CORRECT_H

#include "analyze/clock/clock_course.h"
#include "analyze/matching/messages.h"

/* Move all times of t and m as their clocks' courses say, then let time start at 0 again. */
void clock_correct(struct trace *t, struct messages *m, const struct clock_course *course);

#endif
