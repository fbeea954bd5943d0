/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What machine_known.c makes of receives that began after their messages were sent. */
#include "analyze/machine/machine.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/tables.h"

#define US     1000
#define ROUNDS 40

/* Large messages of several senders come at the pace of their receives, which is no port's. */
static void test_late_receives_have_a_pace_of_their_own(void)
{
	struct machine m;
	struct tables x;
	struct err err;

	tables_init(&x, 7, 1);
	for (int64_t k = 0; k < 40; k++) {
		int64_t now = 10 * US + k * 2000 * US, post = now - 5 * US;
		uint32_t s, r;

		for (uint32_t from = 1; from <= 4; from++) { /* handled for 200 us each */
			s = tables_call(&x, from, REGION_SEND, now, post + 130 * US, 0);
			r = tables_call(&x, 0, REGION_RECV, post, post + 130 * US, 1);
			tables_message(&x, 100000, s, s, r, r);
			post += 330 * US;
		}
		s = tables_call(&x, 5, REGION_SEND, now, now + 125 * US, 0);
		r = tables_call(&x, 6, REGION_RECV, now - US, now + 125 * US, 1);
		tables_message(&x, 100000, s, s, r, r);
	}
	tables_finish(&x);
	CU_ASSERT_EQUAL_FATAL(machine_from_trace(&x.trace, &x.messages, &m, &err), 0);
	CU_ASSERT_EQUAL_FATAL(m.classes[LOCALITY_NETWORK].n, 1);
	CU_ASSERT(m.classes[LOCALITY_NETWORK].L_s + m.classes[LOCALITY_NETWORK].points[0].g_s <
		  130e-6);
	machine_release(&m);
	tables_release(&x);
}

/*
 * A message is 1 ms on its way. Receives that began 0.6 ms after its send and lasted 0.8 did not
 * handle it all the time: no processor takes so long for 8 kB, but a program's handler may for 1.
 */
static void test_late_receives_are_no_slower_than_any_machine(void)
{
	for (int small = 0; small < 2; small++) {
		uint64_t bytes = small ? 1000 : 8000;
		const struct machine_class *c;
		struct machine m;
		struct tables x;
		struct err err;

		tables_init(&x, 4, 1);
		for (int64_t k = 0; k < ROUNDS; k++) {
			int64_t at = 100 * US + k * 3000 * US;
			uint32_t s = tables_call(&x, 0, REGION_ISEND, at, at + US, 0);
			uint32_t r = tables_call(&x, 1, REGION_RECV, at - US, at + 1000 * US, 1);

			tables_message(&x, bytes, s, s, r, r);
			s = tables_call(&x, 2, REGION_ISEND, at, at + US, 0);
			r = tables_call(&x, 3, REGION_RECV, at + 600 * US, at + 1400 * US, 1);
			tables_message(&x, bytes, s, s, r, r);
		}
		tables_finish(&x);
		CU_ASSERT_FATAL(machine_from_trace(&x.trace, &x.messages, &m, &err) == 0);
		c = &m.classes[LOCALITY_NETWORK];
		CU_ASSERT_DOUBLE_EQUAL(c->points[0].o_r_s, small ? 800e-6 : 0, 1e-9);
		CU_ASSERT_EQUAL(!(c->joint & MACHINE_JOINT_O_R), small);
		machine_release(&m);
		tables_release(&x);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_late_receives_have_a_pace_of_their_own),
		SUITE_CASE(test_late_receives_are_no_slower_than_any_machine),
		CU_TEST_INFO_NULL,
	};

	return suite_run("late_receives", tests);
}
