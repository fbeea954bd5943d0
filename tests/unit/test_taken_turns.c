/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/taken_turns.h"

#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#define US    1000
#define RANKS 5
#define BYTES 20000 /* 20 us in a port */
#define WAY   50    /* us, of one that is held back until its receive: its handshake, too */

/* How the messages of one run to rank 0 are taken. */
struct taken {
	struct taken_turns turns;
	uint32_t n;
	struct attribution a;
	struct machine machine;
	struct tables x;
	struct evidence_base b;
};

/*
 * All others send to rank 0 at once, and wait for it; it takes one after the other, after apart_us
 * of something else each, or has all receives posted before.
 */
static void take(struct taken *y, uint64_t eager_bytes, int64_t apart_us, int posted)
{
	struct clock_quality clock = {0};
	int64_t at = 0;
	struct err err;

	*y = (struct taken){.machine = tables_machine(10e-6, 1e-6, 1e-9, eager_bytes)};
	tables_init(&y->x, RANKS, 1);
	for (uint32_t r = 1; r < RANKS; r++) {
		int64_t asked = at + apart_us * US, end = asked + WAY * US;
		uint32_t send = tables_call(&y->x, r, REGION_SSEND, 0, end, 1), post, recv;

		post = posted ? tables_call(&y->x, 0, REGION_IRECV, -(int64_t)r * US,
					    -(int64_t)r * US + US / 2, 2)
			      : TRACE_NONE;
		recv = tables_call(&y->x, 0, posted ? REGION_WAIT : REGION_RECV, asked, end, 3);
		tables_message(&y->x, BYTES, send, send, posted ? post : recv, recv);
		at = end;
	}
	tables_finish(&y->x);
	y->n = y->x.messages.n;
	CU_ASSERT_EQUAL_FATAL(y->n, RANKS - 1);
	y->b = (struct evidence_base){.t = &y->x.trace,
				      .m = &y->x.messages,
				      .c = &y->x.collectives,
				      .machine = &y->machine,
				      .a = &y->a};
	CU_ASSERT_EQUAL_FATAL(attribution_run(&y->x.trace, &y->x.messages, &y->x.collectives,
					      &y->machine, &clock, &y->a, &err),
			      0);
	CU_ASSERT_EQUAL_FATAL(evidence_find(&y->b, &err), 0);
	CU_ASSERT_EQUAL_FATAL(taken_turns_init(&y->turns, &y->b, &err), 0);
	taken_turns_find(&y->turns, &y->b, 0);
}

static void release(struct taken *y)
{
	taken_turns_release(&y->turns);
	evidence_release(&y->b);
	attribution_release(&y->a);
	machine_release(&y->machine);
	tables_release(&y->x);
}

/* Each waits for all before it, whatever the receiver does in between, which is no message's. */
static void test_taken_turns_are_those_of_others_before(void)
{
	for (int64_t apart_us = 0; apart_us <= 100; apart_us += 100) {
		struct taken y;

		take(&y, 0, apart_us, 0);
		CU_ASSERT_EQUAL(y.turns.behind_ns[0], 0);
		for (uint32_t k = 1; k < y.n; k++)
			CU_ASSERT(y.turns.behind_ns[k] > (k - 1) * WAY * US &&
				  y.turns.behind_ns[k] <= k * WAY * US);
		for (uint32_t k = 0; k < y.n; k++)
			CU_ASSERT(taken_turns_has(&y.turns, k, y.n));
		release(&y);
	}
}

/* Posted before, they wait in a port, which is contention and told as that. */
static void test_taken_turns_are_none_of_receives_that_are_posted(void)
{
	struct taken y;

	take(&y, 0, 0, 1);
	for (uint32_t k = 0; k < y.n; k++) {
		CU_ASSERT_EQUAL(y.turns.behind_ns[k], 0);
		CU_ASSERT(!taken_turns_has(&y.turns, k, y.n));
	}
	release(&y);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_taken_turns_are_those_of_others_before),
		SUITE_CASE(test_taken_turns_are_none_of_receives_that_are_posted),
		CU_TEST_INFO_NULL,
	};

	return suite_run("taken_turns", tests);
}
