/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a message takes from one clock to another is known as well as these, or by round trips. */
#include "tests/fixtures/suite.h"
#include "tests/fixtures/tables.h"

#include <math.h>

#define US     1000
#define ROUNDS 30

enum way { THERE_ONLY, THERE_AND_BACK };

/* A message of 8 bytes for which its receiver waits. */
static void pass(struct tables *x, uint32_t src, uint32_t dst, int64_t at_ns, int64_t took_ns)
{
	uint32_t s = tables_call(x, src, REGION_SEND, at_ns, at_ns, 0);
	uint32_t r = tables_call(x, dst, REGION_RECV, at_ns - 40 * US, at_ns + took_ns, 1);

	tables_message(x, 8, s, s, r, r);
}

/*
 * Messages of 10 us between two hosts of which the second one's clock is 4 us ahead; as far as is
 * known it may be error_ns.
 */
static struct machine_class estimate(enum way way, int64_t error_ns)
{
	int64_t errors_ns[] = {0, error_ns, error_ns, 0};
	struct machine_class c;
	struct machine m;
	struct tables x;
	struct err err;

	tables_init(&x, 2, 1);
	for (int k = 0; k < ROUNDS; k++) {
		int64_t at = 100 * US + k * 500 * US;

		pass(&x, 0, 1, at, 14 * US);
		if (way == THERE_AND_BACK)
			pass(&x, 1, 0, at + 50 * US, 6 * US);
	}
	tables_finish(&x);
	x.trace.ranks[1].clock = 1;
	x.trace.clocks = 2;
	x.trace.pair_error_ns = error_ns ? errors_ns : NULL;
	CU_ASSERT_FATAL(machine_from_trace(&x.trace, &x.messages, &m, &err) == 0);
	c = m.classes[LOCALITY_NETWORK];
	CU_ASSERT_EQUAL_FATAL(c.n, 1);
	c.L_s += c.points[0].g_s; /* the sum */
	c.handshake_s = c.more[0].g_s;
	machine_release(&m);
	c.points = c.more = NULL;
	x.trace.pair_error_ns = NULL; /* the test's own */
	tables_release(&x);
	return c;
}

static void test_machine_clocks_round_trips_are_free_of_them(void)
{
	struct machine_class c = estimate(THERE_AND_BACK, 8 * US);

	CU_ASSERT_DOUBLE_EQUAL(c.L_s, 10e-6, 1e-9);
	CU_ASSERT_EQUAL(c.vague, 0);
	CU_ASSERT_EQUAL(c.handshake_s, 0);
}

/* 14 us that may be 6 or 22. */
static void test_machine_clocks_are_in_what_goes_one_way(void)
{
	struct machine_class c = estimate(THERE_ONLY, 8 * US);

	CU_ASSERT_DOUBLE_EQUAL(c.L_s / (1 + c.vague), 6e-6, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(c.L_s + c.handshake_s, 22e-6, 1e-9);
}

/* Clocks that are good enough cost a little of the certainty. */
static void test_machine_clocks_that_hardly_matter(void)
{
	struct machine_class exact = estimate(THERE_ONLY, 0);
	struct machine_class good = estimate(THERE_ONLY, 500);

	CU_ASSERT_EQUAL(good.vague, 0);
	CU_ASSERT_EQUAL(good.L_s, exact.L_s);
	CU_ASSERT_DOUBLE_EQUAL(good.uncertainty, exact.uncertainty + 0.5 / 14, 1e-9);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_machine_clocks_round_trips_are_free_of_them),
	SUITE_CASE(test_machine_clocks_are_in_what_goes_one_way),
	SUITE_CASE(test_machine_clocks_that_hardly_matter),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("machine_clocks", tests);
}
