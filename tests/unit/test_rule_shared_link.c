/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#include <stdlib.h>

#define US    1000
#define PAIRS 4

/* tables_machine's, known to so much. */
static struct machine machine(double uncertainty)
{
	struct machine m = tables_machine(20e-6, 1e-6, 6000. / 4096 * 1e-9, 1 << 20);

	m.classes[LOCALITY_NETWORK].uncertainty = uncertainty;
	return m;
}

/*
 * Every round each of four ranks sends 4 kB to a rank of its own: L + g = 28 us alone. Through one
 * link that needs 8 us a message, or each through its own; after `crowded` rounds one at a time.
 * slow_us: everything takes so much longer, alone or not. waits: the senders wait for their
 * receivers. away_us: every rank was without its core for so long.
 */
static struct hotspots find_in(int64_t crowded, int64_t alone, struct machine m, int is_shared,
			       int64_t slow_us, int waits, int64_t away_us)
{
	struct hotspots h;
	struct tables x;

	tables_init(&x, 2 * PAIRS, 1);
	for (int64_t round = 0; round < crowded + alone; round++) {
		int one_at_a_time = round >= crowded;
		int64_t start = (100 * round + 160 * one_at_a_time * (round - crowded)) * US;
		int64_t link = start;

		for (uint32_t r = 0; r < PAIRS; r++) {
			int64_t at = start + one_at_a_time * r * 64 * US, begins = at, done;
			uint32_t send, recv;

			if (is_shared)
				begins = link > at ? link : at;
			link = begins + 8 * US;
			done = begins + (28 + slow_us) * US;
			send = tables_call(&x, r, waits ? REGION_SSEND : REGION_SEND, at,
					   waits ? done + 20 * US : at + US, 0);
			recv = tables_call(&x, PAIRS + r, REGION_RECV, start, done, 1);
			tables_message(&x, 4096, send, send, recv, recv);
		}
	}
	tables_finish(&x);
	for (uint32_t r = 0; r < 2 * PAIRS; r++)
		x.trace.ranks[r].core_awaited_ns = away_us * US;
	h = findings_of(&x, m);
	tables_release(&x);
	return h;
}

static struct hotspots find_away(int is_shared, int64_t slow_us, int waits, int64_t away_us)
{
	return find_in(10, 10, machine(0.05), is_shared, slow_us, waits, away_us);
}

static struct hotspots find(int is_shared, int64_t slow_us, int waits)
{
	return find_away(is_shared, slow_us, waits, 0);
}

static void test_rule_shared_link_is_found(void)
{
	struct hotspots h = find(1, 0, 0);
	const struct hotspot *found = findings_one(&h, "shared_link");

	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_EQUAL(findings_contention(&h), 1);
	CU_ASSERT_EQUAL(findings_evidence(found, "senders"), PAIRS);
	CU_ASSERT_EQUAL(findings_evidence(found, "receivers"), PAIRS);
	CU_ASSERT_EQUAL(findings_evidence(found, "messages_held"), 10 * (PAIRS - 1));
	/* 8, 16 and 24 us in each of ten rounds */
	CU_ASSERT_DOUBLE_EQUAL(findings_evidence(found, "network_contention_s"), 480e-6, 20e-6);
	CU_ASSERT(found->saves_low_s <= found->saves_mid_s &&
		  found->saves_mid_s <= found->saves_high_s && found->saves_high_s <= 240.1e-6);
	hotspots_release(&h);
}

/*
 * Both ends are held up by the same message, but no rank waits longer: 240 us, and what L and g may
 * be off.
 */
static void test_rule_shared_link_saves_no_more_than_is_lost(void)
{
	struct hotspots h = find(1, 0, 1);
	const struct hotspot *found = findings_one(&h, "shared_link");

	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT(found->saves_mid_s <= found->saves_high_s && found->saves_high_s <= 300e-6);
	hotspots_release(&h);
}

static void test_rule_shared_link_is_not_found_without_one(void)
{
	struct hotspots h = find(0, 0, 0);

	CU_ASSERT_EQUAL(findings_contention(&h), 0);
	hotspots_release(&h);
	h = find(0, 30, 0); /* a slow network, but not for others on it */
	CU_ASSERT_EQUAL(findings_contention(&h), 0);
	hotspots_release(&h);
}

/* The receivers lose 480 us together: what may be waiting for cores is left out. */
static void test_rule_shared_link_is_not_waiting_for_cores(void)
{
	struct hotspots h = find(1, 0, 0), some = find_away(1, 0, 0, 20),
			all = find_away(1, 0, 0, 60);
	const struct hotspot *found = findings_one(&h, "shared_link");
	const struct hotspot *less = findings_one(&some, "shared_link");

	CU_ASSERT_FATAL(found != NULL && less != NULL);
	CU_ASSERT_DOUBLE_EQUAL(found->saves_mid_s - less->saves_mid_s, 20e-6, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(found->saves_high_s, less->saves_high_s, 1e-9);
	CU_ASSERT(findings_one(&all, "shared_link") == NULL);
	hotspots_release(&h);
	hotspots_release(&some);
	hotspots_release(&all);
}

/* Where no message is ever alone, what it takes alone has to be known well enough. */
static void test_rule_shared_link_is_proven_where_none_is_alone(void)
{
	struct hotspots sure = find_in(10, 0, machine(0.05), 1, 0, 0, 0);
	struct hotspots unsure = find_in(10, 0, machine(1), 1, 0, 0, 0);

	CU_ASSERT(findings_one(&sure, "shared_link") != NULL);
	CU_ASSERT(findings_one(&unsure, "shared_link") == NULL);
	hotspots_release(&sure);
	hotspots_release(&unsure);
}

/* One round of forty in which they are does not show what that takes. */
static void test_rule_shared_link_is_proven_where_few_are_alone(void)
{
	struct hotspots unsure = find_in(40, 1, machine(1), 1, 0, 0, 0);

	CU_ASSERT(findings_one(&unsure, "shared_link") == NULL);
	hotspots_release(&unsure);
}

/*
 * Two ranks each send three others five messages at once, which their port needs 8 us for: all are
 * there when it is done with the last one. If it serves what goes to a rank one by one that was the
 * network; it need not.
 */
static void test_rule_shared_link_is_not_a_port_that_all_share(void)
{
	enum { FAN = 3, EACH = 5 };

	for (int known = 0; known < 2; known++) {
		struct machine m = machine(0.05), estimate;
		struct hotspots h;
		struct tables x;
		struct err err;

		tables_init(&x, 2 * (1 + FAN), 1);
		for (int64_t round = 0; round < 20; round++)
			for (uint32_t k = 0; k < 2 * FAN * EACH; k++) {
				uint32_t src = k / (FAN * EACH) * (1 + FAN),
					 dst = src + 1 + k % FAN;
				int64_t at = round * 300 * US, done = at + 140 * US + k * 10;
				uint32_t send = tables_call(&x, src, REGION_ISEND, at + k * 10,
							    at + k * 10 + 10, 0);
				uint32_t post = tables_call(&x, dst, REGION_IRECV, at, at, 1);
				uint32_t wait =
					tables_call(&x, dst, REGION_WAIT, done - 130 * US, done, 2);

				if (k % (FAN * EACH) >= FAN) /* finds it there */
					x.trace.calls[wait].enter_ns = done - 10;
				tables_message(&x, 4096, send, send, post, wait);
			}
		tables_finish(&x);
		CU_ASSERT_FATAL(machine_from_trace(&x.trace, &x.messages, &estimate, &err) == 0);
		if (!known)
			m.classes[LOCALITY_NETWORK].side_by_side =
				estimate.classes[LOCALITY_NETWORK].side_by_side;
		machine_release(&estimate);
		h = findings_of(&x, m);
		CU_ASSERT_EQUAL(findings_one(&h, "shared_link") != NULL, known);
		hotspots_release(&h);
		tables_release(&x);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rule_shared_link_is_found),
		SUITE_CASE(test_rule_shared_link_saves_no_more_than_is_lost),
		SUITE_CASE(test_rule_shared_link_is_not_found_without_one),
		SUITE_CASE(test_rule_shared_link_is_not_waiting_for_cores),
		SUITE_CASE(test_rule_shared_link_is_proven_where_none_is_alone),
		SUITE_CASE(test_rule_shared_link_is_proven_where_few_are_alone),
		SUITE_CASE(test_rule_shared_link_is_not_a_port_that_all_share),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_shared_link", tests);
}
