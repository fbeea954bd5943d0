/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals of samples that were taken a few in a row. */
#include "calibrate/blocks.h"

#include "tests/fixtures/suite.h"

#include <math.h>
#include <stdint.h>

enum { IN_A_ROW = 4 };

static double uniform(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	*s ^= *s << 17;
	return (double)(*s >> 11) / 9007199254740992.0;
}

/* A block whose samples are all near the machine's state at the time, which has the median 1. */
static void add_block(struct blocks *b, uint64_t *seed)
{
	double state = 0.5 + uniform(seed);
	struct samples s = {0};
	int i;

	for (i = 0; i < IN_A_ROW; i++)
		samples_add(&s, state + 0.1 * (uniform(seed) - 0.5));
	CU_ASSERT_EQUAL(blocks_add(b, &s), 0);
	CU_ASSERT_EQUAL(s.n, 0);
}

/*
 * As if all were independent, far fewer than 95 % of the intervals have the median in them;
 * counted as blocks, about as many as promised.
 */
static void test_blocks_interval_covers(void)
{
	uint64_t seed = 4711;
	int n, naive, covered, round, i;

	for (n = 8; n <= 50; n *= 6) {
		for (naive = covered = 0, round = 0; round < 2000; round++) {
			struct blocks b = {0};
			struct estimate e;

			for (i = 0; i < n; i++)
				add_block(&b, &seed);
			e = blocks_median(&b);
			CU_ASSERT_EQUAL(e.n, (size_t)n * IN_A_ROW);
			covered += e.low <= 1 && 1 <= e.high;
			e = samples_median(&b.all);
			naive += e.low <= 1 && 1 <= e.high;
			blocks_release(&b);
		}
		CU_ASSERT(covered >= 1880);
		CU_ASSERT(covered <= 1999);
		CU_ASSERT(naive < 1700);
	}
}

static void test_blocks_value_is_the_median_of_all(void)
{
	struct samples s = {0};
	struct blocks b = {0};
	int i;

	CU_ASSERT_EQUAL(blocks_median(&b).n, 0);
	CU_ASSERT_EQUAL(blocks_add(&b, &s), 0); /* an empty block is none */
	CU_ASSERT_EQUAL(b.median.n, 0);
	for (i = 1; i <= 4; i++)
		samples_add(&s, i);
	blocks_add(&b, &s);
	samples_add(&s, 9);
	blocks_add(&b, &s);
	CU_ASSERT_DOUBLE_EQUAL(blocks_median(&b).value, 3, 0);
	/*
	 * of two blocks with medians 2.5 and 9: Student's 12.71 times half of what they differ by
	 */
	CU_ASSERT_DOUBLE_EQUAL(blocks_median(&b).low, 5.75 - 12.71 * 3.25, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(blocks_median(&b).high, 5.75 + 12.71 * 3.25, 1e-9);
	blocks_release(&b);
}

/* A state of a few blocks is in the range, if in no interval of the median. */
static void test_blocks_range_has_all_states(void)
{
	struct samples s = {0};
	struct blocks b = {0};
	int i;

	CU_ASSERT_EQUAL(blocks_range(&b).n, 0);
	for (i = 0; i < 40; i++) {
		samples_add(&s, i < 4 ? 5 : 1);
		samples_add(&s, i < 4 ? 5 : 1);
		blocks_add(&b, &s);
	}
	CU_ASSERT_DOUBLE_EQUAL(blocks_median(&b).high, 1, 0);
	CU_ASSERT_DOUBLE_EQUAL(blocks_range(&b).value, 1, 0);
	CU_ASSERT_DOUBLE_EQUAL(blocks_range(&b).low, 1, 0);
	CU_ASSERT_DOUBLE_EQUAL(blocks_range(&b).high, 5, 0);
	blocks_release(&b);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_blocks_interval_covers),
	SUITE_CASE(test_blocks_value_is_the_median_of_all),
	SUITE_CASE(test_blocks_range_has_all_states),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("blocks", tests);
}
