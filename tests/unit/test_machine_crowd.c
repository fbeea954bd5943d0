/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What messages that come in crowds say of the machine, and what not. */
#include "analyze/machine/machine.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/sums.h"

#define US 1000

static struct machine fit(struct tables *x)
{
	struct machine m;
	struct err err;

	CU_ASSERT_FATAL(machine_from_trace(&x->trace, &x->messages, &m, &err) == 0);
	CU_ASSERT_FATAL(m.classes[LOCALITY_NETWORK].n > 0);
	return m;
}

/* Eight messages at once; the receiver takes them with one call, or one by one, 12 us each. */
static void take_eight_of(struct tables *x, uint64_t bytes, int64_t at_ns, int64_t took_ns,
			  int one_by_one)
{
	uint32_t done = TRACE_NONE;
	int64_t asked_ns = at_ns - US;

	for (int j = 0; j < 8; j++) {
		uint32_t s = tables_call(x, 0, REGION_ISEND, at_ns, at_ns, 0);
		int64_t came_ns = at_ns + 12 * US * (j + 1);

		if (one_by_one)
			done = tables_call(x, 1, REGION_RECV, asked_ns, came_ns, 1);
		else if (j == 0)
			done = tables_call(x, 1, REGION_WAITALL, asked_ns, at_ns + took_ns, 2);
		asked_ns = came_ns;
		tables_message(x, bytes, s, s, done, done);
	}
}

static void take_eight(struct tables *x, int64_t at_ns, int64_t took_ns, int one_by_one)
{
	take_eight_of(x, 1000, at_ns, took_ns, one_by_one);
}

/*
 * Crowds come at a pace of 12 us, but most get through in 10 each: a port needs no more. Nor less,
 * for that once they needed 5.
 */
static void test_machine_crowd_believes_most_crowds(void)
{
	struct machine m;
	struct tables x;

	tables_init(&x, 2, 1);
	for (int k = 0; k < 40; k++) {
		int64_t at = 10 * US + k * 500 * US;
		uint32_t s = tables_call(&x, 0, REGION_ISEND, at + 200 * US, at + 200 * US, 0);
		uint32_t r = tables_call(&x, 1, REGION_RECV, at + 300 * US, at + 301 * US, 3);

		tables_message(&x, 1000, s, s, r, r); /* had been there: its handling takes 1 us */
		take_eight(&x, at, (k == 1 ? 40 : 80) * US, k % 8 == 0);
	}
	tables_finish(&x);
	m = fit(&x);
	CU_ASSERT(!(m.classes[LOCALITY_NETWORK].joint & MACHINE_JOINT_L_G));
	CU_ASSERT_DOUBLE_EQUAL(m.classes[LOCALITY_NETWORK].points[0].g_s, 10e-6, 1e-8);
	machine_release(&m);
	tables_release(&x);
}

/*
 * Small ones alone take 8 us and 25 ns a byte; large ones are never alone, and say nothing of that.
 */
static void test_machine_crowd_takes_no_latency_from_crowds(void)
{
	struct machine m;
	struct tables x;

	tables_init(&x, 2, 1);
	for (int k = 0; k < 60; k++) {
		uint64_t bytes = k % 3 == 0 ? 40 : 400;
		int64_t at = 10 * US + k * 2000 * US;

		if (k % 3 == 2) {
			take_eight(&x, at, 800 * US, 0);
		} else {
			uint32_t s = tables_call(&x, 0, REGION_SEND, at, at, 0);
			uint32_t r = tables_call(&x, 1, REGION_RECV, at - US,
						 at + 8 * US + (int64_t)bytes * 25, 1);

			tables_message(&x, bytes, s, s, r, r);
		}
	}
	tables_finish(&x);
	m = fit(&x);
	CU_ASSERT_DOUBLE_EQUAL(m.classes[LOCALITY_NETWORK].L_s, 8e-6, 1e-8);
	machine_release(&m);
	tables_release(&x);
}

/* A message to a rank that waits for it. */
static void wait_for(struct tables *x, uint32_t from, uint32_t to, int64_t at_ns, int64_t took_ns)
{
	uint32_t s = tables_call(x, from, REGION_ISEND, at_ns, at_ns, 0);
	uint32_t r = tables_call(x, to, REGION_WAITALL, at_ns - US, at_ns + took_ns, 1);

	tables_message(x, 1000, s, s, r, r);
}

/*
 * One call finds two messages there, which takes 4 us: 2 us each. Two at once to two ranks take 12
 * us: but for their handling, once, that is the time of two in their port, so one alone takes 5 us
 * and 2.
 */
static void test_machine_crowd_has_handling_once(void)
{
	const struct machine_class *c;
	struct machine m;
	struct tables x;

	tables_init(&x, 3, 1);
	for (int k = 0; k < 40; k++) {
		int64_t at = 100 * US + k * 1000 * US;
		uint32_t all;

		wait_for(&x, 0, 1, at, 12 * US);
		wait_for(&x, 0, 2, at, 12 * US);
		all = tables_call(&x, 1, REGION_WAITALL, at + 600 * US, at + 604 * US, 2);
		for (int n = 0; n < 2; n++) {
			uint32_t s =
				tables_call(&x, 0, REGION_ISEND, at + 500 * US, at + 500 * US, 0);

			tables_message(&x, 1000, s, s, all, all);
		}
	}
	tables_finish(&x);
	m = fit(&x);
	c = &m.classes[LOCALITY_NETWORK];
	CU_ASSERT(!(c->joint & MACHINE_JOINT_O_R));
	CU_ASSERT_DOUBLE_EQUAL(c->points[0].o_r_s, 2e-6, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(c->L_s + c->points[0].g_s, 7e-6, 1e-8);
	machine_release(&m);
	tables_release(&x);
}

/*
 * 14 us but for one in ten, which takes 10: luck, if nobody else is on the network; if others
 * always are, they may be in the way of all the rest, whoever has its ports to itself.
 */
static void test_machine_crowd_elsewhere_leaves_only_the_fastest(void)
{
	for (uint32_t pairs = 1; pairs <= 4; pairs += 3) {
		const struct machine_class *c;
		struct machine m;
		struct tables x;

		tables_init(&x, 8, 1);
		for (int k = 0; k < 40; k++)
			for (uint32_t from = 0; from < pairs; from++)
				wait_for(&x, from, from + 4, 100 * US + k * 1000 * US,
					 (k % 10 ? 14 : 10) * US);
		tables_finish(&x);
		m = fit(&x);
		c = &m.classes[LOCALITY_NETWORK];
		CU_ASSERT_DOUBLE_EQUAL(c->L_s + c->points[0].g_s, 14e-6, 1e-8);
		CU_ASSERT_DOUBLE_EQUAL(c->uncertainty, pairs > 1 ? 4. / 14 : 0.05, 0.01);
		machine_release(&m);
		tables_release(&x);
	}
}

/*
 * Small messages come at a pace of 12 us, which would be 16 ms for as many bytes as large ones
 * have: of these crowds get through in 1 ms each, so no port needs more.
 */
static void test_machine_crowd_of_large_ones_knows_their_bytes(void)
{
	const struct machine_class *c;
	struct machine m;
	struct tables x;

	tables_init(&x, 2, 1);
	for (int k = 0; k < 40; k++) {
		int64_t at = 10 * US + k * 10000 * US, late = at + 9000 * US;
		uint32_t s = tables_call(&x, 0, REGION_ISEND, late, late, 0);
		uint32_t r = tables_call(&x, 1, REGION_RECV, late + 300 * US, late + 301 * US, 3);

		tables_message(&x, 44, s, s, r, r); /* its handling takes 1 us */
		take_eight_of(&x, k % 2 ? 60000 : 44, at, 8000 * US, k % 2 == 0);
	}
	tables_finish(&x);
	m = fit(&x);
	c = &m.classes[LOCALITY_NETWORK];
	CU_ASSERT_EQUAL_FATAL(c->n, 2);
	CU_ASSERT_DOUBLE_EQUAL(c->points[0].g_s, 12e-6, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(c->points[1].g_s, 1e-3, 1e-5);
	machine_release(&m);
	tables_release(&x);
}

/*
 * A message alone takes 101 us; of four at once to one rank the first does, and each of the others
 * comes 130 us after the one before it, or in some of these fours sooner, in others later.
 */
static double least_time_s(int uneven)
{
	static const int64_t pace_us[] = {100, 130, 160, 180, 200};
	const struct machine_class *c;
	struct machine m;
	struct tables x;
	struct err err;
	double least_s;

	tables_init(&x, 6, 1);
	for (int k = 0; k < 100; k++) {
		int64_t at = 100 * US + k * 5000LL * US, last = at - US;
		uint32_t alone, got_alone;

		for (uint32_t from = 2; from < 6; from++) {
			int64_t pace = pace_us[uneven ? k % 5 : 1] * US;
			int64_t end = at + 101 * US + (from - 2) * pace;
			uint32_t s = tables_call(&x, from, REGION_ISEND, at, at + US, 0);
			uint32_t post = tables_call(&x, 1, REGION_IRECV, at - from * US,
						    at - from * US + 100, 1);
			uint32_t wait = tables_call(&x, 1, REGION_WAIT, last, end, 2);

			tables_message(&x, 1000, s, s, post, wait);
			last = end;
		}
		at += 2500 * US;
		alone = tables_call(&x, 0, REGION_ISEND, at, at + US, 0);
		got_alone = tables_call(&x, 1, REGION_RECV, at - US, at + 101 * US, 1);
		tables_message(&x, 1000, alone, alone, got_alone, got_alone);
		alone = tables_call(&x, 0, REGION_ISEND, at + 500 * US, at + 501 * US, 0);
		got_alone = tables_call(&x, 1, REGION_RECV, at + 900 * US, at + 901 * US, 1);
		tables_message(&x, 1000, alone, alone, got_alone, got_alone);
	}
	tables_finish(&x);
	CU_ASSERT_FATAL(machine_from_trace(&x.trace, &x.messages, &m, &err) == 0);
	c = &m.classes[LOCALITY_NETWORK];
	CU_ASSERT_EQUAL_FATAL(c->n, 1);
	CU_ASSERT(c->points[0].g_s > 115e-6);
	least_s = (c->L_s + c->points[0].g_s) * (1 - c->uncertainty);
	machine_release(&m);
	tables_release(&x);
	return least_s;
}

/* A port that saves up credit serves bursts alike; messages that meet in the network are not. */
static void test_machine_crowd_doubts_bursts_that_are_not_alike(void)
{
	CU_ASSERT_DOUBLE_EQUAL(least_time_s(1), 101e-6, 1e-6);
	CU_ASSERT(least_time_s(0) > 110e-6);
}

/*
 * Small messages are taken in 3 us, when they have long been there. Large ones take 700 us if their
 * receiver waits; every other time it comes 500 us late, and lasts so long. Returns what taking a
 * large one is said to take.
 */
static double handling_of_large(int64_t lasts_ns)
{
	double o_r_s;
	struct machine m;
	struct tables x;

	tables_init(&x, 4, 1);
	for (int k = 0; k < 40; k++) {
		int64_t at = 100 * US + k * 10000 * US, next = at + 5000 * US;
		int64_t asked = at + (500 + 10 * (k % 4)) * US;
		uint32_t s = tables_call(&x, 0, REGION_ISEND, at, at, 0);
		uint32_t r = tables_call(&x, 1, REGION_RECV, asked, asked + 3 * US, 1);

		tables_message(&x, 64, s, s, r, r);
		s = tables_call(&x, 2, REGION_ISEND, at, at, 0);
		r = tables_call(&x, 3, REGION_RECV, at - US, at + 700 * US, 1);
		tables_message(&x, 40000, s, s, r, r);
		s = tables_call(&x, 2, REGION_ISEND, next, next, 0);
		r = tables_call(&x, 3, REGION_RECV, next + 500 * US, next + 500 * US + lasts_ns, 1);
		tables_message(&x, 40000, s, s, r, r);
	}
	tables_finish(&x);
	m = fit(&x);
	CU_ASSERT_EQUAL_FATAL(m.classes[LOCALITY_NETWORK].n, 2);
	CU_ASSERT_DOUBLE_EQUAL(m.classes[LOCALITY_NETWORK].points[0].o_r_s, 3e-6, 1e-9);
	o_r_s = m.classes[LOCALITY_NETWORK].points[1].o_r_s;
	machine_release(&m);
	tables_release(&x);
	return o_r_s;
}

/* What lasts longer than copying so many bytes more is no handling: the message came late. */
static void test_machine_crowd_makes_late_what_is_no_handling(void)
{
	CU_ASSERT_DOUBLE_EQUAL(handling_of_large(395 * US), 395e-6, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(handling_of_large(600 * US), 3e-6, 1e-9);
}

/*
 * One message and nothing else, on a machine that another trace showed: what is said of its time.
 */
static int64_t said_of(const struct machine *m, uint64_t bytes, int64_t took_ns, enum cost part)
{
	struct attribution a;
	struct tables x;
	uint32_t s, r;
	int64_t ns;

	tables_init(&x, 2, 1);
	s = tables_call(&x, 0, REGION_ISEND, US, US, 0);
	r = tables_call(&x, 1, REGION_RECV, 0, US + took_ns, 1);
	tables_message(&x, bytes, s, s, r, r);
	tables_finish(&x);
	a = sums_attribute(&x, m);
	ns = blamed(&a, part);
	attribution_release(&a);
	tables_release(&x);
	return ns;
}

/*
 * Small messages alone take 20 us, large ones always come eight at a time, in 800 us: that of these
 * one alone takes more than 100 is not known; that small ones take no more is, whether a burst of
 * them showed their port or not.
 */
static void test_machine_crowd_of_one_size_leaves_others_alone(void)
{
	for (int bursts = 0; bursts < 2; bursts++) {
		struct machine m;
		struct tables x;

		tables_init(&x, 2, 1);
		for (int k = 0; k < 40; k++) {
			int64_t at = 10 * US + k * 5000 * US, late = at + 3000 * US;
			uint32_t s, r;

			wait_for(&x, 0, 1, at, 20 * US);
			take_eight_of(&x, 60000, at + 1000 * US, 800 * US, 0);
			s = tables_call(&x, 0, REGION_ISEND, late, late, 0);
			r = tables_call(&x, 1, REGION_RECV, late + 300 * US, late + 301 * US, 3);
			tables_message(&x, 1000, s, s, r, r); /* its handling takes 1 us */
			if (bursts)
				take_eight_of(&x, 1000, at + 4000 * US, 0, 1);
		}
		tables_finish(&x);
		m = fit(&x);
		CU_ASSERT_EQUAL(!(m.classes[LOCALITY_NETWORK].joint & MACHINE_JOINT_L_G), bursts);
		CU_ASSERT_EQUAL(said_of(&m, 1000, 60 * US, COST_not_identifiable), 0);
		CU_ASSERT(said_of(&m, 1000, 60 * US, COST_network_contention) >= 35 * US);
		CU_ASSERT(said_of(&m, 60000, 800 * US, COST_not_identifiable) >= 650 * US);
		CU_ASSERT_EQUAL(said_of(&m, 60000, 800 * US, COST_network_contention), 0);
		machine_release(&m);
		tables_release(&x);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_machine_crowd_believes_most_crowds),
		SUITE_CASE(test_machine_crowd_takes_no_latency_from_crowds),
		SUITE_CASE(test_machine_crowd_has_handling_once),
		SUITE_CASE(test_machine_crowd_elsewhere_leaves_only_the_fastest),
		SUITE_CASE(test_machine_crowd_of_large_ones_knows_their_bytes),
		SUITE_CASE(test_machine_crowd_doubts_bursts_that_are_not_alike),
		SUITE_CASE(test_machine_crowd_makes_late_what_is_no_handling),
		SUITE_CASE(test_machine_crowd_of_one_size_leaves_others_alone),
		CU_TEST_INFO_NULL,
	};

	return suite_run("machine_crowd", tests);
}
