/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "analyze/machine/machine_fit.h"
#include "tests/fixtures/exchange.h"
#include "tests/fixtures/suite.h"

#define US 1000

static struct machine fit(const struct tables *x)
{
	struct machine m;
	struct err err;

	CU_ASSERT_FATAL(machine_from_trace(&x->trace, &x->messages, &m, &err) == 0);
	for (int k = 0; k < LOCALITY_COUNT; k++) {
		const struct machine_class *c = &m.classes[k];

		CU_ASSERT(c->L_s >= 0 && c->uncertainty >= 0 && c->uncertainty <= 1);
		for (uint32_t i = 0; i < c->n; i++) {
			const struct plogp_point *p = &c->points[i];

			CU_ASSERT(p->o_s_s >= 0 && p->o_r_s >= 0 && p->g_s >= 0);
			CU_ASSERT(i == 0 || p->bytes > p[-1].bytes);
		}
	}
	return m;
}

/* Messages of many sizes to a waiting receiver: T = 10 us + 2 us + 1 ns a byte, and noise. */
static void test_machine_fit_separates_latency_and_gap(void)
{
	uint64_t seed = 1;
	int64_t at = 0;
	struct machine m;
	struct tables x;

	tables_init(&x, 2, 1);
	for (int k = 0; k < 3000; k++, at += 500 * US) {
		uint64_t bytes = 1u << (4 + k % 10);
		int64_t took =
			12 * US + bytes + exchange_draw(&seed, 3) * exchange_draw(&seed, 3000);
		uint32_t s = tables_call(&x, 0, REGION_SEND, at, at + US, 0);
		uint32_t r = tables_call(&x, 1, REGION_RECV, at - 5 * US, at + took, 1);

		tables_message(&x, bytes, s, s, r, r);
	}
	tables_finish(&x);
	m = fit(&x);
	CU_ASSERT_EQUAL(m.classes[LOCALITY_NETWORK].n, 10);
	CU_ASSERT_EQUAL(m.classes[LOCALITY_NODE].n, 0);
	CU_ASSERT_EQUAL(m.classes[LOCALITY_NETWORK].joint, MACHINE_JOINT_O_R | MACHINE_JOINT_L_G);
	CU_ASSERT_DOUBLE_EQUAL(m.classes[LOCALITY_NETWORK].L_s, 12e-6,
			       1e-6); /* with the overhead */
	CU_ASSERT_DOUBLE_EQUAL(m.classes[LOCALITY_NETWORK].handshake_s, 11e-6, 1e-6);
	for (uint32_t i = 0; i < m.classes[LOCALITY_NETWORK].n; i++) {
		struct plogp p = {m.classes[LOCALITY_NETWORK].L_s, m.classes[LOCALITY_NETWORK].n,
				  m.classes[LOCALITY_NETWORK].points};

		CU_ASSERT_DOUBLE_EQUAL(plogp_time(p, p.points[i].bytes),
				       12e-6 + p.points[i].bytes * 1e-9, 0.5e-6);
		CU_ASSERT_DOUBLE_EQUAL(p.points[i].o_s_s, 1e-6, 1e-9);
	}
	machine_release(&m);
	tables_release(&x);
}

/* Every tenth message slips through on credit: what one of them needs is not what all need. */
static void test_machine_fit_is_not_fooled_by_lucky_messages(void)
{
	int64_t at = 10 * US;
	struct machine m;
	struct tables x;

	tables_init(&x, 2, 1);
	for (int k = 0; k < 200; k++, at += 2000 * US) {
		int64_t took = k % 10 ? 700 * US : 50 * US;
		uint32_t s = tables_call(&x, 0, REGION_SEND, at, at + US, 0);
		uint32_t r = tables_call(&x, 1, REGION_RECV, at - 5 * US, at + took, 1);

		tables_message(&x, 4096, s, s, r, r);
	}
	tables_finish(&x);
	m = fit(&x);
	CU_ASSERT_DOUBLE_EQUAL(m.classes[LOCALITY_NETWORK].points[0].g_s, 699e-6, 1e-6);
	machine_release(&m);
	tables_release(&x);
}

/* One size only, synchronous, under contention: bursts tell the gap. */
static void test_machine_fit_of_one_size_uses_bursts(void)
{
	struct exchange e = {.ranks = 8,
			     .rounds = 20,
			     .blocks = 1,
			     .send = REGION_SSEND,
			     .bytes = 20000,
			     .L_ns = 10 * US,
			     .o_ns = US,
			     .g_ns = 22 * US,
			     .compute_ns = 100 * US};

	for (int order = EXCHANGE_SAME; order <= EXCHANGE_RANDOM; order += 3) {
		struct machine m;
		struct tables x;

		e.order = order;
		exchange_make(&x, &e);
		m = fit(&x);
		CU_ASSERT_EQUAL(m.classes[LOCALITY_NETWORK].n, 1);
		CU_ASSERT(m.classes[LOCALITY_NETWORK].joint & MACHINE_JOINT_O_S);
		CU_ASSERT_DOUBLE_EQUAL(m.classes[LOCALITY_NETWORK].points[0].g_s, 22e-6, 1e-6);
		CU_ASSERT_DOUBLE_EQUAL(m.classes[LOCALITY_NETWORK].L_s, 10e-6, 1e-6);
		machine_release(&m);
		tables_release(&x);
	}
}

static void test_machine_fit_of_one_size_alone_is_joint(void)
{
	struct machine m;
	struct tables x;
	uint32_t s, r;

	tables_init(&x, 2, 2);
	s = tables_call(&x, 0, REGION_SEND, 10 * US, 11 * US, 0);
	r = tables_call(&x, 1, REGION_RECV, 0, 22 * US, 1);
	tables_message(&x, 100, s, s, r, r);
	tables_finish(&x);
	m = fit(&x);
	CU_ASSERT_EQUAL(m.classes[LOCALITY_NODE].n, 1);
	CU_ASSERT(m.classes[LOCALITY_NODE].joint & MACHINE_JOINT_L_G);
	CU_ASSERT_DOUBLE_EQUAL(m.classes[LOCALITY_NODE].points[0].g_s, 11e-6, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(m.classes[LOCALITY_NODE].L_s, 1e-6,
			       1e-12); /* posting: not a port's */
	CU_ASSERT_EQUAL(m.classes[LOCALITY_NODE].eager_bytes, 4096);
	CU_ASSERT_EQUAL(m.classes[LOCALITY_NODE].eager_assumed, 1);
	machine_release(&m);
	tables_release(&x);
}

/*
 * Posts of 7 us each, 1 us on the way: all of a message's 8 us is no port's time, or sends that
 * follow each other by their overhead would seem to queue.
 */
static void test_machine_fit_keeps_overhead_out_of_the_gap(void)
{
	struct machine m;
	struct tables x;

	tables_init(&x, 2, 1);
	for (int k = 0; k < 50; k++) {
		int64_t at = 10 * US + k * 7 * US;
		uint32_t s = tables_call(&x, 0, REGION_ISEND, at, at + 7 * US, 0);
		uint32_t r =
			tables_call(&x, 1, REGION_RECV, at - (k ? US / 2 : US), at + 8 * US, 1);

		tables_message(&x, 1000, s, s, r, r);
	}
	tables_finish(&x);
	m = fit(&x);
	CU_ASSERT_DOUBLE_EQUAL(m.classes[LOCALITY_NETWORK].points[0].o_s_s, 7e-6, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(m.classes[LOCALITY_NETWORK].points[0].g_s, 1e-6, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(m.classes[LOCALITY_NETWORK].L_s, 7e-6, 1e-9);
	machine_release(&m);
	tables_release(&x);
}

/* Eight messages at once, complete after 80 us: a port takes at most 10 us for one of them. */
static void test_machine_fit_of_crowds_has_their_share(void)
{
	struct machine m;
	struct tables x;

	tables_init(&x, 2, 1);
	for (int k = 0; k < 20; k++) {
		int64_t at = 10 * US + k * 500 * US;
		uint32_t all = tables_call(&x, 1, REGION_WAITALL, at, at + 80 * US, 1);

		for (int j = 0; j < 8; j++) {
			uint32_t post = tables_call(&x, 1, REGION_IRECV, at - US, at - US, 1);
			uint32_t s = tables_call(&x, 0, REGION_ISEND, at + j, at + j, 0);

			tables_message(&x, 1000, s, s, post, all);
		}
	}
	tables_finish(&x);
	m = fit(&x);
	CU_ASSERT(m.classes[LOCALITY_NETWORK].joint & MACHINE_JOINT_L_G);
	CU_ASSERT_DOUBLE_EQUAL(m.classes[LOCALITY_NETWORK].points[0].g_s, 10e-6, 1e-8);
	CU_ASSERT_DOUBLE_EQUAL(m.classes[LOCALITY_NETWORK].crowding, 7, 0.01); /* alone: 80 us? */
	machine_release(&m);
	tables_release(&x);
}

/* A sender, and what its receiver says of 30 messages that take 5 us and 5 us of handling. */
static struct machine fit_late_receives(void)
{
	struct machine m;
	struct tables x;

	tables_init(&x, 2, 1);
	for (int k = 0; k < 30; k++) {
		int64_t at = 100 * US + k * 100 * US;
		int64_t late = k % 2 ? 8 * US : -10 * US; /* every other one comes for it late */
		uint32_t s = tables_call(&x, 0, REGION_SEND, at, at, 0);
		uint32_t r =
			tables_call(&x, 1, REGION_RECV, at + late, at + (k % 2 ? 13 : 10) * US, 1);

		tables_message(&x, 64, s, s, r, r);
	}
	tables_finish(&x);
	m = fit(&x);
	tables_release(&x);
	return m;
}

/* A receive that began late and ended later than any message needs: it is what handling takes. */
static void test_machine_fit_knows_handling_from_late_receives(void)
{
	struct machine m = fit_late_receives();

	CU_ASSERT(!(m.classes[LOCALITY_NETWORK].joint & MACHINE_JOINT_O_R));
	CU_ASSERT_DOUBLE_EQUAL(m.classes[LOCALITY_NETWORK].points[0].o_r_s, 5e-6, 1e-9);
	machine_release(&m);
}

/*
 * Two that come 4.6 us after they were sent, to be handled for 2 us each, by a call that waits for
 * them for the last 1 us: what it takes is not all handling.
 */
static void test_machine_fit_takes_no_short_wait_for_handling(void)
{
	struct machine m;
	struct tables x;

	tables_init(&x, 3, 1);
	for (int k = 0; k < 30; k++) {
		int64_t at = 100 * US + k * 200 * US, alone = at + 100 * US;
		uint32_t s = tables_call(&x, 0, REGION_ISEND, alone, alone, 0);
		uint32_t r = tables_call(&x, 2, REGION_RECV, alone - US, alone + 6600, 1);
		uint32_t all = tables_call(&x, 2, REGION_WAITALL, at + 3600, at + 8600, 1);

		tables_message(&x, 64, s, s, r, r);
		for (uint32_t from = 0; from < 2; from++) {
			r = tables_call(&x, 2, REGION_IRECV, at - US, at - US, 1);
			s = tables_call(&x, from, REGION_ISEND, at, at, 0);
			tables_message(&x, 64, s, s, r, all);
		}
	}
	tables_finish(&x);
	m = fit(&x);
	CU_ASSERT(m.classes[LOCALITY_NETWORK].joint & MACHINE_JOINT_O_R);
	machine_release(&m);
	tables_release(&x);
}

/* Six messages at once to a receiver that handles each for 40 us: its pace is no port's. */
static void test_machine_fit_keeps_handling_out_of_the_gap(void)
{
	struct machine m;
	struct tables x;

	tables_init(&x, 7, 1);
	for (int k = 0; k < 10; k++) {
		int64_t at = 100 * US + k * 1000 * US, now = at - US;

		for (uint32_t from = 1; from < 7; from++) {
			int64_t done = (from == 1 ? at + 2 * US : now) + 40 * US;
			uint32_t s = tables_call(&x, from, REGION_SEND, at, at, 0);
			uint32_t r = tables_call(&x, 0, REGION_RECV, now, done, 1);

			tables_message(&x, 64, s, s, r, r);
			now = done;
		}
	}
	tables_finish(&x);
	m = fit(&x);
	CU_ASSERT_DOUBLE_EQUAL(m.classes[LOCALITY_NETWORK].points[0].o_r_s, 40e-6, 1e-9);
	CU_ASSERT(m.classes[LOCALITY_NETWORK].joint & MACHINE_JOINT_L_G);
	CU_ASSERT(m.classes[LOCALITY_NETWORK].points[0].g_s < 3e-6);
	machine_release(&m);
	tables_release(&x);
}

/*
 * Bursts of two and of six messages from one rank to as many: when all take 50 us, nobody was in
 * anybody's way, and 50 us is what a message alone takes; when they take longer the more they
 * are, it is not.
 */
static void test_machine_fit_sees_crowds_that_hinder_nobody(void)
{
	for (int hinder = 0; hinder <= 1; hinder++) {
		const struct machine_class *c;
		struct machine m;
		struct tables x;

		tables_init(&x, 7, 1);
		for (int k = 0; k < 40; k++) {
			int64_t at = 100 * US + k * 1000 * US;
			uint32_t n = k % 2 ? 6 : 2;
			int64_t took = hinder ? 25 * US * n : 50 * US;

			for (uint32_t to = 1; to <= n; to++) {
				uint32_t s = tables_call(&x, 0, REGION_ISEND, at, at, 0);
				uint32_t r =
					tables_call(&x, to, REGION_RECV, at - US, at + took, 1);

				tables_message(&x, 1000, s, s, r, r);
			}
		}
		tables_finish(&x);
		m = fit(&x);
		c = &m.classes[LOCALITY_NETWORK];
		if (hinder) {
			CU_ASSERT_DOUBLE_EQUAL(c->L_s + c->points[0].g_s, 25e-6, 1e-8);
			CU_ASSERT_DOUBLE_EQUAL(c->crowding, 1, 0.01); /* 50 us? */
		} else {
			CU_ASSERT_DOUBLE_EQUAL(c->L_s + c->points[0].g_s, 50e-6, 1e-8);
			CU_ASSERT_EQUAL(c->crowding, 0);
			CU_ASSERT(c->points[0].g_s < 4e-6); /* else six would take longer */
		}
		machine_release(&m);
		tables_release(&x);
	}
}

/* Messages of 10 us prove that no idle machine needs 30 us for them. */
static void test_machine_is_not_believed_against_its_messages(void)
{
	for (int slow = 0; slow <= 1; slow++) {
		struct machine m = tables_machine(slow ? 30e-6 : 8e-6, 0, 0, 4096);
		struct tables x;

		tables_init(&x, 2, 1);
		for (int k = 0; k < 10; k++) {
			int64_t at = 100 * US * k;
			uint32_t s = tables_call(&x, 0, REGION_SEND, at, at, 0);
			uint32_t r = tables_call(&x, 1, REGION_RECV, at, at + 10 * US, 1);

			tables_message(&x, 64, s, s, r, r);
		}
		tables_finish(&x);
		CU_ASSERT_EQUAL(machine_faster_share(&m, &x.trace, &x.messages), slow);
		machine_release(&m);
		tables_release(&x);
	}
}

static void test_machine_fit_without_messages_knows_nothing(void)
{
	struct machine m;
	struct tables x;

	tables_init(&x, 1, 1);
	tables_call(&x, 0, REGION_COLLECTIVE, 0, 10, 0);
	tables_finish(&x);
	m = fit(&x);
	CU_ASSERT_EQUAL(m.classes[LOCALITY_NODE].n + m.classes[LOCALITY_NETWORK].n, 0);
	CU_ASSERT_EQUAL(m.source, MACHINE_SELF_CALIBRATED);
	machine_release(&m);
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_machine_fit_separates_latency_and_gap),
		SUITE_CASE(test_machine_fit_is_not_fooled_by_lucky_messages),
		SUITE_CASE(test_machine_fit_of_one_size_uses_bursts),
		SUITE_CASE(test_machine_fit_of_one_size_alone_is_joint),
		SUITE_CASE(test_machine_fit_keeps_overhead_out_of_the_gap),
		SUITE_CASE(test_machine_fit_of_crowds_has_their_share),
		SUITE_CASE(test_machine_fit_knows_handling_from_late_receives),
		SUITE_CASE(test_machine_fit_takes_no_short_wait_for_handling),
		SUITE_CASE(test_machine_fit_keeps_handling_out_of_the_gap),
		SUITE_CASE(test_machine_fit_sees_crowds_that_hinder_nobody),
		SUITE_CASE(test_machine_is_not_believed_against_its_messages),
		SUITE_CASE(test_machine_fit_without_messages_knows_nothing),
		CU_TEST_INFO_NULL,
	};

	return suite_run("machine", tests);
}
