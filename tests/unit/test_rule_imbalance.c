/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "analyze/hotspots/rules.h"
#include "tests/fixtures/exchange.h"
#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#define MS     1000000
#define RANKS  8
#define STEPS  20
#define SLOW   5
#define BEFORE 2
#define AFTER  4

/* Steps of computation between a local call and a collective: what varies is up to the caller. */
static void compute(struct tables *x, int64_t (*takes_ns)(uint64_t *seed, uint32_t rank),
		    uint64_t seed)
{
	int64_t now = 0;

	tables_init(x, RANKS, 1);
	for (uint32_t step = 0; step < STEPS; step++) {
		int64_t enter[RANKS], last = 0;

		for (uint32_t r = 0; r < RANKS; r++) {
			tables_call(x, r, REGION_MPI_LOCAL, now, now + 1000, BEFORE);
			enter[r] = now + 1000 + takes_ns(&seed, r);
			last = enter[r] > last ? enter[r] : last;
		}
		now = last + 10000;
		tables_collective(x, enter, now, AFTER);
	}
	tables_finish(x);
}

static int64_t one_is_slow(uint64_t *seed, uint32_t rank)
{
	return (rank == SLOW ? 18 * MS : 10 * MS) + exchange_draw(seed, MS / 2);
}

static int64_t one_has_little(uint64_t *seed, uint32_t rank)
{
	return (rank == SLOW ? 1 * MS : 10 * MS) + exchange_draw(seed, MS / 10);
}

static int64_t even(uint64_t *seed, uint32_t rank)
{
	(void)rank;
	return 10 * MS + exchange_draw(seed, MS / 2);
}

static int64_t changing(uint64_t *seed, uint32_t rank)
{
	(void)rank;
	return 5 * MS + exchange_draw(seed, 10 * MS);
}

/* The same on one host, with so many ranks for each core (0: not known) that they waited for. */
static struct hotspots find_away(int64_t (*takes_ns)(uint64_t *, uint32_t), int64_t away_ns,
				 double crowd)
{
	struct tables x;
	struct hotspots h;

	compute(&x, takes_ns, 1);
	for (uint32_t r = 0; r < RANKS; r++) {
		x.trace.ranks[r].core_awaited_ns = away_ns;
		x.trace.ranks[r].home = x.trace.ranks[r].node = 0;
	}
	CU_ASSERT_FATAL(!trace_set_cores(&x.trace, crowd > 0 ? RANKS / crowd : 0));
	h = findings_of(&x, tables_machine(10e-6, 1e-6, 1e-9, 65536));
	tables_release(&x);
	return h;
}

static struct hotspots find(int64_t (*takes_ns)(uint64_t *, uint32_t), uint64_t seed)
{
	struct tables x;
	struct hotspots h;

	compute(&x, takes_ns, seed);
	h = findings_of(&x, tables_machine(10e-6, 1e-6, 1e-9, 65536));
	tables_release(&x);
	return h;
}

static void test_rule_imbalance_names_rank_place_and_gain(void)
{
	struct hotspots h = find(one_is_slow, 1);
	const struct hotspot *x = findings_one(&h, "imbalance");
	double gain_s = STEPS * 7e-3; /* 18 ms against a mean of 11 ms */

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_EQUAL(h.n, 1);
	CU_ASSERT_EQUAL(findings_contention(&h), 0);
	CU_ASSERT_EQUAL(x->rank, SLOW);
	CU_ASSERT_EQUAL(x->site, AFTER);
	CU_ASSERT_DOUBLE_EQUAL(x->saves_mid_s, gain_s, 0.05 * gain_s);
	CU_ASSERT_DOUBLE_EQUAL(x->saves_low_s, gain_s, 0.05 * gain_s);
	CU_ASSERT(x->saves_mid_s <= x->saves_high_s && x->saves_high_s < 1.1 * gain_s);
	CU_ASSERT_EQUAL(x->severity, SEVERITY_HIGH);
	CU_ASSERT(strstr(x->why, "not contention: computation between MPI calls is ") != NULL);
	CU_ASSERT(strstr(x->why, "most of the difference between ") != NULL);
	hotspots_release(&h);
}

/*
 * Computation between a place and the same place again is not "between A and A". Where a rank died
 * nobody knows what it would have had to compute.
 */
static void test_rule_imbalance_names_one_place_once(void)
{
	const struct hotspot *found;
	struct hotspots h;
	struct tables x;
	int64_t now = 0;

	tables_init(&x, RANKS, 1);
	for (uint32_t step = 0; step < STEPS; step++) {
		int64_t enter[RANKS];

		for (uint32_t r = 0; r < RANKS; r++)
			enter[r] = now + (r == SLOW ? 18 : 10) * MS;
		now = enter[SLOW] + 10000;
		tables_collective(&x, enter, now, AFTER);
	}
	tables_finish(&x);
	h = findings_of(&x, tables_machine(10e-6, 1e-6, 1e-9, 65536));
	found = findings_one(&h, "imbalance");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT(strstr(found->why, "most of the difference from one ") != NULL);
	CU_ASSERT(strstr(found->why, " to the next; a rank waits ") != NULL);
	hotspots_release(&h);
	x.trace.ranks[0].gone_ns = x.trace.wall_ns / 5;
	h = findings_of(&x, tables_machine(10e-6, 1e-6, 1e-9, 65536));
	CU_ASSERT_PTR_NULL(findings_one(&h, "imbalance"));
	hotspots_release(&h);
	tables_release(&x);
}

static void test_rule_imbalance_names_the_rank_with_little(void)
{
	struct hotspots h = find(one_has_little, 1);
	const struct hotspot *x = findings_one(&h, "imbalance");

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_EQUAL(findings_evidence(x, "rank_least"), SLOW);
	CU_ASSERT(strstr(x->title, "rank 5 computes") != NULL);
	hotspots_release(&h);
}

/* Nobody is slow for long: the gain of a fixed division is small, its upper end is not. */
static void test_rule_imbalance_tells_changing_from_fixed(void)
{
	struct hotspots h = find(changing, 3);
	const struct hotspot *x = findings_one(&h, "imbalance");

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT(strstr(x->title, "another rank") != NULL);
	CU_ASSERT(strstr(x->why, "; what the longest of each step does ") != NULL);
	CU_ASSERT(x->saves_mid_s < x->saves_high_s / 2);
	CU_ASSERT_EQUAL(x->saves_low_s, 0);
	hotspots_release(&h);
}

static void test_rule_imbalance_is_silent_when_even(void)
{
	for (uint64_t seed = 0; seed < 50; seed++) {
		struct hotspots h = find(even, seed);

		CU_ASSERT_EQUAL(h.n, 0);
		hotspots_release(&h);
	}
}

/* One rank computes 1.6 times the mean: no wonder when two share a core, but not when 5 share 4. */
static void test_rule_imbalance_is_not_turns_on_a_core(void)
{
	static const double crowds[] = {0, 1, 1.25, 2};

	for (int k = 0; k < 4; k++) {
		struct hotspots h = find_away(one_is_slow, 0, crowds[k]);
		const struct hotspot *x = findings_one(&h, "imbalance");

		CU_ASSERT_EQUAL(x != NULL, crowds[k] < 1.6);
		/* whether ranks shared cores: if that is not known nothing is certain */
		CU_ASSERT(!x || (strstr(x->why, "not recorded") != NULL) == (crowds[k] == 0));
		CU_ASSERT(!x || (x->saves_low_s > 0) == (crowds[k] == 1));
		CU_ASSERT(!x || (x->severity == SEVERITY_HIGH) == (crowds[k] == 1));
		hotspots_release(&h);
	}
	for (int k = 0; k < 2; k++) {
		struct hotspots h = find_away(changing, 0, 1 + k);

		CU_ASSERT_EQUAL(findings_one(&h, "imbalance") != NULL, k == 0);
		hotspots_release(&h);
	}
}

/*
 * What the longest rank, or all by turns, may have waited for a core is no imbalance either. Where
 * two have one core, nothing is sure without knowing what they needed of it.
 */
static void test_rule_imbalance_is_not_waiting_for_a_core(void)
{
	static const int64_t away_ms[] = {40, 145, 160};
	double gain_s = STEPS * 7e-3;

	for (int k = 0; k < 6; k++) {
		double away_s = away_ms[k % 3] * 1e-3;
		struct hotspots h = find_away(one_is_slow, away_ms[k % 3] * MS, 1 + k / 3);
		const struct hotspot *x = findings_one(&h, "imbalance");

		/* of 360 ms the longest computed all but that, the others 200, or less that */
		CU_ASSERT_EQUAL(x != NULL, k % 3 < 2);
		if (x) {
			CU_ASSERT_DOUBLE_EQUAL(x->saves_mid_s, gain_s, 0.05 * gain_s);
			CU_ASSERT_DOUBLE_EQUAL(x->saves_low_s, k / 3 ? 0 : (0.16 - away_s) * 7 / 8,
					       0.05 * gain_s);
			CU_ASSERT_DOUBLE_EQUAL(findings_evidence(x, "core_awaited_s"), away_s,
					       1e-9);
		}
		hotspots_release(&h);
	}
	for (int k = 0; k < 2; k++) {
		struct hotspots h = find_away(changing, k * 12 * MS, 1);

		CU_ASSERT_EQUAL(findings_one(&h, "imbalance") != NULL, k == 0);
		hotspots_release(&h);
	}
}

/* One rank is so much longer once, before the first step; all steps are even. */
static uint32_t findings_of_start(int64_t longer_ns)
{
	int64_t now = 10 * MS + longer_ns;
	struct hotspots h;
	struct tables x;
	uint32_t n;

	tables_init(&x, RANKS, 1);
	for (uint32_t r = 0; r < RANKS; r++)
		tables_call(&x, r, REGION_INIT, 0, 1000, 0);
	for (uint32_t step = 0; step <= STEPS; step++) {
		int64_t enter[RANKS];

		for (uint32_t r = 0; r < RANKS; r++)
			enter[r] = now - (step || r == SLOW ? 0 : longer_ns);
		tables_collective(&x, enter, now + 10000, step ? AFTER : BEFORE);
		now += 10 * MS;
	}
	tables_finish(&x);
	h = findings_of(&x, tables_machine(10e-6, 1e-6, 1e-9, 65536));
	n = h.n;
	hotspots_release(&h);
	tables_release(&x);
	return n;
}

/* Of 200 ms once 8 ms more may be anything; 30 ms are worth a line. */
static void test_rule_imbalance_of_one_piece_is_noise(void)
{
	CU_ASSERT_EQUAL(findings_of_start(8 * MS), 0);
	CU_ASSERT_EQUAL(findings_of_start(30 * MS), 1);
}

/*
 * Rank 0 asks and rank 1 answers, which takes either of them so long; if both, they begin together,
 * and who is done first waits for the other's.
 */
static uint32_t findings_of_two(int64_t asking_ns, int64_t answering_ns, int both)
{
	int64_t now = 0, way = 20000;
	struct hotspots h;
	struct tables x;
	uint32_t n;

	tables_init(&x, 2, 1);
	for (uint32_t step = 0; step < STEPS; step++) {
		int64_t asked = now + asking_ns, answered = asked + way + answering_ns;
		int64_t end = answered + way;
		uint32_t send[2], recv[2];

		if (both) {
			answered = now + answering_ns;
			end = (asked > answered ? asked : answered) + way;
		}
		send[0] = tables_call(&x, 0, REGION_SEND, asked, asked + 1000, BEFORE);
		recv[0] = tables_call(&x, 0, REGION_RECV, asked + 1000,
				      both && answered < asked ? asked + 2000 : end, AFTER);
		if (!both)
			recv[1] = tables_call(&x, 1, REGION_RECV, now, asked + way, AFTER);
		send[1] = tables_call(&x, 1, REGION_SEND, answered, answered + 1000, BEFORE);
		if (both)
			recv[1] = tables_call(&x, 1, REGION_RECV, answered + 1000, end, AFTER);
		tables_message(&x, 8, send[0], send[0], recv[1], recv[1]);
		tables_message(&x, 8, send[1], send[1], recv[0], recv[0]);
		now = end;
	}
	tables_finish(&x);
	h = findings_of(&x, tables_machine(10e-6, 1e-6, 1e-9, 65536));
	n = findings_one(&h, "imbalance") != NULL;
	hotspots_release(&h);
	tables_release(&x);
	return n;
}

/*
 * Ranks 1 and 2 compute for 10 ms; rank 0 answers each in 2 ms when it asks, or computes for 4 ms
 * and swaps with both.
 */
static uint32_t findings_of_three(int served)
{
	int64_t now = 0, way = 20000;
	struct hotspots h;
	struct tables x;
	uint32_t n;

	tables_init(&x, 3, 1);
	for (uint32_t step = 0; step < STEPS; step++) {
		int64_t own = now + 4 * MS, end = now + 10 * MS + 2 * way;

		for (uint32_t r = 1; r < 3; r++) {
			int64_t asked = now + 10 * MS, begun = served ? end - way : asked + way;
			int64_t answered = served ? begun + 2 * MS : own;
			uint32_t ask = tables_call(&x, r, REGION_SEND, asked, asked + 1000, BEFORE);
			uint32_t take, reply, got;

			if (!served)
				reply = tables_call(&x, 0, REGION_SEND, own, own + 1000, BEFORE);
			take = tables_call(&x, 0, REGION_RECV, r > 1 ? end - way : own + 2000,
					   begun, AFTER);
			if (served)
				reply = tables_call(&x, 0, REGION_SEND, answered, answered + 1000,
						    BEFORE);
			end = served ? answered + way : end;
			got = tables_call(&x, r, REGION_RECV, asked + 1000,
					  served ? end : asked + 2000, AFTER);
			tables_message(&x, 8, ask, ask, take, take);
			tables_message(&x, 8, reply, reply, got, got);
			own += 1000;
		}
		now = end;
	}
	tables_finish(&x);
	h = findings_of(&x, tables_machine(10e-6, 1e-6, 1e-9, 65536));
	n = findings_one(&h, "imbalance") != NULL;
	hotspots_release(&h);
	tables_release(&x);
	return n;
}

/* A server has its clients' work to do, no share of its own. */
static void test_rule_imbalance_is_not_a_dialogue(void)
{
	CU_ASSERT_EQUAL(findings_of_three(1), 0);
	CU_ASSERT_EQUAL(findings_of_three(0), 1);
	CU_ASSERT_EQUAL(findings_of_two(10 * MS, 2 * MS, 0), 0);
	CU_ASSERT_EQUAL(findings_of_two(2 * MS, 10 * MS, 0), 0);
	CU_ASSERT_EQUAL(findings_of_two(10 * MS, 2 * MS, 1), 1);
}

/* Of a place that does not fit, the line is the last to go. */
static void test_rule_imbalance_places_keep_their_line(void)
{
	char file[] = "/src/a_name_that_is_longer_than_most.cpp", text[40];
	struct tables x;
	uint32_t call;

	tables_init(&x, 2, 1);
	call = tables_call(&x, 0, REGION_SEND, 0, 1000, AFTER);
	tables_finish(&x);
	x.trace.sites[AFTER].file = file;
	x.trace.sites[AFTER].line = 1180;
	rule_place(&x.trace, call, sizeof(text), text);
	CU_ASSERT_EQUAL(strlen(text), sizeof(text) - 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, " at ..."));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "than_most.cpp:1180"));
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rule_imbalance_names_rank_place_and_gain),
		SUITE_CASE(test_rule_imbalance_names_one_place_once),
		SUITE_CASE(test_rule_imbalance_names_the_rank_with_little),
		SUITE_CASE(test_rule_imbalance_tells_changing_from_fixed),
		SUITE_CASE(test_rule_imbalance_is_silent_when_even),
		SUITE_CASE(test_rule_imbalance_is_not_turns_on_a_core),
		SUITE_CASE(test_rule_imbalance_is_not_waiting_for_a_core),
		SUITE_CASE(test_rule_imbalance_of_one_piece_is_noise),
		SUITE_CASE(test_rule_imbalance_is_not_a_dialogue),
		SUITE_CASE(test_rule_imbalance_places_keep_their_line),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_imbalance", tests);
}
