/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An attribution of tables made in memory, and whether its sums are right. For unit tests. */
#ifndef TESTS_UNIT_SUMS_H
#define TESTS_UNIT_SUMS_H

#include "tests/unit/tables.h"

/* All ranks share one clock. Fails the test, fatally, on no memory. */
struct attribution sums_attribute(const struct tables *x, const struct machine *m);

/* Do the parts add up, everywhere and to the nanosecond, inside their intervals? */
int sums_add_up(const struct tables *x, const struct attribution *a);

/* What of the messages' time is taken for this part, ns. */
static inline int64_t blamed(const struct attribution *a, enum cost part)
{
	return a->blame.parts[part].ns;
}

#endif
