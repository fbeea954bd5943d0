/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/logp.h"
#include "tests/fixtures/suite.h"

#include <math.h>

static const struct logp machine = {.L_s = 21, .o_s = 15, .g_s = 20, .P = 32, .w = 8};

static struct logp_message message(struct logp p, double bytes)
{
	struct logp_message m = {-1, -1, -1};
	struct err err;

	CU_ASSERT_EQUAL(logp_message(p, bytes, &m, &err), 0);
	return m;
}

static void test_logp_counts_packets(void)
{
	CU_ASSERT_EQUAL(message(machine, 0).packets, 1);
	CU_ASSERT_EQUAL(message(machine, 8).packets, 1);
	CU_ASSERT_EQUAL(message(machine, 9).packets, 2);
	CU_ASSERT_EQUAL(message(machine, 80).packets, 10);
}

static void test_logp_times(void)
{
	struct logp slow = machine;

	CU_ASSERT_DOUBLE_EQUAL(message(machine, 80).time_s, 30 + 21 + 200, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(message(machine, 80).occupied_s, 15 + 180, 1e-12);
	slow.o_s = 30; /* the overhead is the limit */
	CU_ASSERT_DOUBLE_EQUAL(message(slow, 80).time_s, 60 + 21 + 300, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(message(slow, 0).occupied_s, 30, 1e-12);
}

static void test_logp_grows_with_bytes(void)
{
	double before = 0;

	for (double m = 0; m < 1e6; m = m * 1.7 + 1) {
		double t = message(machine, m).time_s;

		CU_ASSERT(t >= before);
		before = t;
	}
}

static void refused(struct logp p, double bytes, const char *why)
{
	struct logp_message m = {-1, -1, -1};
	struct err err;

	CU_ASSERT_EQUAL(logp_message(p, bytes, &m, &err), -1);
	CU_ASSERT_STRING_EQUAL(err.text, why);
	CU_ASSERT_EQUAL(m.time_s, -1);
}

static void test_logp_refuses_what_it_cannot_take(void)
{
	refused((struct logp){1, 1, 1, 1, 1}, 1, "P is 1, must be at least 2");
	refused((struct logp){1, 1, 1, 2.5, 1}, 1, "P is 2.5, must be a whole number");
	refused((struct logp){1, 1, 1, 2, 0}, 1, "w is 0, must be above 0");
	refused((struct logp){1, -1, 1, 2, 1}, 1, "o is -1, must not be negative");
	refused((struct logp){NAN, 1, 1, 2, 1}, 1, "L is not a finite number");
	refused(machine, -1, "m is -1, must not be negative");
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_logp_counts_packets),
		SUITE_CASE(test_logp_times),
		SUITE_CASE(test_logp_grows_with_bytes),
		SUITE_CASE(test_logp_refuses_what_it_cannot_take),
		CU_TEST_INFO_NULL,
	};

	return suite_run("logp", tests);
}
