/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "analyze/gains/rank_order.h"
#include "tests/fixtures/exchange.h"
#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#define US     1000
#define RANKS  16
#define NODES  4
#define ROUNDS 20
#define SITE   6

/* Between nodes a message costs 10 us and 1 ns a byte, within one a tenth. */
static struct machine two_speeds(void)
{
	struct machine m = tables_machine(10e-6, 1e-6, 1e-9, 65536);
	struct machine_class *node = &m.classes[LOCALITY_NODE];

	node->L_s = 1e-6;
	node->points[0].g_s = 2e-6;
	node->points[1].g_s = 2e-6 + 1e6 * 1e-10;
	return m;
}

static int64_t way_ns(uint32_t a, uint32_t b)
{
	return a / (RANKS / NODES) == b / (RANKS / NODES) ? 1 * US + 2 * US + 4 * US
							  : 10 * US + 2 * US + 40 * US;
}

/*
 * Each round rank r sends 40 kB to its partner at distance d and waits for its. 16 ranks, 4 nodes.
 */
static void exchange_with(struct tables *x, uint32_t distance)
{
	int64_t now = 0;

	tables_init(x, RANKS, RANKS / NODES);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		int64_t end = now;

		for (uint32_t r = 0; r < RANKS; r++) {
			uint32_t to = r ^ distance;
			int64_t done = now + way_ns(r, to);
			uint32_t send = tables_call(x, r, REGION_SEND, now, now + US, SITE);
			uint32_t recv = tables_call(x, to, REGION_RECV, now + US, done, 2);

			tables_message(x, 40000, send, send, recv, recv);
			end = done > end ? done : end;
		}
		now = end + 20 * US;
	}
	tables_finish(x);
}

static void test_rule_mapping_finds_the_order(void)
{
	struct tables x, y;
	struct hotspots h;
	const struct hotspot *found;
	uint8_t seen[RANKS] = {0};
	double gain_s;

	exchange_with(&x, 4); /* partners on other nodes */
	exchange_with(&y, 1); /* neighbours: on the same */
	gain_s = (x.trace.wall_ns - y.trace.wall_ns) * 1e-9;
	h = findings_of(&x, two_speeds());
	found = findings_one(&h, "mapping");
	CU_ASSERT_FATAL(found != NULL && found->order != NULL);
	CU_ASSERT_EQUAL(found->site, SITE);
	CU_ASSERT_EQUAL(found->n_order, RANKS);
	for (uint32_t i = 0; i < RANKS; i++) {
		CU_ASSERT_FATAL(found->order[i] < RANKS && !seen[found->order[i]]);
		seen[found->order[i]] = 1;
	}
	CU_ASSERT_EQUAL(findings_evidence(found, "share_between_nodes"), 1);
	CU_ASSERT_EQUAL(findings_evidence(found, "share_between_nodes_then"), 0);
	CU_ASSERT_DOUBLE_EQUAL(found->saves_mid_s, gain_s, 0.15 * gain_s);
	CU_ASSERT(found->saves_low_s <= gain_s && gain_s <= 1.15 * found->saves_high_s);
	CU_ASSERT_EQUAL(findings_contention(&h), 0);
	hotspots_release(&h);
	h = findings_of(&y, two_speeds());
	CU_ASSERT(findings_one(&h, "mapping") == NULL);
	hotspots_release(&h);
	tables_release(&x);
	tables_release(&y);
}

/*
 * Partners at distance d answer each other: either waits for both ways, of which its own messages
 * are one.
 */
static void ping_pong_with(struct tables *x, uint32_t distance)
{
	int64_t now = 0, ready = 0; /* who begins, and who answers */

	tables_init(x, RANKS, RANKS / NODES);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		int64_t end = now, answered = now;

		for (uint32_t a = 0; a < RANKS; a++) {
			uint32_t b = a ^ distance, ping, pong, send, answer;
			int64_t there, back;

			if (b < a)
				continue;
			there = now + way_ns(a, b);
			back = there + 5 * US + way_ns(a, b);
			send = tables_call(x, a, REGION_SEND, now, now + US, SITE);
			ping = tables_call(x, b, REGION_RECV, ready, there, 2);
			answer = tables_call(x, b, REGION_SEND, there + 5 * US, there + 6 * US, 3);
			pong = tables_call(x, a, REGION_RECV, now + US, back, 2);
			tables_message(x, 40000, send, send, ping, ping);
			tables_message(x, 40000, answer, answer, pong, pong);
			end = back > end ? back : end;
			answered = there + 6 * US;
		}
		now = end + 20 * US;
		ready = answered + 20 * US;
	}
	tables_finish(x);
}

static void test_rule_mapping_counts_both_ways(void)
{
	struct tables x, y;
	struct hotspots h;
	const struct hotspot *found;
	double gain_s;

	ping_pong_with(&x, 4);
	ping_pong_with(&y, 1);
	gain_s = (x.trace.wall_ns - y.trace.wall_ns) * 1e-9;
	h = findings_of(&x, two_speeds());
	found = findings_one(&h, "mapping");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_DOUBLE_EQUAL(found->saves_mid_s, gain_s, 0.15 * gain_s);
	CU_ASSERT_EQUAL(found->saves_low_s, 0);
	CU_ASSERT(gain_s <= found->saves_high_s && found->saves_high_s <= 1.3 * gain_s);
	hotspots_release(&h);
	tables_release(&x);
	tables_release(&y);
}

/* As above; and to take one from another node costs 11 us, not 1. */
static struct machine dear_to_take(void)
{
	struct machine m = two_speeds();

	for (int k = 0; k < 2; k++)
		m.classes[LOCALITY_NETWORK].points[k].o_r_s = 11e-6;
	return m;
}

/*
 * Each round all exchange 40 kB with a partner at distance far or twice that, and a few bytes with
 * one at distance near, which are there long before they are taken.
 */
static void exchange_both(struct tables *x, uint32_t far, uint32_t near)
{
	int64_t now = 0, taken_ns = near < RANKS / NODES ? 1 * US : 11 * US;

	tables_init(x, RANKS, RANKS / NODES);
	for (uint32_t round = 0; round < ROUNDS; round++, now += 20 * US + taken_ns) {
		int64_t there = now + way_ns(0, far);

		for (uint32_t r = 0; r < RANKS; r++) {
			uint32_t to = r ^ (far << round % 2);
			uint32_t send = tables_call(x, r, REGION_SEND, now, now + US, SITE);
			uint32_t recv = tables_call(x, to, REGION_RECV, now + US, there, 2);

			tables_message(x, 40000, send, send, recv, recv);
			send = tables_call(x, r, REGION_SEND, there, there + US, 3);
			recv = tables_call(x, r ^ near, REGION_RECV, there + 50 * US,
					   there + 50 * US + taken_ns, 4);
			tables_message(x, 8, send, send, recv, recv);
		}
		now = there + 50 * US;
	}
	tables_finish(x);
}

static void test_rule_mapping_counts_what_leaves_a_node(void)
{
	struct tables x, y;
	struct hotspots h;
	const struct hotspot *found;
	double gain_s;

	exchange_both(&x, 4, 1);
	exchange_both(&y, 1, 4);
	gain_s = (x.trace.wall_ns - y.trace.wall_ns) * 1e-9;
	h = findings_of(&x, dear_to_take());
	found = findings_one(&h, "mapping");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_DOUBLE_EQUAL(found->saves_mid_s, gain_s, 0.05 * gain_s);
	CU_ASSERT(gain_s <= 1.05 * found->saves_high_s);
	hotspots_release(&h);
	tables_release(&x);
	tables_release(&y);
}

/*
 * Ranks 0 and 8 answer each other with messages that are held back, each 20 us later than it could
 * be there, and nobody is in its way: at most that is saved, too, and what is left is the way
 * within a node.
 */
static void test_rule_mapping_bounds_the_way(void)
{
	const int64_t late_ns = 20 * US, round_ns = way_ns(0, 8) + late_ns;
	struct machine on = two_speeds();
	const struct hotspot *found;
	struct hotspots h;
	struct tables x;
	double gain_s;

	tables_init(&x, RANKS, RANKS / NODES);
	for (uint32_t round = 0; round < 2 * ROUNDS; round++) {
		uint32_t a = round % 2 ? 8 : 0, b = 8 - a;
		int64_t now = round * round_ns, asked = round ? now - round_ns + US : 0;
		uint32_t send = tables_call(&x, a, REGION_SEND, now, now + US, SITE);
		uint32_t recv = tables_call(&x, b, REGION_RECV, asked, now + round_ns, 2);

		tables_message(&x, 40000, send, send, recv, recv);
	}
	tables_finish(&x);
	on.classes[LOCALITY_NETWORK].eager_bytes = 1;
	gain_s = 2 * ROUNDS * (round_ns - way_ns(0, 1)) * 1e-9;
	h = findings_of(&x, on);
	found = findings_one(&h, "mapping");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_DOUBLE_EQUAL(found->saves_high_s, gain_s, 1e-9);
	hotspots_release(&h);
	tables_release(&x);
}

/* A ring of ranks dealt out like cards to nodes: in order, only two links a node are left. */
static void test_rank_order_of_a_ring(void)
{
	uint32_t node[RANKS], order[RANKS];
	double *weight = calloc(RANKS * RANKS, sizeof(*weight));
	struct rank_order x = {RANKS, NODES, node, weight};
	struct err err;

	for (uint32_t r = 0; r < RANKS; r++) {
		uint32_t next = (r + 1) % RANKS;

		node[r] = r % NODES;
		weight[r * RANKS + next] = weight[next * RANKS + r] = 1;
	}
	CU_ASSERT_EQUAL(rank_order_cost(&x, NULL), RANKS);
	CU_ASSERT_EQUAL_FATAL(rank_order_find(&x, order, &err), 0);
	CU_ASSERT_EQUAL(rank_order_cost(&x, order), NODES);
	free(weight);
}

static void test_rank_order_is_never_worse(void)
{
	uint64_t seed = 11;

	for (int k = 0; k < 200; k++) {
		uint32_t ranks = 2 + exchange_draw(&seed, 20),
			 nodes = 1 + exchange_draw(&seed, ranks);
		uint32_t node[32], order[32];
		double *weight = calloc((size_t)ranks * ranks, sizeof(*weight));
		struct rank_order x = {ranks, nodes, node, weight};
		struct err err;

		for (uint32_t a = 0; a < ranks; a++) {
			node[a] = exchange_draw(&seed, nodes);
			for (uint32_t b = 0; b < a; b++)
				weight[a * ranks + b] = weight[b * ranks + a] =
					exchange_draw(&seed, 3) ? 0 : exchange_draw(&seed, 100);
		}
		CU_ASSERT_EQUAL_FATAL(rank_order_find(&x, order, &err), 0);
		CU_ASSERT(rank_order_cost(&x, order) <= rank_order_cost(&x, NULL) + 1e-9);
		free(weight);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rule_mapping_finds_the_order),
		SUITE_CASE(test_rule_mapping_counts_both_ways),
		SUITE_CASE(test_rule_mapping_counts_what_leaves_a_node),
		SUITE_CASE(test_rule_mapping_bounds_the_way),
		SUITE_CASE(test_rank_order_of_a_ring),
		SUITE_CASE(test_rank_order_is_never_worse),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_mapping", tests);
}
