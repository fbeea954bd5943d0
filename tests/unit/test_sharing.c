/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The models of one formula for messages that share: each with known numbers and bad input. */
#include "models/bruck.h"
#include "models/buses.h"
#include "models/clement.h"
#include "models/max_rate.h"
#include "models/ports.h"
#include "models/two_state.h"
#include "tests/fixtures/suite.h"

#include <math.h>

static struct err err;

/* Steffenel 2006, section 6: half of the connections are delayed. */
static void test_two_state_gap_of_gigabit_ethernet(void)
{
	double beta = -1;

	CU_ASSERT_EQUAL(two_state_gap((struct two_state){8.502e-9, 8.498189e-8, 0.5}, &beta, &err),
			0);
	CU_ASSERT_DOUBLE_EQUAL(beta, 4.6742e-8, 0.0001e-8);
	CU_ASSERT_EQUAL(two_state_gap((struct two_state){1, 3, 0}, &beta, &err), 0);
	CU_ASSERT_EQUAL(beta, 1);
	CU_ASSERT_EQUAL(two_state_gap((struct two_state){1, 3, 1}, &beta, &err), 0);
	CU_ASSERT_EQUAL(beta, 3);
	CU_ASSERT_EQUAL(two_state_gap((struct two_state){1, 3, 1.1}, &beta, &err), -1);
	CU_ASSERT_STRING_EQUAL(err.text, "rho is 1.1, must be from 0 to 1");
	CU_ASSERT_EQUAL(two_state_gap((struct two_state){1, NAN, 1}, &beta, &err), -1);
}

static void test_clement_divides_the_bandwidth(void)
{
	double t = -1;

	CU_ASSERT_EQUAL(clement_time((struct clement){60e-6, 12.5e6, 8}, 125000, &t, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(t, 60e-6 + 0.08, 1e-12);
	CU_ASSERT_EQUAL(clement_time((struct clement){1, 0, 8}, 1, &t, &err), -1);
	CU_ASSERT_EQUAL(clement_time((struct clement){1, 1, 0.5}, 1, &t, &err), -1);
	CU_ASSERT_EQUAL(clement_time((struct clement){1, 1, 8}, -1, &t, &err), -1);
}

static void test_bruck_slows_down(void)
{
	double t = -1;

	CU_ASSERT_EQUAL(bruck_time((struct bruck){{2, 0.5}, 3, 1.5}, 10, &t, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(t, 1.5 * 3 * 7, 1e-12);
	CU_ASSERT_EQUAL(bruck_time((struct bruck){{2, 0.5}, 3, 0.9}, 10, &t, &err), -1);
	CU_ASSERT_EQUAL(bruck_time((struct bruck){{2, 0.5}, 2.5, 1}, 10, &t, &err), -1);
}

static void test_buses_make_waves(void)
{
	struct buses_result r = {0};

	CU_ASSERT_EQUAL(buses_time((struct buses){{2, 0.5}, 9, 4}, 10, &r, &err), 0);
	CU_ASSERT_EQUAL(r.waves, 3);
	CU_ASSERT_DOUBLE_EQUAL(r.time_s, 21, 1e-12);
	CU_ASSERT_EQUAL(buses_time((struct buses){{2, 0.5}, 8, 4}, 10, &r, &err), 0);
	CU_ASSERT_EQUAL(r.waves, 2);
	CU_ASSERT_EQUAL(buses_time((struct buses){{2, 0.5}, 8, 0}, 10, &r, &err), -1);
}

static void test_max_rate_is_the_lesser(void)
{
	struct max_rate node = {.alpha = 1, .R_N = 10, .R_C = 4, .R_i = 3};
	struct max_rate_result r;

	CU_ASSERT_EQUAL(max_rate_time(node, 1, 20, &r, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(r.time, 1 + 20. / 4, 1e-12);
	CU_ASSERT_EQUAL(r.saturated, 3);
	CU_ASSERT_EQUAL(max_rate_time(node, 2, 20, &r, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(r.time, 1 + 40. / 7, 1e-12);
	CU_ASSERT_EQUAL(max_rate_time(node, 8, 20, &r, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(r.time, 1 + 160. / 10, 1e-12);
	CU_ASSERT_EQUAL(max_rate_time(node, 0, 20, &r, &err), -1);
	node.R_N = 0;
	CU_ASSERT_EQUAL(max_rate_time(node, 1, 20, &r, &err), -1);
}

static void test_ports_bound_by_kind(void)
{
	const double w[] = {9, 100, 200, 50, 0, 0, 10, 20, 0};
	struct ports_bounds b;

	CU_ASSERT_EQUAL(ports_bound((struct ports){{1, 0.1}, 5}, 3, w, &b, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(b.multi_port, 21, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(b.bounded, 360 / 5., 1e-12); /* process 0: 300 out, 60 in */
	CU_ASSERT_DOUBLE_EQUAL(b.single_port, 40, 1e-12);   /* its four messages */
	CU_ASSERT_DOUBLE_EQUAL(b.full_duplex, 32, 1e-12);   /* its two out */
	CU_ASSERT_EQUAL(ports_bound((struct ports){{1, 0.1}, 0}, 3, w, &b, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(b.bounded, 21, 1e-12);
	CU_ASSERT_EQUAL(ports_bound((struct ports){{1, 0.1}, -1}, 3, w, &b, &err), -1);
	CU_ASSERT_EQUAL(ports_bound((struct ports){{1, 0.1}, 0}, 1, w, &b, &err), -1);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_two_state_gap_of_gigabit_ethernet),
		SUITE_CASE(test_clement_divides_the_bandwidth),
		SUITE_CASE(test_bruck_slows_down),
		SUITE_CASE(test_buses_make_waves),
		SUITE_CASE(test_max_rate_is_the_lesser),
		SUITE_CASE(test_ports_bound_by_kind),
		CU_TEST_INFO_NULL,
	};

	return suite_run("sharing", tests);
}
