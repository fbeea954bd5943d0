/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Diamond DAG of LoGPC's paper (TPDS 2001, section 5.2). */
#include "models/diamond_dag.h"
#include "tests/fixtures/suite.h"

#include <math.h>

/* Figure 9's program; messages of 32,000 bytes a block. */
static const struct diamond figure_9 = {.n = 1024,
					.P = 32,
					.b = 64,
					.t_task = 100,
					.o_s = 25,
					.L = 8,
					.G = 0.5,
					.a = 8,
					.bytes = 32000,
					.bytes_per_value = 1,
					.net = {2, 2, 0.5}};

static struct diamond_result solved(const struct diamond *m)
{
	struct diamond_result r = {.M = NAN};
	struct err err;

	CU_ASSERT_EQUAL(diamond_solve(m, &r, &err), 0);
	return r;
}

static void test_diamond_figure_9(void)
{
	struct diamond_result r = solved(&figure_9);

	CU_ASSERT_DOUBLE_EQUAL(r.communication, 0.625, 1e-12);
	CU_ASSERT_EQUAL(r.W, 51200);
	CU_ASSERT(r.C_n > 0 && r.M_contention > r.M);
	CU_ASSERT_DOUBLE_EQUAL(r.M_contention - r.M, (31 + 2 * 63) * r.C_n, 1e-6);
}

/* Eq. (15) in the paper's own symbols. */
static void test_diamond_equation_15(void)
{
	struct diamond m = figure_9;

	for (m.b = 1; m.b <= 1024; m.b *= 2)
		for (m.bytes = 0; m.bytes < 3000; m.bytes += 1000) {
			struct diamond_result r = solved(&m);
			double d = m.L + m.a * m.G, u = r.O_r + r.W + d, v = r.O_s + r.W + r.O_r;
			double M = r.W + d + (m.P - 2) * u + (m.b - 1) * v + r.O_r + r.W;

			CU_ASSERT_DOUBLE_EQUAL(r.M, M, 1e-9 * M);
		}
}

/* By hand: 3 to fill each stripe, 2 hops of 5, then a block every 6; or one every 10. */
static void test_diamond_makespan_of_stripes(void)
{
	struct diamond_stripes x = {.P = 3, .W = 3, .hop = 5, .O_s = 1, .O_r = 2};

	CU_ASSERT_DOUBLE_EQUAL(diamond_makespan(&x, 1), 3 * 3 + 2 * 5, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(diamond_makespan(&x, 8), 3 * 3 + 2 * 5 + 7 * 6, 1e-12);
	x.gap = 10;
	CU_ASSERT_DOUBLE_EQUAL(diamond_makespan(&x, 8), 3 * 3 + 2 * 5 + 7 * 10, 1e-12);
}

/* dM/db = 0 lies beside the best whole number, and that is the best of all. */
static void test_diamond_best_blocks(void)
{
	const double t[] = {0.01, 1, 100}, o[] = {10, 1000, 1e5};

	for (int i = 0; i < 9; i++) {
		struct diamond m = figure_9;
		struct diamond_result r;

		m.n = 256;
		m.t_task = t[i % 3];
		m.o_s = o[i / 3];
		m.bytes = i % 2 ? 200 : 0;
		r = solved(&m);
		CU_ASSERT(fabs(r.b_opt - r.b_best) <= 1 || (m.bytes == 0 && r.b_best > 25));
		m.b = r.b_best;
		r = solved(&m);
		for (m.b = 1; m.b <= m.n; m.b++)
			CU_ASSERT(solved(&m).M >= r.M);
		m.b = r.b_best_contention;
		r = solved(&m);
		for (m.b = 1; m.b <= m.n; m.b++)
			CU_ASSERT(solved(&m).M_contention >= r.M_contention);
	}
}

static void test_diamond_mapping_decides_contention(void)
{
	struct diamond m = figure_9;
	double before;

	m.net.k_d = 1; /* neighbours on neighbours */
	CU_ASSERT_EQUAL(solved(&m).M_contention, solved(&m).M);
	before = solved(&m).M;
	for (m.net.k_d = 1.25; m.net.k_d < 4; m.net.k_d += 0.25) {
		CU_ASSERT(solved(&m).M_contention > before);
		before = solved(&m).M_contention;
	}
}

static void test_diamond_refuses_nonsense(void)
{
	struct diamond wrong[6] = {figure_9, figure_9, figure_9, figure_9, figure_9, figure_9};
	struct diamond_result r = {.M = 7};
	struct err err;

	wrong[0].P = 1;
	wrong[1].b = 0;
	wrong[2].b = 1025;
	wrong[3].t_task = -1;
	wrong[4].G = NAN;
	wrong[5].n = 10.5;
	for (int i = 0; i < 6; i++)
		CU_ASSERT_EQUAL(diamond_solve(&wrong[i], &r, &err), -1);
	CU_ASSERT_EQUAL(r.M, 7);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_diamond_figure_9),
		SUITE_CASE(test_diamond_equation_15),
		SUITE_CASE(test_diamond_makespan_of_stripes),
		SUITE_CASE(test_diamond_best_blocks),
		SUITE_CASE(test_diamond_mapping_decides_contention),
		SUITE_CASE(test_diamond_refuses_nonsense),
		CU_TEST_INFO_NULL,
	};

	return suite_run("diamond_dag", tests);
}
