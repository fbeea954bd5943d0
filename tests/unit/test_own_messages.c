/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a rank sends itself: a copy by one of its own calls. */
#include "tests/fixtures/suite.h"
#include "tests/fixtures/sums.h"

#define US 1000

/* A rank's message to itself is on no way: whatever is not overhead, it lay there. */
static void test_own_messages_waits_to_be_collected(void)
{
	struct machine m = tables_machine(5e-6, 0, 1e-9, 1 << 20);
	uint32_t send, post, wait, last;
	struct attribution a;
	struct tables x;

	tables_init(&x, 2, 1);
	post = tables_call(&x, 0, REGION_IRECV, 0, 0, 1);
	tables_call(&x, 0, REGION_IRECV, 0, 0, 1);
	send = tables_call(&x, 0, REGION_ISEND, 10, 20, 0);
	wait = tables_call(&x, 0, REGION_WAITALL, 20, 100 * US, 2);
	last = tables_call(&x, 1, REGION_SEND, 94 * US, 94 * US, 0);
	tables_message(&x, 1000, send, wait, post, wait);
	tables_message(&x, 1000, last, last, post + 1, wait);
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	CU_ASSERT_EQUAL(blamed(&a, COST_not_identifiable), 0);
	CU_ASSERT_EQUAL(blamed(&a, COST_uncollected), 100 * US - 20);
	CU_ASSERT_EQUAL(blamed(&a, COST_send_overhead), 10);
	CU_ASSERT_EQUAL(a.blame.parts[COST_wire].high_ns, 6 * US); /* the other message's */
	CU_ASSERT_EQUAL(a.blame.parts[COST_receive_overhead].high_ns, 100 * US - 20);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

/* The calls by which a rank sends itself 1 MB of 30 us, its receive posted before or not. */
static const struct own {
	enum region_kind send, receive;
	int is_posted, sends_long;
	enum cost part; /* that has these 30 us */
} own[] = {
	{REGION_SEND, REGION_WAIT, 1, 1, COST_send_overhead},
	{REGION_SSEND, REGION_WAIT, 1, 1, COST_send_overhead},
	{REGION_ISEND, REGION_WAIT, 1, 1, COST_send_overhead},
	{REGION_ISEND, REGION_RECV, 0, 0, COST_receive_overhead},
	{REGION_ISEND, REGION_WAIT, 1, 0, COST_receive_overhead},
	{REGION_ISEND, REGION_WAITALL, 1, 0, COST_receive_overhead},
};

/* What it takes is a copy, by whose call it lasts: no contention and nobody's buffer. */
static void test_own_messages_is_copied(void)
{
	for (size_t k = 0; k < sizeof(own) / sizeof(own[0]); k++) {
		struct machine m = tables_machine(5e-6, 0, 1e-9, 512);
		int64_t sent_ns = own[k].sends_long ? 30 * US : 0;
		uint32_t send, post = TRACE_NONE, take;
		struct attribution a;
		struct tables x;

		tables_init(&x, 2, 1);
		if (own[k].is_posted)
			post = tables_call(&x, 0, REGION_IRECV, 0, 0, 1);
		send = tables_call(&x, 0, own[k].send, US, US + sent_ns, 0);
		take = tables_call(&x, 0, own[k].receive, US + sent_ns, 31 * US, 2);
		tables_message(&x, 1000000, send, own[k].send == REGION_ISEND ? take : send,
			       own[k].is_posted ? post : take, take);
		tables_finish(&x);
		a = sums_attribute(&x, &m);
		CU_ASSERT_EQUAL(blamed(&a, own[k].part), 30 * US);
		CU_ASSERT_EQUAL(a.budget.parts[own[k].part].ns, 30 * US);
		CU_ASSERT_EQUAL(a.budget.contention.high_ns, 0);
		CU_ASSERT_EQUAL(a.blame.contention.high_ns, 0);
		attribution_release(&a);
		tables_release(&x);
		machine_release(&m);
	}
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_own_messages_waits_to_be_collected),
		SUITE_CASE(test_own_messages_is_copied),
		CU_TEST_INFO_NULL,
	};

	return suite_run("own_messages", cases);
}
