/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/leeway.h"

#include "tests/fixtures/suite.h"
#include "tests/fixtures/sums.h"

#include <string.h>

#define US 1000

/* What a rank sends. */
struct sending {
	int64_t at_us;
	uint64_t bytes;
};

/*
 * A Waitall from 495 us on and what two ranks send to it. Sets of to what the receiver's budget has
 * of each part.
 */
static void await_two(struct sending one, struct sending other, struct part of[COST_COUNT])
{
	struct machine m = tables_machine(10e-6, 1e-6, 1e-9, 8192);
	struct sending x[2] = {other, one};
	struct attribution a;
	struct tables t;
	uint32_t send[2], post[2], all;

	tables_init(&t, 3, 1);
	for (uint32_t k = 0; k < 2; k++) {
		send[k] =
			tables_call(&t, k, REGION_SEND, x[k].at_us * US, (x[k].at_us + 1) * US, 0);
		post[k] = tables_call(&t, 2, REGION_IRECV, 100 * k, 100 * (k + 1), 1);
	}
	all = tables_call(&t, 2, REGION_WAITALL, 495 * US, 563 * US, 2);
	for (int k = 0; k < 2; k++)
		tables_message(&t, x[k].bytes, send[k], send[k], post[k], all);
	tables_finish(&t);
	a = sums_attribute(&t, &m);
	memcpy(of, a.rank_budget[2].parts, sizeof(a.rank_budget[2].parts));
	attribution_release(&a);
	tables_release(&t);
	machine_release(&m);
}

/*
 * Which of two that come nearly together came last is not known; of one the way began 8 us sooner.
 */
static void test_leeway_waitall_may_end_with_another_message(void)
{
	struct part sure[COST_COUNT], open[COST_COUNT], wire, late;

	await_two((struct sending){500, 1000}, (struct sending){10, 1000}, sure);
	await_two((struct sending){500, 1000}, (struct sending){492, 1000}, open);
	wire = open[COST_wire];
	CU_ASSERT_EQUAL(wire.ns, sure[COST_wire].ns);
	CU_ASSERT(sure[COST_wire].low_ns > wire.ns - 2 * US);
	/*
	 * It waited 5 us for its sender, so 3 us of the way were over when the call began; be that
	 * way as long as the machine says or as short as it may be.
	 */
	CU_ASSERT(sure[COST_wire].low_ns < wire.ns);
	CU_ASSERT_EQUAL(wire.low_ns, sure[COST_wire].low_ns - 3 * US);
	CU_ASSERT_EQUAL(wire.high_ns, sure[COST_wire].high_ns);
	late = open[COST_late_partner];
	CU_ASSERT_EQUAL(late.ns, 5 * US);
	CU_ASSERT_EQUAL(late.high_ns, 5 * US);
	CU_ASSERT_EQUAL(late.low_ns, 0);
	CU_ASSERT_EQUAL(sure[COST_late_partner].low_ns, 5 * US);
}

/* A small one is sent 2 us after a large one, which needs 7 us longer. */
static void test_leeway_waitall_may_end_with_one_sent_later(void)
{
	struct part of[COST_COUNT];

	await_two((struct sending){496, 8000}, (struct sending){498, 1000}, of);
	CU_ASSERT_EQUAL(of[COST_late_partner].ns, 1 * US);
	CU_ASSERT_EQUAL(of[COST_late_partner].low_ns, 1 * US);
	CU_ASSERT_EQUAL(of[COST_late_partner].high_ns, 3 * US);
}

/*
 * The network contention of a rank that waits from 500 us on for 50 us, in a call of that kind, for
 * what should have been there 4 us before. An MPI_Sendrecv sends it an eager message meanwhile.
 */
static struct part held_up(enum region_kind kind)
{
	struct machine m = tables_machine(10e-6, 1e-6, 1e-9, 8192);
	uint32_t send, call, recv;
	struct attribution a;
	struct part part;
	struct tables t;

	tables_init(&t, 3, 1);
	send = tables_call(&t, 0, REGION_SEND, 483 * US, 484 * US, 0);
	call = tables_call(&t, 1, kind, 500 * US, 550 * US, 1);
	tables_message(&t, 1000, send, send, call, call);
	if (kind == REGION_SENDRECV) {
		recv = tables_call(&t, 2, REGION_RECV, 450 * US, 512 * US, 2);
		tables_message(&t, 1000, call, call, recv, recv);
	}
	tables_finish(&t);
	a = sums_attribute(&t, &m);
	part = a.rank_budget[1].parts[COST_network_contention];
	attribution_release(&a);
	tables_release(&t);
	machine_release(&m);
	return part;
}

/* Its own eager send is certainly not what an MPI_Sendrecv waited for. */
static void test_leeway_sendrecv_waits_for_what_it_receives(void)
{
	struct part alone = held_up(REGION_RECV), both = held_up(REGION_SENDRECV);

	CU_ASSERT(alone.low_ns > 40 * US);
	CU_ASSERT(both.low_ns >= alone.low_ns - 2 * US); /* the send's overhead */
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_leeway_waitall_may_end_with_another_message),
		SUITE_CASE(test_leeway_waitall_may_end_with_one_sent_later),
		SUITE_CASE(test_leeway_sendrecv_waits_for_what_it_receives),
		CU_TEST_INFO_NULL,
	};

	return suite_run("leeway", cases);
}
