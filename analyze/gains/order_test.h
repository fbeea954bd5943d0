/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Do all ranks walk their destinations in the same order at a call site? Two statistics and
 * what they are by chance (the same flights, destinations shuffled within each episode):
 *
 * concentration: share of the site's messages in flight that go to the most popular
 *                destination, over time;
 * agreement:     how much of the variance of a destination's place in its episode (0 first,
 *                1 last) is between destinations: 1 = the same absolute order everywhere.
 *
 * For rule_order.c.
 */
#ifndef ANALYZE_ORDER_TEST_H
#define ANALYZE_ORDER_TEST_H

#include "analyze/gains/evidence_base.h"

struct by_chance {
	double value;
	double mean;      /* of the shuffled ones */
	double deviation; /* their standard deviation */
};

struct order_test {
	struct by_chance concentration;
	struct by_chance agreement;
	double depth;        /* messages in flight to the most popular destination, mean */
	double ascending;    /* share of steps to a higher rank */
	uint32_t episodes;   /* of at least three steps */
	double destinations; /* steps of those, mean */
};

/*
 * Test one site's episodes. Of many, whole phases are sampled evenly. With less agreement than
 * that, or no episode of three steps, all else is 0. Returns 0, or -1 with *err set (out of
 * memory).
 */
int order_test_run(const struct evidence_base *b, const struct episodes *e, double agreement_min,
		   struct order_test *out, struct err *err);

#endif
