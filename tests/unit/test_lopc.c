/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LoPC against the numbers of its paper (PPoPP 1997), its bounds and its limits. */
#include "models/lopc.h"
#include "tests/fixtures/suite.h"

#include <math.h>

static struct lopc_result solved(double W, double S_o, double S_l, double C2)
{
	struct lopc m = {.P = 32, .W = W, .S_o = S_o, .S_l = S_l, .C2 = C2};
	struct lopc_result r = {.R = NAN};
	struct err err;

	CU_ASSERT_EQUAL(lopc_solve(&m, &r, &err), 0);
	return r;
}

static void near(double value, double expected)
{
	CU_ASSERT_DOUBLE_EQUAL(value, expected, 1e-4 * fabs(expected));
}

static void test_lopc_figures_6_and_7(void)
{
	struct lopc_result r = solved(0, 200, 6, 0);

	near(r.R, 696.97);
	near(r.contention_work, 122.36);
	near(r.contention_request, 104.05);
	near(r.contention_reply, 58.55);
	CU_ASSERT_EQUAL(r.upper, 704);
	CU_ASSERT_EQUAL(r.lower, 412);
	CU_ASSERT_EQUAL(r.rule, 612);
	near(solved(100, 200, 6, 0).R, 778.59);
	near(solved(1000, 200, 6, 0).R, 1630.21);
	near(solved(2000, 200, 6, 0).R, 2621.35);
	near(solved(0, 137, 21, 0).R, 496.87); /* LoGPC's table 4 */
}

static void test_lopc_figure_5(void)
{
	CU_ASSERT_DOUBLE_EQUAL(solved(1000, 512, 6, 0).share, 0.2316, 5e-5);
	CU_ASSERT_DOUBLE_EQUAL(solved(1000, 512, 6, 1).share, 0.2792, 5e-5);
	CU_ASSERT_DOUBLE_EQUAL(solved(1000, 512, 6, 2).share, 0.3162, 5e-5);
}

static void test_lopc_figure_8(void)
{
	near(solved(59 * 2 / 1.0, 145, 6, 0).R, 605.91);
	near(solved(59 * 8 / 7.0, 145, 6, 0).R, 562.26);
	near(solved(59 * 32 / 31.0, 145, 6, 0).R, 556.76);
}

/* The most that contention can add, in handlers: (9) has it rounded up. */
static void test_lopc_bounds(void)
{
	near(solved(0, 1, 0, 0).R, 3.45169);
	near(solved(0, 1, 0, 1).R, 3.93543);
	CU_ASSERT_DOUBLE_EQUAL(solved(0, 1, 0, 0).upper, 3.46, 1e-9);
	for (double C2 = 0; C2 <= 4; C2 += 0.5)
		for (double W = 0; W < 1e6; W = W * 3 + 0.1)
			for (double S_l = 0; S_l < 1e4; S_l = S_l * 10 + 0.1) {
				struct lopc_result r = solved(W, 1, S_l, C2);

				CU_ASSERT(r.lower < r.R && r.R < r.upper);
				CU_ASSERT(r.U > 0 && r.U < 0.5);
			}
}

/* Eq. (8) as printed, for constant handlers. */
static void test_lopc_equation_8(void)
{
	const double S = 200, W = 300, L = 6;

	for (double R = 400; R < 5000; R += 100) {
		struct lopc m = {.P = 32, .W = W, .S_o = S, .S_l = L};
		double q = R * R - R * S - S * S;
		double right = W / (1 - S / R) + 2 * L + 2 * S + 5 * S * S / (2 * (R - S)) +
			       2 * S * S * S / q + 3 * S * S * S * S / ((R - S) * q);

		/* Its fractions were rearranged from (1) to (7): they must agree at all R. */
		CU_ASSERT_DOUBLE_EQUAL(lopc_cycle(&m, R), right, 1e-9 * right);
	}
}

static void test_lopc_grows_with_each_input(void)
{
	double before = 0;

	for (double W = 0; W < 1e9; W = W * 2 + 1) {
		double R = solved(W, 100, 5, 1).R;

		CU_ASSERT(R > before);
		before = R;
	}
	before = 0;
	for (double S_o = 0; S_o < 1e6; S_o = S_o * 2 + 1) {
		double R = solved(100, S_o, 5, 1).R;

		CU_ASSERT(R > before);
		before = R;
	}
	before = 0;
	for (double C2 = 0; C2 < 100; C2++) {
		double R = solved(100, 50, 5, C2).R;

		CU_ASSERT(R > before);
		before = R;
	}
}

/* Twelve decades either way; the equations hold to rounding, the parts are never negative. */
static void test_lopc_converges_everywhere(void)
{
	for (double S_o = 1e-9; S_o < 2; S_o *= 10)
		for (double ratio = 1e-12; ratio < 2e12; ratio *= 10)
			for (double C2 = 0; C2 < 3; C2++) {
				struct lopc_result r = solved(S_o * ratio, S_o, S_o / ratio, C2);
				double sum = r.R_w + 2 * S_o / ratio + r.R_q + r.R_y;

				CU_ASSERT(isfinite(r.R) && r.contention_work > 0);
				CU_ASSERT(r.contention_request > 0 && r.contention_reply > 0);
				CU_ASSERT_DOUBLE_EQUAL(sum, r.R, 1e-12 * r.R);
			}
}

static void test_lopc_limits(void)
{
	struct lopc m = {
		.P = 2, .W = 100, .S_o = 10, .S_l = 1, .handlers = LOPC_PROTOCOL_PROCESSOR};
	struct lopc_result r;
	struct err err;

	/* Much work: one request of another node on average while it is done. */
	near(solved(1e9, 10, 0, 0).contention, 10);
	CU_ASSERT_EQUAL(solved(100, 0, 7, 0).R, 114);
	CU_ASSERT_EQUAL(solved(100, 0, 7, 0).contention, 0);
	CU_ASSERT_EQUAL(solved(0, 0, 0, 0).R, 0);
	CU_ASSERT_EQUAL(solved(0, 0, 0, 0).share, 0);
	CU_ASSERT_EQUAL(lopc_solve(&m, &r, &err), 0);
	CU_ASSERT_EQUAL(r.R_w, 100);
	CU_ASSERT(r.R < solved(100, 10, 1, 0).R);
}

static void test_lopc_refuses_nonsense(void)
{
	const struct lopc wrong[] = {
		{.P = 1, .S_o = 1},   {.P = NAN, .S_o = 1},
		{.P = 2, .W = -1},    {.P = 2, .S_o = -1},
		{.P = 2, .S_l = -1},  {.P = 2, .C2 = -1},
		{.P = 2, .W = NAN},   {.P = 2, .S_o = INFINITY},
		{.P = 2.5, .S_o = 1}, {.P = 2, .W = 1e308, .S_o = 1e308, .S_l = 1e308},
	};
	struct lopc_result r = {.R = 7};
	struct err err;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		err.text[0] = 0;
		CU_ASSERT_EQUAL(lopc_solve(&wrong[i], &r, &err), -1);
		CU_ASSERT(err.text[0]);
	}
	CU_ASSERT_EQUAL(r.R, 7);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_lopc_figures_6_and_7),
		SUITE_CASE(test_lopc_figure_5),
		SUITE_CASE(test_lopc_figure_8),
		SUITE_CASE(test_lopc_bounds),
		SUITE_CASE(test_lopc_equation_8),
		SUITE_CASE(test_lopc_grows_with_each_input),
		SUITE_CASE(test_lopc_converges_everywhere),
		SUITE_CASE(test_lopc_limits),
		SUITE_CASE(test_lopc_refuses_nonsense),
		CU_TEST_INFO_NULL,
	};

	return suite_run("lopc", tests);
}
