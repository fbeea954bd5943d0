/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LoPC's clients and servers against figure 10 of its paper, and against each other. */
#include "models/lopc_server.h"
#include "tests/fixtures/suite.h"

#include <math.h>

static struct lopc_server_at at(const struct lopc_server *m, double P_s)
{
	struct lopc_server_at x = {.X = NAN};
	struct err err;

	CU_ASSERT_EQUAL(lopc_server_solve(m, P_s, &x, &err), 0);
	return x;
}

static void test_lopc_server_figure_10(void)
{
	const double W[] = {500, 1000, 2000}, opt[] = {6.564, 4.500, 2.763}, best[] = {7, 5, 3};
	struct lopc_server_best x;
	struct err err;

	for (int i = 0; i < 3; i++) {
		struct lopc_server m = {.P = 32, .W = W[i], .S_o = 131, .S_l = 6, .S_y = 131};

		CU_ASSERT_EQUAL(lopc_server_best(&m, &x, &err), 0);
		CU_ASSERT_DOUBLE_EQUAL(x.P_s_opt, opt[i], 1e-3);
		CU_ASSERT_EQUAL(x.P_s_best, best[i]);
		CU_ASSERT_DOUBLE_EQUAL(x.R_s_opt, 131 * (1 + M_SQRT1_2), 1e-9);
		/* At the optimum a server has one request on average, (10). */
		CU_ASSERT_DOUBLE_EQUAL(at(&m, x.P_s_opt).Q_s, 1, 1e-9);
		CU_ASSERT_DOUBLE_EQUAL(at(&m, x.P_s_opt).X, x.X_opt, 1e-9 * x.X_opt);
	}
}

/* (11), (13), (14), (17) hold and both LogP bounds, whatever the inputs. */
static void test_lopc_server_equations(void)
{
	for (double S = 1e-9; S < 2; S *= 30)
		for (double W = 1e-9; W < 1e4; W *= 30)
			for (double P_s = 0.5; P_s < 32; P_s += 1.5)
				for (double C2 = 0; C2 < 4; C2++) {
					struct lopc_server m = {32, W, S, 1e-6, C2, S};
					struct lopc_server_at x = at(&m, P_s);
					double R_s =
						S * (1 + x.X * x.R_s / P_s + (C2 - 1) / 2 * x.U_s);

					CU_ASSERT_DOUBLE_EQUAL(x.R_s, R_s, 1e-9 * R_s);
					CU_ASSERT_DOUBLE_EQUAL(x.X * x.R, 32 - P_s, 1e-9);
					CU_ASSERT_DOUBLE_EQUAL(x.U_s * P_s, x.X * S, 1e-9);
					CU_ASSERT(x.X < x.bound_client * (1 + 1e-12));
					CU_ASSERT(x.X < x.bound_server * (1 + 1e-12));
					CU_ASSERT(x.U_s > 0 && x.U_s < 1 && x.R_s >= S);
				}
}

static void test_lopc_server_best_is_the_best_of_all(void)
{
	for (double P = 2; P < 200; P += 7)
		for (double W = 0; W < 1e5; W = 3 * W + 10) {
			struct lopc_server m = {P, W, 131, 6, 0, 131};
			struct lopc_server_best x;
			struct err err;
			double most = 0;

			CU_ASSERT_EQUAL(lopc_server_best(&m, &x, &err), 0);
			for (double P_s = 1; P_s < P; P_s++)
				most = fmax(most, at(&m, P_s).X);
			CU_ASSERT_EQUAL(x.X_best, most);
		}
}

static void test_lopc_server_grows_with_nodes(void)
{
	double before = 0;

	for (double P = 2; P < 5000; P = floor(P * 1.3 + 1)) {
		struct lopc_server m = {P, 1000, 131, 6, 0, 131};
		struct lopc_server_best x;
		struct err err;

		CU_ASSERT_EQUAL(lopc_server_best(&m, &x, &err), 0);
		CU_ASSERT(x.X_best > before);
		before = x.X_best;
	}
}

static void test_lopc_server_limits_and_nonsense(void)
{
	const struct lopc_server free_handlers = {32, 100, 0, 5, 0, 0};
	const struct lopc_server wrong[] = {
		{1, 1, 1, 1, 0, 1},         {32, -1, 1, 1, 0, 1}, {32, 1, -1, 1, 0, 1},
		{32, 1, 1, -1, 0, 1},       {32, 1, 1, 1, -1, 1}, {32, NAN, 1, 1, 0, 1},
		{32, 1, INFINITY, 1, 0, 1}, {32, 0, 0, 0, 0, 0},  {32, 1, 1, 1, 0, -1},
	};
	const struct lopc_server good = {32, 1, 1, 1, 0, 1};
	struct lopc_server_best best = {.X_best = 7};
	struct lopc_server_at x = {.X = 7};
	struct err err;

	CU_ASSERT_EQUAL(at(&free_handlers, 2).X, 30 / 110.0);
	CU_ASSERT_EQUAL(lopc_server_best(&free_handlers, &best, &err), 0);
	CU_ASSERT_EQUAL(best.P_s_best, 1);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		CU_ASSERT_EQUAL(lopc_server_solve(&wrong[i], 1, &x, &err), -1);
		CU_ASSERT_EQUAL(lopc_server_best(&wrong[i], &best, &err), -1);
	}
	CU_ASSERT_EQUAL(lopc_server_solve(&good, 32, &x, &err), -1);
	CU_ASSERT_EQUAL(lopc_server_solve(&good, 0, &x, &err), -1);
	CU_ASSERT_EQUAL(lopc_server_solve(&good, NAN, &x, &err), -1);
	CU_ASSERT_EQUAL(x.X, 7);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_lopc_server_figure_10),
		SUITE_CASE(test_lopc_server_equations),
		SUITE_CASE(test_lopc_server_best_is_the_best_of_all),
		SUITE_CASE(test_lopc_server_grows_with_nodes),
		SUITE_CASE(test_lopc_server_limits_and_nonsense),
		CU_TEST_INFO_NULL,
	};

	return suite_run("lopc_server", tests);
}
