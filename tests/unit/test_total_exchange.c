/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/total_exchange.h"
#include "tests/fixtures/suite.h"

#include <math.h>
#include <stdlib.h>

static const struct hockney link = {1, 0.1};
static struct err err;

static struct total_exchange bounds(size_t n, const double w[])
{
	struct total_exchange e = {0};

	CU_ASSERT_EQUAL(total_exchange_bounds(link, n, w, &e, &err), 0);
	return e;
}

static void test_total_exchange_claims(void)
{
	const double w[] = {
		7,  100, 200, 0, /* what it sends itself does not count */
		50, 0,   0,   0, /**/
		10, 20,  0,   0, /**/
		1,  0,   0,   0, /**/
	};
	struct total_exchange e = bounds(4, w);

	CU_ASSERT_EQUAL(e.sends, 2);
	CU_ASSERT_EQUAL(e.receives, 3);
	CU_ASSERT_EQUAL(e.startups, 3);
	CU_ASSERT_DOUBLE_EQUAL(e.t_s, 30, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(e.t_r, 20, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(e.transfer, 30, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(e.lower, 33, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(e.port, 32, 1e-12); /* sends of 0: 2 + 30 */
	CU_ASSERT_EQUAL(e.one_port, 0);
}

static void test_total_exchange_equal_sizes_are_proposition_1(void)
{
	double w[12 * 12];
	double time = -1;
	struct total_exchange e;

	for (int k = 0; k < 12 * 12; k++)
		w[k] = 640;
	e = bounds(12, w);
	CU_ASSERT_EQUAL(total_exchange_equal(link, 12, 640, &time, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(time, 11 * 65, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(e.lower, time, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(e.port, time, 1e-9);
	CU_ASSERT_EQUAL(e.one_port, 1);
}

static void test_total_exchange_bounds_are_in_order(void)
{
	double w[9 * 9];

	srand(7);
	for (int run = 0; run < 1000; run++) {
		struct total_exchange e;

		for (int k = 0; k < 9 * 9; k++)
			w[k] = rand() % 3 ? rand() % 1000 : 0;
		e = bounds(9, w);
		CU_ASSERT(e.port <= e.lower * (1 + 1e-12));
		CU_ASSERT(e.port >= fmax(e.startups * link.alpha_s, e.transfer));
		CU_ASSERT(!e.one_port || fabs(e.port - e.lower) < 1e-9);
	}
}

static void test_total_exchange_refuses_what_it_cannot_take(void)
{
	const double good[4] = {0, 1, 1, 0}, negative[4] = {0, 1, -1, 0}, nan[4] = {0, NAN, 1, 0};
	struct total_exchange e;
	double t;

	CU_ASSERT_EQUAL(total_exchange_bounds(link, 1, good, &e, &err), -1);
	CU_ASSERT_EQUAL(total_exchange_bounds(link, 2, negative, &e, &err), -1);
	CU_ASSERT_STRING_EQUAL(err.text, "the weight from 1 to 0 is -1, must be 0 or more");
	CU_ASSERT_EQUAL(total_exchange_bounds(link, 2, nan, &e, &err), -1);
	CU_ASSERT_EQUAL(total_exchange_bounds((struct hockney){-1, 0}, 2, good, &e, &err), -1);
	CU_ASSERT_EQUAL(total_exchange_equal(link, 1, 1, &t, &err), -1);
	CU_ASSERT_EQUAL(total_exchange_equal(link, 2, -1, &t, &err), -1);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_total_exchange_claims),
		SUITE_CASE(test_total_exchange_equal_sizes_are_proposition_1),
		SUITE_CASE(test_total_exchange_bounds_are_in_order),
		SUITE_CASE(test_total_exchange_refuses_what_it_cannot_take),
		CU_TEST_INFO_NULL,
	};

	return suite_run("total_exchange", tests);
}
