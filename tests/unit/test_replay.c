/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/replay.h"
#include "tests/fixtures/suite.h"

#define RANKS 8

/* Everybody sends blocks messages to everybody else, 0 first. */
struct all_to_all {
	struct replay_rank rank[RANKS];
	struct replay_send send[RANKS * RANKS * 4];
	struct replay r;
};

static void fill(struct all_to_all *x, enum replay_mode mode, uint32_t blocks)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < RANKS; k++) {
		x->rank[k] = (struct replay_rank){0, n, (RANKS - 1) * blocks};
		for (uint32_t dst = 0; dst < RANKS; dst++)
			for (uint32_t b = 0; b < blocks && dst != k; b++)
				x->send[n++] = (struct replay_send){dst, mode, 1, 10, 100, 0};
	}
	x->r = (struct replay){RANKS, x->rank, x->send};
}

static double makespan(struct all_to_all *x, enum replay_order order)
{
	struct replay_result result;
	struct err err;

	CU_ASSERT_FATAL(replay_reorder(&x->r, order, 1, &err) == 0);
	CU_ASSERT_FATAL(replay_run(&x->r, &result, &err) == 0);
	return result.makespan_s;
}

static void test_replay_of_one_message(void)
{
	struct replay_rank rank[2] = {{5, 0, 1}, {0, 1, 0}};
	struct replay_send send[1] = {{1, REPLAY_EAGER, 1, 10, 100, 0}};
	struct replay r = {2, rank, send};
	struct replay_result x;
	struct err err;

	CU_ASSERT_FATAL(replay_run(&r, &x, &err) == 0);
	CU_ASSERT_DOUBLE_EQUAL(x.makespan_s, 110, 1e-9); /* o_s is part of L */
	CU_ASSERT_DOUBLE_EQUAL(x.stall_s, 0, 1e-9);
	send[0].mode = REPLAY_SYNCHRONOUS;
	CU_ASSERT_FATAL(replay_run(&r, &x, &err) == 0);
	CU_ASSERT_DOUBLE_EQUAL(x.makespan_s, 120, 1e-9); /* and the acknowledgement */
	CU_ASSERT_DOUBLE_EQUAL(x.stall_s, 119, 1e-9);
	send[0].mode = REPLAY_RENDEZVOUS;
	CU_ASSERT_FATAL(replay_run(&r, &x, &err) == 0);
	CU_ASSERT_DOUBLE_EQUAL(x.makespan_s, 130, 1e-9);
}

static void test_replay_of_nothing(void)
{
	struct replay_rank rank[2] = {{0, 0, 0}, {0, 0, 0}};
	struct replay r = {2, rank, NULL};
	struct replay_result x;
	struct err err;

	CU_ASSERT_FATAL(replay_run(&r, &x, &err) == 0);
	CU_ASSERT_EQUAL(x.makespan_s, 0);
}

static void test_replay_refuses_a_rank_that_is_not_there(void)
{
	struct replay_rank rank[1] = {{0, 0, 1}};
	struct replay_send send[1] = {{3, REPLAY_EAGER, 1, 10, 100, 0}};
	struct replay r = {1, rank, send};
	struct replay_result x;
	struct err err;

	CU_ASSERT_EQUAL(replay_run(&r, &x, &err), -1);
	CU_ASSERT_STRING_EQUAL(err.text, "replay: send 0 of rank 0 goes to rank 3 of 1");
}

static void test_replay_synchronous_exchange_gains_by_staggering(void)
{
	struct all_to_all x;
	double recorded, staggered, random;

	fill(&x, REPLAY_SYNCHRONOUS, 2);
	recorded = makespan(&x, REPLAY_RECORDED);
	staggered = makespan(&x, REPLAY_STAGGERED);
	fill(&x, REPLAY_SYNCHRONOUS, 2);
	random = makespan(&x, REPLAY_RANDOM);
	CU_ASSERT_DOUBLE_EQUAL(staggered, 14 * 120, 1e-6); /* nobody ever waits for another */
	CU_ASSERT(recorded > 1.3 * staggered);
	CU_ASSERT(random < recorded && random > staggered);
}

static void test_replay_order_matters_most_with_few_credits(void)
{
	struct all_to_all x;
	double endless, few, staggered, few_staggered;

	fill(&x, REPLAY_EAGER, 4);
	endless = makespan(&x, REPLAY_RECORDED);
	staggered = makespan(&x, REPLAY_STAGGERED);
	fill(&x, REPLAY_EAGER, 4);
	for (size_t k = 0; k < sizeof(x.send) / sizeof(*x.send); k++)
		x.send[k].credits = 1;
	few = makespan(&x, REPLAY_RECORDED);
	few_staggered = makespan(&x, REPLAY_STAGGERED);
	/*
	 * endless buffers: the last destination begins late, once; else all queue at each of them
	 */
	CU_ASSERT(endless < 2 * staggered);
	CU_ASSERT(few > 1.2 * endless);
	CU_ASSERT(few_staggered < 1.2 * staggered);
}

static void test_replay_reorder_keeps_every_message(void)
{
	struct all_to_all x;

	fill(&x, REPLAY_EAGER, 3);
	makespan(&x, REPLAY_RANDOM);
	for (uint32_t k = 0; k < RANKS; k++) {
		uint32_t got[RANKS] = {0};

		for (uint32_t i = 0; i < x.rank[k].n; i++)
			got[x.send[x.rank[k].first + i].dst]++;
		for (uint32_t dst = 0; dst < RANKS; dst++)
			CU_ASSERT_EQUAL(got[dst], dst == k ? 0 : 3);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_replay_of_one_message),
		SUITE_CASE(test_replay_of_nothing),
		SUITE_CASE(test_replay_refuses_a_rank_that_is_not_there),
		SUITE_CASE(test_replay_synchronous_exchange_gains_by_staggering),
		SUITE_CASE(test_replay_order_matters_most_with_few_credits),
		SUITE_CASE(test_replay_reorder_keeps_every_message),
		CU_TEST_INFO_NULL,
	};

	return suite_run("replay", tests);
}
