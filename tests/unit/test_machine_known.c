/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/attribution.h"
#include "analyze/reader/regions.h"
#include "tests/fixtures/exchange.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/sums.h"

#define US     1000
#define ROUNDS 40

/*
 * n messages at once between two ranks each, all of which come to the end of their calls at end_ns.
 */
static void transfer(struct tables *x, uint32_t n, const uint32_t from[], const uint32_t to[],
		     int64_t at_ns, int64_t end_ns)
{
	uint32_t waitall[8];

	for (uint32_t k = 0; k < n; k++) {
		uint32_t s = tables_call(x, from[k], REGION_ISEND, at_ns, at_ns, 0);

		if (k == 0 || to[k] != to[k - 1])
			waitall[k] = tables_call(x, to[k], REGION_WAITALL, at_ns - US, end_ns, 1);
		else
			waitall[k] = waitall[k - 1];
		tables_message(x, 1000, s, s, waitall[k], waitall[k]);
	}
}

/*
 * A rank sends two messages at once to two others, 10 us; two ranks send one each to another, 12
 * us: a message's handling takes 2 us. noise_ns: all may take so much longer.
 */
static struct machine pairs(int64_t noise_ns)
{
	static const uint32_t one[] = {0, 0}, two[] = {1, 2}, three[] = {3, 4}, four[] = {5, 5};
	uint64_t seed = 7;
	struct machine m;
	struct tables x;
	struct err err;

	tables_init(&x, 6, 1);
	for (int k = 0; k < ROUNDS; k++) {
		int64_t at = 100 * US + k * 1000 * US, late = 0;

		if (noise_ns)
			late = exchange_draw(&seed, noise_ns);
		transfer(&x, 2, one, two, at, at + 10 * US + late);
		transfer(&x, 2, three, four, at + 500 * US, at + 512 * US + late);
	}
	tables_finish(&x);
	CU_ASSERT_FATAL(machine_from_trace(&x.trace, &x.messages, &m, &err) == 0);
	CU_ASSERT_EQUAL_FATAL(m.classes[LOCALITY_NETWORK].n, 1);
	tables_release(&x);
	return m;
}

static void test_machine_known_tells_handlers_from_ports_by_pairs(void)
{
	struct machine m = pairs(0);
	const struct machine_class *c = &m.classes[LOCALITY_NETWORK];

	CU_ASSERT_DOUBLE_EQUAL(c->points[0].o_r_s, 2e-6, 1e-9);
	CU_ASSERT(c->points[0].g_s <= 4.001e-6); /* two were through in 8 us */
	CU_ASSERT(c->joint & MACHINE_JOINT_O_R); /* inferred, so the intervals stay */
	machine_release(&m);
}

static void test_machine_known_infers_no_handler_from_noise(void)
{
	struct machine m = pairs(10 * US);

	CU_ASSERT_EQUAL(m.classes[LOCALITY_NETWORK].points[0].o_r_s, 0);
	machine_release(&m);
}

/*
 * Two at once in 10 us, if nothing else is on the network, else in 40: the port that they share
 * needs no more than 5 us for one, however seldom that is seen.
 */
static void test_machine_known_takes_the_least_share_of_a_crowd(void)
{
	static const uint32_t from[] = {0, 0}, to[] = {1, 2};
	const struct machine_class *c;
	struct machine m;
	struct tables x;
	struct err err;

	tables_init(&x, 3, 1);
	for (int k = 0; k < ROUNDS; k++) {
		int64_t at = 100 * US + k * 1000 * US;

		transfer(&x, 2, from, to, at, at + (k % 10 ? 40 : 10) * US);
	}
	tables_finish(&x);
	CU_ASSERT_FATAL(machine_from_trace(&x.trace, &x.messages, &m, &err) == 0);
	c = &m.classes[LOCALITY_NETWORK];
	CU_ASSERT_DOUBLE_EQUAL(c->L_s + c->points[0].g_s, 5e-6, 1e-8);
	CU_ASSERT_DOUBLE_EQUAL(c->crowding, 1, 0.01); /* 10 us alone? */
	machine_release(&m);
	tables_release(&x);
}

/* Four pairs that share no port, 50 us all; if alone, only one of them every other time. */
static struct machine fabric(int alone, struct part *network)
{
	static const uint32_t from[] = {0, 1, 2, 3}, to[] = {4, 5, 6, 7};
	struct attribution a;
	struct machine m;
	struct tables x;
	struct err err;

	tables_init(&x, 8, 1);
	for (int k = 0; k < ROUNDS; k++) {
		int64_t at = 100 * US + k * 1000 * US;

		transfer(&x, alone && k % 2 ? 1 : 4, from, to, at, at + 50 * US);
	}
	tables_finish(&x);
	CU_ASSERT_FATAL(machine_from_trace(&x.trace, &x.messages, &m, &err) == 0);
	a = sums_attribute(&x, &m);
	*network = a.blame.parts[COST_network_contention];
	CU_ASSERT_EQUAL(a.blame.total_ns, x.messages.n * 50 * US);
	attribution_release(&a);
	tables_release(&x);
	return m;
}

static void test_machine_known_doubts_a_network_that_is_always_full(void)
{
	struct part network, none;
	struct machine full = fabric(0, &network), alone = fabric(1, &none);
	const struct machine_class *c = &full.classes[LOCALITY_NETWORK];

	CU_ASSERT_DOUBLE_EQUAL(c->company, 3, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(c->L_s + c->points[0].g_s, 50e-6, 1e-9);
	CU_ASSERT_EQUAL(network.ns, 0);
	CU_ASSERT_DOUBLE_EQUAL(network.high_ns, ROUNDS * 4 * 37.5 * US, ROUNDS * US);
	CU_ASSERT_EQUAL(alone.classes[LOCALITY_NETWORK].company, 0);
	CU_ASSERT(none.high_ns < 0.1 * network.high_ns);
	machine_release(&full);
	machine_release(&alone);
}

/*
 * How many others were beside a message when n at once take 50 us, every millisecond, so many
 * times.
 */
static double company_of(uint32_t ranks, int rounds, int n, const uint32_t from[],
			 const uint32_t to[])
{
	struct machine m;
	struct tables x;
	struct err err;
	double company;

	tables_init(&x, ranks, 1);
	for (int k = 0; k < rounds; k++)
		transfer(&x, n, from, to, (100 + k * 1000LL) * US, (150 + k * 1000LL) * US);
	tables_finish(&x);
	CU_ASSERT_FATAL(machine_from_trace(&x.trace, &x.messages, &m, &err) == 0);
	company = m.classes[LOCALITY_NETWORK].company;
	machine_release(&m);
	tables_release(&x);
	return company;
}

/*
 * Three messages at once between each of two pairs: as many wait, but no more meet than can be
 * sent.
 */
static void test_machine_known_counts_senders_not_what_they_queue(void)
{
	static const uint32_t from[] = {0, 0, 0, 1, 1, 1}, to[] = {2, 2, 2, 3, 3, 3};

	CU_ASSERT_DOUBLE_EQUAL(company_of(4, ROUNDS, 6, from, to), 3, 1e-6);
}

/* So many messages that only some are looked at: those that are together are seen together. */
static void test_machine_known_looks_at_stretches_of_a_long_run(void)
{
	static const uint32_t from[] = {0, 1, 2, 3}, to[] = {4, 5, 6, 7};

	CU_ASSERT_DOUBLE_EQUAL(company_of(8, 175000, 4, from, to), 3, 1e-6);
}

/*
 * Posts of 7 us one after the other to a receiver that is never quite ready: 1 us, and 25 ns a
 * byte, on their way. None is alone, yet their pace is the posts': how time grows with size holds.
 */
static void test_machine_known_tells_latency_by_sizes_in_a_crowd_that_waits_for_nobody(void)
{
	const struct machine_class *c;
	struct machine m;
	struct tables x;
	struct err err;

	tables_init(&x, 2, 1);
	for (int k = 0; k < 200; k++) {
		uint64_t bytes = k < 100 ? 8 : 64;
		int64_t at = 100 * US + k * 7 * US, end = at + 8 * US + (int64_t)bytes * 25;
		uint32_t s = tables_call(&x, 0, REGION_ISEND, at, at + 7 * US, 0);
		uint32_t r = tables_call(&x, 1, REGION_RECV, at + 6 * US, end, 1);

		tables_message(&x, bytes, s, s, r, r);
	}
	tables_finish(&x);
	CU_ASSERT_FATAL(machine_from_trace(&x.trace, &x.messages, &m, &err) == 0);
	c = &m.classes[LOCALITY_NETWORK];
	CU_ASSERT_EQUAL_FATAL(c->n, 2);
	CU_ASSERT_DOUBLE_EQUAL(c->points[0].g_s, 0.2e-6, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(c->points[1].g_s, 1.6e-6, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(c->L_s, 8e-6, 1e-9);
	machine_release(&m);
	tables_release(&x);
}

/*
 * Two at once in 10 us, of which posting took 6: they shared a port for no longer than 4, so one
 * takes 8.
 */
static void test_machine_known_keeps_overhead_out_of_a_share(void)
{
	const struct machine_class *c;
	struct machine m;
	struct tables x;
	struct err err;

	tables_init(&x, 3, 1);
	for (int k = 0; k < ROUNDS; k++) {
		int64_t at = 100 * US + k * 1000 * US;
		uint32_t all = tables_call(&x, 2, REGION_WAITALL, at - US, at + 10 * US, 1);

		for (uint32_t from = 0; from < 2; from++) {
			uint32_t s = tables_call(&x, from, REGION_ISEND, at, at + 6 * US, 0);

			tables_message(&x, 1000, s, s, all, all);
		}
	}
	tables_finish(&x);
	CU_ASSERT_FATAL(machine_from_trace(&x.trace, &x.messages, &m, &err) == 0);
	c = &m.classes[LOCALITY_NETWORK];
	CU_ASSERT_DOUBLE_EQUAL(c->points[0].g_s, 2e-6, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(c->L_s + c->points[0].g_s, 8e-6, 1e-9);
	machine_release(&m);
	tables_release(&x);
}

/* Between clocks 5 us are nothing; nor is a Wait's entry when its receive, not seen, was posted. */
static void test_machine_known_tells_nothing_from_posts_not_dated(void)
{
	enum { NOT_SEEN, SEEN, TAKEN_BY_A_WAIT, CASES };

	for (int post = 0; post < CASES; post++) {
		struct machine m;
		struct tables x;
		struct err err;
		uint32_t s, r;

		tables_init(&x, 2, 1);
		s = tables_call(&x, 0, REGION_SEND, 0, 10 * US, 0);
		r = tables_call(&x, 1, post == SEEN ? REGION_RECV : REGION_WAIT, 15 * US, 16 * US,
				1);
		tables_message(&x, 1u << 30, s, s, post ? r : TRACE_NONE, r);
		tables_finish(&x);
		x.trace.ranks[1].clock = post == SEEN;
		CU_ASSERT_FATAL(machine_from_trace(&x.trace, &x.messages, &m, &err) == 0);
		CU_ASSERT(m.classes[LOCALITY_NETWORK].eager_assumed);
		CU_ASSERT_EQUAL(m.classes[LOCALITY_NETWORK].eager_bytes, 65536);
		CU_ASSERT_EQUAL(m.classes[LOCALITY_NETWORK].open_above, 0);
		machine_release(&m);
		tables_release(&x);
	}
}

/* One clock: an exchange that is over 5 us before its receive is posted did not wait for that. */
static void test_machine_known_tells_eager_from_any_early_return(void)
{
	for (int buffered = 0; buffered < 2; buffered++) {
		struct machine m;
		struct tables x;
		struct err err;
		uint32_t s, r;

		tables_init(&x, 2, 1);
		s = tables_call(&x, 0, REGION_SENDRECV, 0, 10 * US, 0);
		r = tables_call(&x, 1, REGION_RECV, 15 * US, 16 * US, 1);
		tables_message(&x, 70000, s, s, r, r);
		tables_finish(&x);
		x.trace.regions[REGION_SENDRECV].mode =
			region_mode(buffered ? "MPI_Bsend" : "MPI_Sendrecv");
		CU_ASSERT_FATAL(machine_from_trace(&x.trace, &x.messages, &m, &err) == 0);
		CU_ASSERT_EQUAL(m.classes[LOCALITY_NETWORK].eager_bytes, buffered ? 65536 : 70000);
		CU_ASSERT_EQUAL(m.classes[LOCALITY_NETWORK].open_above, buffered ? 0 : 70000);
		machine_release(&m);
		tables_release(&x);
	}
}

/*
 * A message within a node is 1 us on its way, but its receiver does not run before 9 us, and most
 * times a time slice later. Where cores are known to lack, the fastest count, and any less is
 * possible.
 */
static void test_machine_known_takes_no_time_slice_for_latency(void)
{
	static const struct clock_quality one_clock;

	for (int off = 0; off < 2; off++) {
		const struct machine_class *c;
		struct attribution a;
		struct machine m;
		struct tables x;
		struct err err;

		tables_init(&x, 2, 2);
		for (int k = 0; k < 200; k++) {
			int64_t at = 100 * US + k * 10000LL * US;
			int64_t end = at + (k % 40 ? 80 + k % 40 * 100 : 9) * US;
			uint32_t s = tables_call(&x, 0, REGION_ISEND, at, at + US, 0);
			uint32_t r = tables_call(&x, 1, REGION_RECV, at - US, end, 1);

			tables_message(&x, 1000, s, s, r, r);
			at += 5000 * US; /* and one that is there when it is asked for */
			s = tables_call(&x, 0, REGION_ISEND, at, at + US, 0);
			r = tables_call(&x, 1, REGION_RECV, at + 20 * US, at + 21 * US, 1);
			tables_message(&x, 1000, s, s, r, r);
		}
		tables_finish(&x);
		x.trace.ranks[0].crowd = off ? 2 : 1;
		CU_ASSERT_FATAL(machine_from_trace(&x.trace, &x.messages, &m, &err) == 0);
		c = &m.classes[LOCALITY_NODE];
		CU_ASSERT_EQUAL(c->without_core, off);
		CU_ASSERT_FATAL(attribution_run(&x.trace, &x.messages, &x.collectives, &m,
						&one_clock, &a, &err) == 0);
		if (off) {
			CU_ASSERT_DOUBLE_EQUAL(c->L_s + c->points[0].g_s, 9e-6, 1e-8);
			CU_ASSERT(a.blame.parts[COST_wire].low_ns <= 400 * US);
			CU_ASSERT(a.blame.parts[COST_wire].high_ns >= 400 * US);
		}
		attribution_release(&a);
		machine_release(&m);
		tables_release(&x);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_machine_known_tells_handlers_from_ports_by_pairs),
		SUITE_CASE(test_machine_known_infers_no_handler_from_noise),
		SUITE_CASE(test_machine_known_takes_the_least_share_of_a_crowd),
		SUITE_CASE(test_machine_known_doubts_a_network_that_is_always_full),
		SUITE_CASE(test_machine_known_counts_senders_not_what_they_queue),
		SUITE_CASE(test_machine_known_looks_at_stretches_of_a_long_run),
		SUITE_CASE(
			test_machine_known_tells_latency_by_sizes_in_a_crowd_that_waits_for_nobody),
		SUITE_CASE(test_machine_known_keeps_overhead_out_of_a_share),
		SUITE_CASE(test_machine_known_tells_eager_from_any_early_return),
		SUITE_CASE(test_machine_known_tells_nothing_from_posts_not_dated),
		SUITE_CASE(test_machine_known_takes_no_time_slice_for_latency),
		CU_TEST_INFO_NULL,
	};

	return suite_run("machine_known", tests);
}
