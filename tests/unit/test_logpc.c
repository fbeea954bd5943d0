/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LoGPC against the numbers of its paper (TPDS 2001), and its equations against each other. */
#include "models/logpc.h"
#include "tests/fixtures/suite.h"

#include <math.h>

/* Table 1, two arguments; one cycle per byte, a fitted size, k_d without messages to oneself. */
static const struct logpc alewife = {
	.o_s = 15, .o_r = 122, .L = 21, .G = 0.5, .B = 44, .net = {2, 2, 1}};

static struct logpc_contention closed(const struct logpc_network *net, double B, double T)
{
	struct logpc_cycle c = {T, 1, 1};
	struct logpc_contention x = {.C_n = NAN};
	struct err err;

	CU_ASSERT_EQUAL(logpc_closed(net, B, &c, &x, &err), 0);
	return x;
}

static void test_logpc_table_4(void)
{
	struct logpc p = alewife;
	struct logpc_contention x;
	struct err err;
	double time;

	CU_ASSERT_EQUAL(logpc_time_at(&p, LOGPC_SYNC, 0), 316);
	CU_ASSERT_EQUAL(logpc_time_at(&p, LOGPC_ASYNC, 0), 137);
	p.C_r = 137;
	CU_ASSERT_EQUAL(logpc_time_at(&p, LOGPC_SYNC, 0), 453);
	CU_ASSERT_EQUAL(logpc_time_at(&p, LOGPC_SYNC, 23), 499);
	CU_ASSERT_EQUAL(logpc_time(&p, LOGPC_ASYNC, 137, &x, &time, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(x.C_n, 31.23, 0.01);
	CU_ASSERT_EQUAL(time, 137);
	CU_ASSERT_EQUAL(logpc_time(&p, LOGPC_SYNC, 316, &x, &time, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(x.C_n, 23.13, 0.01);
	CU_ASSERT_DOUBLE_EQUAL(time, 499, 0.5);
	CU_ASSERT_EQUAL(logpc_cycle(&p, LOGPC_SYNC).T, 316);
}

static void test_logpc_upper_bound(void)
{
	struct logpc_network net = {2, 2, 1};
	struct logpc_bound b;
	struct err err;

	CU_ASSERT_EQUAL(logpc_bound(&net, 0.5, &b, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(b.F, 1 + sqrt(1.5), 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(b.slowdown, 2.2247, 1e-4);
	net.k_d = 1.9375;
	CU_ASSERT_EQUAL(logpc_bound(&net, 0.5, &b, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(b.F, 2.1703, 1e-4);
	net.k_d = 1;
	CU_ASSERT_EQUAL(logpc_bound(&net, 0.5, &b, &err), 0);
	CU_ASSERT_EQUAL(b.slowdown, 1);
	CU_ASSERT_EQUAL(logpc_bound(&net, 0, &b, &err), -1);
}

/* Eq. (7) holds at the closed solution, its rho is below 1 and C_n that of (6) at its rate. */
static void test_logpc_closed_solves_its_equation(void)
{
	for (double k_d = 1.01; k_d < 100; k_d *= 1.7)
		for (double T = 1e-3; T < 1e6; T *= 11)
			for (double B = 1; B < 1e6; B *= 13) {
				struct logpc_network net = {3, k_d, 0.5};
				struct logpc_contention x = closed(&net, B, T), o;
				struct err err;

				CU_ASSERT(x.rho > 0 && x.rho < 1 && x.C_n > 0);
				CU_ASSERT_DOUBLE_EQUAL(x.m * (T + x.C_n), 1, 1e-9);
				if (x.rho > 0.9999)
					continue;
				CU_ASSERT_EQUAL(logpc_open(&net, B, x.m, &o, &err), 0);
				CU_ASSERT_DOUBLE_EQUAL(o.C_n, x.C_n, 1e-6 * x.C_n);
			}
}

static void test_logpc_closed_is_below_open(void)
{
	double before = 0;

	for (double B = 1; B < 4000; B *= 1.4) {
		struct logpc_network net = {2, 3, 0.5};
		struct logpc_contention open, x = closed(&net, B, 1000);
		struct err err;

		CU_ASSERT(x.C_n > before); /* grows with the size */
		before = x.C_n;
		if (logpc_open(&net, B, 1e-3, &open, &err) == 0)
			CU_ASSERT(x.C_n < open.C_n);
	}
}

static void test_logpc_short_ways_do_not_meet(void)
{
	for (double k_d = 0; k_d <= 1; k_d += 0.125) {
		struct logpc_network net = {2, k_d, 1};
		struct logpc_contention x;
		struct err err;

		CU_ASSERT_EQUAL(closed(&net, 44, 137).C_n, 0);
		CU_ASSERT_EQUAL(closed(&net, 44, 137).m, 1 / 137.0);
		CU_ASSERT_EQUAL(logpc_open(&net, 44, 1 / 137.0, &x, &err), 0);
		CU_ASSERT_EQUAL(x.C_n, 0);
	}
}

static void test_logpc_pipeline(void)
{
	/* Table 2; memory takes bytes at nearly twice the network's rate. */
	struct logpc p = {.o_s = 25, .o_r = 129, .L = 8, .G = 0.5, .B = 100, .net = {2, 2, 1}};
	struct err err;
	double time;

	CU_ASSERT_EQUAL(logpc_pipeline(&p, 8, 0.26, &time, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(time, 25 + 8 + 129 + 4 + 26, 1e-9);
	p.B = 4000;
	CU_ASSERT_EQUAL(logpc_pipeline(&p, 8, 0.26, &time, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(time, 25 + 8 + 3999 * 0.5, 1e-9);
	CU_ASSERT_EQUAL(logpc_time_at(&p, LOGPC_LONG, 0), time);
	CU_ASSERT_EQUAL(logpc_time_at(&p, LOGPC_REMAP, 0), 4000);
	CU_ASSERT_EQUAL(logpc_pipeline(&p, -1, 0.26, &time, &err), -1);
}

static void test_logpc_styles(void)
{
	struct logpc p = alewife;
	struct logpc_styles even, hot;
	struct err err;

	p.C_r = 137;
	CU_ASSERT_EQUAL(logpc_compare_styles(&p, 1, &even, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(even.advantage, 499.26 / 137, 0.01);
	CU_ASSERT_EQUAL(logpc_compare_styles(&p, 31, &hot, &err), 0);
	CU_ASSERT(hot.advantage > 1 && hot.advantage < even.advantage);
	CU_ASSERT(hot.advantage < 1.2); /* hot spots take most of it away */
	CU_ASSERT_EQUAL(logpc_compare_styles(&p, 0.5, &hot, &err), -1);
}

static void test_logpc_refuses_nonsense(void)
{
	const struct logpc_network wrong[] = {{0, 2, 1},   {2, -1, 1},  {2, 2, -1},
					      {2, NAN, 1}, {NAN, 2, 1}, {2, INFINITY, 1}};
	const struct logpc_network good = {2, 2, 1};
	struct logpc_cycle c = {100, 1, 1};
	struct logpc_contention x = {.C_n = 7};
	struct logpc p = alewife;
	struct err err;
	double time;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		CU_ASSERT_EQUAL(logpc_open(&wrong[i], 44, 0.01, &x, &err), -1);
		CU_ASSERT_EQUAL(logpc_closed(&wrong[i], 44, &c, &x, &err), -1);
	}
	CU_ASSERT_EQUAL(logpc_open(&good, 100, 0.01, &x, &err), -1); /* rho = 1 */
	CU_ASSERT_EQUAL(logpc_open(&good, -1, 0.01, &x, &err), -1);
	CU_ASSERT_EQUAL(logpc_open(&good, 44, -0.01, &x, &err), -1);
	c.T = -1;
	CU_ASSERT_EQUAL(logpc_closed(&good, 44, &c, &x, &err), -1);
	p.o_s = -1;
	CU_ASSERT_EQUAL(logpc_time(&p, LOGPC_SHORT, 100, &x, &time, &err), -1);
	CU_ASSERT_EQUAL(x.C_n, 7);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_logpc_table_4),
		SUITE_CASE(test_logpc_upper_bound),
		SUITE_CASE(test_logpc_closed_solves_its_equation),
		SUITE_CASE(test_logpc_closed_is_below_open),
		SUITE_CASE(test_logpc_short_ways_do_not_meet),
		SUITE_CASE(test_logpc_pipeline),
		SUITE_CASE(test_logpc_styles),
		SUITE_CASE(test_logpc_refuses_nonsense),
		CU_TEST_INFO_NULL,
	};

	return suite_run("logpc", tests);
}
