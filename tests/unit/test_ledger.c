/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "tests/fixtures/suite.h"
#include "tests/fixtures/sums.h"

#define US 1000

/* Two calls are one of ranks 0 and 1, who enter after 20 and 50 us. */
static void add_collective(struct tables *x, uint32_t first, uint32_t second)
{
	x->collectives.c = calloc(1, sizeof(*x->collectives.c));
	x->collectives.c[0] = (struct collective){.region = REGION_COLLECTIVE,
						  .root = -1,
						  .first_enter_ns = 20 * US,
						  .last_enter_ns = 50 * US,
						  .last_rank = 1,
						  .members = 2};
	x->collectives.n = 1;
	x->trace.calls[first].part = x->trace.calls[second].part = 0;
}

static void test_ledger_of_collectives_and_ends(void)
{
	struct machine m = tables_machine(10e-6, 1e-6, 1e-9, 4096);
	struct attribution a;
	struct tables x;

	tables_init(&x, 2, 1);
	for (uint32_t r = 0; r < 2; r++) {
		tables_call(&x, r, REGION_INIT, 0, 10 * US, 0);
		tables_call(&x, r, REGION_COLLECTIVE, 20 * US + r * 30 * US, 60 * US, 0);
		tables_call(&x, r, REGION_FINALIZE, 70 * US + r * 5 * US, 90 * US, 0);
	}
	tables_finish(&x);
	add_collective(&x, 1, 4);
	a = sums_attribute(&x, &m);
	CU_ASSERT(sums_add_up(&x, &a));
	CU_ASSERT_EQUAL(a.budget.parts[COST_collective_wait].ns, 35 * US);
	CU_ASSERT_EQUAL(a.budget.parts[COST_collective_transfer].ns, 20 * US);
	CU_ASSERT_EQUAL(a.budget.parts[COST_start_end].ns, 50 * US);
	CU_ASSERT_EQUAL(a.budget.parts[COST_compute].ns, 180 * US - 55 * US - 50 * US);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

/*
 * A rank's recording lacks it, or a process of another run takes part: the others may have waited
 * for that one after all that are seen.
 */
static void check_lacking(struct comm world)
{
	struct machine m = tables_machine(10e-6, 1e-6, 1e-9, 4096);
	struct attribution a;
	struct tables x;

	tables_init(&x, 3, 1);
	tables_call(&x, 0, REGION_COLLECTIVE, 20 * US, 60 * US, 0);
	tables_call(&x, 1, REGION_COLLECTIVE, 50 * US, 60 * US, 0);
	tables_call(&x, 2, REGION_MPI_LOCAL, 10 * US, 12 * US, 0);
	tables_finish(&x);
	add_collective(&x, 0, 1);
	world.members = x.trace.comms->members;
	*x.trace.comms = world;
	a = sums_attribute(&x, &m);
	CU_ASSERT(sums_add_up(&x, &a));
	CU_ASSERT_EQUAL(a.budget.parts[COST_collective_wait].ns, 30 * US);
	CU_ASSERT_EQUAL(a.budget.parts[COST_collective_wait].high_ns, 50 * US);
	CU_ASSERT_EQUAL(a.budget.parts[COST_collective_transfer].ns, 0);
	CU_ASSERT_EQUAL(a.budget.parts[COST_not_identifiable].ns, 20 * US);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

static void test_ledger_of_a_collective_that_lacks_a_rank(void)
{
	check_lacking((struct comm){.size = 3});
	check_lacking((struct comm){.size = 2, .inter = 1, .outside = 1});
}

/* As MPI_Comm_create_group: who takes part is not in the trace, nor when the last one entered. */
static void test_ledger_of_a_collective_of_unknown_members(void)
{
	struct machine m = tables_machine(10e-6, 1e-6, 1e-9, 4096);
	struct attribution a;
	struct tables x;

	tables_init(&x, 2, 1);
	tables_call(&x, 0, REGION_COLLECTIVE, 20 * US, 60 * US, 0);
	tables_call(&x, 1, REGION_COLLECTIVE, 55 * US, 60 * US, 0);
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	CU_ASSERT(sums_add_up(&x, &a));
	CU_ASSERT_EQUAL(a.budget.parts[COST_collective_wait].ns, 0);
	CU_ASSERT_EQUAL(a.budget.parts[COST_collective_transfer].ns, 0);
	CU_ASSERT_EQUAL(a.budget.parts[COST_not_identifiable].ns, 45 * US);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

/*
 * Rank 0's MPI_Waitall has a message that is sent after 900 us and comes 10 us later; then its own
 * small send completes at last. Whatever held that, before 900 us the call was for the late one.
 */
static void test_ledger_of_a_send_seen_after_a_late_receive(void)
{
	struct machine m = tables_machine(5e-6, 1e-6, 1e-9, 4096);
	uint32_t isend, irecv, all, posted, sent, taken;
	struct attribution a;
	struct tables x;

	tables_init(&x, 2, 1);
	isend = tables_call(&x, 0, REGION_ISEND, 10 * US, 12 * US, 0);
	irecv = tables_call(&x, 0, REGION_IRECV, 13 * US, 14 * US, 1);
	all = tables_call(&x, 0, REGION_WAITALL, 20 * US, 950 * US, 2);
	posted = tables_call(&x, 1, REGION_IRECV, 1 * US, 2 * US, 3);
	sent = tables_call(&x, 1, REGION_SEND, 900 * US, 902 * US, 4);
	taken = tables_call(&x, 1, REGION_WAIT, 903 * US, 905 * US, 5);
	tables_message(&x, 1000, isend, all, posted, taken);
	tables_message(&x, 1000, sent, sent, irecv, all);
	tables_finish(&x);
	x.messages.m[0].done_ns = 910 * US; /* as --split-waitall sees it */
	x.messages.m[1].send_done_ns = 940 * US;
	a = sums_attribute(&x, &m);
	CU_ASSERT(sums_add_up(&x, &a));
	CU_ASSERT_EQUAL(a.rank_budget[0].parts[COST_late_partner].ns, 880 * US);
	CU_ASSERT_EQUAL(a.rank_budget[0].parts[COST_late_partner].low_ns, 880 * US);
	CU_ASSERT(a.rank_budget[0].parts[COST_back_pressure].high_ns <= 50 * US);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

/*
 * What rank 0's MPI_Sendrecv sends is on its way at once, and what it takes was sent 20 us before
 * and needs 12: the call waited for that, which was held up, and not for its own.
 */
static void test_ledger_of_an_exchange_that_sends_at_once(void)
{
	struct machine m = tables_machine(10e-6, 1e-6, 1e-9, 4096);
	uint32_t exchange, sent, posted, taken;
	struct attribution a;
	struct tables x;

	tables_init(&x, 2, 1);
	exchange = tables_call(&x, 0, REGION_SENDRECV, 500 * US, 800 * US, 0);
	posted = tables_call(&x, 1, REGION_IRECV, 1 * US, 2 * US, 1);
	sent = tables_call(&x, 1, REGION_SEND, 480 * US, 481 * US, 2);
	taken = tables_call(&x, 1, REGION_WAIT, 900 * US, 901 * US, 3);
	tables_message(&x, 1000, exchange, exchange, posted, taken);
	tables_message(&x, 1000, sent, sent, exchange, exchange);
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	CU_ASSERT(sums_add_up(&x, &a));
	CU_ASSERT_EQUAL(a.rank_budget[0].parts[COST_wire].ns, 0);
	CU_ASSERT_EQUAL(a.rank_budget[0].parts[COST_network_contention].ns, 299 * US);
	CU_ASSERT_EQUAL(a.rank_budget[0].parts[COST_receive_overhead].ns, 1 * US);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

/*
 * What rank 0 sends rank 1 takes at once; it goes on after 5 ms: as buffers were full, or if it was
 * to receive as well, and who sent that is not in the trace, perhaps for that.
 */
static void test_ledger_of_an_exchange_with_somebody_unknown(void)
{
	for (uint32_t torn = 0; torn < 2; torn++) {
		struct machine m = tables_machine(10e-6, 1e-6, 1e-9, 4096);
		uint32_t exchange, taken, call = 0;
		struct attribution a;
		struct tables x;
		const struct part *parts;

		tables_init(&x, 2, 1);
		exchange = tables_call(&x, 0, REGION_SENDRECV, 500 * US, 5500 * US, 0);
		tables_call(&x, 0, REGION_MPI_LOCAL, 5600 * US, 5601 * US, 0);
		taken = tables_call(&x, 1, REGION_RECV, 490 * US, 512 * US, 1);
		tables_call(&x, 1, REGION_PROBE, 512 * US, 5600 * US, 1);
		tables_message(&x, 1000, exchange, exchange, taken, taken);
		tables_finish(&x);
		x.messages.torn = &call;
		x.messages.n_torn = torn;
		a = sums_attribute(&x, &m);
		parts = a.rank_budget[0].parts;
		CU_ASSERT(sums_add_up(&x, &a));
		CU_ASSERT_EQUAL(parts[COST_back_pressure].ns > 4900 * US, !torn);
		CU_ASSERT_EQUAL(parts[COST_not_identifiable].ns > 4900 * US, torn);
		attribution_release(&a);
		x.messages.torn = NULL;
		tables_release(&x);
		machine_release(&m);
	}
}

/*
 * MPI_Waitall takes a message that was there after 12 us, and returns 5 ms later: for that one, or
 * for another which is not in the trace.
 */
static void test_ledger_of_a_waitall_with_somebody_unknown(void)
{
	for (uint32_t torn = 0; torn < 2; torn++) {
		struct machine m = tables_machine(10e-6, 1e-6, 1e-9, 4096);
		uint32_t sent, posted, all, call = 1;
		const struct part *parts;
		struct attribution a;
		struct tables x;

		tables_init(&x, 2, 1);
		posted = tables_call(&x, 0, REGION_IRECV, 400 * US, 401 * US, 0);
		all = tables_call(&x, 0, REGION_WAITALL, 500 * US, 5700 * US, 0);
		sent = tables_call(&x, 1, REGION_SEND, 700 * US, 701 * US, 1);
		tables_message(&x, 1000, sent, sent, posted, all);
		tables_finish(&x);
		x.messages.torn = &call;
		x.messages.n_torn = torn;
		a = sums_attribute(&x, &m);
		parts = a.rank_budget[0].parts;
		CU_ASSERT(sums_add_up(&x, &a));
		CU_ASSERT_EQUAL(parts[COST_late_partner].ns, 200 * US);
		CU_ASSERT_EQUAL(parts[COST_network_contention].ns > 4900 * US, !torn);
		CU_ASSERT_EQUAL(parts[COST_not_identifiable].ns > 4900 * US, torn);
		CU_ASSERT_EQUAL(parts[COST_late_partner].high_ns > 4900 * US, torn);
		attribution_release(&a);
		x.messages.torn = NULL;
		tables_release(&x);
		machine_release(&m);
	}
}

/* Who is launched later than others has not computed until then. */
static void test_ledger_of_ranks_that_are_launched_later(void)
{
	struct machine m = tables_machine(10e-6, 1e-6, 1e-9, 4096);
	struct attribution a;
	struct tables x;

	tables_init(&x, 2, 1);
	for (uint32_t r = 0; r < 2; r++) {
		tables_call(&x, r, REGION_INIT, r * 4 * 1000 * US, 10 * 1000 * US, 0);
		tables_call(&x, r, REGION_FINALIZE, 12 * 1000 * US, 13 * 1000 * US, 0);
	}
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	CU_ASSERT(sums_add_up(&x, &a));
	for (uint32_t r = 0; r < 2; r++) {
		CU_ASSERT_EQUAL(a.rank_budget[r].parts[COST_start_end].ns, 11 * 1000 * US);
		CU_ASSERT_EQUAL(a.rank_budget[r].parts[COST_compute].ns, 2 * 1000 * US);
	}
	attribution_release(&a);
	machine_release(&m);
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_ledger_of_collectives_and_ends),
		SUITE_CASE(test_ledger_of_ranks_that_are_launched_later),
		SUITE_CASE(test_ledger_of_a_collective_that_lacks_a_rank),
		SUITE_CASE(test_ledger_of_a_collective_of_unknown_members),
		SUITE_CASE(test_ledger_of_a_send_seen_after_a_late_receive),
		SUITE_CASE(test_ledger_of_an_exchange_that_sends_at_once),
		SUITE_CASE(test_ledger_of_an_exchange_with_somebody_unknown),
		SUITE_CASE(test_ledger_of_a_waitall_with_somebody_unknown),
		CU_TEST_INFO_NULL,
	};

	return suite_run("ledger", cases);
}
