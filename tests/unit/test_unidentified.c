/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every parameter that a machine file can hold is named when the data do not tell it. */
#include "cmd/calibrate/calibrate_unidentified.h"

#include "tests/fixtures/suite.h"

#include <math.h>
#include <string.h>

#define US 1e-6

static struct estimate within(double value_us, double half_us)
{
	return (struct estimate){value_us * US, (value_us - half_us) * US,
				 (value_us + half_us) * US, 20};
}

/* Two sizes, of which all is known; microseconds. */
static struct calibrated_direction known(void)
{
	struct calibrated_direction d = {.n = 2, .L = within(10, 1)};

	for (int i = 0; i < 2; i++)
		d.size[i] = (struct calibrated_size){.bytes = (uint64_t)i,
						     .rtt = within(30 + i, 1),
						     .o_s = within(2, 0.1),
						     .o_r = within(1, 0.1),
						     .expected = within(1, 0.1),
						     .g = within(5 + i, 0.5)};
	return d;
}

/* These names and no others, in this order. Takes why. */
static void expect_names(json_t *why, size_t n, const char *const names[])
{
	const char *name;
	json_t *text;
	size_t i = 0;

	CU_ASSERT_EQUAL(json_object_size(why), n);
	json_object_foreach(why, name, text) {
		if (i < n)
			CU_ASSERT_STRING_EQUAL(name, names[i]);
		CU_ASSERT(json_string_length(text) > 10);
		i++;
	}
	json_decref(why);
}

static void test_what_is_identified_has_no_name(void)
{
	struct calibrated_direction d = known();

	expect_names(calibrate_unidentified_json(&d), 0, NULL);
}

static void test_what_is_not_identified_is_named(void)
{
	static const char *const names[] = {"L",    "o_r(0)", "o_s(1)",  "o_r_expected(1)",
					    "g(1)", "L_g(1)", "LogGP L", "LogGP g",
					    "G",    "beta"};
	struct calibrated_direction d = known();

	d.L = within(1, 2);
	d.size[0].o_r = within(-3, 1);
	d.size[1].o_s = within(2, 2);
	d.size[1].expected = (struct estimate){0};
	d.size[1].g = within(-1, 0.5);
	d.size[1].rtt = within(14, 2);
	expect_names(calibrate_unidentified_json(&d), 10, names);
}

/* Of empty messages alone no byte's time follows, least of all 0. */
static void test_a_byte_of_no_size_is_named(void)
{
	static const char *const names[] = {"G", "beta"};
	struct calibrated_direction d = known();
	json_t *why;

	d.n = 1;
	why = calibrate_unidentified_json(&d);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(why, "beta")),
			       "no size above 0 B was measured");
	expect_names(why, 2, names);
}

/* The sum of overheads may be more than the way takes. */
static void test_a_derived_latency_below_0_is_named(void)
{
	static const char *const names[] = {"LogGP L"};
	struct calibrated_direction d = known();
	json_t *why;

	d.size[1].o_r = within(40, 1);
	why = calibrate_unidentified_json(&d);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(json_string_value(json_object_get(why, "LogGP L")),
		       "is -26.0 us [-27.5 us to -24.5 us], and no time is below 0"));
	expect_names(why, 1, names);
	d = known();
	d.size[1].o_s = d.size[1].o_r = within(-1, 0.1);
	why = calibrate_unidentified_json(&d);
	CU_ASSERT_PTR_NOT_NULL(json_object_get(why, "LogGP o"));
	json_decref(why);
}

/* A depth that depends on when one looks is none, nor is one below that of larger messages. */
static void test_credits_that_are_no_depth_are_named(void)
{
	static const char *const names[] = {"K(0)", "K(64)"};
	struct calibrated_direction d = known();
	json_t *why;

	d.core_share = 1;
	for (int i = 0; i < CREDIT_SIZES; i++)
		d.thresholds.credit[i] = (struct credit){
			.bytes = (size_t)i * 64, .least = 40, .most = 40, .looks = 12};
	expect_names(calibrate_unidentified_json(&d), 0, NULL);
	d.thresholds.credit[0].least = 33;
	d.thresholds.credit[0].most = 64;
	d.thresholds.credit[1].least = d.thresholds.credit[1].most = 39;
	why = calibrate_unidentified_json(&d);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(why, "K(0)")),
			       "no fixed depth: 33 to 64 messages completed, in 12 looks");
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(why, "K(64)")),
			       "at most 39 messages completed, but more of a larger size");
	expect_names(why, 2, names);
	d.core_share = 0.5; /* it may be for want of a core: all are at least so many */
	expect_names(calibrate_unidentified_json(&d), 0, NULL);
}

static void test_the_reason_is_the_value_and_its_interval(void)
{
	struct calibrated_direction d = known();
	json_t *why;

	d.L = within(1, 2);
	d.size[0].g = (struct estimate){0};
	why = calibrate_unidentified_json(&d);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(why, "L")),
			       "RTT(0)/2 - g(0) is 1.00 us, but its interval reaches 0 "
			       "[-1.00 us to 3.00 us]");
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(why, "g(0)")),
			       "there was no time to measure it");
	json_decref(why);
}

/* What many ranks do at once, all of it told. */
static struct contention told(void)
{
	struct contention c = {.ranks = 4, .link = {US, 1e-9}, .n_regimes = 1};

	c.rates = (struct contention_rates){.n = 2, .tells_more = 1, .saturates = 1};
	c.rates.step[0].rate = within(10, 1);
	c.in = c.out = (struct contention_fan){.n = 3, .slope_s = 5 * US, .slope_se_s = US};
	c.stress = (struct contention_stress){.messages = 100, .delayed = 40};
	c.regime[0].from_bytes = 512;
	c.regime[0].to_bytes = 4096;
	c.regime[0].fit.signature.gamma = 1.5;
	c.regime[0].fit.half_gamma = 0.1;
	c.regime[0].fit.signature.delta = 10 * US;
	c.regime[0].fit.half_delta = US;
	c.regime[0].fit.M_above = 512;
	c.regime[0].fit.M_high = 2048;
	return c;
}

static void test_what_is_told_of_contention_has_no_name(void)
{
	struct contention c = told();

	expect_names(calibrate_unidentified_contention_json(&c, 0), 0, NULL);
}

static void test_rates_and_fans_that_are_not_told(void)
{
	static const char *const names[] = {"R_C", "R_i", "R_N", "fan-in", "fan-out"};
	static const char *const crowded[] = {"R_N"};
	struct contention c = told();

	expect_names(calibrate_unidentified_contention_json(&c, 1), 1, crowded);
	c.rates.step[0].rate = (struct estimate){0};
	c.rates.tells_more = 0;
	c.rates.saturates = 0;
	c.in.slope_s = -US;
	c.out.slope_s = 1.5 * US;
	expect_names(calibrate_unidentified_contention_json(&c, 0), 5, names);
}

/* Two steps have a line and no error, one has neither. */
static void test_fans_without_an_error(void)
{
	static const char *const names[] = {"fan-in"};
	struct contention c = told();
	json_t *why;

	c.in.n = 2;
	c.in.slope_se_s = INFINITY;
	why = calibrate_unidentified_contention_json(&c, 0);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(why, "fan-in")),
			       "2 steps: on a line whatever was measured, so there is no "
			       "standard error");
	expect_names(why, 1, names);
}

/* The smallest size that was measured is no M: whether smaller ones pay delta is not known. */
static void test_an_M_that_is_only_a_bound(void)
{
	static const char *const names[] = {"M(512 B to 4.00 KiB)"};
	struct contention c = told();
	json_t *why;

	c.regime[0].fit.se_M = INFINITY;
	why = calibrate_unidentified_contention_json(&c, 0);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(why, names[0])),
			       "its interval reaches the smallest size, so it is at most 2.00 KiB");
	json_decref(why);
	c.regime[0].fit.M_above = 0;
	c.regime[0].fit.M_high = 512;
	why = calibrate_unidentified_contention_json(&c, 0);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(why, names[0])),
			       "delta is paid from the smallest size on, so it is at most 512 B");
	expect_names(why, 1, names);
}

static void test_two_states_that_are_not_told(void)
{
	static const char *const none[] = {"beta_C"}, *const all[] = {"beta_F"};
	static const char *const nothing[] = {"two-state gap"};
	struct contention c = told();

	c.stress.delayed = 0;
	expect_names(calibrate_unidentified_contention_json(&c, 0), 1, none);
	c.stress.delayed = c.stress.messages;
	expect_names(calibrate_unidentified_contention_json(&c, 0), 1, all);
	c.stress.messages = 0;
	expect_names(calibrate_unidentified_contention_json(&c, 0), 1, nothing);
}

static void test_signatures_that_are_not_told(void)
{
	static const char *const clamped[] = {"alpha", "beta", "delta(512 B to 4.00 KiB)",
					      "M(512 B to 4.00 KiB)"};
	static const char *const vague[] = {"gamma(512 B to 4.00 KiB)", "delta(512 B to 4.00 KiB)"};
	struct contention c = told();
	json_t *why;

	c.link = (struct hockney){0, 0};
	why = calibrate_unidentified_contention_json(&c, 0);
	CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(why, "beta")),
			       "there was no time to measure one message alone");
	json_decref(why);
	c.regime[0].fit.delta_clamped = 1;
	c.regime[0].fit.signature.delta = 0;
	expect_names(calibrate_unidentified_contention_json(&c, 0), 4, clamped);
	c = told();
	c.regime[0].fit.half_gamma = 2;
	c.regime[0].fit.half_delta = 11 * US;
	expect_names(calibrate_unidentified_contention_json(&c, 0), 2, vague);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_what_is_identified_has_no_name),
	SUITE_CASE(test_what_is_not_identified_is_named),
	SUITE_CASE(test_a_byte_of_no_size_is_named),
	SUITE_CASE(test_a_derived_latency_below_0_is_named),
	SUITE_CASE(test_credits_that_are_no_depth_are_named),
	SUITE_CASE(test_the_reason_is_the_value_and_its_interval),
	SUITE_CASE(test_what_is_told_of_contention_has_no_name),
	SUITE_CASE(test_rates_and_fans_that_are_not_told),
	SUITE_CASE(test_fans_without_an_error),
	SUITE_CASE(test_an_M_that_is_only_a_bound),
	SUITE_CASE(test_two_states_that_are_not_told),
	SUITE_CASE(test_signatures_that_are_not_told),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("unidentified", tests);
}
