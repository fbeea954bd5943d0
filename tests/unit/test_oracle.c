/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The models against simulated machines: what LoPC's paper claims of itself, and LoGPC's error. */
#include <math.h>
#include <stdio.h>

#include "models/logpc.h"
#include "models/lopc.h"
#include "models/lopc_server.h"
#include "tests/fixtures/suite.h"
#include "tests/oracle/handlers.h"
#include "tests/oracle/wormhole.h"

static double lopc_error(double W, double S_o, double C2, struct handlers_result *s)
{
	struct handlers h = {.nodes = 32,
			     .W = W,
			     .S_o = S_o,
			     .S_l = 6,
			     .C2 = C2,
			     .width = 8,
			     .seed = 1,
			     .cycles = 2000};
	struct lopc m = {.P = 32, .W = W, .S_o = S_o, .S_l = 6, .C2 = C2};
	struct lopc_result r;
	struct err err;

	*s = handlers_simulate(&h);
	CU_ASSERT_EQUAL_FATAL(lopc_solve(&m, &r, &err), 0);
	CU_ASSERT(s->R > 0.9999 * r.lower && s->R < 1.0001 * r.upper);
	return r.R / s->R - 1;
}

/* Figure 6: 7 % too much without work, ever less with more. */
static void test_oracle_lopc_run_time(void)
{
	const double W[] = {0, 100, 500, 1000, 2000};
	struct handlers_result s;
	double before = 0.07;

	for (int i = 0; i < 5; i++) {
		double error = lopc_error(W[i], 200, 0, &s);

		printf("W %g: LoPC %+.1f %% ", W[i], 100 * error);
		CU_ASSERT(fabs(error) < before);
		before = fabs(error);
	}
	CU_ASSERT(fabs(lopc_error(0, 200, 1, &s)) < 0.1);
	CU_ASSERT(fabs(lopc_error(1000, 200, 1, &s)) < 0.02);
}

/* The simulator itself: a cycle is the sum of its parts; nothing is shorter than idle. */
static void test_oracle_handlers_add_up(void)
{
	struct handlers_result s;

	lopc_error(300, 100, 0, &s);
	CU_ASSERT_DOUBLE_EQUAL(s.R_w + s.R_q + s.R_y + 12, s.R, 0.01 * s.R);
	CU_ASSERT(s.R_w > 300 && s.R_q > 100 && s.R_y > 100);
	lopc_error(100000, 1, 0, &s);
	CU_ASSERT_DOUBLE_EQUAL(s.R, 100000 + 2 + 12 + 1, 2);
}

/* Figure 10: the best throughput within 3 %. */
static void test_oracle_lopc_servers(void)
{
	const double W[] = {500, 1000, 2000};

	for (int i = 0; i < 3; i++) {
		struct lopc_server m = {32, W[i], 131, 6, 0, 131};
		struct lopc_server_best best;
		struct err err;
		double most = 0, at = 0;

		CU_ASSERT_EQUAL_FATAL(lopc_server_best(&m, &best, &err), 0);
		for (size_t p = 1; p < 12; p++) {
			struct handlers h = {.nodes = 32,
					     .servers = p,
					     .W = W[i],
					     .S_o = 131,
					     .S_l = 6,
					     .width = 8,
					     .seed = 1,
					     .cycles = 600};
			double X = handlers_simulate(&h).X;

			at = X > most ? p : at;
			most = fmax(most, X);
		}
		printf("W %g: %g servers, LoPC %g, best %+.1f %% ", W[i], at, best.P_s_best,
		       100 * (best.X_best / most - 1));
		CU_ASSERT(fabs(best.X_best / most - 1) < 0.03);
		CU_ASSERT(fabs(best.P_s_best - at) <= 1);
	}
}

/* LoGPC's bound is low against wormholes (see its header); the right order all the same. */
static void test_oracle_logpc_bound(void)
{
	struct wormhole w = {.width = 8,
			     .height = 4,
			     .bytes = 1000,
			     .channel_per_byte = 1,
			     .hop = 1,
			     .T = 1000,
			     .messages = 600,
			     .seed = 1};
	struct logpc_network net = {2, 2, 1};
	struct logpc_bound b;
	struct err err;
	double slowdown = wormhole_simulate(&w).T_c / w.T;

	CU_ASSERT_EQUAL_FATAL(logpc_bound(&net, 0.5, &b, &err), 0);
	printf("slowdown %.2f, LoGPC %.2f ", slowdown, b.slowdown);
	CU_ASSERT(slowdown > b.slowdown && slowdown < 1.5 * b.slowdown);
	w.T = 1e6;
	CU_ASSERT(wormhole_simulate(&w).C_n < 2); /* alone */
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_oracle_lopc_run_time),
		SUITE_CASE(test_oracle_handlers_add_up),
		SUITE_CASE(test_oracle_lopc_servers),
		SUITE_CASE(test_oracle_logpc_bound),
		CU_TEST_INFO_NULL,
	};

	return suite_run("oracle", tests);
}
