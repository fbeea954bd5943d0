/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Patterns of messages whose parts are known: how the walk splits them. */
#include "tests/fixtures/suite.h"
#include "tests/fixtures/sums.h"

#define US 1000

/* Four ranks exchange 10 kB, each with each; ports of 10 us a message serve all three at once. */
static void test_walk_exchange_through_ports_is_known(void)
{
	struct machine m = tables_machine(5e-6, 0, 1e-9, 1 << 20);
	uint32_t send[4][4], post[4][4], all[4];
	struct attribution a;
	struct tables x;

	tables_init(&x, 4, 1);
	for (uint32_t r = 0; r < 4; r++) {
		for (uint32_t p = 0; p < 4; p++) {
			if (p == r)
				continue;
			post[r][p] = tables_call(&x, r, REGION_IRECV, p, p, 1);
			send[r][p] = tables_call(&x, r, REGION_ISEND, 10 + p, 10 + p, 0);
		}
		all[r] = tables_call(&x, r, REGION_WAITALL, 20, 35 * US + 20, 2);
	}
	for (uint32_t r = 0; r < 4; r++)
		for (uint32_t p = 0; p < 4; p++)
			if (p != r)
				tables_message(&x, 10000, send[r][p], all[r], post[p][r], all[p]);
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	CU_ASSERT_DOUBLE_EQUAL(blamed(&a, COST_wire), 12 * 15 * US, US);
	CU_ASSERT_DOUBLE_EQUAL(blamed(&a, COST_sender_port) + blamed(&a, COST_receiver_port) +
				       blamed(&a, COST_network_contention),
			       12 * 20 * US, US);
	CU_ASSERT_EQUAL(blamed(&a, COST_not_identifiable), 0);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

/* Two messages of 10 us through their sender's port: the second comes when it has passed it. */
static void test_walk_arrives_after_the_senders_port(void)
{
	struct machine m = tables_machine(5e-6, 0, 1e-9, 1 << 20);
	struct attribution a;
	struct tables x;

	tables_init(&x, 3, 1);
	for (uint32_t r = 1; r < 3; r++) {
		int64_t there_ns = r * 10 * US + 5 * US;
		uint32_t send = tables_call(&x, 0, REGION_SEND, r, r, 0);
		uint32_t recv = tables_call(&x, r, REGION_RECV, 0, there_ns, 1);

		tables_message(&x, 10000, send, send, recv, recv);
	}
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	CU_ASSERT_DOUBLE_EQUAL(blamed(&a, COST_sender_port), 10 * US, 10);
	for (uint32_t i = 0; i < 2; i++)
		CU_ASSERT_DOUBLE_EQUAL(a.arrival_ns[i], x.messages.m[i].done_ns, 10);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

/*
 * The sender of a rendezvous finds its send done when at last it asks: that tells nothing of how
 * long it was held. Receive posted, all the while in a Waitall: arrived, not collected.
 */
static void test_walk_a_late_look_is_no_hold(void)
{
	struct machine m = tables_machine(5e-6, 0, 1e-9, 512);
	uint32_t send, wait, post[2], all, last;
	struct attribution a;
	struct tables x;

	tables_init(&x, 3, 1);
	post[0] = tables_call(&x, 1, REGION_IRECV, 0, 0, 1);
	post[1] = tables_call(&x, 1, REGION_IRECV, 0, 0, 1);
	all = tables_call(&x, 1, REGION_WAITALL, 10, 505 * US + 100, 2);
	send = tables_call(&x, 0, REGION_ISEND, 20, 20, 0);
	tables_call(&x, 0, REGION_COLLECTIVE, 30, 300 * US, 4);
	wait = tables_call(&x, 0, REGION_WAIT, 300 * US, 300 * US, 3);
	last = tables_call(&x, 2, REGION_SEND, 500 * US, 500 * US, 0);
	tables_message(&x, 1000, send, wait, post[0], all);
	tables_message(&x, 100, last, last, post[1], all);
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	CU_ASSERT_EQUAL(blamed(&a, COST_network_contention), 0);
	CU_ASSERT_DOUBLE_EQUAL(blamed(&a, COST_uncollected), 489 * US, US);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

/*
 * A flood of tests until the message is there, half of it the program's own time between them:
 * the other half waited for the sender, then for the wire; it was no overhead of sending.
 */
static void test_walk_failing_tests_wait_for_their_message(void)
{
	struct machine m = tables_machine(5e-6, 0, 1e-9, 1 << 20);
	struct flood flood = {.polls = 100, .inside_ns = 205 * US};
	uint32_t send, post, polls, last;
	struct attribution a;
	struct tables x;

	tables_init(&x, 2, 1);
	post = tables_call(&x, 1, REGION_IRECV, 0, 0, 1);
	polls = tables_call(&x, 1, REGION_TEST, US, 411 * US, 2);
	x.trace.calls[polls].part = 0;
	x.trace.calls[polls].is_flood = 1;
	last = tables_call(&x, 1, REGION_TEST, 412 * US, 412 * US, 2);
	send = tables_call(&x, 0, REGION_SEND, 401 * US, 401 * US, 0);
	tables_message(&x, 5000, send, send, post, last);
	x.messages.m[0].not_here_ns = 410 * US;
	x.trace.floods = &flood;
	x.trace.n_floods = 1;
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	for (uint32_t c = 0; c < x.trace.n_calls; c++) {
		if (!x.trace.calls[c].is_flood)
			continue;
		CU_ASSERT_EQUAL(slices_part(&a.call, c, COST_late_partner), 200 * US);
		CU_ASSERT_EQUAL(slices_part(&a.call, c, COST_wire), 5 * US);
		CU_ASSERT_EQUAL(slices_part(&a.call, c, COST_compute), 205 * US);
		CU_ASSERT_EQUAL(slices_part(&a.call, c, COST_send_overhead), 0);
	}
	CU_ASSERT_EQUAL(a.budget.parts[COST_late_partner].ns, 200 * US);
	attribution_release(&a);
	x.trace.floods = NULL;
	tables_release(&x);
	machine_release(&m);
}

/* An Isend of 12 ms of 1 us: at work all the time, or, where others want the core, perhaps away. */
static void test_walk_long_call_is_overhead_unless_taken_off(void)
{
	for (int off = 0; off < 2; off++) {
		struct machine m = tables_machine(10e-6, 1e-6, 1e-9, 4096);
		struct attribution a;
		struct tables x;
		uint32_t s, r;

		tables_init(&x, 2, 1);
		s = tables_call(&x, 0, REGION_ISEND, 0, 12000 * US, 0);
		r = tables_call(&x, 1, REGION_RECV, 0, 12013 * US, 1);
		tables_message(&x, 1000, s, s, r, r);
		tables_finish(&x);
		x.trace.ranks[0].taken_off = off;
		a = sums_attribute(&x, &m);
		for (int view = 0; view < 2; view++) {
			const struct part *parts = view ? a.blame.parts : a.budget.parts;
			int64_t least_ns = off ? 0 : 12000 * US;

			CU_ASSERT(parts[COST_send_overhead].ns >= 12000 * US);
			CU_ASSERT(parts[COST_send_overhead].low_ns >= least_ns);
			CU_ASSERT(!off || parts[COST_send_overhead].low_ns <= 10 * US);
			CU_ASSERT((parts[COST_not_identifiable].high_ns > 11000 * US) == off);
		}
		attribution_release(&a);
		tables_release(&x);
		machine_release(&m);
	}
}

/* Polls that find a send not done wait for something: they are no overhead of it. */
static void test_walk_polls_for_a_send_are_no_overhead(void)
{
	struct machine m = tables_machine(10e-6, 1e-6, 1e-9, 4096);
	struct attribution a;
	struct tables x;
	uint32_t s, r, done;

	tables_init(&x, 2, 1);
	s = tables_call(&x, 0, REGION_ISEND, 0, 2 * US, 0);
	tables_call(&x, 0, REGION_TEST, 20 * US, 9000 * US, 2);
	done = tables_call(&x, 0, REGION_TEST, 9001 * US, 9002 * US, 2);
	r = tables_call(&x, 1, REGION_RECV, 0, 15 * US, 1);
	tables_message(&x, 1000, s, done, r, r);
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	CU_ASSERT(a.budget.parts[COST_send_overhead].ns < 20 * US);
	CU_ASSERT(a.budget.parts[COST_not_identifiable].ns > 8900 * US);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

/*
 * Two at once, 20 us alone, of which the receiver needs 5: the second waits as long for it, if the
 * rest is no port's, and by as much more for the port if it is. Which, was not to be told.
 */
static void test_walk_joint_latency_leaves_the_handler_its_queue(void)
{
	struct machine m = tables_machine(10e-6, 5e-6, 1e-9, 1 << 20);
	struct attribution a;
	struct tables x;
	int64_t at = 0;

	m.classes[LOCALITY_NETWORK].joint = MACHINE_JOINT_L_G;
	tables_init(&x, 3, 1);
	for (uint32_t from = 0; from < 2; from++) {
		uint32_t s = tables_call(&x, from, REGION_SEND, 0, 5 * US, 0);
		uint32_t r = tables_call(&x, 2, REGION_RECV, at, (20 + 5 * from) * US, 1);

		tables_message(&x, 0, s, s, r, r);
		at = 20 * US;
	}
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	CU_ASSERT_EQUAL(blamed(&a, COST_receiver_port), 5 * US);
	CU_ASSERT_EQUAL(a.blame.parts[COST_receiver_port].low_ns, 0);
	CU_ASSERT_EQUAL(a.blame.parts[COST_receiver_port].high_ns, 5 * US);
	CU_ASSERT_EQUAL(a.blame.parts[COST_handler_contention].low_ns, 0);
	CU_ASSERT_EQUAL(a.blame.parts[COST_handler_contention].high_ns, 5 * US);
	CU_ASSERT(a.blame.contention.low_ns >= 4 * US);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

/* A send waits for its receive, up to 500 us: how long, if latency is part of a sum only? */
static void test_walk_request_may_come_at_once(void)
{
	for (int joint = 0; joint < 2; joint++) {
		struct machine m = tables_machine(10e-6, 1e-6, 1e-9, 0);
		struct attribution a;
		struct tables x;

		m.classes[LOCALITY_NETWORK].joint = joint ? MACHINE_JOINT_L_G : 0;
		tables_init(&x, 2, 1);
		tables_call(&x, 0, REGION_SEND, 0, 520 * US, 0);
		tables_call(&x, 1, REGION_RECV, 500 * US, 520 * US, 1);
		tables_message(&x, 4096, 0, 0, 1, 1);
		tables_finish(&x);
		a = sums_attribute(&x, &m);
		CU_ASSERT_EQUAL(a.blame.parts[COST_late_partner].high_ns >= 499 * US, joint);
		attribution_release(&a);
		tables_release(&x);
		machine_release(&m);
	}
}

/*
 * Posted 500 us late and collected by one Waitall with what the sender receives: whether it had
 * left nothing tells. Both readings are within the bounds, where the limit is not known; and its
 * sender is not said to have waited for a receiver outside MPI, which it did if it had left.
 */
static void test_walk_open_protocol_has_both_readings(void)
{
	static const enum cost held[] = {COST_inattention, COST_not_identifiable};
	static const enum cost other[] = {COST_back_pressure, COST_inattention};

	for (int open = 0; open < 2; open++) {
		struct machine m = tables_machine(10e-6, 1e-6, 1e-9, 65536);
		struct machine_class *c = &m.classes[LOCALITY_NETWORK];
		uint32_t send, post, all[2];
		const struct part *late;
		struct attribution a;
		struct tables x;

		c->open_upto = open ? UINT64_MAX : 4095;
		tables_init(&x, 2, 1);
		send = tables_call(&x, 0, REGION_ISEND, 0, US, 0);
		all[0] = tables_call(&x, 0, REGION_WAITALL, 2 * US, 520 * US, 1);
		post = tables_call(&x, 1, REGION_IRECV, 500 * US, 501 * US, 0);
		all[1] = tables_call(&x, 1, REGION_WAITALL, 502 * US, 520 * US, 1);
		tables_message(&x, 4096, send, all[0], post, all[1]);
		tables_finish(&x);
		a = sums_attribute(&x, &m);
		late = &a.blame.parts[COST_late_partner];
		CU_ASSERT_EQUAL(a.census[LOCALITY_NETWORK].messages, 1);
		CU_ASSERT_EQUAL(a.census[LOCALITY_NETWORK].rendezvous, 0);
		CU_ASSERT_EQUAL(a.census[LOCALITY_NETWORK].open_late, (uint32_t)open);
		CU_ASSERT_EQUAL(late->ns, 0);
		CU_ASSERT_EQUAL(late->low_ns, 0);
		CU_ASSERT(open ? late->high_ns > 450 * US : late->high_ns == 0);
		CU_ASSERT(a.budget.parts[held[open]].ns > 450 * US);
		CU_ASSERT(a.budget.parts[other[open]].high_ns > 450 * US);
		attribution_release(&a);
		tables_release(&x);
		machine_release(&m);
	}
}

/*
 * The same Waitall has received something long ago, so that it waited for its send or for nobody:
 * the bounds of its rank's time have both, too.
 */
static void test_walk_open_protocol_has_both_readings_in_a_ranks_time(void)
{
	struct machine m = tables_machine(10e-6, 1e-6, 1e-9, 65536);
	uint32_t send, post[2], all[2], small;
	const struct part *parts;
	struct attribution a;
	struct tables x;

	m.classes[LOCALITY_NETWORK].open_upto = UINT64_MAX;
	tables_init(&x, 3, 1);
	send = tables_call(&x, 0, REGION_ISEND, 0, US, 0);
	post[0] = tables_call(&x, 0, REGION_IRECV, US, 2 * US, 0);
	all[0] = tables_call(&x, 0, REGION_WAITALL, 3 * US, 520 * US, 1);
	post[1] = tables_call(&x, 1, REGION_IRECV, 500 * US, 501 * US, 0);
	all[1] = tables_call(&x, 1, REGION_WAITALL, 502 * US, 520 * US, 1);
	small = tables_call(&x, 2, REGION_SEND, 2 * US, 3 * US, 0);
	tables_message(&x, 4096, send, all[0], post[1], all[1]);
	tables_message(&x, 8, small, small, post[0], all[0]);
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	parts = a.rank_budget[0].parts;
	CU_ASSERT_EQUAL(parts[COST_network_contention].low_ns, 0);
	CU_ASSERT(parts[COST_network_contention].high_ns > 450 * US);
	CU_ASSERT_EQUAL(parts[COST_late_partner].low_ns, 0);
	CU_ASSERT(parts[COST_late_partner].high_ns > 450 * US);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

/* Tests of a send in vain stay the sender's: what other calls waited for is asked anew. */
static void test_walk_open_protocol_keeps_what_polls_waited_for(void)
{
	struct machine m = tables_machine(10e-6, 1e-6, 1e-9, 65536);
	uint32_t send, last, post, wait;
	struct attribution a;
	struct tables x;

	m.classes[LOCALITY_NETWORK].open_upto = UINT64_MAX;
	tables_init(&x, 2, 1);
	send = tables_call(&x, 0, REGION_ISEND, 0, US, 0);
	tables_call(&x, 0, REGION_TEST, 2 * US, 900 * US, 1);
	last = tables_call(&x, 0, REGION_TEST, 901 * US, 902 * US, 1);
	post = tables_call(&x, 1, REGION_IRECV, 500 * US, 501 * US, 0);
	wait = tables_call(&x, 1, REGION_WAIT, 502 * US, 520 * US, 1);
	tables_message(&x, 4096, send, last, post, wait);
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	CU_ASSERT_EQUAL(a.rank_budget[0].parts[COST_receive_overhead].high_ns, 0);
	CU_ASSERT(a.rank_budget[0].parts[COST_late_partner].high_ns > 380 * US);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

/*
 * A second thread of the receiver is in MPI while the first one probes and receives: its wait began
 * with the Probe, and what both threads spent at once is booked once.
 */
static void test_walk_probe_and_overlapping_calls_are_booked_once(void)
{
	struct machine m = tables_machine(10e-6, 1e-6, 1e-9, 4096);
	struct attribution a;
	struct tables x;
	uint32_t send, receive, other;

	tables_init(&x, 2, 1);
	send = tables_call(&x, 0, REGION_SEND, 300 * US, 303 * US, 0);
	tables_call(&x, 1, REGION_PROBE, 0, 320 * US, 0);
	other = tables_call(&x, 1, REGION_MPI_LOCAL, 100 * US, 400 * US, 0);
	receive = tables_call(&x, 1, REGION_RECV, 500 * US, 502 * US, 0);
	x.trace.calls[other].thread = 1;
	tables_message(&x, 1000, send, send, receive, receive);
	tables_call(&x, 1, REGION_PROBE, 600 * US, 920 * US, 0);
	receive = tables_call(&x, 1, REGION_RECV, 920 * US, 922 * US, 0);
	send = tables_call(&x, 0, REGION_SEND, 900 * US, 903 * US, 0);
	tables_message(&x, 1000, send, send, receive, receive);
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	/*
	 * 600 to 900: the Probe before the second; the first 320: of a Probe that none is known of
	 */
	CU_ASSERT_EQUAL(a.rank_budget[1].parts[COST_late_partner].ns, 300 * US);
	CU_ASSERT_EQUAL(a.rank_budget[1].parts[COST_compute].ns, (100 + 98) * US);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_walk_exchange_through_ports_is_known),
		SUITE_CASE(test_walk_arrives_after_the_senders_port),
		SUITE_CASE(test_walk_long_call_is_overhead_unless_taken_off),
		SUITE_CASE(test_walk_polls_for_a_send_are_no_overhead),
		SUITE_CASE(test_walk_a_late_look_is_no_hold),
		SUITE_CASE(test_walk_failing_tests_wait_for_their_message),
		SUITE_CASE(test_walk_joint_latency_leaves_the_handler_its_queue),
		SUITE_CASE(test_walk_request_may_come_at_once),
		SUITE_CASE(test_walk_open_protocol_has_both_readings),
		SUITE_CASE(test_walk_open_protocol_has_both_readings_in_a_ranks_time),
		SUITE_CASE(test_walk_open_protocol_keeps_what_polls_waited_for),
		SUITE_CASE(test_walk_probe_and_overlapping_calls_are_booked_once),
		CU_TEST_INFO_NULL,
	};

	return suite_run("walk", tests);
}
