/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/lateness.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/tables.h"

#define US 1000

static const struct clock_quality one_clock;

/*
 * Three threads of rank 0 wait at once for what rank 1 sends at last: the rank waits that long, not
 * three times, and no more is told of the late one.
 */
static void test_late_waits_of_threads_at_once_count_once(void)
{
	struct machine m = tables_machine(5e-6, 1e-6, 1e-9, 1 << 20);
	struct attribution a;
	struct lateness l;
	struct tables x;
	struct err err;
	int64_t late_ns;

	tables_init(&x, 2, 1);
	for (uint32_t k = 0; k < 3; k++) {
		uint32_t recv = tables_call(&x, 0, REGION_RECV, k * US, (110 + k) * US, 0);
		uint32_t send =
			tables_call(&x, 1, REGION_SEND, (100 + 2 * k) * US, (101 + 2 * k) * US, 1);

		tables_message(&x, 8, send, send, recv, recv);
	}
	tables_finish(&x);
	CU_ASSERT_FATAL(attribution_run(&x.trace, &x.messages, &x.collectives, &m, &one_clock, &a,
					&err) == 0);
	CU_ASSERT_FATAL(lateness_find(&l, &x.trace, &x.messages, &a, &err) == 0);
	late_ns = a.budget.parts[COST_late_partner].ns;
	CU_ASSERT(late_ns >= 100 * US && late_ns <= 110 * US);
	CU_ASSERT_EQUAL(l.ns, late_ns);
	CU_ASSERT_EQUAL(l.rows[0].rank, 1);
	CU_ASSERT_EQUAL(l.rows[0].reason, LATENESS_COMPUTATION);
	lateness_release(&l);
	attribution_release(&a);
	machine_release(&m);
	tables_release(&x);
}

/* A probe that waits for what rank 1 sends when it has computed: as its receive would. */
static void test_late_waits_of_probes(void)
{
	struct machine m = tables_machine(5e-6, 1e-6, 1e-9, 1 << 20);
	uint32_t send, recv;
	struct attribution a;
	struct lateness l;
	struct tables x;
	struct err err;

	tables_init(&x, 2, 1);
	tables_call(&x, 0, REGION_PROBE, 0, 106 * US, 2);
	recv = tables_call(&x, 0, REGION_RECV, 107 * US, 108 * US, 0);
	send = tables_call(&x, 1, REGION_SEND, 100 * US, 101 * US, 1);
	tables_message(&x, 8, send, send, recv, recv);
	tables_finish(&x);
	CU_ASSERT_FATAL(attribution_run(&x.trace, &x.messages, &x.collectives, &m, &one_clock, &a,
					&err) == 0);
	CU_ASSERT_FATAL(lateness_find(&l, &x.trace, &x.messages, &a, &err) == 0);
	CU_ASSERT_EQUAL(a.budget.parts[COST_late_partner].ns, 100 * US);
	CU_ASSERT_EQUAL(l.ns, 100 * US);
	CU_ASSERT_EQUAL_FATAL(l.n, 1);
	CU_ASSERT_EQUAL(l.rows[0].rank, 1);
	CU_ASSERT_EQUAL(l.rows[0].reason, LATENESS_COMPUTATION);
	lateness_release(&l);
	attribution_release(&a);
	machine_release(&m);
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_late_waits_of_threads_at_once_count_once),
		SUITE_CASE(test_late_waits_of_probes),
		CU_TEST_INFO_NULL,
	};

	return suite_run("late_waits", tests);
}
