/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the trace cannot support is not claimed. */
#include "tests/fixtures/suite.h"
#include "tests/fixtures/sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define US 1000

/* 10 us a message, of whatever size; but nobody was seen alone, and it may be twice as much. */
static struct machine crowded_machine(uint64_t eager_bytes)
{
	struct machine m = tables_machine(10e-6, 0, 1e-9, eager_bytes);
	struct machine_class *c = &m.classes[LOCALITY_NETWORK];

	c->joint = MACHINE_JOINT_L_G;
	c->crowding = 1;
	c->more = reallocarray(NULL, c->n, sizeof(*c->more));
	CU_ASSERT_FATAL(c->more != NULL);
	for (uint32_t i = 0; i < c->n; i++)
		c->more[i] = (struct plogp_point){.bytes = c->points[i].bytes, .g_s = 10e-6};
	return m;
}

/*
 * 10 us if a crowd's share is all that one alone needs, but half as fast may be all there is, +-25
 * %: of 30 us the first is wire, what that leaves of 25 may be either, only the rest is contention.
 */
static void test_walk_judge_is_not_sure_of_what_the_fastest_took(void)
{
	struct machine m = crowded_machine(1 << 20);
	struct machine_class *c = &m.classes[LOCALITY_NETWORK];
	struct attribution a;
	struct tables x;
	uint32_t s, r;

	c->uncertainty = 0.25;
	tables_init(&x, 2, 1);
	s = tables_call(&x, 0, REGION_SEND, 0, 0, 0);
	r = tables_call(&x, 1, REGION_RECV, 0, 30 * US, 1);
	tables_message(&x, 0, s, s, r, r);
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	CU_ASSERT_EQUAL(blamed(&a, COST_wire), 10 * US);
	CU_ASSERT_EQUAL(blamed(&a, COST_not_identifiable), 15 * US);
	CU_ASSERT_EQUAL(blamed(&a, COST_network_contention), 5 * US);
	CU_ASSERT_EQUAL(a.blame.parts[COST_wire].high_ns, 25 * US);
	CU_ASSERT_EQUAL(a.blame.contention.low_ns, 5 * US);
	CU_ASSERT(a.blame.contention.high_ns >= 20 * US);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

/*
 * It has to wait for a receiver that computes, or passes meanwhile, nobody knows; what it takes
 * then may be all that a crowd took.
 */
static void test_walk_judge_has_crowds_move_meanwhile(void)
{
	struct machine m = crowded_machine(100);
	struct attribution a;
	struct tables x;
	uint32_t s, post, wait;

	m.classes[LOCALITY_NETWORK].progress = (struct machine_progress){NAN, NAN};
	m.classes[LOCALITY_NETWORK].has_handshake = 1; /* which takes no time */
	tables_init(&x, 2, 1);
	s = tables_call(&x, 0, REGION_SEND, US, 201 * US, 0);
	post = tables_call(&x, 1, REGION_IRECV, 0, 0, 0);
	wait = tables_call(&x, 1, REGION_WAIT, 200 * US, 201 * US, 1);
	tables_message(&x, 1000, s, s, post, wait);
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	CU_ASSERT(a.blame.parts[COST_wire].low_ns <= US);
	CU_ASSERT(a.blame.parts[COST_wire].high_ns >= 20 * US);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

/*
 * Two at once and later two more, the last of which ends the call that takes them all. By their
 * port each comes 10 us later than alone, if ports are known to take that long. If not, it is not
 * known but of that last one: nobody saw when the others came.
 */
static void test_walk_judge_ports_that_nobody_saw_busy(void)
{
	for (int joint = 0; joint < 2; joint++) {
		struct machine m = tables_machine(10e-6, 0, 10e-9, 1 << 20);
		struct attribution a;
		struct tables x;
		uint32_t post, all;

		m.classes[LOCALITY_NETWORK].joint = joint ? MACHINE_JOINT_L_G : 0;
		tables_init(&x, 5, 1);
		all = tables_call(&x, 0, REGION_WAITALL, 1 * US, 120 * US, 1);
		for (uint32_t from = 1; from < 5; from++) {
			int64_t at = from < 3 ? 0 : 90 * US;
			uint32_t s = tables_call(&x, from, REGION_SEND, at, at, 0);

			post = tables_call(&x, 0, REGION_IRECV, 0, 0, 0);
			tables_message(&x, 1000, s, s, post, all);
		}
		tables_finish(&x);
		a = sums_attribute(&x, &m);
		CU_ASSERT_EQUAL(blamed(&a, COST_wire), 4 * 20 * US);
		CU_ASSERT_EQUAL(blamed(&a, COST_receiver_port), (joint ? 10 : 40) * US);
		CU_ASSERT_EQUAL(blamed(&a, COST_not_identifiable), (joint ? 30 : 0) * US);
		CU_ASSERT(a.blame.parts[COST_receiver_port].high_ns >= 40 * US);
		CU_ASSERT(a.blame.parts[COST_uncollected].high_ns >= 200 * US);
		attribution_release(&a);
		tables_release(&x);
		machine_release(&m);
	}
}

/*
 * Sent synchronously 500 us before the call that receives it: late, if that posted the receive. If
 * only a wait is recorded, it was posted some time before, and nothing tells when.
 */
static void test_walk_judge_waits_do_not_say_when_receives_were_posted(void)
{
	for (int posts = 0; posts < 2; posts++) {
		struct machine m = tables_machine(10e-6, 0, 1e-9, 1024);
		enum cost part = posts ? COST_late_partner : COST_not_identifiable;
		enum region_kind kind = posts ? REGION_RECV : REGION_WAITALL;
		struct attribution a;
		struct tables x;
		uint32_t s, r;

		tables_init(&x, 2, 1);
		s = tables_call(&x, 0, REGION_SEND, 0, 550 * US, 0);
		r = tables_call(&x, 1, kind, 500 * US, 550 * US, 1);
		tables_message(&x, 2000, s, s, r, r);
		tables_finish(&x);
		a = sums_attribute(&x, &m);
		CU_ASSERT_EQUAL(blamed(&a, part), 490 * US);
		CU_ASSERT_EQUAL(a.blame.parts[COST_late_partner].low_ns > 450 * US, posts);
		CU_ASSERT(a.blame.parts[COST_late_partner].high_ns >= 490 * US);
		attribution_release(&a);
		tables_release(&x);
		machine_release(&m);
	}
}

/* Clocks of its own for each of three ranks; errors_ns: of each pair. */
static void set_clocks(struct tables *x, const int64_t errors_ns[9])
{
	x->trace.clocks = 3;
	x->trace.pair_error_ns = calloc(9, sizeof(int64_t));
	CU_ASSERT_PTR_NOT_NULL_FATAL(x->trace.pair_error_ns);
	memcpy(x->trace.pair_error_ns, errors_ns, 9 * sizeof(int64_t));
	for (uint32_t i = 0; i < 3; i++)
		x->trace.ranks[i].clock = i;
}

/*
 * 90 us in the network beyond the 10 that the machine needs: contention if two clocks agree to 40,
 * 3.5 sigma being 81 us then, and not if to 50, or if they were shifted; each by its own pair.
 */
static void test_walk_judge_contention_is_beyond_what_clocks_leave_open(void)
{
	int64_t errors[9] = {0, 40 * US, 50 * US, 0, 0, 0, clock_moved_ns(1)};
	struct machine m = tables_machine(10e-6, 0, 1e-9, 1 << 20);
	static const uint32_t ways[][2] = {{0, 1}, {0, 2}, {2, 0}};

	for (size_t k = 0; k < 3; k++) {
		enum cost part = k == 0 ? COST_network_contention : COST_not_identifiable;
		struct attribution a;
		struct tables x;
		uint32_t s, r;

		tables_init(&x, 3, 1);
		s = tables_call(&x, ways[k][0], REGION_SEND, 0, 0, 0);
		r = tables_call(&x, ways[k][1], REGION_RECV, 0, 100 * US, 1);
		tables_message(&x, 0, s, s, r, r);
		tables_finish(&x);
		set_clocks(&x, errors);
		a = sums_attribute(&x, &m);
		CU_ASSERT_EQUAL(blamed(&a, part), 90 * US);
		CU_ASSERT_EQUAL(a.blame.contention.low_ns > 0, k == 0);
		attribution_release(&a);
		tables_release(&x);
	}
	machine_release(&m);
}

/*
 * A message that its receiver asks for 90 us after it came, as it seems: so it was, if two clocks
 * agree to 40 us, or were shifted until they do, and not if to 50.
 */
static void test_walk_judge_inattention_is_beyond_what_clocks_leave_open(void)
{
	int64_t errors[9] = {0, 40 * US, 50 * US, 0, 0, 0, clock_moved_ns(40 * US)};
	struct machine m = tables_machine(10e-6, 0, 1e-9, 1 << 20);
	static const uint32_t ways[][2] = {{0, 1}, {0, 2}, {2, 0}};

	for (size_t k = 0; k < 3; k++) {
		enum cost part = k == 1 ? COST_not_identifiable : COST_inattention;
		struct attribution a;
		struct tables x;
		uint32_t s, r;

		tables_init(&x, 3, 1);
		s = tables_call(&x, ways[k][0], REGION_SEND, 0, 0, 0);
		r = tables_call(&x, ways[k][1], REGION_RECV, 100 * US, 101 * US, 1);
		tables_message(&x, 0, s, s, r, r);
		tables_finish(&x);
		set_clocks(&x, errors);
		a = sums_attribute(&x, &m);
		CU_ASSERT(blamed(&a, part) >= 90 * US);
		CU_ASSERT(a.blame.parts[COST_inattention].high_ns >= 90 * US);
		attribution_release(&a);
		tables_release(&x);
	}
	machine_release(&m);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_walk_judge_is_not_sure_of_what_the_fastest_took),
		SUITE_CASE(test_walk_judge_has_crowds_move_meanwhile),
		SUITE_CASE(test_walk_judge_ports_that_nobody_saw_busy),
		SUITE_CASE(test_walk_judge_waits_do_not_say_when_receives_were_posted),
		SUITE_CASE(test_walk_judge_contention_is_beyond_what_clocks_leave_open),
		SUITE_CASE(test_walk_judge_inattention_is_beyond_what_clocks_leave_open),
		CU_TEST_INFO_NULL,
	};

	return suite_run("walk_judge", tests);
}
