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

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_levelling_saves_nothing_of_work_in_turn),
		CU_TEST_INFO_NULL,
	};

	return suite_run("levelling", tests);
}
