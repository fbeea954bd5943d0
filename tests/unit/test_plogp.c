/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/plogp.h"
#include "tests/fixtures/suite.h"

static const struct plogp_point points[] = {
	{100, 1, 2, 3},
	{200, 2, 3, 5},
	{400, 4, 4, 6},
};
static const struct plogp three = {10, 3, points};
static const struct plogp one = {10, 1, points};

static void test_plogp_at_is_linear_between_points(void)
{
	struct plogp_point p = plogp_at(three, 150);

	CU_ASSERT_DOUBLE_EQUAL(p.bytes, 150, 0);
	CU_ASSERT_DOUBLE_EQUAL(p.o_s_s, 1.5, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(p.o_r_s, 2.5, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(p.g_s, 4, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(plogp_at(three, 200).g_s, 5, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(plogp_at(three, 300).g_s, 5.5, 1e-12);
}

static void test_plogp_at_beyond_the_points(void)
{
	CU_ASSERT_DOUBLE_EQUAL(plogp_at(three, 0).g_s, 3, 0);
	CU_ASSERT_DOUBLE_EQUAL(plogp_at(three, 800).g_s, 8, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(plogp_at(one, 0).g_s, 3, 0);
	CU_ASSERT_DOUBLE_EQUAL(plogp_at(one, 1000).g_s, 30, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(plogp_at(one, 1000).o_s_s, 1, 0);
}

static void test_plogp_at_is_never_negative(void)
{
	const struct plogp_point falling[] = {{100, 5, 5, 5}, {200, 1, 1, 1}};
	struct plogp_point p = plogp_at((struct plogp){0, 2, falling}, 1000);

	CU_ASSERT(p.o_s_s >= 0 && p.o_r_s >= 0);
	CU_ASSERT_DOUBLE_EQUAL(p.g_s, 1, 0); /* more bytes never pass faster */
}

static void test_plogp_times(void)
{
	CU_ASSERT_DOUBLE_EQUAL(plogp_time(three, 150), 14, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(plogp_burst_time(three, 3, (double[]){100, 150, 200}), 22, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(plogp_burst_time(three, 0, NULL), 10, 0);
}

static void test_plogp_to_loggp_follows_table_1(void)
{
	struct loggp m = plogp_to_loggp(three);

	CU_ASSERT_DOUBLE_EQUAL(m.o_s, 1.5, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(m.L_s, 10, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(m.g_s, 3, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(m.G_s_per_byte, 0.015, 1e-12);
}

static void test_plogp_check_refuses_what_it_cannot_take(void)
{
	const struct plogp_point backwards[] = {{200, 1, 1, 1}, {100, 1, 1, 1}};
	const struct plogp_point negative[] = {{100, 1, -1, 1}};
	struct err err;

	CU_ASSERT_EQUAL(plogp_check(three, &err), 0);
	CU_ASSERT_EQUAL(plogp_check((struct plogp){1, 0, points}, &err), -1);
	CU_ASSERT_EQUAL(plogp_check((struct plogp){-1, 3, points}, &err), -1);
	CU_ASSERT_EQUAL(plogp_check((struct plogp){1, 2, backwards}, &err), -1);
	CU_ASSERT_STRING_EQUAL(err.text, "size 100 of the table is not above the one before");
	CU_ASSERT_EQUAL(plogp_check((struct plogp){1, 1, negative}, &err), -1);
	CU_ASSERT_STRING_EQUAL(err.text, "o_r is -1, must not be negative");
	CU_ASSERT_EQUAL(plogp_check_size(-1, &err), -1);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_plogp_at_is_linear_between_points),
		SUITE_CASE(test_plogp_at_beyond_the_points),
		SUITE_CASE(test_plogp_at_is_never_negative),
		SUITE_CASE(test_plogp_times),
		SUITE_CASE(test_plogp_to_loggp_follows_table_1),
		SUITE_CASE(test_plogp_check_refuses_what_it_cannot_take),
		CU_TEST_INFO_NULL,
	};

	return suite_run("plogp", tests);
}
