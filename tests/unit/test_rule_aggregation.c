/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#include <stdlib.h>

#define US     1000
#define ROUNDS 20
#define L_NS   (10 * US)
#define O_NS   (1 * US)
#define SITE   3

/*
 * Rank 0 sends 6400 bytes to rank 1 and as much to rank 2, in pieces messages each, computing
 * apart_ns after every message; they answer when they have all, and it computes 100 us then.
 */
static void send_in_pieces(struct tables *x, uint32_t pieces, int64_t apart_ns)
{
	uint64_t bytes = 6400 / pieces;
	int64_t g_ns = 2 * O_NS + bytes, now = 0;

	tables_init(x, 3, 1);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		int64_t at = now, port = now, asked[3] = {now, now, now};

		for (uint32_t k = 0; k < 2 * pieces; k++) {
			uint32_t dst = 1 + k % 2, send, recv;

			port = (at > port ? at : port) + g_ns;
			send = tables_call(x, 0, REGION_SEND, at, at + O_NS, SITE);
			recv = tables_call(x, dst, REGION_RECV, asked[dst], port + L_NS, 4);
			tables_message(x, bytes, send, send, recv, recv);
			asked[dst] = port + L_NS;
			at += O_NS + apart_ns;
		}
		for (uint32_t src = 1; src < 3; src++) {
			int64_t there = asked[src] + 3 * O_NS + L_NS;
			uint32_t send =
				tables_call(x, src, REGION_SEND, asked[src], asked[src] + O_NS, 5);
			uint32_t recv = tables_call(x, 0, REGION_RECV, at, there, 6);

			tables_message(x, 0, send, send, recv, recv);
			at = there;
		}
		now = at + 100 * US;
	}
	tables_finish(x);
}

static struct hotspots find(struct tables *x, uint32_t pieces, int64_t apart_ns)
{
	send_in_pieces(x, pieces, apart_ns);
	return findings_of(x, tables_machine(L_NS * 1e-9, O_NS * 1e-9, 1e-9, 65536));
}

static void test_rule_aggregation_bounds_the_gain(void)
{
	struct tables many, one;
	struct hotspots h = find(&many, 50, 100), other = find(&one, 1, 100);
	const struct hotspot *x = findings_one(&h, "aggregation");
	double gain_s = (many.trace.wall_ns - one.trace.wall_ns) * 1e-9;

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_EQUAL(x->site, SITE);
	CU_ASSERT_EQUAL(findings_evidence(x, "messages_in_a_row"), 50);
	CU_ASSERT_EQUAL(findings_evidence(x, "joined"), 2 * ROUNDS);
	CU_ASSERT_EQUAL(findings_evidence(x, "mean_bytes"),
			6400 / 50); /* the first one's as well */
	CU_ASSERT(gain_s > 0.2 * many.trace.wall_ns * 1e-9);
	CU_ASSERT(x->saves_low_s <= gain_s && gain_s <= 1.1 * x->saves_high_s);
	CU_ASSERT(x->saves_high_s < 1.5 * gain_s);
	CU_ASSERT(findings_one(&other, "aggregation") == NULL);
	hotspots_release(&other);
	hotspots_release(&h);
	tables_release(&one);
	tables_release(&many);
}

/*
 * Two ranks send each other pieces in turn, and compute when they have got them: what both gain
 * adds up.
 */
static void in_turn(struct tables *x, uint32_t pieces)
{
	int64_t now = 0, asked[2] = {0, 0};

	tables_init(x, 2, 1);
	for (uint32_t turn = 0; turn < 2 * ROUNDS; turn++) {
		uint32_t src = turn % 2;

		for (uint32_t k = 0; k < pieces; k++) {
			int64_t there_ns = now + O_NS + L_NS;
			uint32_t send = tables_call(x, src, REGION_SEND, now, now + O_NS, SITE);
			uint32_t recv = tables_call(x, !src, REGION_RECV, asked[!src], there_ns, 4);

			tables_message(x, 10, send, send, recv, recv);
			asked[!src] = there_ns;
			now += O_NS;
		}
		now += L_NS + 20 * US;
		asked[src] = now;
	}
	tables_finish(x);
}

static void test_rule_aggregation_counts_who_waits(void)
{
	struct tables many, one;
	const struct hotspot *x;
	struct hotspots h;
	double gain_s;

	in_turn(&one, 1);
	in_turn(&many, 50);
	gain_s = (many.trace.wall_ns - one.trace.wall_ns) * 1e-9;
	h = findings_of(&many, tables_machine(L_NS * 1e-9, O_NS * 1e-9, 1e-9, 65536));
	x = findings_one(&h, "aggregation");
	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_DOUBLE_EQUAL(x->saves_mid_s, gain_s, 0.1 * gain_s);
	CU_ASSERT(x->saves_high_s >= x->saves_mid_s);
	hotspots_release(&h);
	tables_release(&one);
	tables_release(&many);
}

/*
 * Rank 1 waits for rank 2, which computes for a millisecond, and only then takes what rank 0 had
 * sent it in pieces: joined they save no more than is left then, however long the port took for
 * them.
 */
static void test_rule_aggregation_leaves_computation(void)
{
	const int64_t computes_ns = 1000 * US, asks_ns = computes_ns + L_NS + 2 * O_NS;
	const struct hotspot *found;
	struct hotspots h;
	struct tables x;
	uint32_t send, recv;

	tables_init(&x, 3, 1);
	send = tables_call(&x, 2, REGION_SEND, computes_ns, computes_ns + O_NS, 1);
	recv = tables_call(&x, 1, REGION_RECV, 0, asks_ns, 2);
	tables_message(&x, 8, send, send, recv, recv);
	for (uint32_t k = 0; k < 50; k++) {
		send = tables_call(&x, 0, REGION_SEND, k * O_NS, (k + 1) * O_NS, SITE);
		recv = tables_call(&x, 1, REGION_RECV, asks_ns + k * O_NS, asks_ns + (k + 1) * O_NS,
				   4);
		tables_message(&x, 100, send, send, recv, recv);
	}
	tables_finish(&x);
	h = findings_of(&x, tables_machine(L_NS * 1e-9, O_NS * 1e-9, 1e-9, 65536));
	found = findings_one(&h, "aggregation");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT(found->saves_high_s <= (x.trace.wall_ns - computes_ns) * 1e-9);
	hotspots_release(&h);
	tables_release(&x);
}

/*
 * Known by messages of 8 bytes alone: 80 times as many are not taken to need 80 times as long. Of
 * 8000 that is open.
 */
static void test_rule_aggregation_of_small_ones_alone(void)
{
	for (uint64_t bytes = 8; bytes <= 8000; bytes *= 1000) {
		struct machine on = tables_machine(L_NS * 1e-9, O_NS * 1e-9, 0, 65536);
		struct machine_class *c = &on.classes[LOCALITY_NETWORK];
		const struct hotspot *found;
		struct hotspots h;
		struct tables x;

		on.source = MACHINE_SELF_CALIBRATED;
		c->n = 1;
		c->points[0] = (struct plogp_point){(double)bytes, 0, 0, 2e-6};
		tables_init(&x, 2, 1);
		for (uint32_t k = 0; k < 80; k++) {
			int64_t there_ns = L_NS + (k + 1) * 2 * US;
			uint32_t send = tables_call(&x, 0, REGION_SEND, k, k, SITE);
			uint32_t recv = tables_call(&x, 1, REGION_RECV, k ? there_ns - 2 * US : 0,
						    there_ns, 4);

			tables_message(&x, bytes, send, send, recv, recv);
		}
		tables_finish(&x);
		h = findings_of(&x, on);
		found = findings_one(&h, "aggregation");
		CU_ASSERT_EQUAL(found != NULL, bytes == 8);
		CU_ASSERT_EQUAL(findings_unjudged(&h, "aggregation"), bytes == 8000);
		if (found) { /* at 12.5 MB/s, or all but one of them */
			double port_ns = 80 * 2 * US;

			CU_ASSERT_DOUBLE_EQUAL(found->saves_mid_s * 1e9,
					       port_ns - 2 * US - 80 * 8 * 80, US);
			CU_ASSERT_DOUBLE_EQUAL(found->saves_high_s * 1e9, port_ns - 2 * US, US);
		}
		hotspots_release(&h);
		tables_release(&x);
	}
}

/*
 * One size only is known, of which each seems to need a port for 5 us: within a node 400 in a row
 * of 8 bytes are no more than their bytes at 500 MB/s.
 */
static void test_rule_aggregation_of_small_ones_within_a_node(void)
{
	struct machine on = tables_machine(L_NS * 1e-9, O_NS * 1e-9, 0, 65536);
	struct machine_class *c = &on.classes[LOCALITY_NODE];
	const struct hotspot *found;
	struct hotspots h;
	struct tables x;

	on.source = MACHINE_SELF_CALIBRATED;
	c->n = 1;
	c->L_s = 0;
	c->points[0] = (struct plogp_point){8, 60e-9, 50e-9, 5e-6};
	tables_init(&x, 2, 2);
	for (uint32_t k = 0; k < 400; k++) {
		int64_t sent_ns = k * 200;
		uint32_t send = tables_call(&x, 0, REGION_SEND, sent_ns, sent_ns + 180, SITE);
		uint32_t recv =
			tables_call(&x, 1, REGION_RECV, k ? sent_ns + 10 : 0, sent_ns + 200, 4);

		tables_message(&x, 8, send, send, recv, recv);
	}
	tables_finish(&x);
	h = findings_of(&x, on);
	found = findings_one(&h, "aggregation");
	CU_ASSERT_PTR_NOT_NULL_FATAL(found);
	CU_ASSERT(found->saves_mid_s > 0.3 * x.trace.wall_ns * 1e-9);
	CU_ASSERT(found->saves_high_s <= x.trace.wall_ns * 1e-9);
	hotspots_release(&h);
	tables_release(&x);
}

/* A pipeline: its receiver works on each piece while the others are made, and waits for none. */
static void test_rule_aggregation_leaves_pipelines(void)
{
	struct hotspots h;
	struct tables x;

	tables_init(&x, 2, 1);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		int64_t begun_ns = round * 2000 * US, there_ns = begun_ns;
		uint32_t send, recv;

		for (uint32_t k = 0; k < 50; k++) {
			int64_t at_ns = begun_ns + k * 10 * US, free_ns = there_ns;

			there_ns = at_ns + 2 * O_NS + L_NS;
			send = tables_call(&x, 0, REGION_SEND, at_ns, at_ns + O_NS, SITE);
			recv = tables_call(&x, 1, REGION_RECV, k ? free_ns + 9 * US : free_ns,
					   there_ns, 4);
			tables_message(&x, 8, send, send, recv, recv);
		}
		send = tables_call(&x, 1, REGION_SEND, there_ns + 9 * US, there_ns + 10 * US, 5);
		recv = tables_call(&x, 0, REGION_RECV, begun_ns + 500 * US, there_ns + 21 * US, 6);
		tables_message(&x, 8, send, send, recv, recv);
	}
	tables_finish(&x);
	h = findings_of(&x, tables_machine(L_NS * 1e-9, O_NS * 1e-9, 1e-9, 65536));
	CU_ASSERT(findings_one(&h, "aggregation") == NULL);
	hotspots_release(&h);
	tables_release(&x);
}

/* Where the rank computes between its messages, joining would delay them: nothing is open there. */
static void test_rule_aggregation_needs_a_burst(void)
{
	struct machine on = tables_machine(L_NS * 1e-9, O_NS * 1e-9, 1e-9, 65536);
	struct tables x;
	struct hotspots h;

	on.source = MACHINE_SELF_CALIBRATED;
	on.classes[LOCALITY_NETWORK].n = on.classes[LOCALITY_NODE].n = 1;
	send_in_pieces(&x, 50, 50 * US);
	h = findings_of(&x, on);
	CU_ASSERT(findings_one(&h, "aggregation") == NULL);
	CU_ASSERT_EQUAL(h.n_unjudged, 0);
	hotspots_release(&h);
	tables_release(&x);
}

/* Rank 0 sends rank 1 so many messages, each when the one before was received, and took took_ns. */
static void send_synchronously(struct tables *x, uint32_t n, uint64_t bytes, int64_t took_ns,
			       uint32_t per_host)
{
	tables_init(x, 2, per_host);
	for (uint32_t k = 0; k < n; k++) {
		int64_t at = k * took_ns, there_ns = at + took_ns;
		uint32_t send = tables_call(x, 0, REGION_SSEND, at, there_ns, SITE);
		uint32_t recv = tables_call(x, 1, REGION_RECV, at, there_ns, 4);

		tables_message(x, bytes, send, send, recv, recv);
	}
	tables_finish(x);
}

/* Whatever is spared, its port needs as long for the bytes. */
static void test_rule_aggregation_leaves_the_bytes(void)
{
	const int64_t g_ns = 2 * O_NS + 5000;
	const struct hotspot *found;
	struct hotspots h;
	struct tables x;
	double gain_s;

	send_synchronously(&x, 100, 1000, L_NS + g_ns, 1);
	gain_s = (x.trace.wall_ns - (L_NS + 2 * O_NS + 100 * 5000)) * 1e-9;
	h = findings_of(&x, tables_machine(L_NS * 1e-9, O_NS * 1e-9, 5e-9, 65536));
	found = findings_one(&h, "aggregation");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT(found->saves_high_s >= gain_s);
	CU_ASSERT(found->saves_high_s <= x.trace.wall_ns * 1e-9 - 0.9 * 100 * 5e-6);
	hotspots_release(&h);
	tables_release(&x);
}

/* Two sizes of an estimate took alike as others were in the way: bytes take no less together. */
static void test_rule_aggregation_of_bent_estimates(void)
{
	struct machine on = tables_machine(1e-7, 0, 0, 65536);
	struct machine_class *c = &on.classes[LOCALITY_NETWORK];
	struct hotspots h;
	struct tables x;

	on.source = MACHINE_SELF_CALIBRATED;
	free(c->points);
	c->points = calloc(c->n = 4, sizeof(*c->points));
	CU_ASSERT_FATAL(c->points != NULL);
	c->points[0] = (struct plogp_point){448, 0, 0, 72e-6};
	c->points[1] = (struct plogp_point){640, 0, 0, 104e-6};
	c->points[2] = (struct plogp_point){1024, 0, 0, 452e-6};
	c->points[3] = (struct plogp_point){4096, 0, 0, 656e-6};
	send_synchronously(&x, 70, 4096, 657 * US, 1);
	h = findings_of(&x, on);
	CU_ASSERT(findings_one(&h, "aggregation") == NULL);
	hotspots_release(&h);
	tables_release(&x);
}

/* On one core each message waits for a turn at it: one instead for one. */
static void test_rule_aggregation_in_turns_of_a_core(void)
{
	const struct hotspot *found;
	struct hotspots h;
	struct tables x;

	send_synchronously(&x, 200, 8, 5 * L_NS, 2);
	CU_ASSERT_FATAL(!trace_set_cores(&x.trace, 1));
	h = findings_of(&x, tables_machine(L_NS * 1e-9, O_NS * 1e-9, 1e-9, 65536));
	found = findings_one(&h, "aggregation");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT(found->saves_mid_s > 0.95 * x.trace.wall_ns * 1e-9);
	CU_ASSERT(found->saves_high_s >= found->saves_mid_s);
	hotspots_release(&h);
	tables_release(&x);
}

static double likely_s(struct tables *x)
{
	struct hotspots h = findings_of(x, tables_machine(L_NS * 1e-9, O_NS * 1e-9, 1e-9, 65536));
	double s = findings_one(&h, "aggregation") ? h.h->saves_mid_s : 0;

	hotspots_release(&h);
	return s;
}

/* Not on cores that other processes take away: fewer messages bring none back. */
static void test_rule_aggregation_beside_other_processes(void)
{
	struct tables x;
	double alone_s;

	in_turn(&x, 20);
	alone_s = likely_s(&x);
	CU_ASSERT(alone_s > 0);
	x.trace.ranks[0].taken_off = x.trace.ranks[1].taken_off = 1;
	CU_ASSERT_DOUBLE_EQUAL(likely_s(&x), alone_s, 1e-9);
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rule_aggregation_bounds_the_gain),
		SUITE_CASE(test_rule_aggregation_counts_who_waits),
		SUITE_CASE(test_rule_aggregation_leaves_computation),
		SUITE_CASE(test_rule_aggregation_of_small_ones_alone),
		SUITE_CASE(test_rule_aggregation_of_small_ones_within_a_node),
		SUITE_CASE(test_rule_aggregation_leaves_pipelines),
		SUITE_CASE(test_rule_aggregation_needs_a_burst),
		SUITE_CASE(test_rule_aggregation_leaves_the_bytes),
		SUITE_CASE(test_rule_aggregation_of_bent_estimates),
		SUITE_CASE(test_rule_aggregation_in_turns_of_a_core),
		SUITE_CASE(test_rule_aggregation_beside_other_processes),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_aggregation", tests);
}
