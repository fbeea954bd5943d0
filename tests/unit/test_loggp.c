/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/loggp.h"
#include "tests/fixtures/suite.h"

#include <math.h>

static void test_loggp_time(void)
{
	struct loggp m = {.o_s = 2, .L_s = 5, .G_s_per_byte = 0.5};

	CU_ASSERT_DOUBLE_EQUAL(loggp_time(m, 1), 9, 0);
	CU_ASSERT_DOUBLE_EQUAL(loggp_time(m, 101), 59, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(loggp_time(m, 0), 9, 0);
}

static void test_loggp_fit_finds_a_line(void)
{
	const double bytes[] = {0, 1000}, s[] = {5e-6, 15e-6};
	struct loggp m;
	struct err err;

	CU_ASSERT_FATAL(loggp_fit(&m, 2, bytes, s, &err) == 0);
	CU_ASSERT_DOUBLE_EQUAL(m.L_s, 5e-6, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(m.G_s_per_byte, 10e-9, 1e-15);
}

static void test_loggp_fit_ignores_outliers(void)
{
	double bytes[20], s[20];
	struct loggp m;
	struct err err;

	for (int i = 0; i < 20; i++) {
		bytes[i] = 100 * i;
		s[i] = 5e-6 + 10e-9 * bytes[i] + (i % 3) * 1e-8;
	}
	s[7] = s[13] = 1e-3;
	CU_ASSERT_FATAL(loggp_fit(&m, 20, bytes, s, &err) == 0);
	CU_ASSERT_DOUBLE_EQUAL(m.L_s, 5e-6, 0.1e-6);
	CU_ASSERT_DOUBLE_EQUAL(m.G_s_per_byte, 10e-9, 0.2e-9);
}

static void test_loggp_fit_is_never_negative(void)
{
	const double bytes[] = {0, 1000}, falling[] = {15e-6, 5e-6}, low[] = {0, 1e-6};
	const double above[] = {500, 1000}, steep[] = {1e-6, 9e-6};
	struct loggp m;
	struct err err;

	CU_ASSERT_FATAL(loggp_fit(&m, 2, bytes, falling, &err) == 0);
	CU_ASSERT(m.G_s_per_byte == 0 && m.L_s > 0);
	CU_ASSERT_FATAL(loggp_fit(&m, 2, bytes, low, &err) == 0);
	CU_ASSERT(m.L_s >= 0);
	CU_ASSERT_FATAL(loggp_fit(&m, 2, above, steep, &err) == 0);
	CU_ASSERT(m.L_s == 0 && m.G_s_per_byte > 0);
}

static void test_loggp_fit_needs_two_sizes(void)
{
	const double bytes[] = {8, 8, 8}, s[] = {1, 2, 3};
	struct loggp m = {.L_s = 7};
	struct err err = {""};

	CU_ASSERT_EQUAL(loggp_fit(&m, 3, bytes, s, &err), -1);
	CU_ASSERT_STRING_EQUAL(err.text, "3 samples of one size, need two sizes");
	CU_ASSERT_EQUAL(loggp_fit(&m, 0, bytes, s, &err), -1);
	CU_ASSERT_EQUAL(m.L_s, 7);
}

static void test_loggp_message_refuses_what_it_cannot_take(void)
{
	const struct loggp m = {1, 2, 3, 0.5};
	struct err err;
	double t = 42;

	CU_ASSERT_EQUAL(loggp_message(m, -1, &t, &err), -1);
	CU_ASSERT_STRING_EQUAL(err.text, "m is -1, must not be negative");
	CU_ASSERT_EQUAL(loggp_message((struct loggp){1, 2, 3, NAN}, 1, &t, &err), -1);
	CU_ASSERT_EQUAL(t, 42);
	CU_ASSERT_EQUAL(loggp_message(m, 101, &t, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(t, 2 + 2 + 50, 1e-12);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_loggp_time),
		SUITE_CASE(test_loggp_fit_finds_a_line),
		SUITE_CASE(test_loggp_fit_ignores_outliers),
		SUITE_CASE(test_loggp_fit_is_never_negative),
		SUITE_CASE(test_loggp_fit_needs_two_sizes),
		SUITE_CASE(test_loggp_message_refuses_what_it_cannot_take),
		CU_TEST_INFO_NULL,
	};

	return suite_run("loggp", tests);
}
