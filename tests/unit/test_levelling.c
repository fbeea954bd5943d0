/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/hotspots/rules.h"
#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#define MS     1000000
#define RANKS  8
#define STEPS  20
#define SLOW   5
#define BEFORE 2
#define AFTER  4

/*
 * A token goes round, and only its holder computes, one rank four times as long as the others: with
 * equal shares it would come round no sooner.
 */
static void test_levelling_saves_nothing_of_work_in_turn(void)
{
	int64_t end[RANKS] = {0}, way = 20000;
	uint32_t send = TRACE_NONE;
	struct hotspots h;
	struct tables x;

	tables_init(&x, RANKS, 1);
	for (uint32_t k = 0; k < RANKS * STEPS; k++) {
		uint32_t r = k % RANKS, before = (r + RANKS - 1) % RANKS, recv;
		int64_t got = k > 0 ? end[before] + way : 0, done = got + (r == SLOW ? 8 : 2) * MS;

		if (k > 0) {
			recv = tables_call(&x, r, REGION_RECV, end[r], got, BEFORE);
			tables_message(&x, 8, send, send, recv, recv);
		}
		send = tables_call(&x, r, REGION_SEND, done, done + 1000, AFTER);
		end[r] = done + 1000;
	}
	tables_finish(&x);
	h = findings_of(&x, tables_machine(10e-6, 1e-6, 1e-9, 65536));
	CU_ASSERT_PTR_NULL(findings_one(&h, "imbalance"));
	hotspots_release(&h);
	tables_release(&x);
}

/*
 * A stage hands over to a slower one, and both take 2 ms longer now and then. More work makes the
 * first slower, but not what delays it. If it does: less is saved; if nothing delays, more.
 */
static void test_levelling_adds_work_and_no_delays(void)
{
	int64_t at[2] = {0}, way = 14000;
	uint32_t recv = TRACE_NONE, send;
	struct hotspots h;
	struct tables x;
	const struct hotspot *one;

	tables_init(&x, 2, 1);
	for (int k = 0; k < 4 * STEPS; k++) {
		int64_t mine = at[0] + (k % 4 == 3 ? 4 : 2) * MS;
		int64_t other = at[1] + (k == 0 ? 0 : k % 4 == 3 ? 8 : 6) * MS;
		int64_t met = (mine > other ? mine : other) + way;

		send = tables_call(&x, 0, REGION_SEND, mine, met, AFTER);
		recv = tables_call(&x, 1, REGION_RECV, other, met, BEFORE);
		tables_message(&x, 2000, send, send, recv, recv);
		at[0] = at[1] = met;
	}
	tables_finish(&x);
	h = findings_of(&x, tables_machine(10e-6, 1e-6, 1e-9, 1024));
	one = findings_one(&h, "imbalance");
	CU_ASSERT_PTR_NOT_NULL_FATAL(one);
	/* Each four items: 26 ms, then 3 * 4.2 and 7.2; or 3 * 4.2 and 6; or 4 * 4.5. */
	CU_ASSERT_DOUBLE_EQUAL(one->saves_low_s, STEPS * (26 - 19.7) / 1000, 0.003);
	CU_ASSERT_DOUBLE_EQUAL(one->saves_mid_s, STEPS * (26 - 18.5) / 1000, 0.003);
	CU_ASSERT_DOUBLE_EQUAL(one->saves_high_s, STEPS * (26 - 18.0) / 1000, 0.005);
	hotspots_release(&h);
	tables_release(&x);
}

/*
 * All prepare for 40 ms and meet; then one only receives what the other works for. Its share of
 * that is no preparation.
 */
static void test_levelling_adds_work_where_others_have_it(void)
{
	int64_t met[2] = {40 * MS, 40 * MS}, at = 40 * MS + 20000, got = at;
	struct hotspots h;
	struct tables x;
	const struct hotspot *one;

	tables_init(&x, 2, 1);
	tables_call(&x, 0, REGION_INIT, -1000, 0, 0);
	tables_call(&x, 1, REGION_INIT, -1000, 0, 0);
	tables_collective(&x, met, at, 1);
	for (int k = 0; k < 4 * STEPS; k++) {
		int64_t sent = at + 8 * MS, came = sent + 14000;
		uint32_t send = tables_call(&x, 0, REGION_SEND, sent, sent + 1000, AFTER);
		uint32_t recv = tables_call(&x, 1, REGION_RECV, got, came, BEFORE);

		tables_message(&x, 2000, send, send, recv, recv);
		at = sent + 1000;
		got = came + 3000;
	}
	met[0] = at;
	met[1] = got;
	tables_collective(&x, met, got + 20000, 2);
	tables_finish(&x);
	h = findings_of(&x, tables_machine(10e-6, 1e-6, 1e-9, 4096));
	one = findings_one(&h, "imbalance");
	CU_ASSERT_PTR_NOT_NULL_FATAL(one);
	CU_ASSERT_DOUBLE_EQUAL(one->saves_mid_s, 4 * STEPS * 4e-3, 0.01);
	hotspots_release(&h);
	tables_release(&x);
}

/*
 * Both work for 8 ms, rank 1 gives to rank 0, that works alone for 16 ms and gives back: its share
 * of that is rank 1's to do then, no more of what it does before.
 */
static void test_levelling_between_collectives_with_a_root(void)
{
	const struct hotspot *one;
	struct hotspots h;
	struct tables x;
	int64_t at = 0;

	tables_init(&x, 2, 1);
	for (int k = 0; k < STEPS; k++, at += 24 * MS + 40000) {
		int64_t gives[2] = {at + 8 * MS, at + 8 * MS};
		int64_t back[2] = {at + 24 * MS + 20000, at + 8 * MS + 21000};

		tables_collective(&x, gives, at + 8 * MS + 20000, BEFORE);
		tables_collective(&x, back, at + 24 * MS + 40000, AFTER);
		x.collectives.c[2 * k].root = 1;
		x.collectives.c[2 * k + 1].root = 0;
	}
	tables_finish(&x);
	h = findings_of(&x, tables_machine(10e-6, 1e-6, 1e-9, 65536));
	one = findings_one(&h, "imbalance");
	CU_ASSERT_PTR_NOT_NULL_FATAL(one);
	CU_ASSERT_EQUAL(one->rank, 0);
	CU_ASSERT_DOUBLE_EQUAL(one->saves_mid_s, STEPS * 8e-3, 0.003);
	hotspots_release(&h);
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_levelling_saves_nothing_of_work_in_turn),
		SUITE_CASE(test_levelling_adds_work_and_no_delays),
		SUITE_CASE(test_levelling_adds_work_where_others_have_it),
		SUITE_CASE(test_levelling_between_collectives_with_a_root),
		CU_TEST_INFO_NULL,
	};

	return suite_run("levelling", tests);
}
