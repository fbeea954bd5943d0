/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/clock/clock_parts.h"

#include "analyze/clock/clock_pairs.h"
#include "tests/fixtures/suite.h"

#define HOUR_NS 3600000000000
#define RANKS   4

/*
 * Four ranks with a clock each; ranks 0 and 1 exchanged messages, and ranks 2 and 3, which begin
 * at begin_ns. The recorder compared the clocks to known_ns; -1: did not.
 */
static struct clock_parts align(int64_t begin_ns, int64_t known_ns, struct clock_course *c)
{
	struct rank ranks[RANKS] = {{0}};
	struct trace t = {.n_ranks = RANKS, .clocks = RANKS, .ranks = ranks};
	struct clock_pairs pairs = {0};
	struct clock_parts parts = {0};

	for (uint32_t r = 0; r < RANKS; r++)
		ranks[r] = (struct rank){.clock = r,
					 .clock_error_ns = known_ns,
					 .begin_ns = r < 2 ? 0 : begin_ns + r,
					 .end_ns = 1000 + (r < 2 ? 0 : begin_ns + r)};
	CU_ASSERT_PTR_NOT_NULL(clock_pairs_add(&pairs, 0, 1, INT64_MAX));
	CU_ASSERT_PTR_NOT_NULL(clock_pairs_add(&pairs, 3, 2, INT64_MAX));
	CU_ASSERT_EQUAL(clock_course_init(c, RANKS, 0, begin_ns + 2000), 0);
	CU_ASSERT_EQUAL(clock_parts_align(&t, &pairs, c, &parts), 0);
	clock_pairs_release(&pairs);
	return parts;
}

/* Ranks of one job run together: clocks an hour apart that nothing compares cannot be right. */
static void test_clock_parts_that_cannot_be_right_begin_together(void)
{
	struct clock_course c;
	struct clock_parts parts = align(HOUR_NS, -1, &c);

	CU_ASSERT_EQUAL(parts.n, 2);
	CU_ASSERT_EQUAL(parts.moved, 1);
	CU_ASSERT_EQUAL(clock_course_at(&c, 1, 0), 0.0);
	CU_ASSERT_EQUAL(clock_course_at(&c, 2, HOUR_NS), -(double)(HOUR_NS + 2));
	CU_ASSERT(clock_course_is_same(&c, 2, 3));
	clock_course_release(&c);
}

static void test_clock_parts_that_may_be_right_stay(void)
{
	struct clock_course c;
	struct clock_parts parts = align(900, -1, &c);

	CU_ASSERT_EQUAL(parts.n, 2);
	CU_ASSERT_EQUAL(parts.moved, 0);
	CU_ASSERT_EQUAL(clock_course_at(&c, 2, 900), 0.0);
	clock_course_release(&c);
}

static void test_clock_parts_that_the_recorder_compared_are_one(void)
{
	struct clock_course c;
	struct clock_parts parts = align(HOUR_NS, 5, &c);

	CU_ASSERT_EQUAL(parts.n, 1);
	CU_ASSERT_EQUAL(parts.moved, 0);
	CU_ASSERT_EQUAL(clock_course_at(&c, 2, HOUR_NS), 0.0);
	clock_course_release(&c);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_clock_parts_that_cannot_be_right_begin_together),
	SUITE_CASE(test_clock_parts_that_may_be_right_stay),
	SUITE_CASE(test_clock_parts_that_the_recorder_compared_are_one),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("clock_parts", tests);
}
