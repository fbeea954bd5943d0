/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/leeway.h"

#include "tests/fixtures/suite.h"
#include "tests/fixtures/sums.h"

#define US 1000

/*
 * A Waitall from 495 us on and what is sent to it at 500 us and, by another rank, at other_us. Sets
 * wire to what the receiver's budget has of it.
 */
static void await_two(int64_t other_us, struct part *wire)
{
	struct machine m = tables_machine(10e-6, 1e-6, 1e-9, 4096);
	struct attribution a;
	struct tables x;
	uint32_t send[2], post[2], all;

	tables_init(&x, 3, 1);
	send[0] = tables_call(&x, 0, REGION_SEND, other_us * US, (other_us + 1) * US, 0);
	send[1] = tables_call(&x, 1, REGION_SEND, 500 * US, 501 * US, 0);
	post[0] = tables_call(&x, 2, REGION_IRECV, 0, 100, 1);
	post[1] = tables_call(&x, 2, REGION_IRECV, 100, 200, 1);
	all = tables_call(&x, 2, REGION_WAITALL, 495 * US, 563 * US, 2);
	for (int k = 0; k < 2; k++)
		tables_message(&x, 1000, send[k], send[k], post[k], all);
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	*wire = a.rank_budget[2].parts[COST_wire];
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

/*
 * Which of two that come nearly together came last is not known; of one the way began 8 us sooner.
 */
static void test_leeway_waitall_may_end_with_another_message(void)
{
	struct part sure, open;

	await_two(10, &sure);
	await_two(492, &open);
	CU_ASSERT_EQUAL(open.ns, sure.ns);
	CU_ASSERT(sure.low_ns > sure.ns - 2 * US);
	/*
	 * It waited 5 us for its sender, so 3 us of the way were over when the call began; be that
	 * way as long as the machine says or as short as it may be.
	 */
	CU_ASSERT(sure.low_ns < sure.ns);
	CU_ASSERT_EQUAL(open.low_ns, sure.low_ns - 3 * US);
	CU_ASSERT_EQUAL(open.high_ns, sure.high_ns);
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_leeway_waitall_may_end_with_another_message),
		CU_TEST_INFO_NULL,
	};

	return suite_run("leeway", cases);
}
