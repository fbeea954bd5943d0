/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/clock/clock_split.h"

#include "tests/fixtures/suite.h"
#include "tests/fixtures/tables.h"

#include <string.h>

#define US 1000

/*
 * Two hosts of two ranks, each with a clock, of which a recorder says so much. A message within the
 * first takes took_ns. The clocks of the ranks, then.
 */
static void split(int64_t took_ns, int64_t known_ns, uint32_t clocks[4])
{
	static const uint32_t clock_of[4] = {0, 0, 1, 1};
	struct tables x;
	struct err err;

	tables_init(&x, 4, 2);
	for (uint32_t r = 0; r < 4; r += 2) {
		int64_t came_ns = 100 * US + (r ? 10 * US : took_ns);
		uint32_t send = tables_call(&x, r, REGION_SEND, 100 * US, 101 * US, 0);
		uint32_t recv = tables_call(&x, r + 1, REGION_RECV, 0, came_ns, 1);

		tables_message(&x, 8, send, send, recv, recv);
	}
	tables_finish(&x);
	x.trace.clocks = 2;
	for (uint32_t r = 0; r < 4; r++) {
		x.trace.ranks[r].clock = clock_of[r];
		x.trace.ranks[r].clock_error_ns = known_ns;
	}
	CU_ASSERT_EQUAL_FATAL(clock_split(&x.trace, &x.messages, &err), 0);
	for (uint32_t r = 0; r < 4; r++)
		clocks[r] = x.trace.ranks[r].clock;
	CU_ASSERT_EQUAL(x.trace.clocks, clocks[1] ? 3 : 2);
	tables_release(&x);
}

/* Only what shares a clock cannot be received before it is sent: then it does not share it. */
static void test_clock_split_where_messages_come_before_they_are_sent(void)
{
	uint32_t clocks[4];

	split(-50 * US, -1, clocks);
	CU_ASSERT_EQUAL(clocks[0], 0);
	CU_ASSERT_EQUAL(clocks[1], 2);
	CU_ASSERT_EQUAL(clocks[2], 1);
	CU_ASSERT_EQUAL(clocks[3], 1);
}

static void test_clock_split_nothing_else(void)
{
	static const uint32_t before[4] = {0, 0, 1, 1};
	uint32_t clocks[4];

	split(10 * US, -1, clocks);
	CU_ASSERT_EQUAL(memcmp(clocks, before, sizeof(before)), 0);
	split(-50 * US, 0, clocks); /* the recorder knows it to be one */
	CU_ASSERT_EQUAL(memcmp(clocks, before, sizeof(before)), 0);
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_clock_split_where_messages_come_before_they_are_sent),
		SUITE_CASE(test_clock_split_nothing_else),
		CU_TEST_INFO_NULL,
	};

	return suite_run("clock_split", cases);
}
