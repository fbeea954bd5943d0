/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "tests/fixtures/exchange.h"
#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#define US     1000
#define RANKS  16
#define TARGET 5
#define SITE   4

static struct hotspots find(const struct tables *x)
{
	return findings_of(x, tables_machine(10e-6, 1e-6, 1e-9, 65536));
}

/*
 * Every round all ranks compute, then send so many bytes to one rank, which takes one after the
 * other; apart by some us a rank: the port needs 22 us each.
 */
static void gather_from(struct tables *x, int64_t start, uint64_t seed, int64_t apart_ns,
			uint64_t bytes)
{
	int64_t port;

	for (uint32_t round = 0; round < 10; round++) {
		uint32_t send[RANKS], recv[RANKS];
		int64_t asked = start;

		port = start;
		for (uint32_t r = 0; r < RANKS; r++) {
			int64_t at = start + 50 * US + exchange_draw(&seed, 1000) + r * apart_ns;

			if (r == TARGET)
				continue;
			send[r] = tables_call(x, r, REGION_SSEND, at, 0, SITE);
			port = (at + 10 * US > port ? at + 10 * US : port) + 22 * US;
			x->trace.calls[send[r]].leave_ns = port + 10 * US;
			recv[r] = tables_call(x, TARGET, REGION_RECV, asked, port, 1);
			tables_message(x, bytes, send[r], send[r], recv[r], recv[r]);
			asked = port;
		}
		start = port + 100 * US;
	}
}

static void gather(struct tables *x, uint64_t seed, int64_t apart_ns)
{
	tables_init(x, RANKS, 1);
	gather_from(x, 0, seed, apart_ns, 20000);
	tables_finish(x);
}

/* All but that rank send so much to the next one, so many times. Returns when that is over. */
static int64_t send_around(struct tables *x, uint32_t times, uint64_t bytes)
{
	int64_t apart_ns = 40 * US + (int64_t)bytes;

	for (uint32_t k = 0; k < times * RANKS; k++) {
		int64_t at = k / RANKS * apart_ns;
		uint32_t from = k % RANKS, to = (from + 1) % RANKS, send, recv;

		if (from == TARGET)
			continue;
		to += to == TARGET;
		send = tables_call(x, from, REGION_SEND, at, at + US, 2);
		recv = tables_call(x, to, REGION_RECV, at + US,
				   at + (bytes ? 12 : 30) * US + (int64_t)bytes, 1);
		tables_message(x, bytes, send, send, recv, recv);
	}
	return times * apart_ns;
}

static void test_rule_incast_names_rank_and_site(void)
{
	for (uint64_t seed = 0; seed < 50; seed++) {
		const struct hotspot *found;
		struct tables x;
		struct hotspots h;

		gather(&x, seed, 0);
		h = find(&x);
		found = findings_one(&h, "incast");
		CU_ASSERT_FATAL(found != NULL);
		CU_ASSERT_EQUAL(findings_contention(&h), 1);
		CU_ASSERT_EQUAL(found->rank, TARGET);
		CU_ASSERT_EQUAL(found->site, SITE);
		CU_ASSERT_EQUAL(found->region, REGION_SSEND);
		CU_ASSERT_EQUAL(found->saves_low_s, 0);
		CU_ASSERT(found->saves_mid_s <= found->saves_high_s);
		hotspots_release(&h);
		tables_release(&x);
	}
}

static void test_rule_incast_needs_them_at_the_same_time(void)
{
	for (uint64_t seed = 0; seed < 50; seed++) {
		struct tables x;
		struct hotspots h;

		gather(&x, seed, 40 * US);
		h = find(&x);
		CU_ASSERT_EQUAL(findings_contention(&h), 0);
		hotspots_release(&h);
		tables_release(&x);
	}
}

/*
 * That rank gets 150 messages of so many bytes, the others as often as said of their own size, in a
 * ring and not at the same time: is it advised to spread it, and is that likely to save something?
 */
static void check_spread(uint64_t bytes, uint32_t times, uint64_t others_bytes, int is_spread,
			 int is_saved)
{
	const struct hotspot *found;
	struct tables x;
	struct hotspots h;

	tables_init(&x, RANKS, 1);
	gather_from(&x, send_around(&x, times, others_bytes), 1, 0, bytes);
	tables_finish(&x);
	h = findings_of(&x, tables_machine(10e-6, bytes > 1000 ? 1e-6 : 10e-6, 1e-9, 65536));
	found = findings_one(&h, "incast");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_EQUAL(found->rank, TARGET);
	CU_ASSERT_EQUAL(strstr(found->advice, "over more ranks") != NULL, is_spread);
	CU_ASSERT_EQUAL(found->saves_mid_s > 0, is_saved);
	hotspots_release(&h);
	tables_release(&x);
}

/* It gets no more than the others do: to spread it would save nothing, and is not advised. */
static void test_rule_incast_spreads_no_even_share(void)
{
	check_spread(20000, 150, 20000, 0, 0);
	check_spread(20000, 90, 20000, 1, 1);
	check_spread(0, 150, 0, 0, 0);
	check_spread(0, 10, 0, 1, 1);
}

/* Of the bytes it gets no more, but of the messages, each of which has to be handled. */
static void test_rule_incast_counts_messages_too(void)
{
	check_spread(20000, 50, 60000, 1, 0);
	check_spread(8, 10, 60000, 1, 0);
}

/*
 * Nobody waits in a send, but all at the end of each round for the rank that takes one message
 * after the other, 22 us each: what they wait is saved, too.
 */
static void test_rule_incast_counts_who_waits_for_the_receiver(void)
{
	int64_t start = 0, queued_ns = 0;
	const struct hotspot *found;
	uint64_t seed = 7;
	struct tables x;
	struct hotspots h;
	double saves_s;

	tables_init(&x, RANKS, 1);
	for (uint32_t round = 0; round < 10; round++) {
		int64_t first = start + 50 * US, port = first + 10 * US, asked = first;
		int64_t enter[RANKS];

		for (uint32_t r = 0; r < RANKS; r++) {
			int64_t at = first + exchange_draw(&seed, 1000);
			uint32_t send, recv;

			if (r == TARGET)
				continue;
			port += 22 * US;
			send = tables_call(&x, r, REGION_SEND, at, at + US, SITE);
			recv = tables_call(&x, TARGET, REGION_RECV, asked, port, 1);
			tables_message(&x, 20000, send, send, recv, recv);
			asked = port;
			enter[r] = at + US;
		}
		enter[TARGET] = port;
		queued_ns += port - first - 32 * US;
		start = port + 10 * US;
		tables_collective(&x, enter, start, 3);
	}
	tables_finish(&x);
	h = find(&x);
	found = findings_one(&h, "incast");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_EQUAL(found->rank, TARGET);
	saves_s = queued_ns * 1e-9 * (RANKS - 1) / RANKS;
	CU_ASSERT_DOUBLE_EQUAL(found->saves_mid_s, saves_s, 0.15 * saves_s);
	CU_ASSERT(saves_s <= found->saves_high_s && found->saves_high_s <= 1.3 * saves_s);
	CU_ASSERT_EQUAL(found->saves_low_s, 0);
	hotspots_release(&h);
	tables_release(&x);
}

/*
 * The lower ranks are receivers with EACH senders of their own, whose messages come at once; after
 * each round all wait for all. By turns one gets twice as many as the others, or the others get
 * none; or all get as many.
 */
enum turns { ALIKE, TWICE, ONLY };

static void gather_apart(struct tables *x, uint32_t receivers, enum turns turns)
{
	enum { EACH = 12, PORT_NS = 22 * US };
	uint32_t ranks = receivers * (1 + EACH);
	int64_t *enter = calloc(ranks, sizeof(*enter)), start = 0;
	uint64_t seed = receivers;

	tables_init(x, ranks, 1);
	for (uint32_t round = 0; round < 2 * receivers; round++) {
		for (uint32_t k = 0; k < receivers * EACH; k++) {
			uint32_t dst = k / EACH, turn = k % EACH, src = receivers + k, send, recv;
			int64_t at = start + 50 * US + exchange_draw(&seed, 1000);
			int64_t there = start + 62 * US + (turn + 1) * PORT_NS;

			enter[src] = at;
			if (turns != ALIKE && dst != round % receivers &&
			    (turns == ONLY || turn >= EACH / 2))
				continue;
			send = tables_call(x, src, REGION_SEND, at, at + US, SITE);
			recv = tables_call(x, dst, REGION_RECV, turn ? there - PORT_NS : start,
					   there, 1);
			tables_message(x, 20000, send, send, recv, recv);
			enter[src] = at + US;
			enter[dst] = there;
		}
		start += 62 * US + (EACH + 1) * PORT_NS;
		tables_collective(x, enter, start, 3);
	}
	tables_finish(x);
	free(enter);
}

struct told {
	uint32_t alone, together;
	double most_s, all_s; /* saved by one alone, by all */
};

static struct told tell(uint32_t receivers, enum turns turns)
{
	struct told told = {0};
	struct tables x;
	struct hotspots h;

	gather_apart(&x, receivers, turns);
	h = find(&x);
	for (uint32_t i = 0; i < h.n; i++) {
		double s = h.h[i].saves_mid_s;

		CU_ASSERT_STRING_NOT_EQUAL(h.h[i].kind, "skew");
		if (strcmp(h.h[i].kind, "incast"))
			continue;
		if (h.h[i].rank == TRACE_NONE) {
			told.together++;
			told.all_s = s;
		} else {
			CU_ASSERT(h.h[i].rank < receivers);
			told.alone++;
			told.most_s = s > told.most_s ? s : told.most_s;
		}
	}
	hotspots_release(&h);
	tables_release(&x);
	return told;
}

/*
 * Up to four receivers are a finding each, of more three; all of them together if that saves more.
 */
static void test_rule_incast_tells_of_many_together(void)
{
	for (uint32_t receivers = 3; receivers <= 6; receivers++) {
		struct told told = tell(receivers, TWICE), only = tell(receivers, ONLY);

		CU_ASSERT_EQUAL(told.alone, receivers <= 4 ? receivers : 3);
		CU_ASSERT_EQUAL(told.together, 1);
		CU_ASSERT(told.all_s > 2 * told.most_s);
		if (receivers > 4) /* each is hardly worth a line */
			continue;
		CU_ASSERT_EQUAL(only.alone, receivers);
		CU_ASSERT_EQUAL(only.together, 0);
	}
}

/* While the others are as late as before, nothing is saved at one alone. */
static void test_rule_incast_finds_those_hit_alike(void)
{
	for (uint32_t receivers = 2; receivers <= 6; receivers++) {
		struct told told = tell(receivers, ALIKE);

		CU_ASSERT_EQUAL(told.alone, 0);
		CU_ASSERT_EQUAL(told.together, 1);
		CU_ASSERT(told.all_s > 0);
	}
}

/*
 * All others send to one at once, which waits for all in one call, as long as such a message is
 * estimated to take, from none but crowds: whether they wait for each other is open, though the
 * first that it takes is from its own node.
 */
static void test_rule_incast_is_open_where_all_is_crowded(void)
{
	for (int crowded = 0; crowded < 2; crowded++) {
		struct machine m = tables_machine(500e-6, 1e-6, 1e-9, 65536);
		struct tables x;
		struct hotspots h;

		m.source = MACHINE_SELF_CALIBRATED;
		m.classes[LOCALITY_NETWORK].crowding = crowded ? 2 : 0;
		tables_init(&x, 8, 2);
		for (int64_t k = 0; k < 20; k++) {
			int64_t at = k * 1000 * US;
			uint32_t wait =
				tables_call(&x, 0, REGION_WAITALL, at + 10 * US, at + 524 * US, 2);

			for (uint32_t r = 1; r < 8; r++) {
				uint32_t post = tables_call(&x, 0, REGION_IRECV, at + r * US,
							    at + r * US + US / 2, 1);
				uint32_t send = tables_call(&x, r, REGION_SEND, at + 2 * US,
							    at + 3 * US, SITE);

				tables_message(&x, 20000, send, send, post, wait);
			}
		}
		tables_finish(&x);
		h = findings_of(&x, m);
		CU_ASSERT_EQUAL(findings_count(&h, "incast"), 0);
		CU_ASSERT_EQUAL(!!findings_unjudged(&h, "incast"), crowded);
		hotspots_release(&h);
		tables_release(&x);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rule_incast_names_rank_and_site),
		SUITE_CASE(test_rule_incast_needs_them_at_the_same_time),
		SUITE_CASE(test_rule_incast_tells_of_many_together),
		SUITE_CASE(test_rule_incast_finds_those_hit_alike),
		SUITE_CASE(test_rule_incast_is_open_where_all_is_crowded),
		SUITE_CASE(test_rule_incast_spreads_no_even_share),
		SUITE_CASE(test_rule_incast_counts_messages_too),
		SUITE_CASE(test_rule_incast_counts_who_waits_for_the_receiver),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_incast", tests);
}
