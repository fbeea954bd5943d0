/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the trace says of arrivals and of the handling of messages: how it shows in the parts. */
#include "tests/fixtures/suite.h"
#include "tests/fixtures/sums.h"

#define US 1000

static struct attribution attribute(struct tables *x, const struct machine *m)
{
	tables_finish(x);
	return sums_attribute(x, m);
}

static int64_t in_network(const struct attribution *a)
{
	return blamed(a, COST_network_contention) + blamed(a, COST_sender_port) +
	       blamed(a, COST_receiver_port);
}

/* 10 us + g from the send to the handling, which takes 5 us: longer than the port. */
static struct machine slow_handlers(double g_s)
{
	struct machine m = tables_machine(15e-6, 5e-6, 0, 1 << 20);

	for (int k = 0; k < LOCALITY_COUNT; k++)
		for (size_t p = 0; p < m.classes[k].n; p++)
			m.classes[k].points[p].g_s = g_s;
	return m;
}

/*
 * A message waited for comes at 500 us only; the next one, sent a little later, is asked for at
 * 600 us, after other work, and is there. What is proven for the second one?
 */
static int64_t behind_a_late_one(uint64_t first_bytes, uint64_t bytes, uint64_t eager_bytes)
{
	struct machine m = tables_machine(5e-6, 0, 1e-9, eager_bytes);
	uint32_t send[2], recv[2];
	struct attribution a;
	struct tables x;
	int64_t network;

	tables_init(&x, 2, 1);
	recv[0] = tables_call(&x, 1, REGION_RECV, 0, 500 * US, 1);
	recv[1] = tables_call(&x, 1, REGION_RECV, 600 * US, 601 * US, 1);
	send[0] = tables_call(&x, 0, REGION_SEND, 0, 0, 0);
	send[1] = tables_call(&x, 0, REGION_SEND, 20 * US, 20 * US, 0);
	tables_message(&x, first_bytes, send[0], send[0], recv[0], recv[0]);
	tables_message(&x, bytes, send[1], send[1], recv[1], recv[1]);
	a = attribute(&x, &m);
	network = in_network(&a) - (500 * US - 5 * US - (int64_t)first_bytes);
	CU_ASSERT(network <= a.blame.parts[COST_network_contention].high_ns);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
	return network;
}

static void test_arrivals_keep_the_order_of_their_connection(void)
{
	CU_ASSERT_DOUBLE_EQUAL(behind_a_late_one(1000, 1000, 1 << 20), 474 * US, US);
	/* a smaller one may overtake */
	CU_ASSERT_DOUBLE_EQUAL(behind_a_late_one(1000, 100, 1 << 20), 0, 2 * US);
}

/*
 * Asked for so long after it was sent, it is there after 50 us more. A file tells that the call
 * takes no time itself: it came just then. Without one it is unlikely that it did.
 */
static int64_t asked_for_late(int64_t asked_ns, enum machine_source source)
{
	struct machine m = tables_machine(5e-6, 0, 1e-9, 1 << 20);
	uint32_t send, recv;
	struct attribution a;
	struct tables x;
	int64_t network;

	m.source = source;
	tables_init(&x, 2, 1);
	send = tables_call(&x, 0, REGION_SEND, 0, US, 0);
	recv = tables_call(&x, 1, REGION_RECV, asked_ns, asked_ns + 50 * US, 1);
	tables_message(&x, 1000, send, send, recv, recv);
	a = attribute(&x, &m);
	network = in_network(&a);
	CU_ASSERT(a.blame.parts[COST_network_contention].high_ns >= asked_ns - 10 * US);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
	return network;
}

static void test_arrivals_are_no_coincidence(void)
{
	CU_ASSERT_DOUBLE_EQUAL(asked_for_late(5000 * US, MACHINE_FILE), 5000 * US, 60 * US);
	CU_ASSERT_DOUBLE_EQUAL(asked_for_late(5000 * US, MACHINE_SELF_CALIBRATED), 0, 60 * US);
	CU_ASSERT_DOUBLE_EQUAL(asked_for_late(300 * US, MACHINE_SELF_CALIBRATED), 300 * US,
			       60 * US);
}

/*
 * It arrives at 26 us, while another, which came late, is handled from 25 to 30 us; then it is its
 * turn.
 */
static void test_arrivals_wait_while_another_is_handled(void)
{
	struct machine m = slow_handlers(1e-6);
	uint32_t send[2], recv[2];
	struct attribution a;
	struct tables x;

	tables_init(&x, 3, 1);
	recv[0] = tables_call(&x, 1, REGION_RECV, 0, 30 * US, 1);
	recv[1] = tables_call(&x, 1, REGION_RECV, 30 * US, 35 * US, 1);
	send[0] = tables_call(&x, 0, REGION_SEND, 0, 5 * US, 0);
	send[1] = tables_call(&x, 2, REGION_SEND, 15 * US, 20 * US, 0);
	tables_message(&x, 1000, send[0], send[0], recv[0], recv[0]);
	tables_message(&x, 1000, send[1], send[1], recv[1], recv[1]);
	a = attribute(&x, &m);
	CU_ASSERT_DOUBLE_EQUAL(blamed(&a, COST_handler_contention), 4 * US, US);
	CU_ASSERT_DOUBLE_EQUAL(in_network(&a), 14 * US, US);
	CU_ASSERT_EQUAL(blamed(&a, COST_uncollected), 0);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

/* Three come at the same time to one call, which handles them one after the other, 5 us each. */
static void test_arrivals_of_one_call_are_handled_in_turn(void)
{
	struct machine m = slow_handlers(0);
	uint32_t send[3], post[3], all;
	struct attribution a;
	struct tables x;

	tables_init(&x, 4, 1);
	for (uint32_t k = 0; k < 3; k++) {
		post[k] = tables_call(&x, 0, REGION_IRECV, k, k, 1);
		send[k] = tables_call(&x, k + 1, REGION_SEND, 0, 5 * US, 0);
	}
	all = tables_call(&x, 0, REGION_WAITALL, 10, 25 * US, 2);
	for (uint32_t k = 0; k < 3; k++)
		tables_message(&x, 1000, send[k], send[k], post[k], all);
	a = attribute(&x, &m);
	CU_ASSERT_DOUBLE_EQUAL(blamed(&a, COST_receive_overhead), 15 * US, US);
	CU_ASSERT_DOUBLE_EQUAL(blamed(&a, COST_handler_contention), 15 * US, US);
	CU_ASSERT_DOUBLE_EQUAL(blamed(&a, COST_uncollected), 15 * US, US);
	CU_ASSERT_DOUBLE_EQUAL(in_network(&a), 0, US);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

/*
 * Two were there long before one call takes them, 5 us each and 20 us to find them: that it waited
 * for the one sent last, and that the network kept that so long, is nothing to be sure of.
 */
static void test_arrivals_of_one_call_may_all_be_there(void)
{
	struct machine m = slow_handlers(0);
	uint32_t send[2], post[2], all;
	struct attribution a;
	struct tables x;

	tables_init(&x, 3, 1);
	for (uint32_t k = 0; k < 2; k++) {
		post[k] = tables_call(&x, 0, REGION_IRECV, k, k, 1);
		send[k] = tables_call(&x, k + 1, REGION_SEND, 0, 5 * US, 0);
	}
	all = tables_call(&x, 0, REGION_WAITSOME, 1000 * US, 1030 * US, 2);
	for (uint32_t k = 0; k < 2; k++)
		tables_message(&x, 1000, send[k], send[k], post[k], all);
	a = attribute(&x, &m);
	CU_ASSERT_EQUAL(a.blame.parts[COST_network_contention].low_ns, 0);
	CU_ASSERT(a.blame.parts[COST_inattention].high_ns > 1980 * US);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

/* Synchronous exchange in one Waitall: what was sent came four times as late, so did the rest. */
static void test_arrivals_are_late_as_the_last_one_sent(void)
{
	struct machine m = tables_machine(10e-6, 0, 0, 0);
	uint32_t send[3], post[2], all, other[2];
	struct attribution a;
	struct tables x;

	m.classes[LOCALITY_NETWORK].has_handshake = 1;
	tables_init(&x, 3, 1);
	for (uint32_t k = 0; k < 2; k++) {
		post[k] = tables_call(&x, 0, REGION_IRECV, k, k, 1);
		send[k] = tables_call(&x, k + 1, REGION_ISEND, 0, 0, 0);
		tables_call(&x, k + 1, REGION_COLLECTIVE, 10, 390 * US, 4); /* attentive */
		other[k] = tables_call(&x, k + 1, REGION_WAIT, 400 * US, 400 * US, 0);
	}
	send[2] = tables_call(&x, 0, REGION_ISEND, 5, 5, 1);
	all = tables_call(&x, 0, REGION_WAITALL, 10, 40 * US, 2);
	for (uint32_t k = 0; k < 2; k++)
		tables_message(&x, 1000, send[k], other[k], post[k], all);
	post[0] = tables_call(&x, 2, REGION_IRECV, 0, 0, 1);
	tables_message(&x, 1000, send[2], all, post[0],
		       tables_call(&x, 2, REGION_WAIT, 401 * US, 401 * US, 1));
	a = attribute(&x, &m);
	/* two that the Waitall took, 30 us too late each, and the one it waited for as a sender */
	CU_ASSERT(in_network(&a) >= 85 * US);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

/*
 * Two messages from different ranks come at the same time, 10 us after their sends, and one Waitall
 * handles them, 5 us each: that the second is handled late is no sign that both came late.
 */
static void test_arrivals_that_meet_are_not_late(void)
{
	struct machine m = slow_handlers(0);
	uint32_t send[2], all;
	struct attribution a;
	struct tables x;

	tables_init(&x, 3, 1);
	all = tables_call(&x, 2, REGION_WAITALL, 0, 30 * US, 1);
	for (uint32_t r = 0; r < 2; r++) {
		send[r] = tables_call(&x, r, REGION_ISEND, 10 * US, 15 * US, 0);
		tables_message(&x, 1000, send[r], send[r], all, all);
	}
	a = attribute(&x, &m);
	CU_ASSERT_EQUAL(in_network(&a), 0);
	CU_ASSERT_EQUAL(blamed(&a, COST_handler_contention), 5 * US);
	CU_ASSERT_EQUAL(blamed(&a, COST_uncollected), 5 * US);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_arrivals_keep_the_order_of_their_connection),
	SUITE_CASE(test_arrivals_are_no_coincidence),
	SUITE_CASE(test_arrivals_wait_while_another_is_handled),
	SUITE_CASE(test_arrivals_of_one_call_are_handled_in_turn),
	SUITE_CASE(test_arrivals_of_one_call_may_all_be_there),
	SUITE_CASE(test_arrivals_that_meet_are_not_late),
	SUITE_CASE(test_arrivals_are_late_as_the_last_one_sent),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("arrivals", tests);
}
