/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What readings of TCP's counters prove of messages' waits in the network, and what they do not. */
#include "tests/fixtures/suite.h"
#include "tests/fixtures/sums.h"

#define MS      INT64_C(1000000)
#define BYTES   1000
#define MACHINE tables_machine(10e-6, 1e-6, 1e-9, 4096) /* L + g = 13 us */

/*
 * One message between two hosts, sent at 100 ms; the receiver asks from the begin until it has it.
 */
struct late {
	int64_t done_ns;
	int64_t searched_ns;   /* by the receiver, for all that is known */
	enum region_kind kind; /* of the call that completes it */
	uint64_t other_bytes;  /* another message between the same hosts, there at the same time */
};

/* The sender's host is read at these times; and what its counters rose by before each. */
struct looked {
	int64_t time_ns;
	uint64_t again, timeouts;
};

static void read_counters(struct tables *x, size_t n, const struct looked looked[n])
{
	uint64_t again = 0, timeouts = 0;

	for (size_t k = 0; k < n; k++) {
		struct counter_reading one = {.time_ns = looked[k].time_ns, .rank = 0};

		one.of = READING_SENT_AGAIN;
		one.value = again += looked[k].again;
		CU_ASSERT_FATAL(!readings_add(&x->trace.readings, one));
		one.of = READING_TIMEOUTS;
		one.value = timeouts += looked[k].timeouts;
		CU_ASSERT_FATAL(!readings_add(&x->trace.readings, one));
	}
}

static struct attribution attribute(struct late late, size_t n, const struct looked looked[n])
{
	struct machine m = MACHINE;
	struct attribution a;
	struct tables x;
	uint32_t s, r, done;

	tables_init(&x, 4, 2);
	s = tables_call(&x, 0, REGION_SEND, 100 * MS, 100 * MS + 1000, 0);
	r = tables_call(&x, 2, REGION_IRECV, 0, 1000, 1);
	done = tables_call(&x, 2, late.kind, 2000, late.done_ns, 1);
	tables_message(&x, BYTES, s, s, late.kind == REGION_RECV ? done : r, done);
	if (late.kind == REGION_WAITSOME) {
		s = tables_call(&x, 1, REGION_SEND, 100 * MS, 100 * MS + 1000, 0);
		tables_message(&x, BYTES, s, s, r, done);
	}
	if (late.other_bytes) {
		s = tables_call(&x, 1, REGION_ISEND, 100 * MS, 100 * MS + 1000, 0);
		r = tables_call(&x, 3, REGION_RECV, 0, late.done_ns, 1);
		tables_message(&x, late.other_bytes, s,
			       tables_call(&x, 1, REGION_WAIT, 101 * MS, late.done_ns, 0), r, r);
	}
	tables_finish(&x);
	x.trace.ranks[2].searched_ns = late.searched_ns;
	read_counters(&x, n, looked);
	a = sums_attribute(&x, &m);
	CU_ASSERT(sums_add_up(&x, &a));
	readings_release(&x.trace.readings);
	tables_release(&x);
	machine_release(&m);
	return a;
}

static const struct late late = {1100 * MS, 2000 * MS, REGION_RECV, 0};

/*
 * A time-out in the middle of the wait; whose it was is not known, so the views stay as they were.
 */
static void test_resent_finds_a_time_out(void)
{
	static const struct looked looked[] = {
		{0, 0, 0}, {400 * MS, 0, 0}, {600 * MS, 3, 1}, {1200 * MS, 0, 0}};
	struct attribution without = attribute(late, 0, NULL), with = attribute(late, 4, looked);
	const struct part *part = &with.budget.parts[COST_network_contention];

	CU_ASSERT_EQUAL(without.resent.seen_ns, 0);
	CU_ASSERT_EQUAL(with.resent.messages, 1);
	CU_ASSERT_EQUAL(with.resent.lost_ns, 200 * MS);
	CU_ASSERT_EQUAL(part->low_ns, without.budget.parts[COST_network_contention].low_ns);
	CU_ASSERT_EQUAL(part->ns, without.budget.parts[COST_network_contention].ns);
	attribution_release(&without);
	attribution_release(&with);
}

/* As many as there were, and no more than had room in the wait. */
static void test_resent_counts_each_time_out_once(void)
{
	static const struct looked three[] = {
		{0, 0, 0}, {300 * MS, 0, 0}, {500 * MS, 2, 2}, {900 * MS, 1, 1}, {1200 * MS, 0, 0}};
	static const struct looked many[] = {
		{0, 0, 0}, {300 * MS, 0, 0}, {500 * MS, 9, 9}, {1200 * MS, 0, 0}};
	static const struct looked damaged[] = {{0, 0, 0},
						{300 * MS, 0, 0},
						{500 * MS, 9, UINT64_MAX / 2 + 101},
						{1200 * MS, 0, 0}};
	struct attribution a = attribute(late, 5, three), b = attribute(late, 4, many),
			   c = attribute(late, 4, damaged);

	CU_ASSERT_EQUAL(a.resent.lost_ns, 600 * MS);
	CU_ASSERT_EQUAL(b.resent.lost_ns, 800 * MS);
	CU_ASSERT_EQUAL(c.resent.lost_ns, 800 * MS);
	attribution_release(&c);
	attribution_release(&a);
	attribution_release(&b);
}

/* Where the counters rose, and what share that is of the time. */
static void test_resent_says_what_lies_beside_it(void)
{
	static const struct looked looked[] = {
		{0, 0, 0}, {350 * MS, 0, 0}, {600 * MS, 5, 0}, {1000 * MS, 0, 0}};
	struct attribution a = attribute(late, 4, looked);

	CU_ASSERT_EQUAL(a.resent.beside_ns, 250 * MS);
	CU_ASSERT(a.resent.seen_ns > 899 * MS && a.resent.seen_ns < 900 * MS);
	CU_ASSERT_DOUBLE_EQUAL(a.resent.chance_ns, 0.25 * (double)a.resent.seen_ns, MS);
	CU_ASSERT_EQUAL(a.resent.messages, 0);
	attribution_release(&a);
}

/*
 * Before the message was sent, or after it was there, or when it cannot have stood still so long.
 */
static void test_resent_finds_none_of_other_times(void)
{
	static const struct looked before[] = {{0, 0, 0}, {99 * MS, 4, 4}, {1200 * MS, 0, 0}};
	static const struct looked after[] = {
		{0, 0, 0}, {1100 * MS, 0, 0}, {1200 * MS, 4, 4}, {1300 * MS, 0, 0}};
	static const struct looked meanwhile[] = {{0, 0, 0}, {200 * MS, 4, 4}, {1200 * MS, 0, 0}};
	static const struct looked no_wait[] = {{0, 0, 0}, {250 * MS, 4, 4}, {1200 * MS, 0, 0}};
	struct late soon = late;
	struct attribution a[4];

	soon.done_ns = 290 * MS;
	a[0] = attribute(late, 3, before);
	a[1] = attribute(late, 4, after);
	a[2] = attribute(late, 3, meanwhile);
	a[3] = attribute(soon, 3, no_wait);
	for (int k = 0; k < 4; k++) {
		CU_ASSERT_EQUAL(a[k].resent.lost_ns, 0);
		attribution_release(&a[k]);
	}
}

/* 900 MB at 1 ns a byte: the wait may as well have been for the port. */
static void test_resent_finds_none_where_ports_were_busy(void)
{
	static const struct looked looked[] = {
		{0, 0, 0}, {400 * MS, 0, 0}, {600 * MS, 3, 1}, {1200 * MS, 0, 0}};
	struct late busy = late, idle = late, damaged = late;
	struct attribution a, b, c;

	busy.other_bytes = 900000000;
	idle.other_bytes = 90000000;
	damaged.other_bytes = UINT64_MAX;
	a = attribute(busy, 4, looked);
	c = attribute(damaged, 4, looked);
	CU_ASSERT_EQUAL(c.resent.lost_ns, 0);
	attribution_release(&c);
	b = attribute(idle, 4, looked);
	CU_ASSERT_EQUAL(a.resent.lost_ns, 0);
	CU_ASSERT_EQUAL(b.resent.lost_ns, 200 * MS);
	attribution_release(&a);
	attribution_release(&b);
}

/* Which of several messages a call waited for is not known; of one alone it is. */
static void test_resent_finds_none_of_messages_that_came_together(void)
{
	static const struct looked looked[] = {
		{0, 0, 0}, {400 * MS, 0, 0}, {600 * MS, 3, 1}, {1200 * MS, 0, 0}};
	struct late alone = late, together = late;
	struct attribution a, b;

	alone.kind = REGION_WAITALL;
	together.kind = REGION_WAITSOME;
	a = attribute(alone, 4, looked);
	b = attribute(together, 4, looked);
	CU_ASSERT_EQUAL(a.resent.lost_ns, 200 * MS);
	CU_ASSERT_EQUAL(b.resent.lost_ns, 0);
	CU_ASSERT(b.resent.seen_ns > 0);
	attribution_release(&a);
	attribution_release(&b);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_resent_finds_a_time_out),
	SUITE_CASE(test_resent_counts_each_time_out_once),
	SUITE_CASE(test_resent_says_what_lies_beside_it),
	SUITE_CASE(test_resent_finds_none_of_other_times),
	SUITE_CASE(test_resent_finds_none_where_ports_were_busy),
	SUITE_CASE(test_resent_finds_none_of_messages_that_came_together),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("resent", tests);
}
