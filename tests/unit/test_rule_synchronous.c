/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fixtures/exchange.h"
#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#define US     1000
#define ROUNDS 20
#define RANKS  5
#define L_NS   (10 * US)
#define G_NS   (202 * US)
#define SITE   2

/*
 * Rank 0 sends 200 kB to each other rank, which posts its receive late_ns after the round began.
 * BLOCKING: one MPI_Send after the other; TOGETHER: MPI_Isend, then one MPI_Waitall.
 */
enum how { BLOCKING, TOGETHER };

static void fan_out(struct tables *x, enum how how, int64_t late_ns)
{
	int64_t now = 0;

	tables_init(x, RANKS, 1);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		int64_t at = now, port = now, begun = now;
		uint32_t send[RANKS], wait = 0;

		for (uint32_t r = 1; r < RANKS; r++) {
			int64_t meet = now + r * late_ns, recv_end;
			uint32_t recv;

			if (meet < at + L_NS)
				meet = at + L_NS; /* the request is there */
			recv_end = (meet + L_NS > port ? meet + L_NS : port) + G_NS + L_NS;
			port = recv_end - L_NS;
			if (how == BLOCKING) {
				send[r] = tables_call(x, 0, REGION_SEND, at, port, SITE);
				at = port + US;
			} else {
				send[r] = tables_call(x, 0, REGION_ISEND, begun, begun + US, SITE);
				begun += US;
			}
			recv = tables_call(x, r, REGION_RECV, now + r * late_ns, recv_end, 3);
			if (how == BLOCKING)
				tables_message(x, 200000, send[r], send[r], recv, recv);
			else
				send[r] |= recv << 16;
		}
		if (how == TOGETHER) {
			wait = tables_call(x, 0, REGION_WAITALL, begun, port, 4);
			for (uint32_t r = 1; r < RANKS; r++)
				tables_message(x, 200000, send[r] & 0xffff, wait, send[r] >> 16,
					       send[r] >> 16);
		}
		now = port + 60 * US;
		for (uint32_t r = 0; r < RANKS; r++)
			tables_call(x, r, REGION_MPI_LOCAL, now - US, now, 5);
	}
	tables_finish(x);
}

static struct hotspots find(struct tables *x, enum how how, int64_t late_ns)
{
	fan_out(x, how, late_ns);
	return findings_of(x, tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536));
}

static void test_rule_synchronous_bounds_the_gain(void)
{
	struct tables one, all;
	/* Receivers are ready in the opposite of the order of the sends: 5 us each, all early. */
	struct hotspots h = find(&one, BLOCKING, 5 * US), other = find(&all, TOGETHER, 5 * US);
	const struct hotspot *x = findings_one(&h, "synchronous");
	double gain_s = (one.trace.wall_ns - all.trace.wall_ns) * 1e-9;

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_EQUAL(x->site, SITE);
	CU_ASSERT_EQUAL(findings_evidence(x, "sends_in_a_row"), RANKS - 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(x->advice, "wait for all with one MPI_Waitall"));
	CU_ASSERT(gain_s > 0 && gain_s <= 1.1 * x->saves_high_s);
	CU_ASSERT(findings_one(&other, "synchronous") == NULL);
	hotspots_release(&other);
	hotspots_release(&h);
	tables_release(&all);
	tables_release(&one);
}

static const struct exchange staggered = {.ranks = 12,
					  .rounds = 10,
					  .blocks = 1,
					  .order = EXCHANGE_STAGGERED,
					  .send = REGION_SSEND,
					  .bytes = 2000,
					  .L_ns = 30 * US,
					  .o_ns = 1 * US,
					  .g_ns = 4 * US,
					  .compute_ns = 100 * US,
					  .seed = 5};

/* The prediction against the truth: the same exchange with MPI_Isend. */
static void test_rule_synchronous_predicts_the_gain(void)
{
	struct exchange e = staggered;
	struct tables x, y;
	struct hotspots h;
	const struct hotspot *found;
	double gain_s;

	exchange_make(&x, &e);
	e.send = REGION_ISEND;
	exchange_make(&y, &e);
	gain_s = (x.trace.wall_ns - y.trace.wall_ns) * 1e-9;
	h = findings_of(&x, tables_machine(30e-6, 1e-6, 1e-9, 65536));
	found = findings_one(&h, "synchronous");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_EQUAL(found->site, 3);
	CU_ASSERT(found->saves_low_s <= gain_s && gain_s <= 1.1 * found->saves_high_s);
	CU_ASSERT_DOUBLE_EQUAL(found->saves_mid_s, gain_s, 0.25 * gain_s);
	if (getenv("VERBOSE"))
		printf("measured %g of %g\n", gain_s, x.trace.wall_ns * 1e-9);
	hotspots_release(&h);
	tables_release(&x);
	tables_release(&y);
}

/* Of an estimated machine that has all of L in g, as no port was seen busy: at most none holds. */
static void test_rule_synchronous_of_an_estimated_port(void)
{
	struct exchange e = staggered;
	struct machine machine = tables_machine(0, 1e-6, 34e-6 / 2000, 65536);
	const struct hotspot *found;
	struct tables x, y;
	struct hotspots h;

	exchange_make(&x, &e);
	e.send = REGION_ISEND;
	exchange_make(&y, &e);
	machine.source = MACHINE_SELF_CALIBRATED;
	machine.classes[LOCALITY_NETWORK].joint = MACHINE_JOINT_L_G;
	h = findings_of(&x, machine);
	found = findings_one(&h, "synchronous");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT(1.05 * found->saves_high_s >= (x.trace.wall_ns - y.trace.wall_ns) * 1e-9);
	hotspots_release(&h);
	tables_release(&x);
	tables_release(&y);
}

/* How long an exchange takes. */
static double wall_s(struct exchange e)
{
	struct tables x;
	double s;

	exchange_make(&x, &e);
	s = x.trace.wall_ns * 1e-9;
	tables_release(&x);
	return s;
}

/*
 * All in the same order, one after the other: sends wait for their ways, and in queues. What is
 * said of both is what each saves alone, and it is said that they are of the same sends.
 */
static void test_rule_synchronous_with_another_order(void)
{
	const struct exchange usual = {.ranks = 16,
				       .rounds = 10,
				       .blocks = 1,
				       .order = EXCHANGE_SAME,
				       .send = REGION_SSEND,
				       .bytes = 8000,
				       .L_ns = 20 * US,
				       .o_ns = 1 * US,
				       .g_ns = 8 * US,
				       .compute_ns = 50 * US,
				       .seed = 5,
				       .meets = 1};
	struct exchange begun = usual, staggered = usual, both = usual;
	const struct hotspot *synchronous, *order;
	struct hotspots h;
	struct tables x;
	double begun_s, staggered_s, both_s;

	begun.send = both.send = REGION_ISEND;
	staggered.order = both.order = EXCHANGE_STAGGERED;
	begun_s = wall_s(usual) - wall_s(begun);
	staggered_s = wall_s(usual) - wall_s(staggered);
	both_s = wall_s(usual) - wall_s(both);
	CU_ASSERT(both_s > begun_s && both_s < 1.01 * (begun_s + staggered_s));
	exchange_make(&x, &usual);
	h = findings_of(&x, tables_machine(20e-6, 1e-6, 1e-9, 65536));
	synchronous = findings_one(&h, "synchronous");
	order = findings_one(&h, "order");
	CU_ASSERT_FATAL(synchronous != NULL && order != NULL);
	if (getenv("VERBOSE"))
		printf("begun together saves %g, in another order %g, both %g of %g\n", begun_s,
		       staggered_s, both_s, wall_s(usual));
	CU_ASSERT_DOUBLE_EQUAL(order->saves_mid_s, staggered_s, 0.25 * staggered_s);
	CU_ASSERT_DOUBLE_EQUAL(synchronous->saves_mid_s, begun_s, 0.25 * begun_s);
	CU_ASSERT_EQUAL(synchronous->same_sends_as, TRACE_NONE); /* saves more */
	CU_ASSERT_EQUAL_FATAL(order->same_sends_as, synchronous - h.h);
	hotspots_release(&h);
	tables_release(&x);
}

/*
 * Rank 0 sends 200 kB to rank 1, which posts its receive 300 us after the round began, computes for
 * 400 us, asks for its rank and meets rank 1 in a barrier. TOGETHER: MPI_Isend, and MPI_Wait before
 * the barrier. How long that takes, s.
 */
static double compute_after(struct tables *x, enum how how)
{
	int64_t now = 0;

	tables_init(x, 2, 1);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		int64_t post = now + 300 * US, gone = post + L_NS + G_NS;
		int64_t sent = how == BLOCKING ? gone : now + US, computed = sent + 400 * US;
		int64_t waited = how == BLOCKING || gone < computed ? computed + US : gone;
		uint32_t send, wait, recv;

		send = wait = tables_call(x, 0, how == BLOCKING ? REGION_SEND : REGION_ISEND, now,
					  sent, SITE);
		tables_call(x, 0, REGION_MPI_LOCAL, computed, computed, 5);
		if (how == TOGETHER)
			wait = tables_call(x, 0, REGION_WAIT, computed, waited, 4);
		recv = tables_call(x, 1, REGION_RECV, post, gone + L_NS, 3);
		tables_message(x, 200000, send, wait, recv, recv);
		now = (waited > gone + L_NS ? waited : gone + L_NS) + L_NS;
		tables_collective(x, (int64_t[]){waited, gone + L_NS}, now, 6);
	}
	tables_finish(x);
	return x->trace.wall_ns * 1e-9;
}

/*
 * Where large messages move so far without their sender's calls, its computation saves gain_s, or
 * that is only the most, for which those words are said.
 */
static void check_beside(const struct tables *x, double sender, double gain_s, const char *words)
{
	struct machine machine = tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536);
	const struct hotspot *found;
	struct hotspots h;

	machine.classes[LOCALITY_NETWORK].progress.sender = sender;
	h = findings_of(x, machine);
	found = findings_one(&h, "synchronous");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_DOUBLE_EQUAL(found->saves_mid_s, words ? 0 : gain_s, 0.05 * gain_s);
	CU_ASSERT(found->saves_low_s == 0 && gain_s <= 1.05 * found->saves_high_s);
	CU_ASSERT_EQUAL(strstr(found->why, "counts at most") != NULL, words != NULL);
	CU_ASSERT_EQUAL(strstr(found->advice, "begin each with MPI_Isend") != NULL,
			!(findings_evidence(found, "overlap_s") > 0));
	CU_ASSERT_EQUAL(strstr(found->advice, "with one MPI_Waitall") != NULL,
			findings_evidence(found, "overlap_s") > 0);
	CU_ASSERT(!words || strstr(found->why, words));
	hotspots_release(&h);
}

/* MPI_Isend, then the computation, then the wait: the two overlap, but where nothing moves then. */
static void test_rule_synchronous_beside_computation(void)
{
	struct tables x, y;
	double gain_s = compute_after(&x, BLOCKING) - compute_after(&y, TOGETHER);

	CU_ASSERT(gain_s > 0.4 * x.trace.wall_ns * 1e-9);
	check_beside(&x, 1, gain_s, NULL);
	check_beside(&x, 0, gain_s, "large ones do not move without their sender's calls");
	check_beside(&x, 0.7, gain_s, "is not known");
	check_beside(&x, NAN, gain_s, "is not known");
	tables_release(&x);
	tables_release(&y);
}

/*
 * Rank 0 sends 200 kB to rank 1, which is ready after 300 us, and 100 bytes to rank 2 by MPI_Ssend,
 * which is ready after 800 us, and computes for 400 us; then all meet.
 */
static void send_two(struct tables *x)
{
	int64_t now = 0;

	tables_init(x, 3, 1);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		int64_t gone = now + 300 * US + L_NS + G_NS, matched = now + 800 * US + L_NS;
		uint32_t send, recv;

		send = tables_call(x, 0, REGION_SEND, now, gone, SITE);
		recv = tables_call(x, 1, REGION_RECV, now + 300 * US, gone + L_NS, 3);
		tables_message(x, 200000, send, send, recv, recv);
		send = tables_call(x, 0, REGION_SSEND, gone + US, matched, SITE);
		recv = tables_call(x, 2, REGION_RECV, now + 800 * US, now + 801 * US, 3);
		tables_message(x, 100, send, send, recv, recv);
		now = matched + 400 * US + L_NS;
		tables_collective(x, (int64_t[]){now - L_NS, gone + L_NS, matched}, now, 6);
	}
	tables_finish(x);
}

/* The last one needs nobody, but one before it does: all of a row are waited for together. */
static void test_rule_synchronous_asks_all_of_a_row(void)
{
	double gain_s = ROUNDS * 400e-6;
	struct tables x;

	send_two(&x);
	check_beside(&x, 1, gain_s, NULL);
	check_beside(&x, 0, gain_s, "large ones do not move");
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rule_synchronous_bounds_the_gain),
		SUITE_CASE(test_rule_synchronous_predicts_the_gain),
		SUITE_CASE(test_rule_synchronous_of_an_estimated_port),
		SUITE_CASE(test_rule_synchronous_with_another_order),
		SUITE_CASE(test_rule_synchronous_beside_computation),
		SUITE_CASE(test_rule_synchronous_asks_all_of_a_row),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_synchronous", tests);
}
