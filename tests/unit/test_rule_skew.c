/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "tests/fixtures/exchange.h"
#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#define US       1000
#define SENDERS  3 /* too few for an incast */
#define RANKS    12
#define MESSAGES 400
#define HOT      8
#define L_NS     (10 * US)
#define G_NS     (202 * US)
#define SITE     2

/*
 * The lower ranks send 200 kB to one of the upper ones, synchronously, and compute 50 us, again
 * and again; those have posted all receives before. Of every ten messages hot go to one rank, the
 * others to any.
 */
static struct hotspots find(uint32_t hot)
{
	int64_t now[RANKS], port[RANKS] = {0}, asked[RANKS];
	struct tables x;
	struct hotspots h;
	uint64_t seed = 3;

	tables_init(&x, RANKS, 1);
	for (uint32_t r = 0; r < RANKS; r++)
		now[r] = asked[r] = 1000 * US + exchange_draw(&seed, 100 * US);
	for (uint32_t k = 0; k < MESSAGES; k++) {
		uint32_t src = 0, dst = HOT, send, post, wait;
		int64_t head;

		for (uint32_t r = 1; r < SENDERS; r++)
			if (now[r] < now[src])
				src = r;
		if (k % 10 >= hot)
			dst = SENDERS + exchange_draw(&seed, RANKS - SENDERS);
		head = now[src] + 3 * L_NS > port[dst] ? now[src] + 3 * L_NS : port[dst];
		port[dst] = head + G_NS;
		send = tables_call(&x, src, REGION_SSEND, now[src], port[dst], SITE);
		post = tables_call(&x, dst, REGION_IRECV, k, k + 1, 4);
		wait = tables_call(&x, dst, REGION_WAIT, asked[dst], port[dst], 3);
		tables_message(&x, 200000, send, send, post, wait);
		asked[dst] = port[dst] + 100;
		now[src] = port[dst] + 50 * US;
	}
	tables_finish(&x);
	h = findings_of(&x, tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536));
	tables_release(&x);
	return h;
}

static void test_rule_skew_names_the_rank(void)
{
	struct hotspots h = find(8);
	const struct hotspot *x = findings_one(&h, "skew");

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_EQUAL(x->rank, HOT);
	CU_ASSERT_EQUAL(x->site, SITE);
	CU_ASSERT(findings_evidence(x, "bytes_share") > 0.4);
	CU_ASSERT(x->saves_mid_s > 0 && x->saves_mid_s <= x->saves_high_s);
	CU_ASSERT(x->saves_high_s <= findings_evidence(x, "held_s"));
	hotspots_release(&h);
}

/*
 * The senders wait for nobody, but all at the end of each round for the rank that takes their
 * messages, one after the other, 32 us each: what they wait is saved, too, but for an even share's
 * part of it and for what each sender's own port takes to let its messages out.
 */
static void test_rule_skew_counts_who_waits_for_the_rank(void)
{
	enum { ROUNDS = 15, EACH = 7, PORT_NS = 32 * US };
	int64_t start = 1000 * US, queued_ns = 0;
	const struct hotspot *found;
	uint64_t seed = 5;
	struct tables x;
	struct hotspots h;
	double saves_s;

	tables_init(&x, RANKS, 1);
	for (int round = 0; round < ROUNDS; round++) {
		int64_t at[SENDERS], enter[RANKS], port = start + L_NS, asked = start;

		for (uint32_t r = 0; r < RANKS; r++)
			enter[r] = start + exchange_draw(&seed, 20 * US);
		for (uint32_t r = 0; r < SENDERS; r++)
			at[r] = start + exchange_draw(&seed, US);
		for (uint32_t k = 0; k < EACH * SENDERS; k++) {
			uint32_t src = k % SENDERS, send, recv;

			send = tables_call(&x, src, REGION_SEND, at[src], at[src] + US, SITE);
			at[src] += US;
			port += PORT_NS;
			recv = tables_call(&x, HOT, REGION_RECV, asked, port, 3);
			tables_message(&x, 30000, send, send, recv, recv);
			asked = port;
		}
		for (uint32_t r = 0; r < SENDERS; r++)
			enter[r] = at[r] + US;
		enter[HOT] = port;
		queued_ns += (EACH * SENDERS - EACH) * PORT_NS;
		start = port + 150 * US;
		tables_collective(&x, enter, port + 10 * US, 5);
	}
	tables_finish(&x);
	h = findings_of(&x, tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536));
	found = findings_one(&h, "skew");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_EQUAL(found->rank, HOT);
	saves_s = queued_ns * 1e-9 * (RANKS - 1) / RANKS;
	CU_ASSERT_DOUBLE_EQUAL(found->saves_mid_s, saves_s, 0.15 * saves_s);
	CU_ASSERT(saves_s <= found->saves_high_s && found->saves_high_s <= 1.3 * saves_s);
	CU_ASSERT_EQUAL(found->saves_low_s, 0);
	hotspots_release(&h);
	tables_release(&x);
}

/*
 * All there is goes to so many ranks alike, from SENDERS others each; after a round all wait for
 * all.
 */
static struct hotspots find_alike(uint32_t hot)
{
	enum { ROUNDS = 5, EACH = 7, PORT_NS = 32 * US };
	uint32_t ranks = hot * (1 + SENDERS);
	int64_t *enter = calloc(ranks, sizeof(*enter)), start = 1000 * US;
	struct tables x;
	struct hotspots h;

	tables_init(&x, ranks, 1);
	for (int round = 0; round < ROUNDS; round++) {
		for (uint32_t k = 0; k < hot * EACH * SENDERS; k++) {
			uint32_t dst = k % hot, turn = k / hot, send, recv;
			uint32_t src = hot + dst * SENDERS + turn % SENDERS;
			int64_t at = start + turn * US, there = start + L_NS + (turn + 1) * PORT_NS;

			send = tables_call(&x, src, REGION_SEND, at, at + US, SITE);
			recv = tables_call(&x, dst, REGION_RECV, turn ? there - PORT_NS : start,
					   there, 3);
			tables_message(&x, 30000, send, send, recv, recv);
			enter[src] = at + US;
			enter[dst] = there;
		}
		start += L_NS + (EACH * SENDERS + 1) * PORT_NS;
		tables_collective(&x, enter, start, 5);
	}
	tables_finish(&x);
	h = findings_of(&x, tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536));
	tables_release(&x);
	free(enter);
	return h;
}

/*
 * While the others are as late as before nothing is saved at one alone: all together are told of.
 */
static void test_rule_skew_tells_of_many_together(void)
{
	struct hotspots h = find_alike(6);
	const struct hotspot *x = findings_one(&h, "skew");

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_EQUAL(findings_contention(&h), 1);
	CU_ASSERT_EQUAL(x->rank, TRACE_NONE);
	CU_ASSERT_EQUAL(x->site, SITE);
	CU_ASSERT_PTR_NOT_NULL(strstr(x->title, "and 5 others get 100 % of the bytes, 4.0 times"));
	CU_ASSERT_DOUBLE_EQUAL(findings_evidence(x, "bytes_share"), 1, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(findings_evidence(x, "even_share"), 0.25, 1e-9);
	CU_ASSERT(x->saves_mid_s > 0 && x->saves_mid_s <= x->saves_high_s);
	hotspots_release(&h);
}

static void test_rule_skew_is_silent_when_even(void)
{
	struct hotspots h = find(0);

	CU_ASSERT_EQUAL(findings_contention(&h), 0);
	hotspots_release(&h);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rule_skew_names_the_rank),
		SUITE_CASE(test_rule_skew_counts_who_waits_for_the_rank),
		SUITE_CASE(test_rule_skew_tells_of_many_together),
		SUITE_CASE(test_rule_skew_is_silent_when_even),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_skew", tests);
}
