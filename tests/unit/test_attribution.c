/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "analyze/hotspots/hotspots.h"
#include "tests/fixtures/exchange.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/sums.h"

#define MACHINE tables_machine(10e-6, 1e-6, 1e-9, 4096) /* g(1000) = 3 us, L + g = 13 us */

/* Two ranks on two hosts and one message; what it and the two calls cost. */
struct pair {
	struct tables x;
	struct attribution a;
	int64_t receive[COST_COUNT]; /* rank 1's last call */
	int64_t send[COST_COUNT];    /* rank 0's first call */
};

#define MS 1000000
#define US 1000

/* The message goes with a call [send, left) of rank 0 and a Recv [asked, done) of rank 1. */
static void pair_make(struct pair *p, enum region_kind kind, int64_t send, int64_t left,
		      int64_t asked, int64_t done)
{
	struct machine m = MACHINE;
	uint32_t s, r;

	tables_init(&p->x, 2, 1);
	s = tables_call(&p->x, 0, kind, send, left, 0);
	r = tables_call(&p->x, 1, REGION_RECV, asked, done, 1);
	tables_message(&p->x, 1000, s, s, r, r);
	tables_finish(&p->x);
	p->a = sums_attribute(&p->x, &m);
	CU_ASSERT(sums_add_up(&p->x, &p->a));
	memset(p->send, 0, sizeof(p->send));
	memset(p->receive, 0, sizeof(p->receive));
	slices_add(&p->a.call, 0, p->send);
	slices_add(&p->a.call, 1, p->receive);
	machine_release(&m);
}

static void pair_free(struct pair *p)
{
	attribution_release(&p->a);
	tables_release(&p->x);
}

static int64_t contention(const int64_t ns[COST_COUNT])
{
	int64_t sum = 0;

	for (int c = 0; c < COST_COUNT; c++)
		sum += cost_is_contention(c) ? ns[c] : 0;
	return sum;
}

static void test_attribution_late_sender_is_late_partner(void)
{
	struct pair p;

	pair_make(&p, REGION_SEND, MS, MS + US, 0, MS + 13 * US);
	CU_ASSERT_EQUAL(p.receive[COST_late_partner], MS);
	CU_ASSERT_EQUAL(contention(p.receive), 0);
	CU_ASSERT_EQUAL(p.receive[COST_wire], 11 * US);
	CU_ASSERT_EQUAL(p.send[COST_send_overhead], US);
	CU_ASSERT_EQUAL(p.a.budget.parts[COST_late_partner].low_ns, MS);
	pair_free(&p);
}

/*
 * A Sendrecv that never returns has sent its message: what it waits for is nobody's full buffer. A
 * send's is, for which a receiver outside MPI does nothing.
 */
static void test_attribution_hung_sendrecv_is_no_back_pressure(void)
{
	struct pair p;

	pair_make(&p, REGION_SENDRECV, 0, 100 * MS, 0, 13 * US);
	CU_ASSERT_EQUAL(p.a.budget.parts[COST_back_pressure].high_ns, 0);
	CU_ASSERT(p.send[COST_not_identifiable] > 99 * MS);
	pair_free(&p);
	pair_make(&p, REGION_SEND, 0, 100 * MS, 0, 13 * US);
	CU_ASSERT(p.send[COST_inattention] > 99 * MS);
	CU_ASSERT(p.a.budget.parts[COST_back_pressure].high_ns > 99 * MS);
	pair_free(&p);
	pair_make(&p, REGION_SEND, 0, 100 * MS, 0, 99 * MS);
	CU_ASSERT(p.send[COST_back_pressure] > 98 * MS);
	pair_free(&p);
}

static void test_attribution_late_receiver_is_late_partner(void)
{
	struct pair p;

	/* data there at 12 us, receive posted at 1 ms, acknowledged 10 us later */
	pair_make(&p, REGION_SSEND, 0, MS + 10 * US, MS, MS + US);
	CU_ASSERT_EQUAL(p.send[COST_late_partner], MS - 12 * US);
	CU_ASSERT_EQUAL(contention(p.send), 0);
	CU_ASSERT_EQUAL(slices_part(&p.a.message, 0, COST_late_partner), MS - 12 * US);
	CU_ASSERT_EQUAL(attribution_contention_ns(&p.a, 0), 0);
	CU_ASSERT(p.a.budget.parts[COST_network_contention].high_ns <= US); /* 5 % of L + g */
	pair_free(&p);
}

static void test_attribution_proves_network_contention_by_idle_receiver(void)
{
	struct pair p;

	pair_make(&p, REGION_SEND, 50 * US, 51 * US, 0, 163 * US);
	CU_ASSERT_EQUAL(p.receive[COST_network_contention], 100 * US);
	CU_ASSERT_EQUAL(slices_part(&p.a.message, 0, COST_network_contention), 100 * US);
	CU_ASSERT_EQUAL(p.receive[COST_late_partner], 50 * US);
	CU_ASSERT(p.a.blame.parts[COST_network_contention].low_ns >= 99 * US);
	CU_ASSERT_EQUAL(p.a.held_ns[0], 100 * US);
	CU_ASSERT_EQUAL(p.a.wait_caused_ns[1], 100 * US);
	pair_free(&p);
}

static void test_attribution_absent_receiver_is_inattention(void)
{
	struct pair p;

	/* eager, arrived at 12 us, taken at once at 1 ms */
	pair_make(&p, REGION_SEND, 0, US, MS, MS + US);
	CU_ASSERT_EQUAL(slices_part(&p.a.message, 0, COST_inattention), MS - 12 * US);
	CU_ASSERT_EQUAL(attribution_contention_ns(&p.a, 0), 0);
	CU_ASSERT_EQUAL(p.receive[COST_receive_overhead], US);
	pair_free(&p);
}

/*
 * Posted at 5 us, then the receiver computes up to 1 ms, and the sender waits: inattention;
 * contention if the network does without the receiver; one or the other if it is not known whether
 * it does.
 */
static void test_attribution_inattention_and_asynchronous_progress(void)
{
	static const double shares[] = {0.1, 0.95, NAN, 0.7};
	static const enum cost is[] = {COST_inattention, COST_network_contention,
				       COST_not_identifiable, COST_not_identifiable};

	for (int k = 0; k < 4; k++) {
		struct machine m = MACHINE;
		struct attribution a;
		struct part p;
		struct tables x;
		uint32_t call[4];

		m.classes[LOCALITY_NETWORK].progress =
			(struct machine_progress){shares[k], shares[k]};
		tables_init(&x, 2, 1);
		call[0] = tables_call(&x, 0, REGION_ISEND, 0, US, 0);
		call[1] = tables_call(&x, 0, REGION_WAIT, 2 * US, MS + 40 * US, 1);
		call[2] = tables_call(&x, 1, REGION_IRECV, 5 * US, 6 * US, 2);
		call[3] = tables_call(&x, 1, REGION_WAIT, MS, MS + 50 * US, 3);
		tables_message(&x, 10000, call[0], call[1], call[2], call[3]);
		tables_finish(&x);
		a = sums_attribute(&x, &m);
		CU_ASSERT(sums_add_up(&x, &a));
		CU_ASSERT(a.blame.parts[is[k]].ns > 900 * US);
		p = a.blame.parts[COST_inattention];
		CU_ASSERT_EQUAL(p.high_ns > 900 * US, k != 1);
		CU_ASSERT_EQUAL(p.low_ns > 0, k == 0);
		CU_ASSERT_EQUAL(a.budget.parts[COST_inattention].low_ns > 0, k == 0);
		CU_ASSERT_EQUAL(a.blame.parts[COST_network_contention].high_ns > 900 * US, k > 0);
		attribution_release(&a);
		tables_release(&x);
		machine_release(&m);
	}
}

static void test_attribution_held_eager_send_is_back_pressure(void)
{
	struct machine m = MACHINE;
	struct attribution a;
	struct tables x;
	uint32_t s, r;

	tables_init(&x, 2, 1);
	s = tables_call(&x, 0, REGION_SEND, 0, MS, 0);
	tables_call(&x, 1, REGION_COLLECTIVE, 0, 2 * MS, 0);
	r = tables_call(&x, 1, REGION_RECV, 2 * MS, 2 * MS + US, 1);
	tables_message(&x, 1000, s, s, r, r);
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	CU_ASSERT(sums_add_up(&x, &a));
	CU_ASSERT_EQUAL(slices_part(&a.call, 0, COST_back_pressure), MS - US - 3 * US);
	CU_ASSERT_EQUAL(slices_part(&a.message, 0, COST_inattention), 0);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

/* Two ranks send 100 kB to a third at once: the second waits for the port, 102 us. */
static void test_attribution_shared_port_is_receiver_port(void)
{
	struct machine m = tables_machine(10e-6, 1e-6, 1e-9, 1 << 20);
	struct attribution a;
	struct tables x;
	uint32_t send[2], recv[2];

	tables_init(&x, 3, 1);
	send[0] = tables_call(&x, 0, REGION_SEND, 0, US, 0);
	send[1] = tables_call(&x, 1, REGION_SEND, 100, 100 + US, 0);
	recv[0] = tables_call(&x, 2, REGION_RECV, 0, 112 * US, 1);
	recv[1] = tables_call(&x, 2, REGION_RECV, 112 * US, 214 * US, 1);
	for (int k = 0; k < 2; k++)
		tables_message(&x, 100000, send[k], send[k], recv[k], recv[k]);
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	CU_ASSERT(sums_add_up(&x, &a));
	CU_ASSERT_EQUAL(attribution_contention_ns(&a, 0), 0);
	CU_ASSERT_EQUAL(slices_part(&a.message, 1, COST_receiver_port), 102 * US - 100);
	CU_ASSERT_EQUAL(slices_part(&a.message, 1, COST_network_contention), 0);
	CU_ASSERT_EQUAL(slices_part(&a.call, 3, COST_receiver_port), 101 * US);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

/* Only the last of a Waitall's messages may say what the Waitall waited for. */
static void test_attribution_waitall_is_split_by_its_last_message(void)
{
	struct machine m = MACHINE;
	struct attribution a;
	struct tables x;
	uint32_t send[2], post[2], all;

	tables_init(&x, 3, 1);
	send[0] = tables_call(&x, 0, REGION_SEND, 10 * US, 11 * US, 0);
	send[1] = tables_call(&x, 1, REGION_SEND, 500 * US, 501 * US, 0);
	post[0] = tables_call(&x, 2, REGION_IRECV, 0, 100, 1);
	post[1] = tables_call(&x, 2, REGION_IRECV, 100, 200, 1);
	all = tables_call(&x, 2, REGION_WAITALL, 200, 563 * US, 2);
	for (int k = 0; k < 2; k++)
		tables_message(&x, 1000, send[k], send[k], post[k], all);
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	CU_ASSERT(sums_add_up(&x, &a));
	CU_ASSERT_EQUAL(slices_part(&a.call, 4, COST_late_partner), 500 * US - 200);
	CU_ASSERT_EQUAL(slices_part(&a.call, 4, COST_network_contention), 50 * US);
	/* of the other one it is a guess, any way it may be */
	CU_ASSERT_EQUAL(slices_part(&a.message, 0, COST_network_contention) +
				slices_part(&a.message, 0, COST_uncollected),
			563 * US - 22 * US - US);
	CU_ASSERT_EQUAL(slices_part(&a.message, 1, COST_network_contention), 50 * US);
	CU_ASSERT(a.blame.parts[COST_network_contention].low_ns <= 50 * US);
	CU_ASSERT(a.blame.parts[COST_network_contention].high_ns >= 590 * US);
	CU_ASSERT(a.blame.parts[COST_uncollected].low_ns == 0);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

/* But each may say what it did itself when it was seen to complete. */
static void test_attribution_waitall_with_dated_completions_is_exact(void)
{
	struct machine m = MACHINE;
	struct attribution a;
	struct tables x;
	uint32_t send[2], post[2], all;

	tables_init(&x, 3, 1);
	send[0] = tables_call(&x, 0, REGION_SEND, 500 * US, 501 * US, 0);
	send[1] = tables_call(&x, 1, REGION_SEND, 10 * US, 11 * US, 0);
	post[0] = tables_call(&x, 2, REGION_IRECV, 0, 100, 1);
	post[1] = tables_call(&x, 2, REGION_IRECV, 100, 200, 1);
	all = tables_call(&x, 2, REGION_WAITALL, 200, 563 * US, 2);
	for (int k = 0; k < 2; k++) {
		tables_message(&x, 1000, send[k], send[k], post[k], all);
		x.messages.m[k].done_ns = k ? 43 * US : 563 * US - 100;
	}
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	CU_ASSERT(sums_add_up(&x, &a));
	CU_ASSERT_EQUAL(x.messages.m[0].src, 1); /* in the order of completion */
	CU_ASSERT_EQUAL(slices_part(&a.message, 0, COST_network_contention), 20 * US);
	CU_ASSERT_EQUAL(slices_part(&a.message, 0, COST_not_identifiable), 0);
	CU_ASSERT_EQUAL(slices_part(&a.message, 1, COST_network_contention), 50 * US - 100);
	CU_ASSERT_EQUAL(slices_part(&a.call, 4, COST_late_partner), 500 * US - 200);
	CU_ASSERT_EQUAL(slices_part(&a.call, 4, COST_network_contention), 50 * US - 100);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

static void test_attribution_clock_error_hides_small_contention(void)
{
	struct clock_quality clocks = {.error_ns = 60 * US};
	struct machine m = MACHINE;
	struct attribution a;
	struct tables x;
	struct err err;
	uint32_t s, r;

	tables_init(&x, 2, 1);
	x.trace.ranks[1].node = 1;
	s = tables_call(&x, 0, REGION_SEND, 50 * US, 51 * US, 0);
	r = tables_call(&x, 1, REGION_RECV, 0, 163 * US, 1);
	tables_message(&x, 1000, s, s, r, r);
	tables_finish(&x);
	CU_ASSERT_FATAL(
		attribution_run(&x.trace, &x.messages, &x.collectives, &m, &clocks, &a, &err) == 0);
	CU_ASSERT(sums_add_up(&x, &a));
	CU_ASSERT_EQUAL(slices_part(&a.message, 0, COST_network_contention), 0);
	CU_ASSERT_EQUAL(slices_part(&a.message, 0, COST_not_identifiable), 100 * US);
	CU_ASSERT(a.blame.parts[COST_network_contention].high_ns >= 100 * US);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

static void test_attribution_without_parameters_is_not_identifiable(void)
{
	struct machine none = {.source = MACHINE_SELF_CALIBRATED};
	struct attribution a;
	struct tables x;
	uint32_t s, r;

	tables_init(&x, 2, 1);
	s = tables_call(&x, 0, REGION_ISEND, 50 * US, 51 * US, 0);
	r = tables_call(&x, 1, REGION_RECV, 0, 163 * US, 1);
	tables_message(&x, 0, s, s, r, r);
	tables_finish(&x);
	a = sums_attribute(&x, &none);
	CU_ASSERT(sums_add_up(&x, &a));
	CU_ASSERT_EQUAL(attribution_contention_ns(&a, 0), 0);
	CU_ASSERT_EQUAL(slices_part(&a.call, 1, COST_late_partner), 50 * US);
	CU_ASSERT_EQUAL(slices_part(&a.call, 1, COST_not_identifiable), 112 * US);
	attribution_release(&a);
	tables_release(&x);
}

/* Two ranks, one message each way at a time: nobody is in anybody's way. */
static void test_attribution_sees_no_contention_where_there_is_none(void)
{
	struct exchange e = {.ranks = 2,
			     .rounds = 40,
			     .blocks = 1,
			     .bytes = 1000,
			     .L_ns = 10 * US,
			     .o_ns = US,
			     .g_ns = 3 * US,
			     .compute_ns = 300 * US};

	for (e.seed = 0; e.seed < 20; e.seed++) {
		for (int kind = 0; kind < 2; kind++) {
			struct machine m = MACHINE;
			struct attribution a;
			struct tables x;
			int64_t found;

			e.send = kind ? REGION_SSEND : REGION_ISEND;
			exchange_make(&x, &e);
			a = sums_attribute(&x, &m);
			CU_ASSERT(sums_add_up(&x, &a));
			found = 0;
			for (int c = 0; c < COST_COUNT; c++) {
				if (!cost_is_contention(c))
					continue;
				found += a.budget.parts[c].ns + a.blame.parts[c].ns;
				CU_ASSERT_EQUAL(a.budget.parts[c].low_ns, 0);
			}
			CU_ASSERT(found <= 0.05 * a.blame.parts[COST_wire].ns);
			attribution_release(&a);
			tables_release(&x);
			machine_release(&m);
		}
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_attribution_late_sender_is_late_partner),
		SUITE_CASE(test_attribution_hung_sendrecv_is_no_back_pressure),
		SUITE_CASE(test_attribution_late_receiver_is_late_partner),
		SUITE_CASE(test_attribution_proves_network_contention_by_idle_receiver),
		SUITE_CASE(test_attribution_absent_receiver_is_inattention),
		SUITE_CASE(test_attribution_inattention_and_asynchronous_progress),
		SUITE_CASE(test_attribution_held_eager_send_is_back_pressure),
		SUITE_CASE(test_attribution_shared_port_is_receiver_port),
		SUITE_CASE(test_attribution_waitall_is_split_by_its_last_message),
		SUITE_CASE(test_attribution_waitall_with_dated_completions_is_exact),
		SUITE_CASE(test_attribution_clock_error_hides_small_contention),
		SUITE_CASE(test_attribution_without_parameters_is_not_identifiable),
		SUITE_CASE(test_attribution_sees_no_contention_where_there_is_none),
		CU_TEST_INFO_NULL,
	};

	return suite_run("attribution", tests);
}
