/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs with few messages and with very many: as quickly, and by the same odds. */
#include "analyze/patterns/embed.h"

#include "tests/fixtures/suite.h"

#include <math.h>

#define MANY 2e9

/* Of 16 pairs of four messages half of one is missing, 0.0037 each. */
static void test_pair_odds_of_shapes(void)
{
	struct pair_odds few = pair_odds_of(16, 64, 4);
	struct pair_odds many = pair_odds_of(16, 16 * MANY, MANY);

	CU_ASSERT_DOUBLE_EQUAL(few.weak, pow(0.1, 4) + 4 * 0.9 * pow(0.1, 3), 1e-12);
	CU_ASSERT(pair_odds_may_make(&few, 16, 15));
	CU_ASSERT(!pair_odds_may_make(&few, 16, 13));
	for (int shape = 0; shape < 1000; shape++) {
		CU_ASSERT(pair_odds_may_make(&many, 16, 15));
		CU_ASSERT(pair_odds_may_make(&many, 16, 17));
		CU_ASSERT(!pair_odds_may_make(&many, 16, 14));
		CU_ASSERT(!pair_odds_may_make(&many, 16, 18));
	}
}

/* All that miss half of their messages may be weak, those that miss less are not. */
static void test_pair_odds_of_misfits(void)
{
	struct pair_odds many = pair_odds_of(16, 16 * MANY, MANY);
	struct pair_misfits half = {.strong = 8, .lacking = 4, .strays = 104.0 * many.odd};
	struct pair_misfits less = {.strong = 8, .lacking = 3.9};

	CU_ASSERT(pair_odds_are_chance(&many, 16, &half));
	CU_ASSERT(!pair_odds_are_chance(&many, 16, &less));
	less.strong = 16;
	CU_ASSERT(pair_odds_are_chance(&many, 16, &less));
	less.odd = 1;
	CU_ASSERT(!pair_odds_are_chance(&many, 16, &less));
}

/* Of ten times as many messages half of the share of strays is no chance. */
static void test_pair_odds_of_strays(void)
{
	CU_ASSERT(pair_odds_may_stray(20, 5));
	CU_ASSERT(!pair_odds_may_stray(200, 50));
	CU_ASSERT(pair_odds_may_stray(200, 30));
	CU_ASSERT(!pair_odds_may_stray(2000, 300));
}

/* Of two messages both may be missing where one of them often is, of twelve not. */
static void test_pair_odds_of_gaps(void)
{
	CU_ASSERT(pair_odds_may_leave(2, 30, 30, 30, 0));
	CU_ASSERT(pair_odds_may_leave(2, 30, 29, 29, 3));
	CU_ASSERT(!pair_odds_may_leave(2, 30, 29, 29, 0));
	CU_ASSERT(!pair_odds_may_leave(2, 30, 22, 22, 3));
	CU_ASSERT(!pair_odds_may_leave(12, 30, 29, 29, 3));
	CU_ASSERT(pair_odds_may_leave(12, 30, 30, 29, 3));
}

/* Two pairs, of which one has as many as is usual. */
static void test_pair_odds_of_a_traffic(void)
{
	struct pair pairs[] = {{0, 1, (uint32_t)MANY, 0, 0}, {1, 2, (uint32_t)(0.6 * MANY), 0, 0}};
	uint32_t first[] = {0, 1, 2, 2};
	struct traffic t = {
		.ranks = 3, .n_pairs = 2, .pairs = pairs, .first = first, .messages = 1.6 * MANY};
	struct embed e;
	struct err err;

	CU_ASSERT_FATAL(!embed_init(&e, &t, MANY, &err));
	CU_ASSERT_EQUAL(e.strong, 2);
	CU_ASSERT_EQUAL(e.degree[1], 2);
	CU_ASSERT_EQUAL(e.edge[e.g.at[0]].if_pair, 0);
	CU_ASSERT_EQUAL(e.edge[e.g.at[2]].if_pair, e.if_none);
	CU_ASSERT(e.edge[e.g.at[0]].if_not < 0);
	embed_release(&e);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_pair_odds_of_shapes),    SUITE_CASE(test_pair_odds_of_misfits),
		SUITE_CASE(test_pair_odds_of_strays),    SUITE_CASE(test_pair_odds_of_gaps),
		SUITE_CASE(test_pair_odds_of_a_traffic), CU_TEST_INFO_NULL,
	};

	return suite_run("pair_odds", tests);
}
