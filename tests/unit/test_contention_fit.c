/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the times of many ranks say: max-rate, fans, the two-state gap. */
#include "calibrate/contention_fit.h"

#include "tests/fixtures/suite.h"

#include <math.h>

static struct estimate exact(double value)
{
	return (struct estimate){value, value, value, 9};
}

static struct contention_rates rates_of(int n, const int k[], const double rate[])
{
	struct contention_rates r = {.bytes = 8192, .n = n};
	int i;

	for (i = 0; i < n; i++) {
		r.step[i].k = k[i];
		if (rate[i] > 0)
			r.step[i].rate = exact(rate[i]);
	}
	contention_fit_rates(&r, 5);
	return r;
}

/* Each of the first pairs has its own rate; the node's port ends that at 25. */
static void test_rates_find_the_port(void)
{
	struct contention_rates r = rates_of(4, (int[]){1, 2, 3, 4}, (double[]){10, 19, 25, 25});

	CU_ASSERT_DOUBLE_EQUAL(r.fit.alpha, 5, 0);
	CU_ASSERT_DOUBLE_EQUAL(r.fit.R_C, 10, 0);
	CU_ASSERT_DOUBLE_EQUAL(r.fit.R_i, 9, 0);
	CU_ASSERT_DOUBLE_EQUAL(r.fit.R_N, 25, 0);
	CU_ASSERT(r.saturates);
	CU_ASSERT(!r.clamped);
}

static void test_rates_without_a_limit(void)
{
	struct contention_rates r = rates_of(3, (int[]){1, 2, 4}, (double[]){10, 20, 40});

	CU_ASSERT(!r.saturates);
	CU_ASSERT_DOUBLE_EQUAL(r.fit.R_N, 40, 0);
	CU_ASSERT_DOUBLE_EQUAL(r.fit.R_i, 10, 0);
}

/* Two get less than one: that is said, since the model has no number for it. */
static void test_rates_below_one_pair_are_named(void)
{
	struct contention_rates r = rates_of(2, (int[]){1, 2}, (double[]){10, 8});

	CU_ASSERT(r.clamped);
	CU_ASSERT(r.saturates);
	CU_ASSERT_DOUBLE_EQUAL(r.fit.R_i, 0, 0);
	CU_ASSERT_DOUBLE_EQUAL(r.fit.R_N, 10, 0);
}

/* A time that cannot be told from 0 leaves a step without a rate, which is no rate of 0. */
static void test_rates_with_a_hole(void)
{
	const int k[] = {1, 2, 4};
	struct contention_rates r = rates_of(3, k, (double[]){10, 20, 0});

	CU_ASSERT(!r.saturates && !r.clamped && r.tells_more);
	CU_ASSERT_DOUBLE_EQUAL(r.fit.R_i, 10, 0);
	r = rates_of(3, k, (double[]){10, 0, 40});
	CU_ASSERT(!r.saturates && !r.clamped && r.tells_more);
	CU_ASSERT_DOUBLE_EQUAL(r.fit.R_i, 10, 0);
	r = rates_of(3, k, (double[]){10, 0, 16});
	CU_ASSERT(r.saturates && r.tells_more);
	r = rates_of(3, k, (double[]){10, 0, 0});
	CU_ASSERT(!r.saturates && !r.clamped && !r.tells_more);
	r = rates_of(3, k, (double[]){0, 20, 40});
	CU_ASSERT(!r.saturates && !r.clamped && !r.tells_more);
	CU_ASSERT_DOUBLE_EQUAL(r.fit.R_N, 40, 0);
}

static void test_fan_slope(void)
{
	struct contention_fan f = {.n = 4};
	const int k[] = {1, 2, 4, 7};
	int i;

	for (i = 0; i < f.n; i++) {
		f.step[i].k = k[i];
		f.step[i].time_s = exact(3 + 1.5 * k[i]);
	}
	contention_fit_fan(&f);
	CU_ASSERT_DOUBLE_EQUAL(f.slope_s, 1.5, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(f.slope_se_s, 0, 1e-9);
	/* 0.3, -0.3, -0.3, 0.3 off a line: by hand */
	for (i = 0; i < f.n; i++)
		f.step[i].time_s.value += i == 0 || i == 3 ? 0.3 : -0.3;
	contention_fit_fan(&f);
	CU_ASSERT_DOUBLE_EQUAL(f.slope_s, 1.52857, 1e-4);
	CU_ASSERT_DOUBLE_EQUAL(f.slope_se_s, 0.09035, 1e-4);
}

static void test_fan_of_one_step_has_no_slope(void)
{
	struct contention_fan f = {.n = 1, .step = {{.k = 1, .time_s = {2, 2, 2, 5}}}};

	contention_fit_fan(&f);
	CU_ASSERT_DOUBLE_EQUAL(f.slope_s, 0, 0);
	CU_ASSERT(isinf(f.slope_se_s));
}

/* Two are on a line whatever was measured, which is no reason to believe it. */
static void test_fan_of_two_steps_has_no_error(void)
{
	struct contention_fan f = {.n = 2,
				   .step = {{.k = 1, .time_s = {2, 2, 2, 5}},
					    {.k = 2, .time_s = {5, 5, 5, 5}}}};

	contention_fit_fan(&f);
	CU_ASSERT_DOUBLE_EQUAL(f.slope_s, 3, 1e-12);
	CU_ASSERT(isinf(f.slope_se_s));
}

/* 1000 bytes alone: 10 + 1000 * 0.01 = 20. Three took about that, one 60. */
static void test_gaps_split_by_what_one_alone_takes(void)
{
	struct contention_stress s = {.bytes = 1000};
	struct hockney link = {10, 0.01};
	struct samples each = {0};

	samples_add(&each, 19);
	samples_add(&each, 60);
	samples_add(&each, 20);
	samples_add(&each, 21);
	contention_split_gaps(&each, link, &s);
	CU_ASSERT_EQUAL(s.messages, 4);
	CU_ASSERT_EQUAL(s.delayed, 1);
	CU_ASSERT_DOUBLE_EQUAL(s.gap.rho, 0.25, 0);
	CU_ASSERT_DOUBLE_EQUAL(s.gap.beta_F, 0.02, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(s.gap.beta_C, 0.06, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(s.beta, 0.03, 1e-12); /* eq. 3 */
	samples_release(&each);
}

static void test_gaps_none_delayed(void)
{
	struct contention_stress s = {.bytes = 1000};
	struct samples each = {0};

	samples_add(&each, 20);
	contention_split_gaps(&each, (struct hockney){10, 0.01}, &s);
	CU_ASSERT_EQUAL(s.delayed, 0);
	CU_ASSERT_DOUBLE_EQUAL(s.beta, 0.02, 1e-12);
	/* nor any that is known not to be, without what one alone takes */
	contention_split_gaps(&each, (struct hockney){0, 0}, &s);
	CU_ASSERT_EQUAL(s.messages, 0);
	samples_release(&each);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_rates_find_the_port),
	SUITE_CASE(test_rates_without_a_limit),
	SUITE_CASE(test_rates_below_one_pair_are_named),
	SUITE_CASE(test_rates_with_a_hole),
	SUITE_CASE(test_fan_slope),
	SUITE_CASE(test_fan_of_one_step_has_no_slope),
	SUITE_CASE(test_fan_of_two_steps_has_no_error),
	SUITE_CASE(test_gaps_split_by_what_one_alone_takes),
	SUITE_CASE(test_gaps_none_delayed),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("contention_fit", tests);
}
