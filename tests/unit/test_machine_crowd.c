/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What messages that come in crowds say of the machine, and what not. */
#include "analyze/machine.h"
#include "tests/unit/suite.h"
#include "tests/unit/tables.h"

#define US 1000

static struct machine fit(struct tables *x)
{
	struct machine m;
	struct err err;

	CU_ASSERT_FATAL(machine_from_trace(&x->trace, &x->messages, &m, &err) == 0);
	CU_ASSERT_FATAL(m.classes[LOCALITY_NETWORK].n > 0);
	return m;
}

/* Eight messages at once; the receiver takes them with one call, or one by one, 12 us each. */
static void take_eight(struct tables *x, int64_t at_ns, int64_t took_ns, int one_by_one)
{
	uint32_t done = TRACE_NONE;
	int64_t asked_ns = at_ns - US;

	for (int j = 0; j < 8; j++) {
		uint32_t s = tables_call(x, 0, REGION_ISEND, at_ns, at_ns, 0);
		int64_t came_ns = at_ns + 12 * US * (j + 1);

		if (one_by_one)
			done = tables_call(x, 1, REGION_RECV, asked_ns, came_ns, 1);
		else if (j == 0)
			done = tables_call(x, 1, REGION_WAITALL, asked_ns, at_ns + took_ns, 2);
		asked_ns = came_ns;
		tables_message(x, 1000, s, s, done, done);
	}
}

/*
 * Crowds come at a pace of 12 us, but most get through in 10 each: a port needs no more. Nor less,
 * for that once they needed 5.
 */
static void test_machine_crowd_believes_most_crowds(void)
{
	struct machine m;
	struct tables x;

	tables_init(&x, 2, 1);
	for (int k = 0; k < 40; k++) {
		int64_t at = 10 * US + k * 500 * US;
		uint32_t s = tables_call(&x, 0, REGION_ISEND, at + 200 * US, at + 200 * US, 0);
		uint32_t r = tables_call(&x, 1, REGION_RECV, at + 300 * US, at + 301 * US, 3);

		tables_message(&x, 1000, s, s, r, r); /* had been there: its handling takes 1 us */
		take_eight(&x, at, (k == 1 ? 40 : 80) * US, k % 8 == 0);
	}
	tables_finish(&x);
	m = fit(&x);
	CU_ASSERT(!(m.classes[LOCALITY_NETWORK].joint & MACHINE_JOINT_L_G));
	CU_ASSERT_DOUBLE_EQUAL(m.classes[LOCALITY_NETWORK].points[0].g_s, 10e-6, 1e-8);
	machine_release(&m);
	tables_release(&x);
}

/* Small ones alone take 8 us and 25 ns a byte; large ones are never alone, and say nothing of that. */
static void test_machine_crowd_takes_no_latency_from_crowds(void)
{
	struct machine m;
	struct tables x;

	tables_init(&x, 2, 1);
	for (int k = 0; k < 60; k++) {
		uint64_t bytes = k % 3 == 0 ? 40 : 400;
		int64_t at = 10 * US + k * 2000 * US;

		if (k % 3 == 2) {
			take_eight(&x, at, 800 * US, 0);
		} else {
			uint32_t s = tables_call(&x, 0, REGION_SEND, at, at, 0);
			uint32_t r = tables_call(&x, 1, REGION_RECV, at - US,
						 at + 8 * US + (int64_t)bytes * 25, 1);

			tables_message(&x, bytes, s, s, r, r);
		}
	}
	tables_finish(&x);
	m = fit(&x);
	CU_ASSERT_DOUBLE_EQUAL(m.classes[LOCALITY_NETWORK].L_s, 8e-6, 1e-8);
	machine_release(&m);
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_machine_crowd_believes_most_crowds),
		SUITE_CASE(test_machine_crowd_takes_no_latency_from_crowds),
		CU_TEST_INFO_NULL,
	};

	return suite_run("machine_crowd", tests);
}
