/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#include <math.h>
#include <string.h>

#define US     1000
#define ROUNDS 20
#define BYTES  200000
#define L_NS   (10 * US)
#define G_NS   (202 * US)
#define SITE   4

/*
 * Rank 1 is in a receive of rank 0, which computes 1 ms first; rank 2's long message is ready
 * from the start, but its receive is posted late: after rank 0's, or (early) before; or only the
 * wait for it is recorded. So many little ones that are received in time come at last.
 */
enum when { LATE, EARLY, UNKNOWN };

static void two_senders(struct tables *x, enum when when, int punctual)
{
	int64_t now = 0;

	tables_init(x, 3, 1);
	for (int round = 0; round < ROUNDS; round++) {
		int64_t first_ns =
			now + 1000 * US + L_NS + 2 * US; /* rank 0's little one is there */
		int64_t second_ns = when == EARLY ? now + 3 * L_NS + G_NS : first_ns + L_NS + G_NS;
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
		if (when == UNKNOWN)
			post = TRACE_NONE;
		tables_message(x, 8, little, little, got, got);
		tables_message(x, BYTES, big, big, post, wait);
		now = end_ns + 10 * US;
		for (uint32_t r = 0; r < 3; r++)
			tables_call(x, r, REGION_MPI_LOCAL, now - 5 * US, now, 6);
	}
	for (int i = 0; i < punctual; i++, now += 20 * US) {
		uint32_t got = tables_call(x, 1, REGION_RECV, now, now + 15 * US, SITE);
		uint32_t sent = tables_call(x, 2, REGION_SEND, now + US, now + 2 * US, 3);

		tables_message(x, 8, sent, sent, got, got);
	}
	tables_finish(x);
}

static struct hotspots find(struct tables *x, enum when when)
{
	two_senders(x, when, 0);
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
	CU_ASSERT_PTR_NOT_NULL(strstr(x->why, "20 of 20 messages came early, 20 of them were held "
					      "back until the receive while their receiver was in "
					      "MPI; waiting "));
	CU_ASSERT(gain_s > 0.1 * late.trace.wall_ns * 1e-9);
	CU_ASSERT(x->saves_low_s <= gain_s && gain_s <= x->saves_high_s);
	CU_ASSERT(findings_one(&other, "late_posting") == NULL);
	CU_ASSERT_EQUAL(findings_contention(&other), 0);
	hotspots_release(&other);
	hotspots_release(&h);
	tables_release(&early);
	tables_release(&late);
}

/* Rank 0 computes all the time and had a core for nine tenths of it: a tenth may be saved. */
static void test_rule_late_posting_saves_no_work(void)
{
	const struct hotspot *found;
	struct hotspots h;
	struct tables x;

	two_senders(&x, LATE, 0);
	x.trace.ranks[0].core_used_ns = x.trace.wall_ns * 9 / 10;
	h = findings_of(&x, tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536));
	found = findings_one(&h, "late_posting");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_DOUBLE_EQUAL(found->saves_high_s, (double)x.trace.wall_ns * 0.1e-9,
			       (double)x.trace.wall_ns * 0.01e-9);
	hotspots_release(&h);
	tables_release(&x);
}

/*
 * The receiver sends to the message's own sender first, again and again, with user regions between:
 * it could have begun when it waits for another rank after that.
 */
static void test_rule_late_posting_skips_sends_to_the_sender(void)
{
	const struct hotspot *found;
	struct hotspots h;
	struct tables x;
	int64_t now = 10 * US, waits_ns;

	tables_init(&x, 3, 1);
	for (int round = 0; round < ROUNDS; round++) {
		int64_t answer_ns = now + 200 * US, ready_ns = now + 1000 * US + L_NS + 2 * US;
		int64_t begun_ns = now, got_ns = ready_ns + L_NS + G_NS;
		uint32_t big = tables_call(&x, 2, REGION_ISEND, now - 2 * US, now - US, 3);
		uint32_t little, first, got, wait;

		for (int k = 0; k < 4; k++, begun_ns += 50 * US) {
			uint32_t other =
				tables_call(&x, 1, REGION_SEND, begun_ns, begun_ns + 40 * US, 7);
			uint32_t taken =
				tables_call(&x, 2, REGION_RECV, begun_ns, begun_ns + 42 * US, 7);

			tables_message(&x, 8, other, other, taken, taken);
			tables_call(&x, 1, REGION_OTHER, begun_ns + 41 * US, begun_ns + 45 * US, 6);
		}
		wait = tables_call(&x, 2, REGION_WAIT, now + 195 * US, got_ns, 3);
		little = tables_call(&x, 0, REGION_SEND, now + 1000 * US, now + 1001 * US, 1);
		first = tables_call(&x, 1, REGION_RECV, answer_ns, ready_ns, 2);
		got = tables_call(&x, 1, REGION_RECV, ready_ns, got_ns, SITE);
		tables_message(&x, 8, little, little, first, first);
		tables_message(&x, BYTES, big, wait, got, got);
		now = got_ns + 10 * US;
	}
	waits_ns = 800 * US + L_NS + 2 * US;
	tables_finish(&x);
	h = findings_of(&x, tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536));
	found = findings_one(&h, "late_posting");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_EQUAL(findings_evidence(found, "late"), ROUNDS);
	CU_ASSERT_DOUBLE_EQUAL(findings_evidence(found, "lateness_s"), ROUNDS * waits_ns * 1e-9,
			       1e-9);
	hotspots_release(&h);
	tables_release(&x);
}

/*
 * Two receivers are late in turn: each waits for the other, which computes when it has got its long
 * message. What both gain adds up.
 */
static void test_rule_late_posting_counts_who_waits_for_receivers(void)
{
	const struct hotspot *found;
	struct hotspots h;
	struct tables x;
	int64_t now = 0;

	tables_init(&x, 4, 1);
	for (uint32_t turn = 0; turn < 2 * ROUNDS; turn++) {
		uint32_t late = turn % 2;
		int64_t ready_ns = now + 500 * US + L_NS + 2 * US, got_ns = ready_ns + L_NS + G_NS;
		uint32_t big = tables_call(&x, 2 + late, REGION_SEND, now, got_ns, 3);
		uint32_t little =
			tables_call(&x, !late, REGION_SEND, now + 500 * US, now + 501 * US, 1);
		uint32_t first = tables_call(&x, late, REGION_RECV, now, ready_ns, 2);
		uint32_t got = tables_call(&x, late, REGION_RECV, ready_ns, got_ns, SITE);

		tables_message(&x, 8, little, little, first, first);
		tables_message(&x, BYTES, big, big, got, got);
		now = got_ns;
	}
	tables_finish(&x);
	h = findings_of(&x, tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536));
	found = findings_one(&h, "late_posting");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_DOUBLE_EQUAL(found->saves_mid_s, 2 * ROUNDS * (L_NS + G_NS) * 1e-9,
			       0.1 * found->saves_mid_s);
	CU_ASSERT(found->saves_high_s >= found->saves_mid_s);
	hotspots_release(&h);
	tables_release(&x);
}

/* If that was looked at; the other ranks' queues are no matter. */
static void test_rule_late_posting_tells_of_the_queue(void)
{
	for (int looked = 0; looked < 2; looked++) {
		const struct hotspot *found;
		struct tables x;
		struct hotspots h;

		two_senders(&x, LATE, 0);
		x.trace.ranks[0].unexpected = (struct unexpected){90, 7.5, 80};
		if (looked)
			x.trace.ranks[1].unexpected = (struct unexpected){50, 1.5, 3};
		h = findings_of(&x, tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536));
		found = findings_one(&h, "late_posting");
		CU_ASSERT_FATAL(found != NULL);
		CU_ASSERT_EQUAL(strstr(found->why, "lay 1.5 unexpected messages on average, at "
						   "most 3") != NULL,
				looked);
		if (looked)
			CU_ASSERT_EQUAL(findings_evidence(found, "unexpected_mean"), 1.5);
		CU_ASSERT_EQUAL(isnan(findings_evidence(found, "unexpected_most")), !looked);
		hotspots_release(&h);
		tables_release(&x);
	}
}

static void test_rule_late_posting_takes_no_wait_for_a_post(void)
{
	struct tables x;
	struct hotspots h = find(&x, UNKNOWN);

	CU_ASSERT(findings_one(&h, "late_posting") == NULL);
	hotspots_release(&h);
	tables_release(&x);
}

/* Are sends held back? An estimated machine does not say so where the recording does not. */
static void test_rule_late_posting_says_what_is_open(void)
{
	static const struct {
		enum machine_source source;
		enum when when;
		uint64_t open_upto;
		int is_open;
	} cases[] = {{MACHINE_SELF_CALIBRATED, LATE, UINT64_MAX, 1},
		     {MACHINE_SELF_CALIBRATED, LATE, 0, 0}, /* it is seen that they are not */
		     {MACHINE_SELF_CALIBRATED, EARLY, UINT64_MAX, 0},
		     {MACHINE_FILE, LATE, UINT64_MAX, 0}};

	for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
		struct machine m = tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 10 * BYTES);
		struct hotspots h;
		struct tables x;

		m.source = cases[k].source;
		m.classes[LOCALITY_NETWORK].open_upto = cases[k].open_upto;
		two_senders(&x, cases[k].when, 0);
		h = findings_of(&x, m);
		CU_ASSERT_EQUAL(findings_unjudged(&h, "late_posting"), cases[k].is_open);
		hotspots_release(&h);
		tables_release(&x);
	}
}

/* Few of many are no "0 %". */
static void test_rule_late_posting_counts_few(void)
{
	struct tables x;
	struct hotspots h;
	const struct hotspot *found;

	two_senders(&x, LATE, 100 * ROUNDS);
	h = findings_of(&x, tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536));
	found = findings_one(&h, "late_posting");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_STRING_EQUAL(found->title,
			       "20 of 2020 messages come before their receive is posted");
	hotspots_release(&h);
	tables_release(&x);
}

/* A receiver that is busy with another message until it posts could not have answered sooner. */
static void test_rule_late_posting_is_silent_on_busy_receivers(void)
{
	struct tables x;
	struct hotspots h;
	int64_t now = 0;

	tables_init(&x, 3, 1);
	for (int round = 0; round < ROUNDS; round++) {
		int64_t got_ns = now + 3 * L_NS + G_NS, end_ns = got_ns + L_NS + G_NS;
		uint32_t one = tables_call(&x, 0, REGION_SEND, now, got_ns, 1);
		uint32_t got = tables_call(&x, 1, REGION_RECV, now, got_ns, 2);
		uint32_t two = tables_call(&x, 2, REGION_SEND, now + US, end_ns, 3);
		uint32_t then = tables_call(&x, 1, REGION_RECV, got_ns + 1, end_ns, SITE);

		tables_message(&x, BYTES, one, one, got, got);
		tables_message(&x, BYTES, two, two, then, then);
		now = end_ns + 10 * US;
	}
	tables_finish(&x);
	h = findings_of(&x, tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536));
	CU_ASSERT(findings_one(&h, "late_posting") == NULL);
	hotspots_release(&h);
	tables_release(&x);
}

/* Ranks that share cores, or were taken off them: in its calls the receiver may have had none. */
static void test_rule_late_posting_is_silent_on_shared_cores(void)
{
	for (int off = 0; off < 2; off++) {
		struct tables x;
		struct hotspots h;

		two_senders(&x, LATE, 0);
		CU_ASSERT_FATAL(!trace_set_cores(&x.trace, off ? 1 : 1 / 1.5));
		for (uint32_t r = 0; r < 3; r++)
			x.trace.ranks[r].taken_off = off;
		h = findings_of(&x, tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536));
		CU_ASSERT(findings_one(&h, "late_posting") == NULL);
		hotspots_release(&h);
		tables_release(&x);
	}
}

/*
 * Ping-pong: the answer's request comes while the first rank is still in its own send, which
 * ends with the other's receipt. Nobody posted late.
 */
static void test_rule_late_posting_is_silent_on_questions_and_answers(void)
{
	struct tables x;
	struct hotspots h;
	int64_t now = 0, asked = 0;

	tables_init(&x, 2, 1);
	for (uint32_t k = 0; k < 2 * ROUNDS; k++) {
		uint32_t from = k % 2;
		int64_t got_ns = now + 3 * L_NS + G_NS;
		/* It returns 100 us after its data were received. */
		uint32_t send = tables_call(&x, from, REGION_SEND, now, got_ns + 100 * US, 1);
		uint32_t recv = tables_call(&x, !from, REGION_RECV, asked, got_ns, 2);

		tables_message(&x, BYTES, send, send, recv, recv);
		asked = got_ns + 101 * US;
		now = got_ns + US;
	}
	tables_finish(&x);
	h = findings_of(&x, tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536));
	CU_ASSERT(findings_one(&h, "late_posting") == NULL);
	hotspots_release(&h);
	tables_release(&x);
}

/* Not where the receiver waited for a core as long, and so long less where it did for less. */
static void test_rule_late_posting_leaves_out_waits_for_cores(void)
{
	double whole_s = 0;

	for (int away_percent = 0; away_percent <= 100; away_percent += 50) {
		const struct hotspot *found;
		struct hotspots h;
		struct tables x;

		two_senders(&x, LATE, 0);
		CU_ASSERT_FATAL(!trace_set_cores(&x.trace, away_percent ? 1 / 1.5 : 1));
		for (uint32_t r = 0; r < 3; r++)
			x.trace.ranks[r].core_awaited_ns = away_percent * 10 * US * ROUNDS;
		h = findings_of(&x, tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536));
		found = findings_one(&h, "late_posting");
		CU_ASSERT_EQUAL(found != NULL, away_percent < 100);
		if (found && away_percent == 0)
			whole_s = findings_evidence(found, "lateness_s");
		if (found)
			CU_ASSERT_DOUBLE_EQUAL(findings_evidence(found, "lateness_s"),
					       whole_s * (100 - away_percent) / 100,
					       0.01 * whole_s);
		hotspots_release(&h);
		tables_release(&x);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rule_late_posting_bounds_the_gain),
		SUITE_CASE(test_rule_late_posting_saves_no_work),
		SUITE_CASE(test_rule_late_posting_skips_sends_to_the_sender),
		SUITE_CASE(test_rule_late_posting_counts_who_waits_for_receivers),
		SUITE_CASE(test_rule_late_posting_tells_of_the_queue),
		SUITE_CASE(test_rule_late_posting_takes_no_wait_for_a_post),
		SUITE_CASE(test_rule_late_posting_says_what_is_open),
		SUITE_CASE(test_rule_late_posting_counts_few),
		SUITE_CASE(test_rule_late_posting_leaves_out_waits_for_cores),
		SUITE_CASE(test_rule_late_posting_is_silent_on_busy_receivers),
		SUITE_CASE(test_rule_late_posting_is_silent_on_shared_cores),
		SUITE_CASE(test_rule_late_posting_is_silent_on_questions_and_answers),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_late_posting", tests);
}
