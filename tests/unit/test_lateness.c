/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/lateness.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/tables.h"

#define US 1000

static const struct clock_quality one_clock;

static struct lateness find(struct tables *x)
{
	struct machine m = tables_machine(5e-6, 1e-6, 1e-9, 1 << 20);
	struct attribution a;
	struct lateness l;
	struct err err = {""};

	tables_finish(x);
	CU_ASSERT_FATAL(attribution_run(&x->trace, &x->messages, &x->collectives, &m, &one_clock,
					&a, &err) == 0);
	CU_ASSERT_FATAL(lateness_find(&l, &x->trace, &x->messages, &a, &err) == 0);
	attribution_release(&a);
	machine_release(&m);
	return l;
}

/* Rank 2 computes for 900 us, then sends to 1, which waits and then sends to 0, which waits. */
static void test_lateness_goes_back_to_who_computed(void)
{
	struct lateness l;
	struct tables x;
	uint32_t send[2], recv[2];

	tables_init(&x, 3, 1);
	send[0] = tables_call(&x, 2, REGION_SEND, 900 * US, 901 * US, 0);
	recv[0] = tables_call(&x, 1, REGION_RECV, 0, 907 * US, 1);
	send[1] = tables_call(&x, 1, REGION_SEND, 908 * US, 909 * US, 2);
	recv[1] = tables_call(&x, 0, REGION_RECV, 100 * US, 915 * US, 3);
	for (int k = 0; k < 2; k++)
		tables_message(&x, 1000, send[k], send[k], recv[k], recv[k]);
	l = find(&x);
	CU_ASSERT_EQUAL_FATAL(l.n, 2);
	for (int k = 0; k < 2; k++) {
		const struct late_partner *p = &l.rows[k];

		CU_ASSERT_EQUAL(p->rank, k == 0 ? 2 : 1);
		CU_ASSERT_EQUAL(p->hops, k);
		CU_ASSERT_EQUAL(p->cause, 2);
		CU_ASSERT_EQUAL(p->reason, LATENESS_COMPUTATION);
		CU_ASSERT_EQUAL(p->waits, 1);
		CU_ASSERT_EQUAL_FATAL(p->at == TRACE_NONE, 0);
		CU_ASSERT_EQUAL(x.trace.calls[p->at].rank, 2); /* its send came next */
	}
	CU_ASSERT_EQUAL(l.rows[0].ns, 900 * US);
	CU_ASSERT_EQUAL(l.rows[1].ns, 808 * US);
	CU_ASSERT_EQUAL(l.ns, 1708 * US);
	lateness_release(&l);
	tables_release(&x);
}

/*
 * Each of 60 ranks waits for the one before, and so all for the first, which computes, twice: as
 * many waits as there are ranks end there.
 */
static void test_lateness_of_a_long_chain(void)
{
	enum { CHAIN = 60 };
	struct lateness l;
	struct tables x;
	uint64_t waits = 0;

	tables_init(&x, CHAIN, 1);
	for (int round = 0; round < 2; round++) {
		int64_t begin = round * 4000 * US, now = begin + 2000 * US;
		uint32_t send = 0, recv;

		for (uint32_t r = 0; r < CHAIN; r++, now += 10 * US) {
			if (r > 0) {
				recv = tables_call(&x, r, REGION_RECV, begin, now, 1);
				tables_message(&x, 1000, send, send, recv, recv);
			}
			send = r + 1 < CHAIN ? tables_call(&x, r, REGION_SEND, now + US,
							   now + 2 * US, r ? 2 : 0)
					     : 0;
		}
		for (uint32_t r = 0; r < CHAIN; r++)
			tables_call(&x, r, REGION_MPI_LOCAL, now, begin + 4000 * US, 3);
	}
	l = find(&x);
	for (size_t k = 0; k < l.n; k++) {
		waits += l.rows[k].waits;
		CU_ASSERT_EQUAL(l.rows[k].cause, 0);
		CU_ASSERT_EQUAL(l.rows[k].hops, l.rows[k].rank);
		CU_ASSERT_EQUAL(l.rows[k].reason, LATENESS_COMPUTATION);
		CU_ASSERT_EQUAL_FATAL(l.rows[k].at == TRACE_NONE, 0);
		CU_ASSERT_EQUAL(x.trace.calls[l.rows[k].at].rank, 0);
	}
	CU_ASSERT_EQUAL(l.n, CHAIN - 1);
	CU_ASSERT_EQUAL(waits, 2 * (CHAIN - 1));
	lateness_release(&l);
	tables_release(&x);
}

/*
 * Two threads of each of two ranks: one waits for the other rank, the other one sends meanwhile. By
 * their calls each rank waits for the other, and neither wait explains the other's.
 */
static void check_two(int without_core, enum lateness_reason reason)
{
	uint32_t recv[2], send[2];
	struct lateness l;
	struct tables x;

	tables_init(&x, 2, 1);
	for (uint32_t r = 0; r < 2; r++) {
		recv[r] = tables_call(&x, r, REGION_RECV, 0, (100 + 10 * r) * US, r);
		send[r] = tables_call(&x, r, REGION_SEND, (95 - 5 * r) * US, (96 - 5 * r) * US, 2);
	}
	for (uint32_t r = 0; r < 2; r++) {
		tables_message(&x, 1000, send[r], send[r], recv[1 - r], recv[1 - r]);
		x.trace.ranks[r].taken_off = without_core;
	}
	l = find(&x);
	CU_ASSERT_EQUAL(l.n, 2);
	for (size_t k = 0; k < l.n; k++)
		CU_ASSERT_EQUAL(l.rows[k].reason, reason);
	lateness_release(&l);
	tables_release(&x);
}

static void test_lateness_of_two_that_wait_for_each_other(void)
{
	check_two(0, LATENESS_UNKNOWN);
	check_two(1, LATENESS_CORE);
}

/* Rank 1 is late as its own message took 500 us on the way: not its computation, the network. */
static void test_lateness_ends_at_the_network(void)
{
	struct lateness l;
	struct tables x;
	uint32_t send[2], recv[2];

	tables_init(&x, 3, 1);
	send[0] = tables_call(&x, 2, REGION_SEND, 0, US, 0);
	recv[0] = tables_call(&x, 1, REGION_RECV, 0, 500 * US, 1);
	send[1] = tables_call(&x, 1, REGION_SEND, 501 * US, 502 * US, 2);
	recv[1] = tables_call(&x, 0, REGION_RECV, 0, 508 * US, 3);
	for (int k = 0; k < 2; k++)
		tables_message(&x, 1000, send[k], send[k], recv[k], recv[k]);
	l = find(&x);
	CU_ASSERT_EQUAL_FATAL(l.n, 1);
	CU_ASSERT_EQUAL(l.rows[0].rank, 1);
	CU_ASSERT_EQUAL(l.rows[0].hops, 0);
	CU_ASSERT_EQUAL(l.rows[0].reason, LATENESS_NETWORK);
	lateness_release(&l);
	tables_release(&x);
}

/*
 * Rank 1 computes and sends two messages, the second of which waits for rank 0: which has not come
 * as the first was long on its way. For rank 1 nobody waits any more then.
 */
static void test_lateness_is_no_longer_the_waiting_ranks(void)
{
	struct lateness l;
	struct tables x;
	uint32_t send[2], recv[2];

	tables_init(&x, 2, 1);
	send[0] = tables_call(&x, 1, REGION_SEND, 100000 * US, 100001 * US, 0);
	send[1] = tables_call(&x, 1, REGION_SEND, 100010 * US, 170000 * US, 1);
	recv[0] = tables_call(&x, 0, REGION_RECV, 0, 150000 * US, 2);
	recv[1] = tables_call(&x, 0, REGION_RECV, 160000 * US, 170000 * US, 3);
	for (int k = 0; k < 2; k++)
		tables_message(&x, k ? 4 << 20 : 1000, send[k], send[k], recv[k], recv[k]);
	l = find(&x);
	CU_ASSERT_EQUAL_FATAL(l.n, 2);
	CU_ASSERT_EQUAL(l.rows[0].rank, 1);
	CU_ASSERT_EQUAL(l.rows[0].reason, LATENESS_COMPUTATION);
	CU_ASSERT_EQUAL(l.rows[1].rank, 0);
	CU_ASSERT_EQUAL(l.rows[1].cause, 0);
	CU_ASSERT_EQUAL(l.rows[1].hops, 0);
	CU_ASSERT_EQUAL(l.rows[1].reason, LATENESS_NETWORK);
	lateness_release(&l);
	tables_release(&x);
}

/*
 * Rank 1 is late as it was in 10,000 calls of MPI: what of them is not looked at was no
 * computation.
 */
static void test_lateness_of_many_calls(void)
{
	const int64_t calls = 10000;
	struct lateness l;
	struct tables x;
	uint32_t send, recv;

	tables_init(&x, 2, 1);
	for (int64_t k = 0; k < calls; k++)
		tables_call(&x, 1, REGION_MPI_LOCAL, 10 * k * US, 10 * (k + 1) * US, 0);
	send = tables_call(&x, 1, REGION_SEND, 10 * calls * US, (10 * calls + 1) * US, 1);
	recv = tables_call(&x, 0, REGION_RECV, 0, (10 * calls + 8) * US, 2);
	tables_message(&x, 1000, send, send, recv, recv);
	l = find(&x);
	CU_ASSERT_EQUAL_FATAL(l.n, 1);
	CU_ASSERT_EQUAL(l.rows[0].rank, 1);
	CU_ASSERT_EQUAL(l.rows[0].reason, LATENESS_MESSAGES);
	lateness_release(&l);
	tables_release(&x);
}

/* Nobody is late where everybody waits in a collective. */
static void test_lateness_of_nobody(void)
{
	struct lateness l;
	struct tables x;

	tables_init(&x, 2, 1);
	tables_call(&x, 0, REGION_COLLECTIVE, 0, 10 * US, 0);
	tables_call(&x, 1, REGION_COLLECTIVE, 0, 10 * US, 0);
	l = find(&x);
	CU_ASSERT_EQUAL(l.n, 0);
	lateness_release(&l);
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_lateness_goes_back_to_who_computed),
		SUITE_CASE(test_lateness_of_a_long_chain),
		SUITE_CASE(test_lateness_of_two_that_wait_for_each_other),
		SUITE_CASE(test_lateness_ends_at_the_network),
		SUITE_CASE(test_lateness_is_no_longer_the_waiting_ranks),
		SUITE_CASE(test_lateness_of_many_calls),
		SUITE_CASE(test_lateness_of_nobody),
		CU_TEST_INFO_NULL,
	};

	return suite_run("lateness", tests);
}
