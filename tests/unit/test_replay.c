/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/replay_order.h"
#include "tests/fixtures/suite.h"

#include <stdlib.h>

#define RANKS  8
#define ROUNDS 3

/* Everybody sends blocks messages to everybody else, 0 first. */
struct all_to_all {
	struct replay_rank rank[RANKS];
	struct replay_turn turn[RANKS * ROUNDS];
	struct replay_send send[RANKS * RANKS * 4 * ROUNDS];
	struct replay r;
};

static struct replay_send message(uint32_t dst, enum replay_mode mode, double o_s, double L_s,
				  double g_s)
{
	return (struct replay_send){
		.dst = dst, .mode = mode, .o_s = o_s, .L_s = L_s, .g_s = g_s, .handshake_s = L_s};
}

static struct replay_turn turn_of(double own_s, uint32_t first, uint32_t n)
{
	return (struct replay_turn){.own_s = own_s, .first = first, .n = n};
}

static struct replay replay_of(uint32_t ranks, struct replay_rank *rank, struct replay_turn *turn,
			       struct replay_send *send)
{
	return (struct replay){.ranks = ranks, .rank = rank, .turn = turn, .send = send};
}

/* Round after round, each of which needs what was sent to it. */
static void fill_rounds(struct all_to_all *x, enum replay_mode mode, uint32_t blocks,
			uint32_t rounds)
{
	uint32_t n = 0, turn = 0;

	for (uint32_t k = 0; k < RANKS; k++) {
		x->rank[k] = (struct replay_rank){turn, rounds};
		for (uint32_t round = 0; round < rounds; round++) {
			x->turn[turn++] = turn_of(0, n, (RANKS - 1) * blocks);
			for (uint32_t dst = 0; dst < RANKS; dst++)
				for (uint32_t b = 0; b < blocks && dst != k; b++) {
					x->send[n] = message(dst, mode, 1, 10, 100);
					x->send[n++].until = round + 1;
				}
		}
	}
	x->r = replay_of(RANKS, x->rank, x->turn, x->send);
}

static void fill(struct all_to_all *x, enum replay_mode mode, uint32_t blocks)
{
	fill_rounds(x, mode, blocks, 1);
}

static double run(const struct replay *r)
{
	double makespan_s = -1;
	struct err err;

	CU_ASSERT_FATAL(replay_run(r, &makespan_s, &err) == 0);
	return makespan_s;
}

static double makespan(struct all_to_all *x, enum replay_order order)
{
	struct err err;

	CU_ASSERT_FATAL(replay_reorder(&x->r, order, 1, &err) == 0);
	return run(&x->r);
}

static void test_replay_of_one_message(void)
{
	struct replay_rank rank[2] = {{0, 1}, {1, 0}};
	struct replay_turn turn[1] = {turn_of(5, 0, 1)};
	struct replay_send send[1] = {message(1, REPLAY_EAGER, 1, 10, 100)};
	struct replay r = replay_of(2, rank, turn, send);

	for (int p = 0; p < REPLAY_PORTS; p++) {
		r.ports = p;
		send[0].mode = REPLAY_EAGER;
		CU_ASSERT_DOUBLE_EQUAL(run(&r), 110, 1e-9); /* o_s is part of L */
		send[0].mode = REPLAY_SYNCHRONOUS;
		CU_ASSERT_DOUBLE_EQUAL(run(&r), 120, 1e-9); /* and the acknowledgement */
		send[0].mode = REPLAY_RENDEZVOUS;
		CU_ASSERT_DOUBLE_EQUAL(run(&r), 130, 1e-9);
		send[0].handshake_s = 0;
		CU_ASSERT_DOUBLE_EQUAL(run(&r), 110, 1e-9);
		send[0].handshake_s = 10;
	}
}

/* Two at one port: one by one, or each half as fast while the other one is there. */
static void test_replay_shares_a_port(void)
{
	struct replay_rank rank[3] = {{0, 1}, {1, 1}, {2, 1}};
	struct replay_turn turn[3] = {turn_of(0, 0, 1), turn_of(0, 1, 1), turn_of(0, 2, 1)};
	struct replay_send send[3] = {message(2, REPLAY_EAGER, 0, 0, 100),
				      message(2, REPLAY_SYNCHRONOUS, 0, 0, 20),
				      message(0, REPLAY_EAGER, 0, 0, 500)};
	struct replay r = replay_of(3, rank, turn, send);

	send[0].until = 1;
	turn[2] = turn_of(0, 2, 0);
	CU_ASSERT_DOUBLE_EQUAL(run(&r), 120, 1e-9);
	r.ports = REPLAY_SIDE_BY_SIDE;
	CU_ASSERT_DOUBLE_EQUAL(run(&r), 120, 1e-9);
	turn[2] = turn_of(0, 2, 1); /* with a turn after it, of its own */
	rank[1] = (struct replay_rank){1, 2};
	turn[2] = turn_of(0, 2, 1);
	rank[2] = (struct replay_rank){3, 0};
	send[0].until = 0;
	send[2].dst = 0;
	CU_ASSERT_DOUBLE_EQUAL(run(&r), 540, 1e-9); /* the short one is through at 40 */
	r.ports = REPLAY_ONE_BY_ONE;
	CU_ASSERT_DOUBLE_EQUAL(run(&r), 620, 1e-9);
}

/*
 * Who shares a port with others is done when they are, and then is with them at the next: of all
 * in the same order nobody is ever ahead. One by one they are behind each other, and the next
 * round begins with who was first.
 */
static void test_replay_side_by_side_stays_together(void)
{
	struct all_to_all x;
	double crowded, one_by_one, staggered;

	fill_rounds(&x, REPLAY_SYNCHRONOUS, 1, ROUNDS);
	one_by_one = run(&x.r);
	x.r.ports = REPLAY_SIDE_BY_SIDE;
	crowded = run(&x.r);
	staggered = makespan(&x, REPLAY_STAGGERED);
	if (getenv("VERBOSE"))
		printf("side by side %g s, one by one %g s, staggered %g s\n", crowded, one_by_one,
		       staggered);
	CU_ASSERT_DOUBLE_EQUAL(staggered, ROUNDS * 7 * 120, 1e-6);
	CU_ASSERT(crowded > 1.5 * one_by_one && one_by_one > 1.2 * staggered);
}

/* A turn that all come to together begins when the last one is there. */
static void test_replay_begins_together(void)
{
	struct all_to_all x;

	fill_rounds(&x, REPLAY_EAGER, 1, ROUNDS);
	for (size_t k = 0; k < sizeof(x.send) / sizeof(*x.send); k++)
		x.send[k].until = 0;
	x.turn[1].own_s = 20000;              /* rank 0's second, */
	x.turn[3 * ROUNDS + 2].own_s = 30000; /* and rank 3's third one */
	CU_ASSERT_DOUBLE_EQUAL(run(&x.r), 30000, 2000);
	for (uint32_t k = 0; k < RANKS; k++)
		x.turn[k * ROUNDS + 1].together = 1;
	CU_ASSERT_DOUBLE_EQUAL(run(&x.r), 50000, 2000);
}

/* A message that waits for its receive does so until its destination is as far. */
static void test_replay_waits_for_receivers(void)
{
	struct replay_rank rank[2] = {{0, 1}, {1, 1}};
	struct replay_turn turn[2] = {turn_of(0, 0, 1), turn_of(700, 1, 0)};
	struct replay_send send[1] = {message(1, REPLAY_RENDEZVOUS, 1, 10, 100)};
	struct replay r = replay_of(2, rank, turn, send);

	send[0].from = REPLAY_BEGUN(0);
	CU_ASSERT_DOUBLE_EQUAL(run(&r), 700 + 10 + 9 + 100, 1e-9);
	send[0].mode = REPLAY_SYNCHRONOUS;
	CU_ASSERT_DOUBLE_EQUAL(run(&r), 700 + 100 + 10, 1e-9);
	send[0].mode = REPLAY_EAGER;
	CU_ASSERT_DOUBLE_EQUAL(run(&r), 700, 1e-9);
}

/*
 * Begun together they are in each other's way at their sender's and their receivers' ports only: if
 * these are shared nobody waits for an order, and all is over when a port has passed all of its.
 */
static void test_replay_of_sends_begun_together(void)
{
	struct all_to_all x;
	double synchronous, one_by_one, side_by_side;

	fill(&x, REPLAY_SYNCHRONOUS, 1);
	synchronous = run(&x.r);
	for (size_t k = 0; k < sizeof(x.send) / sizeof(*x.send); k++)
		x.send[k].is_begun = 1;
	one_by_one = run(&x.r);
	x.r.ports = REPLAY_SIDE_BY_SIDE;
	side_by_side = run(&x.r);
	CU_ASSERT(one_by_one < 0.95 * synchronous);
	/* so far apart as the last of seven sends begins, and with the acknowledgement */
	CU_ASSERT_DOUBLE_EQUAL(side_by_side, 7 * 100 + 20, 7);
	x.send[RANKS - 1].g_s = 1000; /* rank 1's first one, to rank 0 */
	CU_ASSERT_DOUBLE_EQUAL(run(&x.r), 1000 + 6 * 100 + 20, 7);
	CU_ASSERT_DOUBLE_EQUAL(makespan(&x, REPLAY_STAGGERED), 1000 + 6 * 100 + 20, 7);
}

/*
 * What a rank does between its sends, and after them, is beside what it has begun; or it is last.
 */
static void test_replay_of_own_time_in_a_turn(void)
{
	struct replay_rank rank[3] = {{0, 1}, {1, 0}, {1, 0}};
	struct replay_turn turn[1] = {turn_of(0, 0, 2)};
	struct replay_send send[2] = {message(1, REPLAY_SYNCHRONOUS, 1, 10, 100),
				      message(2, REPLAY_SYNCHRONOUS, 1, 10, 100)};
	struct replay r = replay_of(3, rank, turn, send);

	send[1].own_s = 50;
	turn[0].rest_s = 70;
	CU_ASSERT_DOUBLE_EQUAL(run(&r), 120 + 50 + 120 + 70, 1e-9);
	send[0].is_begun = send[1].is_begun = 1;
	CU_ASSERT_DOUBLE_EQUAL(run(&r), 1 + 100 + 119, 1e-9); /* 70 are over before */
	r.rests_last = 1;
	CU_ASSERT_DOUBLE_EQUAL(run(&r), 1 + 100 + 119 + 70, 1e-9);
	r.rests_last = 0;
	r.ports = REPLAY_SIDE_BY_SIDE;
	CU_ASSERT_DOUBLE_EQUAL(run(&r), 1 + 100 + 119, 1e-9); /* a sender's port is no wider */
	turn[0].rest_s = 700;
	CU_ASSERT_DOUBLE_EQUAL(run(&r), 1 + 50 + 1 + 700, 1e-9);
}

/* In another order a rank computes between its sends as before, whichever comes first. */
static void test_replay_reorder_keeps_own_time(void)
{
	struct replay_rank rank[3] = {{0, 1}, {1, 0}, {1, 0}};
	struct replay_turn turn[1] = {turn_of(0, 0, 2)};
	struct replay_send send[2] = {message(2, REPLAY_SYNCHRONOUS, 1, 10, 100),
				      message(1, REPLAY_SYNCHRONOUS, 1, 10, 100)};
	struct replay r = replay_of(3, rank, turn, send);
	struct err err;

	send[1].own_s = 1000;
	CU_ASSERT_DOUBLE_EQUAL(run(&r), 1240, 1e-9);
	CU_ASSERT_EQUAL_FATAL(replay_reorder(&r, REPLAY_STAGGERED, 1, &err), 0);
	CU_ASSERT_EQUAL(send[0].dst, 1);
	CU_ASSERT_DOUBLE_EQUAL(run(&r), 1240, 1e-9);
}

/* A long message that has almost passed the sender's port is not held up by a short one. */
static void test_replay_shares_a_port_out(void)
{
	struct replay_rank rank[3] = {{0, 1}, {1, 0}, {1, 0}};
	struct replay_turn turn[1] = {turn_of(0, 0, 2)};
	struct replay_send send[2] = {message(1, REPLAY_EAGER, 0, 0, 1000),
				      message(2, REPLAY_EAGER, 0, 0, 1)};
	struct replay r = replay_of(3, rank, turn, send);

	send[1].own_s = 990;
	r.ports = REPLAY_SIDE_BY_SIDE;
	CU_ASSERT_DOUBLE_EQUAL(run(&r), 1001, 1e-9);
	send[1].own_s = 0;
	CU_ASSERT_DOUBLE_EQUAL(run(&r), 1001, 1e-9);
}

static void test_replay_of_nothing(void)
{
	struct replay_rank rank[2] = {{0, 0}, {0, 0}};
	struct replay r = replay_of(2, rank, NULL, NULL);

	CU_ASSERT_EQUAL(run(&r), 0);
}

static void test_replay_refuses_a_rank_that_is_not_there(void)
{
	struct replay_rank rank[1] = {{0, 1}};
	struct replay_turn turn[1] = {turn_of(0, 0, 1)};
	struct replay_send send[1] = {message(3, REPLAY_EAGER, 1, 10, 100)};
	struct replay r = replay_of(1, rank, turn, send);
	double x;
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

		for (uint32_t i = 0; i < x.turn[k].n; i++)
			got[x.send[x.turn[k].first + i].dst]++;
		for (uint32_t dst = 0; dst < RANKS; dst++)
			CU_ASSERT_EQUAL(got[dst], dst == k ? 0 : 3);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_replay_of_one_message),
		SUITE_CASE(test_replay_shares_a_port),
		SUITE_CASE(test_replay_side_by_side_stays_together),
		SUITE_CASE(test_replay_begins_together),
		SUITE_CASE(test_replay_waits_for_receivers),
		SUITE_CASE(test_replay_of_sends_begun_together),
		SUITE_CASE(test_replay_of_own_time_in_a_turn),
		SUITE_CASE(test_replay_reorder_keeps_own_time),
		SUITE_CASE(test_replay_shares_a_port_out),
		SUITE_CASE(test_replay_of_nothing),
		SUITE_CASE(test_replay_refuses_a_rank_that_is_not_there),
		SUITE_CASE(test_replay_synchronous_exchange_gains_by_staggering),
		SUITE_CASE(test_replay_order_matters_most_with_few_credits),
		SUITE_CASE(test_replay_reorder_keeps_every_message),
		CU_TEST_INFO_NULL,
	};

	return suite_run("replay", tests);
}
