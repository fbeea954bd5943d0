/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LoPC's appendix A: against the special cases of its paper, its own equations, and time. */
#include "models/lopc_general.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "models/lopc_server.h"
#include "tests/fixtures/suite.h"

struct machine {
	struct lopc_general m;
	double *W, *S_o, *V;
	struct lopc_general_result r;
};

static double *numbers(size_t n)
{
	return calloc(n, sizeof(double));
}

static void machine_init(struct machine *x, size_t n)
{
	*x = (struct machine){.W = numbers(n), .S_o = numbers(n), .V = numbers(n * n)};
	x->m = (struct lopc_general){.nodes = n, .W = x->W, .S_o = x->S_o, .V = {.value = x->V}};
	x->r = (struct lopc_general_result){.R = numbers(n),
					    .R_w = numbers(n),
					    .R_q = numbers(n),
					    .R_y = numbers(n),
					    .U_q = numbers(n),
					    .U_y = numbers(n),
					    .Q_q = numbers(n),
					    .Q_y = numbers(n)};
}

static void machine_release(struct machine *x)
{
	double *all[] = {x->W,     x->S_o,   x->V,     x->r.R,   x->r.R_w, x->r.R_q,
			 x->r.R_y, x->r.U_q, x->r.U_y, x->r.Q_q, x->r.Q_y};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		free(all[i]);
}

static void all_to_any(struct machine *x, double W, double S_o)
{
	size_t n = x->m.nodes;

	for (size_t i = 0; i < n; i++) {
		x->W[i] = W;
		x->S_o[i] = S_o;
		for (size_t k = 0; k < n; k++)
			x->V[i * n + k] = i == k ? 0 : 1.0 / (n - 1);
	}
}

static void solve(struct machine *x)
{
	struct err err = {""};

	CU_ASSERT_EQUAL(lopc_general_solve(&x->m, &x->r, &err), 0);
	if (err.text[0])
		puts(err.text);
}

/* Equations (19) to (28), each. */
static void check_equations(const struct machine *x)
{
	size_t n = x->m.nodes;
	double c = (x->m.C2 - 1) / 2;

	for (size_t k = 0; k < n; k++) {
		const struct lopc_general_result *r = &x->r;
		double A = 0, X = 1 / r->R[k], S = x->S_o[k], sum;

		for (size_t i = 0; i < n; i++)
			A += x->V[i * n + k] / r->R[i];
		CU_ASSERT_DOUBLE_EQUAL(r->U_q[k], S * A, 1e-9);
		CU_ASSERT_DOUBLE_EQUAL(r->U_y[k], S * X, 1e-9);
		CU_ASSERT_DOUBLE_EQUAL(r->Q_q[k], A * r->R_q[k], 1e-9 * (1 + r->Q_q[k]));
		CU_ASSERT_DOUBLE_EQUAL(r->Q_y[k], X * r->R_y[k], 1e-9);
		sum = S * (1 + r->Q_q[k] + r->Q_y[k] + c * (r->U_q[k] + r->U_y[k]));
		CU_ASSERT_DOUBLE_EQUAL(r->R_q[k], sum, 1e-9 * sum);
		sum = S * (1 + r->Q_q[k] + c * r->U_q[k]);
		CU_ASSERT_DOUBLE_EQUAL(r->R_y[k], sum, 1e-9 * sum);
		sum = (x->W[k] + S * r->Q_q[k]) / (1 - r->U_q[k]);
		if (isfinite(sum))
			CU_ASSERT_DOUBLE_EQUAL(r->R_w[k], sum, 1e-8 * sum);
		sum = r->R_w[k] + x->m.S_l + r->R_y[k];
		for (size_t i = 0; i < n; i++)
			sum += x->V[k * n + i] * (x->m.S_l + r->R_q[i]);
		if (isfinite(sum))
			CU_ASSERT_DOUBLE_EQUAL(r->R[k], sum, 1e-9 * sum);
	}
}

/* Over 12 decades of the handler's time, and as many of the work beside it. */
static void test_lopc_general_is_the_homogeneous_one(void)
{
	struct machine x;
	struct err err;

	machine_init(&x, 16);
	for (double S_o = 1e-9; S_o < 2e3; S_o *= 100)
		for (double W = 0; W<2e3; W = W> 0 ? W * 1000 : 1e-9)
			for (double C2 = 0; C2 < 3; C2++) {
				struct lopc m = {.P = 16, .W = W, .S_o = S_o, .S_l = 6, .C2 = C2};
				struct lopc_result r;

				all_to_any(&x, W, S_o);
				x.m.S_l = m.S_l;
				x.m.C2 = C2;
				solve(&x);
				CU_ASSERT_EQUAL(lopc_solve(&m, &r, &err), 0);
				CU_ASSERT_DOUBLE_EQUAL(x.r.R[3], r.R, 1e-9 * r.R);
				CU_ASSERT_DOUBLE_EQUAL(x.r.R_q[5], r.R_q, 1e-9 * r.R_q);
				CU_ASSERT_DOUBLE_EQUAL(x.r.Q_y[0], r.Q_y, 1e-9 * r.Q_y);
			}
	machine_release(&x);
}

/* Servers never ask; the clients' reply handler, which takes S_y, is not interrupted by anybody. */
static void is_client_server(double W, double S_y)
{
	const size_t n = 32, servers = 5;
	struct lopc_server m = {n, W, 131, 6, 0, S_y};
	struct lopc_server_at at;
	struct machine x;
	struct err err;

	machine_init(&x, n);
	x.m.S_l = 6;
	for (size_t i = 0; i < n; i++) {
		x.S_o[i] = i < servers ? 131 : S_y;
		x.W[i] = i < servers ? INFINITY : W;
		for (size_t k = 0; k < servers; k++)
			x.V[i * n + k] = i < servers ? 0 : 1.0 / servers;
	}
	solve(&x);
	CU_ASSERT_EQUAL(lopc_server_solve(&m, servers, &at, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(x.r.X, at.X, 1e-9 * at.X);
	CU_ASSERT_DOUBLE_EQUAL(x.r.R[31], at.R, 1e-9 * at.R);
	CU_ASSERT_DOUBLE_EQUAL(x.r.U_q[0], at.U_s, 1e-9);
	CU_ASSERT(isinf(x.r.R[0]));
	machine_release(&x);
}

static void test_lopc_general_is_client_server(void)
{
	is_client_server(1000, 131);
	is_client_server(1000, 0);
	is_client_server(0, 10);
}

static double uniform(unsigned long long *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (*state >> 11) * 0x1p-53;
}

/* Any pattern, several hops, nodes that differ by decades. */
static void test_lopc_general_equations(void)
{
	unsigned long long state = 42;
	struct machine x;

	for (int round = 0; round < 60; round++) {
		size_t n = 2 + uniform(&state) * 20;
		double decades = round % 12;

		machine_init(&x, n);
		x.m.S_l = 1;
		x.m.C2 = round % 3;
		for (size_t i = 0; i < n; i++) {
			x.W[i] = pow(10, decades * (uniform(&state) - 0.5));
			x.S_o[i] = pow(10, decades * (uniform(&state) - 0.5));
			for (size_t k = 0; k < n; k++)
				x.V[i * n + k] = pow(uniform(&state), 4);
		}
		solve(&x);
		check_equations(&x);
		machine_release(&x);
	}
}

/* Many servers that saturate at once, each seen by all: the slowest to converge. */
static void test_lopc_general_converges_over_decades(void)
{
	unsigned long long state = 3;
	struct machine x;

	for (int round = 0; round < 12; round++) {
		size_t n = round % 3 ? 50 : 150;
		double decades = 4 * (1 + round % 3);

		machine_init(&x, n);
		x.m.S_l = 6;
		x.m.C2 = round % 2;
		for (size_t i = 0; i < n; i++) {
			x.S_o[i] = 200 * pow(10, decades * (uniform(&state) - 0.5));
			x.W[i] = 1000 * pow(10, decades * (uniform(&state) - 0.5));
			for (size_t k = 0; k < n; k++)
				x.V[i * n + k] = i == k ? 0 : 10 * uniform(&state) / n;
		}
		solve(&x);
		CU_ASSERT(x.r.rounds < 2000);
		check_equations(&x);
		machine_release(&x);
	}
}

static void test_lopc_general_sparse_is_dense(void)
{
	const size_t n = 12;
	size_t start[13], column[144];
	struct machine dense, sparse;

	machine_init(&dense, n);
	machine_init(&sparse, n);
	for (size_t i = 0; i < n; i++) {
		dense.W[i] = sparse.W[i] = 100.0 * i;
		dense.S_o[i] = sparse.S_o[i] = 20;
		start[i] = 2 * i;
		for (size_t j = 0; j < 2; j++) {
			size_t to = (i * i + 1 + 3 * j) % n;

			column[2 * i + j] = to;
			sparse.V[2 * i + j] = 0.5;
			dense.V[i * n + to] += 0.5;
		}
	}
	start[n] = 2 * n;
	sparse.m.V = (struct lopc_visits){sparse.V, start, column};
	solve(&dense);
	solve(&sparse);
	for (size_t i = 0; i < n; i++)
		CU_ASSERT_DOUBLE_EQUAL(dense.r.R[i], sparse.r.R[i], 1e-9 * dense.r.R[i]);
	machine_release(&dense);
	machine_release(&sparse);
}

static void test_lopc_general_is_fast(void)
{
	const size_t n = 1000;
	unsigned long long state = 7;
	struct machine x;
	clock_t start;

	machine_init(&x, n);
	x.m.S_l = 6;
	for (size_t i = 0; i < n; i++) {
		x.W[i] = 2000 * uniform(&state);
		x.S_o[i] = 200 + 100 * uniform(&state);
		for (size_t k = 0; k < n; k++)
			x.V[i * n + k] = 2.0 / n * uniform(&state);
	}
	start = clock();
	solve(&x);
	CU_ASSERT((clock() - start) / (double)CLOCKS_PER_SEC < 1);
	machine_release(&x);
}

static void test_lopc_general_refuses_nonsense(void)
{
	const size_t start[] = {0, 1, 2}, off[] = {1, 2};
	struct machine x;
	struct err err;

	machine_init(&x, 2);
	CU_ASSERT_EQUAL(lopc_general_solve(&x.m, &x.r, &err), -1); /* takes no time */
	all_to_any(&x, 1, 1);
	x.W[1] = -1;
	CU_ASSERT_EQUAL(lopc_general_solve(&x.m, &x.r, &err), -1);
	x.W[1] = NAN;
	CU_ASSERT_EQUAL(lopc_general_solve(&x.m, &x.r, &err), -1);
	x.W[1] = 1;
	x.V[1] = -1;
	CU_ASSERT_EQUAL(lopc_general_solve(&x.m, &x.r, &err), -1);
	x.V[1] = 1;
	x.S_o[0] = INFINITY;
	CU_ASSERT_EQUAL(lopc_general_solve(&x.m, &x.r, &err), -1);
	x.S_o[0] = 1;
	x.m.C2 = -1;
	CU_ASSERT_EQUAL(lopc_general_solve(&x.m, &x.r, &err), -1);
	x.m.C2 = 0;
	x.m.nodes = 1;
	CU_ASSERT_EQUAL(lopc_general_solve(&x.m, &x.r, &err), -1);
	x.m.nodes = 2;
	x.m.V = (struct lopc_visits){x.V, start, off};
	CU_ASSERT_EQUAL(lopc_general_solve(&x.m, &x.r, &err), -1);
	machine_release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_lopc_general_is_the_homogeneous_one),
		SUITE_CASE(test_lopc_general_is_client_server),
		SUITE_CASE(test_lopc_general_equations),
		SUITE_CASE(test_lopc_general_converges_over_decades),
		SUITE_CASE(test_lopc_general_sparse_is_dense),
		SUITE_CASE(test_lopc_general_is_fast),
		SUITE_CASE(test_lopc_general_refuses_nonsense),
		CU_TEST_INFO_NULL,
	};

	return suite_run("lopc_general", tests);
}
