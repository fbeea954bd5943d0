/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which sends wait for their receives, by a trace. */
#include "analyze/machine/machine_ranges.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/tables.h"

#define US 1000

static struct machine fit(const struct tables *x)
{
	struct machine m;
	struct err err;

	CU_ASSERT_FATAL(machine_from_trace(&x->trace, &x->messages, &m, &err) == 0);
	return m;
}

/* Sends whose receive is posted 1 ms later: up to 10 kB they leave, 20 kB wait for it. */
static void test_machine_eager_finds_the_threshold(void)
{
	int64_t at = 0;
	struct machine m;
	struct tables x;

	tables_init(&x, 2, 1);
	for (int k = 0; k < 20; k++, at += 3000 * US) {
		uint64_t bytes = k % 2 ? 20000 : 10000;
		int64_t left = at + (k % 2 ? 1050 : 10) * US;
		uint32_t s = tables_call(&x, 0, REGION_SEND, at, left, 0);
		uint32_t r = tables_call(&x, 1, REGION_RECV, at + 1000 * US, at + 1060 * US, 1);

		tables_message(&x, bytes, s, s, r, r);
	}
	tables_finish(&x);
	m = fit(&x);
	CU_ASSERT_EQUAL(m.classes[LOCALITY_NETWORK].eager_bytes, 10000);
	CU_ASSERT_EQUAL(m.classes[LOCALITY_NETWORK].eager_assumed, 0);
	CU_ASSERT_EQUAL(m.classes[LOCALITY_NETWORK].open_above, 10000);
	CU_ASSERT_EQUAL(m.classes[LOCALITY_NETWORK].open_upto, 19999);
	CU_ASSERT_EQUAL(m.classes[LOCALITY_NODE].eager_assumed, 1);
	CU_ASSERT_EQUAL(m.classes[LOCALITY_NODE].open_upto, UINT64_MAX);
	machine_release(&m);
	tables_release(&x);
}

/* open_upto between nodes, of tables that are released. */
static uint64_t fitted_upto(struct tables *x)
{
	struct machine m = fit(x);
	uint64_t upto = m.classes[LOCALITY_NETWORK].open_upto;

	x->trace.pair_error_ns = NULL; /* the test's own */
	machine_release(&m);
	tables_release(x);
	return upto;
}

/*
 * A message takes 3 us to a receiver that waits for it. Others are posted 20 to 40 us after their
 * send, and there so long after; their sends come back with them. Larger ones came back early_ns
 * before, if that is not 0. Returns up to which size a send may leave at once.
 */
static uint64_t open_upto(int64_t there_ns, int64_t early_ns, uint32_t on_a_core, int64_t error_ns)
{
	int64_t errors_ns[] = {0, error_ns, error_ns, 0};
	struct tables x;

	tables_init(&x, 2, 1);
	for (int k = 0; k < 8; k++) {
		int64_t at = 100 * US + k * 500 * US, there = at + 10 * US * (2 + k % 3) + there_ns;
		uint32_t s = tables_call(&x, 0, REGION_SEND, at, there, 0);
		uint32_t r = tables_call(&x, 1, REGION_RECV, there - there_ns, there, 1);

		tables_message(&x, 100, s, s, r, r);
		at += 250 * US;
		s = tables_call(&x, 0, REGION_SEND, at, at + 3 * US, 0);
		r = tables_call(&x, 1, REGION_RECV, at - US, at + 3 * US, 1);
		tables_message(&x, 50, s, s, r, r);
		at += 100 * US;
		s = tables_call(&x, 0, REGION_SEND, at, at + 3 * US, 0);
		r = tables_call(&x, 1, REGION_RECV, at + 3 * US + early_ns, at + 150 * US, 1);
		if (early_ns > 0)
			tables_message(&x, 200, s, s, r, r);
	}
	tables_finish(&x);
	x.trace.ranks[0].crowd = on_a_core;
	if (error_ns) { /* two clocks */
		x.trace.ranks[1].clock = 1;
		x.trace.clocks = 2;
		x.trace.pair_error_ns = errors_ns;
	}
	return fitted_upto(&x);
}

/*
 * Sends that come back a transfer after the post waited for it; not if their messages were there
 * sooner than any can come, nor if a larger one did not, if the sender waited for a core, or if
 * their clocks are not known well enough.
 */
static void test_machine_eager_sees_sends_follow_the_post(void)
{
	CU_ASSERT_EQUAL(open_upto(3 * US, 0, 1, 0), 99);
	CU_ASSERT_EQUAL(open_upto(US / 10, 0, 1, 0), UINT64_MAX);
	CU_ASSERT_EQUAL(open_upto(3 * US, 30 * US, 1, 0), UINT64_MAX);
	CU_ASSERT_EQUAL(open_upto(3 * US, 0, 2, 0), UINT64_MAX);
	CU_ASSERT_EQUAL(open_upto(3 * US, 0, 1, US), 99);
	CU_ASSERT_EQUAL(open_upto(3 * US, 0, 1, 4 * US), UINT64_MAX);
}

/*
 * Two messages sent at once, with receives posted later, the second one's last; one call waits for
 * both sends from wait_ns on until returned_ns. others: and for a receive.
 */
static uint64_t together_upto(int64_t wait_ns, int64_t returned_ns, int others)
{
	struct tables x;

	tables_init(&x, 2, 1);
	for (int64_t at = 0; at < 40000 * US; at += 4000 * US) {
		uint32_t one = tables_call(&x, 0, REGION_ISEND, at, at + US, 0);
		uint32_t two = tables_call(&x, 0, REGION_ISEND, at + 2 * US, at + 3 * US, 0);
		uint32_t post = tables_call(&x, 0, REGION_IRECV, at + 4 * US, at + 5 * US, 0);
		uint32_t wait =
			tables_call(&x, 0, REGION_WAITALL, at + wait_ns, at + returned_ns, 0);
		uint32_t other = tables_call(&x, 1, REGION_SEND, at, at + US, 1);
		uint32_t first = tables_call(&x, 1, REGION_RECV, at + 500 * US, at + 550 * US, 1);
		uint32_t last = tables_call(&x, 1, REGION_RECV, at + 1000 * US, at + 1050 * US, 1);

		tables_message(&x, 20000, one, wait, first, first);
		tables_message(&x, 20000, two, wait, last, last);
		if (others)
			tables_message(&x, 8, other, other, post, wait);
	}
	tables_finish(&x);
	return fitted_upto(&x);
}

/*
 * Sends that are waited for together are done when the last is; that tells nothing if the rank
 * waited only later, or for something else.
 */
static void test_machine_eager_sees_sends_waited_for_together(void)
{
	CU_ASSERT_EQUAL(together_upto(10 * US, 1050 * US, 0), 19999);
	CU_ASSERT_EQUAL(together_upto(10 * US, 1050 * US, 1), UINT64_MAX);
	CU_ASSERT_EQUAL(together_upto(1020 * US, 1050 * US, 0), UINT64_MAX);
	CU_ASSERT_EQUAL(together_upto(10 * US, 12 * US, 0), UINT64_MAX);
}

/*
 * Blocking receives are posted before_ns and, by turns, so much more after their sends, whose calls
 * tell nothing, and take after_ns less a share of what it was more. busy: the receiver's port was,
 * by another message.
 */
static uint64_t late_upto(int64_t before_ns, int64_t after_ns, double share, int busy)
{
	struct tables x;

	tables_init(&x, 3, 1);
	for (int k = 0; k < 20; k++) {
		int64_t at = k * 5000 * US, more = k % 5 * 100 * US, post = at + before_ns + more;
		int64_t there = post + after_ns - (int64_t)(share * more);
		uint32_t sent = tables_call(&x, 0, REGION_ISEND, at, at + US, 0);
		uint32_t wait = tables_call(&x, 0, REGION_WAIT, at + 4000 * US, at + 4001 * US, 0);
		uint32_t other = tables_call(&x, 2, REGION_SEND, at, at + US, 2);
		uint32_t irecv, taken, got;

		irecv = tables_call(&x, 1, REGION_IRECV, at, at + US, 1);
		taken = tables_call(&x, 1, REGION_WAIT, post - 20 * US, post - 10 * US, 1);
		got = tables_call(&x, 1, REGION_RECV, post, there, 1);
		if (busy)
			tables_message(&x, 20000, other, other, irecv, taken);
		tables_message(&x, 20000, sent, wait, got, got);
	}
	tables_finish(&x);
	return fitted_upto(&x);
}

/*
 * Messages that take their time from the post on, whenever they were sent, waited for it; not what
 * a processor may take to handle them, what may be on its way since it was sent, or what comes
 * after another.
 */
static void test_machine_eager_sees_messages_follow_the_post(void)
{
	CU_ASSERT_EQUAL(late_upto(1000 * US, 500 * US, 0, 0), 19999);
	CU_ASSERT_EQUAL(late_upto(1000 * US, 200 * US, 0, 0), UINT64_MAX);
	CU_ASSERT_EQUAL(late_upto(1000 * US, 800 * US, 1, 0), UINT64_MAX);
	CU_ASSERT_EQUAL(late_upto(400 * US, 900 * US, 0, 0), UINT64_MAX);
	CU_ASSERT_EQUAL(late_upto(1000 * US, 500 * US, 0, 1), UINT64_MAX);
}

/*
 * Messages take 10 us to a receiver that waits; their sends return after took_ns, and nothing else
 * shows whether they wait for it. Larger ones return likewise, long before they are received, if
 * seen_to_leave.
 */
static struct machine posting(int64_t took_ns, int seen_to_leave)
{
	struct machine m;
	struct tables x;

	tables_init(&x, 2, 1);
	for (int k = 0; k < 20; k++) {
		int64_t at = 100 * US + k * 1000 * US, late = at + 500 * US;
		uint32_t s = tables_call(&x, 0, REGION_SEND, at, at + took_ns, 0);
		uint32_t r = tables_call(&x, 1, REGION_RECV, at - US, at + 10 * US, 1);

		tables_message(&x, 100, s, s, r, r);
		if (!seen_to_leave)
			continue;
		s = tables_call(&x, 0, REGION_SEND, at + 100 * US, at + 100 * US + took_ns, 0);
		r = tables_call(&x, 1, REGION_RECV, late, late + 10 * US, 1);
		tables_message(&x, 1000, s, s, r, r);
	}
	tables_finish(&x);
	m = fit(&x);
	tables_release(&x);
	return m;
}

/* What a send takes that may have waited for its receiver is the most that posting takes. */
static void test_machine_eager_does_not_take_waiting_for_posting(void)
{
	struct {
		int64_t took_ns;
		int seen_to_leave;
		double o_s_s, most_s;
	} rows[] = {{10 * US, 0, 0, 10e-6}, {10 * US, 1, 10e-6, 10e-6}, {US, 0, 1e-6, 1e-6}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct machine m = posting(rows[i].took_ns, rows[i].seen_to_leave);
		const struct machine_class *c = &m.classes[LOCALITY_NETWORK];
		struct machine_range o_s = machine_ranges_at(c, 100).o_s_s;

		CU_ASSERT_DOUBLE_EQUAL(c->points[0].o_s_s, rows[i].o_s_s, 1e-9);
		CU_ASSERT(o_s.least <= rows[i].o_s_s);
		CU_ASSERT(o_s.most >= rows[i].most_s);
		CU_ASSERT_DOUBLE_EQUAL(c->more[0].o_s_s, rows[i].most_s - rows[i].o_s_s, 1e-9);
		machine_release(&m);
	}
}

/* A larger message is there in 10 us: that is the most for a smaller one, and for its posting. */
static void test_machine_eager_posts_no_longer_than_messages_take(void)
{
	const struct machine_class *c;
	struct machine m;
	struct tables x;

	tables_init(&x, 2, 1);
	for (int k = 0; k < 20; k++) {
		int64_t at = 100 * US + k * 1000 * US;

		for (int large = 0; large < 2; large++, at += 500 * US) {
			int64_t end = at + (large ? 10 : 50) * US;
			uint32_t s = tables_call(&x, 0, REGION_SEND, at, end, 0);
			uint32_t r = tables_call(&x, 1, REGION_RECV, at - US, end, 1);

			tables_message(&x, large ? 1000 : 100, s, s, r, r);
		}
	}
	tables_finish(&x);
	m = fit(&x);
	c = &m.classes[LOCALITY_NETWORK];
	CU_ASSERT_EQUAL_FATAL(c->n, 2);
	CU_ASSERT_DOUBLE_EQUAL(c->points[0].o_s_s + c->more[0].o_s_s, 10e-6, 1e-9);
	machine_release(&m);
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_machine_eager_finds_the_threshold),
		SUITE_CASE(test_machine_eager_sees_sends_follow_the_post),
		SUITE_CASE(test_machine_eager_sees_sends_waited_for_together),
		SUITE_CASE(test_machine_eager_sees_messages_follow_the_post),
		SUITE_CASE(test_machine_eager_does_not_take_waiting_for_posting),
		SUITE_CASE(test_machine_eager_posts_no_longer_than_messages_take),
		CU_TEST_INFO_NULL,
	};

	return suite_run("machine_eager", tests);
}
