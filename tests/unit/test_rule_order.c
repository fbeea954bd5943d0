/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "tests/fixtures/exchange.h"
#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

/* What is found in an exchange: with the true machine, or one estimated from the trace. */
static struct hotspots find(const struct tables *x, enum machine_source source)
{
	struct machine m;
	struct err err = {""};

	if (source == MACHINE_FILE)
		return findings_of(x, tables_machine(10e-6, 1e-6, 1e-9, 65536));
	CU_ASSERT_FATAL(machine_from_trace(&x->trace, &x->messages, &m, &err) == 0);
	return findings_of(x, m);
}

static struct exchange usual(enum exchange_order order, uint64_t seed)
{
	struct exchange e = exchange_usual(order, seed);

	e.blocks = 2;
	return e;
}

/* One exchange through everything: how many order hotspots? */
static uint32_t flagged(struct exchange e, enum machine_source source)
{
	struct tables x;
	struct hotspots h;
	uint32_t n = 0;

	exchange_make(&x, &e);
	h = find(&x, source);
	for (uint32_t i = 0; i < h.n; i++)
		n += !strcmp(h.h[i].kind, "order") && h.h[i].site == 3;
	CU_ASSERT_EQUAL(n, findings_contention(&h)); /* and nothing else is in the way */
	hotspots_release(&h);
	tables_release(&x);
	return n;
}

static void test_rule_order_flags_the_same_order(void)
{
	CU_ASSERT_EQUAL(flagged(usual(EXCHANGE_SAME, 1), MACHINE_FILE), 1);
	CU_ASSERT_EQUAL(flagged(usual(EXCHANGE_DESCENDING, 1), MACHINE_FILE), 1);
	CU_ASSERT_EQUAL(flagged(usual(EXCHANGE_SAME, 1), MACHINE_SELF_CALIBRATED), 1);
}

/*
 * Begun together the sends would queue no more, which saves as much or a little more: the order is
 * the cause, and comes first.
 */
static void test_rule_order_comes_before_its_other_cure(void)
{
	struct exchange e = usual(EXCHANGE_SAME, 1);
	struct hotspots h;
	struct tables x;

	exchange_make(&x, &e);
	h = find(&x, MACHINE_FILE);
	CU_ASSERT_EQUAL_FATAL(h.n, 2);
	CU_ASSERT_STRING_EQUAL(h.h[0].kind, "order");
	CU_ASSERT_STRING_EQUAL(h.h[1].kind, "synchronous");
	CU_ASSERT_EQUAL(h.h[1].same_sends_as, 0);
	CU_ASSERT(h.h[1].saves_mid_s > h.h[0].saves_mid_s);
	CU_ASSERT_EQUAL(h.h[1].saves_low_s, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(h.h[1].why, "would not queue"));
	hotspots_release(&h);
	tables_release(&x);
}

/*
 * Where ranks share cores, and a replay on this machine is not like it, that may be why; and
 * nothing is certain.
 */
static void test_rule_order_is_not_turns_on_a_core(void)
{
	static const double g_s_per_byte[] = {1e-9, 6e-10, 1e-10};

	for (int k = 0; k < 6; k++) {
		struct machine on = tables_machine(10e-6, 1e-6, g_s_per_byte[k / 2], 65536);
		struct exchange e = usual(EXCHANGE_SAME, 1);
		const struct hotspot *found;
		struct hotspots h;
		struct tables x;

		exchange_make(&x, &e);
		for (uint32_t r = 0; r < e.ranks; r++)
			x.trace.ranks[r].crowd = 1 + k % 2;
		h = findings_of(&x, on);
		found = findings_one(&h, "order");
		CU_ASSERT_EQUAL(found != NULL, k < 2 || k % 2 == 0);
		if (found)
			CU_ASSERT_EQUAL(found->saves_low_s > 0, k % 2 == 0);
		if (found && getenv("VERBOSE"))
			printf("%d: saves [%g, %g, %g], closure error %g\n", k, found->saves_low_s,
			       found->saves_mid_s, found->saves_high_s,
			       findings_evidence(found, "replay_closure_error"));
		if (k == 2)
			CU_ASSERT(findings_evidence(found, "replay_closure_error") < 0.5);
		hotspots_release(&h);
		tables_release(&x);
	}
}

/* Contention that may be waiting for cores is likely none: as much of the saving is not. */
static void test_rule_order_may_be_waits_for_cores(void)
{
	struct exchange e = usual(EXCHANGE_SAME, 1);
	double sure_s = 0, least_s = 0, most_s = 0;

	for (int k = 0; k < 3; k++) {
		static const double of_wall[] = {0, 0.1, 1};
		const struct hotspot *found;
		struct hotspots h;
		struct tables x;
		double doubt;

		exchange_make(&x, &e);
		for (uint32_t r = 0; r < e.ranks; r++) {
			x.trace.ranks[r].taken_off = k > 0;
			x.trace.ranks[r].core_awaited_ns =
				(int64_t)(of_wall[k] * (double)x.trace.wall_ns);
		}
		h = find(&x, MACHINE_FILE);
		found = findings_one(&h, "order");
		CU_ASSERT_FATAL(found != NULL);
		if (k == 0) {
			sure_s = found->saves_mid_s;
			least_s = found->saves_low_s;
			most_s = found->saves_high_s;
			CU_ASSERT_EQUAL(found->severity, SEVERITY_HIGH);
			CU_ASSERT_PTR_NULL(strstr(found->why, "for a core"));
		} else {
			doubt = findings_evidence(found, "waiting_for_cores_share");
			CU_ASSERT(k == 1 ? doubt > 0.1 && doubt < 0.9 : doubt == 1);
			CU_ASSERT_DOUBLE_EQUAL(found->saves_mid_s, (1 - doubt) * sure_s, 1e-9);
			CU_ASSERT_DOUBLE_EQUAL(found->saves_low_s, (1 - doubt) * least_s, 1e-9);
			CU_ASSERT_DOUBLE_EQUAL(found->saves_high_s, most_s, 1e-9);
			CU_ASSERT_PTR_NOT_NULL(strstr(found->why, "for a core"));
		}
		hotspots_release(&h);
		tables_release(&x);
	}
}

/* The prediction against the truth: the same exchange in the other order. */
static void test_rule_order_predicts_the_gain(void)
{
	for (uint32_t blocks = 1; blocks <= 3; blocks++) {
		struct exchange e = usual(EXCHANGE_SAME, 7);
		struct tables x;
		struct hotspots h;
		int64_t before, after;
		const struct hotspot *found;
		double gain_s;

		e.blocks = blocks;
		exchange_make(&x, &e);
		before = x.trace.wall_ns;
		h = find(&x, MACHINE_SELF_CALIBRATED);
		tables_release(&x);
		e.order = EXCHANGE_STAGGERED;
		exchange_make(&x, &e);
		after = x.trace.wall_ns;
		tables_release(&x);
		gain_s = (before - after) * 1e-9;
		found = findings_one(&h, "order");
		CU_ASSERT_FATAL(found != NULL);
		CU_ASSERT(found->saves_low_s <= gain_s && gain_s <= 1.1 * found->saves_high_s);
		CU_ASSERT_DOUBLE_EQUAL(found->saves_mid_s, gain_s, 0.2 * gain_s);
		if (getenv("VERBOSE"))
			printf("%u blocks: saves %g [%g-%g], measured %g of %g\n", blocks,
			       found->saves_mid_s, found->saves_low_s, found->saves_high_s, gain_s,
			       before * 1e-9);
		hotspots_release(&h);
	}
}

/*
 * Hosts with other work do not keep to what a recording tells of the machine. By a replay that is a
 * little off something is certain still, with that error; by one that is far off, nothing is.
 */
static void test_rule_order_is_certain_by_a_rough_replay(void)
{
	static const double g_s_per_byte[] = {0.97e-9, 0.65e-9, 1.5e-9};
	double least_s[3], error[3];

	for (int k = 0; k < 3; k++) {
		struct machine on = tables_machine(10e-6, 1e-6, g_s_per_byte[k], 65536);
		struct exchange e = usual(EXCHANGE_SAME, 7);
		const struct hotspot *found;
		struct hotspots h;
		struct tables x;

		on.source = MACHINE_SELF_CALIBRATED;
		exchange_make(&x, &e);
		h = findings_of(&x, on);
		found = findings_one(&h, "order");
		CU_ASSERT_FATAL(found != NULL);
		error[k] = findings_evidence(found, "replay_closure_error");
		least_s[k] = found->saves_low_s;
		if (getenv("VERBOSE"))
			printf("error %g: [%g, %g, %g]\n", error[k], found->saves_low_s,
			       found->saves_mid_s, found->saves_high_s);
		hotspots_release(&h);
		tables_release(&x);
	}
	CU_ASSERT(error[0] < 0.1 && error[1] > 0.1 && error[1] < 0.2 && error[2] > 0.25);
	CU_ASSERT(least_s[1] > 0 && least_s[1] < least_s[0]);
	CU_ASSERT_EQUAL(least_s[2], 0);
}

/*
 * What posting takes is in the machine's L: the replay of single sends takes as long as they did.
 */
static void test_rule_order_counts_overhead_once(void)
{
	struct exchange e = usual(EXCHANGE_SAME, 7);
	const struct hotspot *found;
	struct hotspots h;
	struct tables x;

	e.blocks = 1;
	e.o_ns = 25000;
	e.L_ns = 60000;
	e.g_ns = 2 * e.o_ns + (int64_t)e.bytes;
	exchange_make(&x, &e);
	h = findings_of(&x, tables_machine(60e-6, 25e-6, 1e-9, 65536));
	found = findings_one(&h, "order");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT(findings_evidence(found, "replay_closure_error") < 0.05);
	if (getenv("VERBOSE"))
		printf("closure error %g\n", findings_evidence(found, "replay_closure_error"));
	hotspots_release(&h);
	tables_release(&x);
}

/*
 * What an exchange would save whose eager sends were held back like synchronous ones, where
 * receivers have room for so many. 0: nothing worth a line.
 */
static double saving_with(uint32_t credits)
{
	struct machine m = tables_machine(10e-6, 1e-6, 1e-9, 65536);
	struct machine_class *c = &m.classes[LOCALITY_NETWORK];
	struct exchange e = usual(EXCHANGE_SAME, 7);
	const struct hotspot *found;
	struct hotspots h;
	struct tables x;
	double saves_s;

	c->n_credits = 1;
	c->credits = malloc(sizeof(*c->credits));
	*c->credits = (struct machine_credit){e.bytes, credits, credits};
	e.blocks = 4;
	exchange_make(&x, &e);
	for (uint32_t k = 0; k < x.trace.n_calls; k++)
		if (x.trace.calls[k].region == REGION_SSEND)
			x.trace.calls[k].region = REGION_SEND;
	h = findings_of(&x, m);
	found = findings_one(&h, "order");
	saves_s = found ? found->saves_mid_s : 0;
	hotspots_release(&h);
	tables_release(&x);
	return saves_s;
}

/* With endless buffers the order makes little difference. */
static void test_rule_order_saves_by_the_receivers_room(void)
{
	double few_s = saving_with(1), many_s = saving_with(1000);

	if (getenv("VERBOSE"))
		printf("saves %g s with room for 1, %g s for 1000\n", few_s, many_s);
	CU_ASSERT(few_s > 0 && few_s > 1.2 * many_s);
}

static void test_rule_order_does_not_flag_other_orders(void)
{
	uint32_t wrong = 0;

	for (uint64_t seed = 0; seed < 50; seed++) {
		wrong += flagged(usual(EXCHANGE_RANDOM, seed), MACHINE_FILE);
		wrong += flagged(usual(EXCHANGE_RANDOM, seed), MACHINE_SELF_CALIBRATED);
		wrong += flagged(usual(EXCHANGE_STAGGERED, seed), MACHINE_FILE);
		wrong += flagged(usual(EXCHANGE_STAGGERED, seed), MACHINE_SELF_CALIBRATED);
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

/* Of many ranks even a crowd is a small share: it is to be large beside what chance would have. */
static void test_rule_order_of_many_ranks(void)
{
	struct exchange e = usual(EXCHANGE_SAME, 1);

	e.ranks = 512;
	e.rounds = e.blocks = 1;
	e.bytes = 1000;
	e.g_ns = 3000;
	CU_ASSERT_EQUAL(flagged(e, MACHINE_FILE), 1);
	e.order = EXCHANGE_RANDOM;
	CU_ASSERT_EQUAL(flagged(e, MACHINE_FILE), 0);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rule_order_flags_the_same_order),
		SUITE_CASE(test_rule_order_comes_before_its_other_cure),
		SUITE_CASE(test_rule_order_is_not_turns_on_a_core),
		SUITE_CASE(test_rule_order_may_be_waits_for_cores),
		SUITE_CASE(test_rule_order_predicts_the_gain),
		SUITE_CASE(test_rule_order_is_certain_by_a_rough_replay),
		SUITE_CASE(test_rule_order_counts_overhead_once),
		SUITE_CASE(test_rule_order_does_not_flag_other_orders),
		SUITE_CASE(test_rule_order_of_many_ranks),
		SUITE_CASE(test_rule_order_saves_by_the_receivers_room),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_order", tests);
}
