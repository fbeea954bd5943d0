/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clients and servers event by event, against what is known in closed form. */
#include "models/served.h"
#include "tests/fixtures/suite.h"

#include <math.h>

#include "models/lopc_server.h"

#define WAY 12e-6

static double per_s(size_t clients, size_t servers, double work_s, double handler_s,
		    enum served_choice choice)
{
	struct served m = {clients, servers, WAY, 1, 1, &work_s, &handler_s};
	struct err err;
	double x = NAN;

	CU_ASSERT_EQUAL(served_per_s(&m, choice, &x, &err), 0);
	return x;
}

/* Even times in turn: LogP's bounds are reached, of few servers theirs, of many the clients'. */
static void test_served_in_turn_reaches_the_bounds(void)
{
	for (size_t clients = 1; clients < 40; clients += 3)
		for (size_t servers = 1; servers < 10; servers++) {
			double all = (double)servers / 200e-6;
			double each = (double)clients / (1000e-6 + 200e-6 + WAY);
			double x = per_s(clients, servers, 1000e-6, 200e-6, SERVED_IN_TURN);

			if (servers == 1 || clients % servers == 0)
				CU_ASSERT_DOUBLE_EQUAL(x, fmin(all, each), 0.01 * x);
			CU_ASSERT(x <= 1.01 * fmin(all, each));
		}
}

/* One client, however it chooses, waits for nobody. */
static void test_served_one_client_is_alone(void)
{
	CU_ASSERT_DOUBLE_EQUAL(per_s(1, 3, 0, 100e-6, SERVED_AT_RANDOM), 1 / (100e-6 + WAY), 50);
}

/* Who chooses at random meets others, as many as LoPC says. */
static void test_served_at_random_is_as_lopc_says(void)
{
	for (double work_s = 200e-6; work_s < 2e-3; work_s *= 2) {
		struct lopc_server m = {32, work_s, 200e-6, WAY / 2, 0, 0};
		struct lopc_server_at at;
		struct err err;
		double x = per_s(32 - 6, 6, work_s, 200e-6, SERVED_AT_RANDOM);

		CU_ASSERT_EQUAL(lopc_server_solve(&m, 6, &at, &err), 0);
		CU_ASSERT_DOUBLE_EQUAL(x, at.X, 0.07 * x);
		CU_ASSERT(x < 1.005 * per_s(32 - 6, 6, work_s, 200e-6, SERVED_IN_TURN));
	}
}

/* Machine repairmen (exponential works and handlers, one server): X = (1 - p_0) / S. */
static void test_served_exponential_is_as_known(void)
{
	double work[499], handler[499], p_0 = 0, term = 1, x = NAN;
	size_t n = 6;
	struct served m = {n, 1, 0, 499, 499, work, handler};
	struct err err;

	for (int i = 0; i < 499; i++) {
		work[i] = -1e-3 * log((i + 0.5) / 499);
		handler[i] = work[i] / 5;
	}
	for (size_t k = 0; k <= n; k++) {
		p_0 += term;
		term *= (double)(n - k) / 5;
	}
	CU_ASSERT_EQUAL(served_per_s(&m, SERVED_IN_TURN, &x, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(x, (1 - 1 / p_0) / 200e-6, 0.05 * x);
}

static void test_served_refuses(void)
{
	double nothing = 0, x = 7;
	struct served m = {1, 1, 0, 1, 1, &nothing, &nothing};
	struct err err;

	CU_ASSERT_EQUAL(served_per_s(&m, SERVED_IN_TURN, &x, &err), -1);
	m.clients = 0;
	CU_ASSERT_EQUAL(served_per_s(&m, SERVED_IN_TURN, &x, &err), -1);
	CU_ASSERT_EQUAL(x, 7);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_served_in_turn_reaches_the_bounds),
		SUITE_CASE(test_served_one_client_is_alone),
		SUITE_CASE(test_served_at_random_is_as_lopc_says),
		SUITE_CASE(test_served_exponential_is_as_known),
		SUITE_CASE(test_served_refuses),
		CU_TEST_INFO_NULL,
	};

	return suite_run("served", tests);
}
