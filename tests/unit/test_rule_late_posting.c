/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/findings.h"
#include "tests/unit/suite.h"

#define US     1000
#define ROUNDS 20
#define BYTES  200000
#define L_NS   (10 * US)
#define G_NS   (202 * US)
#define SITE   4

/*
 * Rank 1 is in a receive of rank 0, which computes 1 ms first; rank 2's long message is ready
 * from the start, but its receive is posted late: after rank 0's, or (early) before.
 */
enum when { LATE, EARLY };

static void two_senders(struct tables *x, enum when when)
{
	int64_t now = 0;

	tables_init(x, 3, 1);
	for (int round = 0; round < ROUNDS; round++) {
		int64_t first_ns =
			now + 1000 * US + L_NS + 2 * US; /* rank 0's little one is there */
		int64_t second_ns = when == LATE ? first_ns + L_NS + G_NS : now + 3 * L_NS + G_NS;
		int64_t end_ns = second_ns > first_ns ? second_ns + US : first_ns + US;
		uint32_t post = 0, little, big, got, wait;

		if (when == EARLY)
			post = tables_call(x, 1, REGION_IRECV, now, now + 200, SITE);
		little = tables_call(x, 0, REGION_SEND, now + 1000 * US, now + 1001 * US, 1);
		got = tables_call(x, 1, REGION_RECV, now + 300, first_ns, 2);
		big = tables_call(x, 2, REGION_SEND, now, second_ns, 3);
		if (when == LATE)
			wait = post = tables_call(x, 1, REGION_RECV, first_ns, second_ns, SITE);
		else
			wait = tables_call(x, 1, REGION_WAIT, first_ns + 100, end_ns, 5);
		tables_message(x, 8, little, little, got, got);
		tables_message(x, BYTES, big, big, post, wait);
		now = end_ns + 10 * US;
		for (uint32_t r = 0; r < 3; r++)
			tables_call(x, r, REGION_MPI_LOCAL, now - 5 * US, now, 6);
	}
	tables_finish(x);
}

static struct hotspots find(struct tables *x, enum when when)
{
	two_senders(x, when);
	return findings_of(x, tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536));
}

/* What was gained in truth: the same messages with the receive posted before. */
static void test_rule_late_posting_bounds_the_gain(void)
{
	struct tables late, early;
	struct hotspots h = find(&late, LATE), other = find(&early, EARLY);
	const struct hotspot *x = findings_one(&h, "late_posting");
	double gain_s = (late.trace.wall_ns - early.trace.wall_ns) * 1e-9;

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_EQUAL(x->site, SITE);
	CU_ASSERT_EQUAL(x->region, REGION_RECV);
	CU_ASSERT_EQUAL(findings_evidence(x, "late"), ROUNDS);
	CU_ASSERT(gain_s > 0.1 * late.trace.wall_ns * 1e-9);
	CU_ASSERT(x->saves_low_s <= gain_s && gain_s <= x->saves_high_s);
	CU_ASSERT(findings_one(&other, "late_posting") == NULL);
	CU_ASSERT_EQUAL(findings_contention(&other), 0);
	hotspots_release(&other);
	hotspots_release(&h);
	tables_release(&early);
	tables_release(&late);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rule_late_posting_bounds_the_gain),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_late_posting", tests);
}
