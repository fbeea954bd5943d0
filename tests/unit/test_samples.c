/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Medians and their intervals. */
#include "calibrate/samples.h"

#include "tests/fixtures/suite.h"

#include <math.h>
#include <stdint.h>

static double uniform(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	*s ^= *s << 17;
	return (double)(*s >> 11) / 9007199254740992.0;
}

static void test_samples_median_of_few(void)
{
	struct samples a = {0};
	struct estimate e = samples_median(&a);

	CU_ASSERT_EQUAL(e.n, 0);
	samples_add(&a, 3);
	samples_add(&a, 1);
	samples_add(&a, 2);
	e = samples_median(&a);
	CU_ASSERT_DOUBLE_EQUAL(e.value, 2, 0);
	CU_ASSERT_DOUBLE_EQUAL(e.low, 2 - 4.303 / sqrt(3), 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(e.high, 2 + 4.303 / sqrt(3), 1e-9);
	samples_add(&a, 10);
	CU_ASSERT_DOUBLE_EQUAL(samples_median(&a).value, 2.5, 0);
	samples_release(&a);
}

/* One that took ten times as long, beside others: of five the interval does not tell it from 0. */
static void test_samples_enough_bear_one_outlier(void)
{
	struct samples a = {0};
	int i;

	samples_add(&a, 10);
	for (i = 1; i < SAMPLES_ENOUGH - 1; i++)
		samples_add(&a, 1);
	CU_ASSERT(!estimate_is_identified(samples_median(&a)));
	samples_add(&a, 1);
	CU_ASSERT(estimate_is_identified(samples_median(&a)));
	CU_ASSERT_DOUBLE_EQUAL(samples_median(&a).value, 1, 0);
	samples_release(&a);
}

/* Exponential samples: skewed, the median is ln 2. At least 94 % of the intervals cover it. */
static void test_samples_interval_covers(void)
{
	uint64_t seed = 12345;
	int n, covered, round, i;

	for (n = 10; n <= 300; n *= 5) {
		for (covered = 0, round = 0; round < 2000; round++) {
			struct samples a = {0};
			struct estimate e;

			for (i = 0; i < n; i++)
				samples_add(&a, -log(1 - uniform(&seed)));
			e = samples_median(&a);
			covered += e.low <= M_LN2 && M_LN2 <= e.high;
			samples_release(&a);
		}
		CU_ASSERT(covered >= 1880);
		CU_ASSERT(covered <= 1999);
	}
}

/* Normal samples of mean 0: of a few, too, 95 % of the intervals cover it. */
static void test_samples_interval_of_few_covers(void)
{
	uint64_t seed = 54321;
	int n, covered, round, i;

	for (n = 2; n <= 7; n++) {
		for (covered = 0, round = 0; round < 2000; round++) {
			struct samples a = {0};
			struct estimate e;

			for (i = 0; i < n; i++)
				samples_add(&a, sqrt(-2 * log(1 - uniform(&seed))) *
							cos(2 * M_PI * uniform(&seed)));
			e = samples_median(&a);
			covered += e.low <= 0 && 0 <= e.high;
			samples_release(&a);
		}
		CU_ASSERT(covered >= 1860);
	}
}

static void test_estimates_add(void)
{
	struct estimate a = {10, 7, 13, 20}, b = {4, 0, 8, 30}, e;

	e = estimate_difference(a, b);
	CU_ASSERT_DOUBLE_EQUAL(e.value, 6, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(e.low, 1, 1e-12); /* sqrt(9 + 16) */
	CU_ASSERT_DOUBLE_EQUAL(e.high, 11, 1e-12);
	CU_ASSERT_EQUAL(e.n, 20);
	e = estimate_times(-2, a);
	CU_ASSERT_DOUBLE_EQUAL(e.low, -26, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(e.high, -14, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(estimate_half_width(a), 0.3, 1e-12);
}

static void test_estimate_below_zero_is_not_identified(void)
{
	CU_ASSERT(!estimate_is_identified((struct estimate){-1, -2, 0, 9}));
	CU_ASSERT(!estimate_is_identified((struct estimate){1, -0.1, 3, 9}));
	CU_ASSERT(!estimate_is_identified((struct estimate){1, 0.5, 3, 0}));
	CU_ASSERT(estimate_is_identified((struct estimate){1, 0.5, 3, 9}));
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_samples_median_of_few),
	SUITE_CASE(test_samples_enough_bear_one_outlier),
	SUITE_CASE(test_samples_interval_covers),
	SUITE_CASE(test_samples_interval_of_few_covers),
	SUITE_CASE(test_estimates_add),
	SUITE_CASE(test_estimate_below_zero_is_not_identified),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("samples", tests);
}
