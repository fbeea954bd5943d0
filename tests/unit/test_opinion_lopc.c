/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/opinions.h"

#include <stdint.h>

#define RANKS 8

/*
 * Each rank asks another one in each round, by turns, and answers one in 10 us; in a round out of
 * so many in 2 ms; and works 20 us. No message waits. Rank 0 may tell them all to begin. What LoPC
 * says of it.
 */
static struct opinion ask_of_questions(uint32_t slow_one_in, int is_told)
{
	enum { ROUNDS = 20 * (RANKS - 1), WAY = 7008 }; /* L + g of 8 bytes */
	int64_t now = 0;
	struct tables x;

	tables_init(&x, RANKS, RANKS);
	for (uint32_t r = 1; is_told && r < RANKS; r++, now += 1000) {
		uint32_t send = tables_call(&x, 0, REGION_SEND, now, now + 1000, 1);
		uint32_t take = tables_call(&x, r, REGION_RECV, 0, now + WAY, 2);

		tables_message(&x, 8, send, send, take, take);
	}
	now += 2 * WAY;
	for (uint32_t i = 1; i <= ROUNDS; i++) {
		int64_t asked = now + 1000,
			answer = now + WAY + (i % slow_one_in ? 10000 : 2000000);
		uint32_t ask[RANKS], take[RANKS], reply[RANKS], got[RANKS], r;

		for (r = 0; r < RANKS; r++) {
			ask[r] = tables_call(&x, r, REGION_SEND, now, asked, 1);
			take[r] = tables_call(&x, r, REGION_RECV, asked, now + WAY, 2);
			reply[r] = tables_call(&x, r, REGION_SEND, answer, answer + 1000, 3);
			got[r] = tables_call(&x, r, REGION_RECV, answer + 1000, answer + WAY, 4);
		}
		for (r = 0; r < RANKS; r++) {
			uint32_t to = (r + 1 + i % (RANKS - 1)) % RANKS;

			tables_message(&x, 8, ask[r], ask[r], take[to], take[to]);
			tables_message(&x, 8, reply[to], reply[to], got[r], got[r]);
		}
		now = answer + WAY + 20000;
	}
	tables_finish(&x);
	return opinion_of("LoPC", x, tables_machine(5e-6, 1e-6, 1e-9, 65536));
}

/* Handlers of unlike times are not LoPC's. */
static void test_opinion_lopc_asks_for_steady_handlers(void)
{
	struct opinion o = ask_of_questions(UINT32_MAX, 0);

	CU_ASSERT_TRUE(o.valid);
	CU_ASSERT_STRING_EQUAL(o.why_not, "");
	o = ask_of_questions(40, 0);
	CU_ASSERT_FALSE(o.valid);
	CU_ASSERT(strstr(o.why_not, "its handlers' times vary too much: C2 is 54.6, ") != NULL);
}

/*
 * Without contention LoPC's cycle is the one that there was, as nothing waited: work, two ways and
 * two handlers, in which the overheads are, each once. Those are 12 us for a request and 1 for a
 * reply.
 */
static void test_opinion_lopc_has_each_overhead_once(void)
{
	struct opinion o = ask_of_questions(UINT32_MAX, 0);
	double mean_s = 6.5e-6, squares = (12e-6 * 12e-6 + 1e-6 * 1e-6) / 2;

	CU_ASSERT_TRUE_FATAL(o.valid);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "S_o_s"), mean_s, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "C2"), squares / (mean_s * mean_s) - 1,
			       1e-9);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "S_l_s"), 5.008e-6, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "W_s"), 21e-6, 0.2e-6);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.measured, "R_s"), 44.016e-6, 0.2e-6);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.predicted, "lower_s"),
			       opinion_value(&o.measured, "R_s"), 0.2e-6);
}

/* Who asks is who sends what answers nothing, also if it was sent something first. */
static void test_opinion_lopc_counts_who_asks(void)
{
	struct opinion o = ask_of_questions(UINT32_MAX, 1);

	CU_ASSERT_TRUE(o.valid);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "n"), 20 * (RANKS - 1), 2);
}

/*
 * Rounds that begin together. Either each rank asks another one, and works 20 us when it has its
 * answer; or, in so many of the 112, 7 ask the one that does not, which answers one after the
 * other, and who has his answer works until the last has worked 20 us, too. To answer takes 10 us,
 * and 1 us to take a question and to send. What LoPC says of it.
 */
static struct opinion ask_together(uint32_t crowded)
{
	enum { ROUNDS = 16 * (RANKS - 1), WAY = 7008, ANSWER = 10000, NEXT = 12000, WORK = 20000 };
	int64_t now = 0;
	struct tables x;

	tables_init(&x, RANKS, RANKS);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		uint32_t ask[RANKS], take[RANKS], reply[RANKS], got;
		uint32_t is_crowded = i >= ROUNDS - crowded;
		uint32_t asked = i % RANKS, first = asked + is_crowded;
		int64_t free[RANKS], there[RANKS];

		for (uint32_t r = 0; r < RANKS; r++)
			free[r] = now;
		for (uint32_t k = first; k < asked + RANKS; k++, free[k % RANKS] = now + 1000)
			ask[k % RANKS] =
				tables_call(&x, k % RANKS, REGION_SEND, now, now + 1000, 1);
		for (uint32_t k = first; k < asked + RANKS; k++) {
			uint32_t r = k % RANKS, s = is_crowded ? asked : (k + 1 + i % 7) % RANKS;
			int64_t taken = free[s] + 1000 > now + WAY ? free[s] + 1000 : now + WAY;

			take[r] = tables_call(&x, s, REGION_RECV, free[s], taken, 2);
			free[s] = taken + ANSWER + 1000;
			reply[r] = tables_call(&x, s, REGION_SEND, taken + ANSWER, free[s], 3);
			there[r] = taken + ANSWER + WAY;
		}
		for (uint32_t k = first; k < asked + RANKS; k++) {
			uint32_t r = k % RANKS;

			got = tables_call(&x, r, REGION_RECV, free[r], there[r], 4);
			tables_message(&x, 8, ask[r], ask[r], take[r], take[r]);
			tables_message(&x, 8, reply[r], reply[r], got, got);
		}
		now += WAY + (is_crowded ? (RANKS - 2) * NEXT : 0) + ANSWER + WAY + WORK;
	}
	tables_finish(&x);
	return opinion_of("LoPC", x, tables_machine(5e-6, 1e-6, 1e-9, 65536));
}

/*
 * The index of burstiness by hand, all in us: the measured cycle over that of LoPC's equations (1)
 * to (7) with (5')(6'), which has requests come at random.
 *   S_l = 5 + 0.008; S_o = (12 + 1) / 2 = 6.5 and C2 = ((144 + 1) / 2) / 6.5^2 - 1 = 0.716: of a
 *   request to take it, answer and send; of a reply to take it. W is the work and 1 to send.
 * Each asked once: R = 7.008 + 10 + 7.008 + 20 = 44.016; W = 21, for which the equations give
 *   R_w 25.275 + 2 S_l 10.016 + R_q 8.266 + R_y 7.436 = 50.994: 0.863, the least there is, as no
 *   message met another.
 * Seven ask one: the last waits for 6 of 12 before it, so a round takes 44.016 + 72 = 116.016, of 8
 *   ranks, and R = 8 / 7 of that, 132.590. Work is 20 + 12 k for k = 0 to 6 and 26.008 of the one
 *   who was asked, in all 418.008, so W = 60.715 and
 *   R_w 65.994 + 10.016 + 7.400 + 6.966 = 90.376: 1.467.
 * Half of the rounds each: 15 questions in 160.032 of 8 ranks, R = 85.350; W = 39.534 and
 *   R_w 44.425 + 10.016 + 7.720 + 7.138 = 69.299: 1.232.
 * What is worked after the last answer is not seen, once in 112 rounds.
 */
static void test_opinion_lopc_burstiness_by_hand(void)
{
	static const struct {
		uint32_t crowded;
		double W, R, by_model, burstiness;
	} rows[] = {{0, 21e-6, 44.016e-6, 50.994e-6, 0.863},
		    {56, 39.534e-6, 85.350e-6, 69.299e-6, 1.232},
		    {112, 60.715e-6, 132.590e-6, 90.376e-6, 1.467}};

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		struct opinion o = ask_together(rows[k].crowded);

		CU_ASSERT_TRUE_FATAL(o.valid);
		CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "S_o_s"), 6.5e-6, 1e-9);
		CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "S_l_s"), 5.008e-6, 1e-9);
		CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "C2"), 0.716, 1e-3);
		CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "W_s"), rows[k].W, 0.6e-6);
		CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.measured, "R_s"), rows[k].R, 0.6e-6);
		CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.predicted, "R_s"), rows[k].by_model,
				       0.6e-6);
		CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.measured, "burstiness"), rows[k].burstiness,
				       3e-3);
	}
}

/*
 * By turns each rank asks one of its two, or both at once, while nobody else does anything; an
 * answer takes 10 us. After so many turns they may all meet. What LoPC says of it.
 */
static struct opinion ask_by_turns(uint32_t at_once, uint32_t meet_after)
{
	static const uint32_t known[RANKS][2] = {{1, 2}, {3, 0}, {5, 0}, {6, 0},
						 {2, 0}, {1, 4}, {0, 3}, {5, 0}};
	enum { ROUNDS = 60, WAY = 7008, TURN = 60000 };
	struct tables x;

	tables_init(&x, RANKS, RANKS);
	for (uint32_t i = 0; i < ROUNDS * RANKS; i++) {
		int64_t now = (int64_t)i * TURN;
		uint32_t r = i % RANKS, ask[2], to[2];

		for (uint32_t k = 0; k < at_once; k++, now += 1000) {
			to[k] = known[r][(i / RANKS + k) % 2];
			ask[k] = tables_call(&x, r, REGION_SEND, now, now + 1000, 1);
		}
		for (uint32_t k = 0; k < at_once; k++) {
			int64_t answer = now - 1000 + WAY + 10000;
			uint32_t take =
				tables_call(&x, to[k], REGION_RECV, now, now - 1000 + WAY, 2);
			uint32_t reply =
				tables_call(&x, to[k], REGION_SEND, answer, answer + 1000, 3);
			uint32_t got = tables_call(&x, r, REGION_RECV, now, answer + WAY, 4);

			tables_message(&x, 8, ask[k], ask[k], take, take);
			tables_message(&x, 8, reply, reply, got, got);
			now = answer + WAY;
		}
		for (r = 0; meet_after && (i + 1) % meet_after == 0 && r < RANKS; r++)
			tables_call(&x, r, REGION_COLLECTIVE, now + 1000, now + 3000, 5);
	}
	tables_finish(&x);
	return opinion_of("LoPC", x, tables_machine(5e-6, 1e-6, 1e-9, 65536));
}

/*
 * Not all are asked equally often: rank 0 answers three a round, and its work takes so much longer.
 * By who asks whom a cycle lasts eight turns, for all, as nobody is in another one's way.
 */
static void test_opinion_lopc_by_who_asks_whom(void)
{
	struct opinion o = ask_by_turns(1, 0);
	double mean_s = 6.5e-6, squares = (12e-6 * 12e-6 + 1e-6 * 1e-6) / 2;

	CU_ASSERT_TRUE_FATAL(o.valid);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "S_o_s"), mean_s, 1e-12);
	CU_ASSERT(opinion_value(&o.inputs, "C2") > 0.3 &&
		  opinion_value(&o.inputs, "C2") < squares / (mean_s * mean_s) - 1);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "S_l_s"), 5.008e-6, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.measured, "R_s"), 8 * 60e-6, 10e-6);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.predicted, "R_s"),
			       opinion_value(&o.measured, "R_s"), 15e-6);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.predicted, "most_s"), 8 * 60e-6, 15e-6);
	CU_ASSERT(opinion_value(&o.predicted, "lower_s") < opinion_value(&o.predicted, "R_s"));
	CU_ASSERT_EQUAL_FATAL(o.ranks, RANKS);
	CU_ASSERT_DOUBLE_EQUAL(visits[1 * RANKS + 3], 0.5, 1e-9); /* rank 1 asks 3 and 0 */
	CU_ASSERT_DOUBLE_EQUAL(visits[1 * RANKS + 0], 0.5, 1e-9);
	CU_ASSERT_EQUAL(visits[1 * RANKS + 2], 0);
}

static void test_opinion_lopc_is_not_asked_of_two_at_once(void)
{
	struct opinion o = ask_by_turns(2, 0);

	CU_ASSERT_FALSE(o.valid);
	CU_ASSERT_STRING_EQUAL(o.why_not,
			       "it asks that ranks await an answer before they ask again");
}

/* A cycle that a barrier ends lasts as long as the slowest's. */
static void test_opinion_lopc_is_not_asked_where_ranks_meet(void)
{
	struct opinion o = ask_by_turns(1, 2 * RANKS);

	CU_ASSERT_FALSE(o.valid);
	CU_ASSERT_STRING_EQUAL(o.why_not, "its ranks meet in collectives, which set the pace");
}

/*
 * In a ring each swaps with both neighbours: first with one and then with the other by Sendrecv, or
 * with both before a Waitall. What LoPC says of it.
 */
static struct opinion ask_of_swaps(enum region_kind send)
{
	enum { ROUNDS = 100, WAY = 10000 };
	struct tables x;

	tables_init(&x, RANKS, RANKS);
	for (uint32_t i = 0; i < 2 * ROUNDS; i++) {
		int64_t now = send == REGION_SENDRECV ? i * 2 * WAY : i / 2 * 4 * WAY;
		uint32_t out[RANKS], in[RANKS];

		for (uint32_t r = 0; r < RANKS; r++) {
			int64_t at = now + (send == REGION_SENDRECV ? 0 : i % 2 * 2000);

			out[r] = tables_call(&x, r, send, at,
					     at + (send == REGION_SENDRECV ? WAY : 1000), i % 2);
			in[r] = send == REGION_SENDRECV ? out[r]
							: tables_call(&x, r, REGION_RECV, at + WAY,
								      at + WAY + 1000, 2);
		}
		for (uint32_t r = 0; r < RANKS; r++) {
			uint32_t to = (r + (i % 2 ? RANKS - 1 : 1)) % RANKS;

			tables_message(&x, 8, out[r], out[r], in[to], in[to]);
		}
	}
	tables_finish(&x);
	return opinion_of("LoPC", x, tables_machine(5e-6, 1e-6, 1e-9, 65536));
}

/* Neighbours that swap do not ask each other anything. */
static void test_opinion_lopc_is_not_asked_of_swaps(void)
{
	static const enum region_kind sends[] = {REGION_SENDRECV, REGION_ISEND};

	for (size_t k = 0; k < 2; k++) {
		struct opinion o = ask_of_swaps(sends[k]);

		CU_ASSERT_FALSE(o.valid);
		CU_ASSERT_STRING_EQUAL(o.why_not,
				       "its messages are not requests that are answered");
	}
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_opinion_lopc_asks_for_steady_handlers),
		SUITE_CASE(test_opinion_lopc_has_each_overhead_once),
		SUITE_CASE(test_opinion_lopc_counts_who_asks),
		SUITE_CASE(test_opinion_lopc_burstiness_by_hand),
		SUITE_CASE(test_opinion_lopc_is_not_asked_of_swaps),
		SUITE_CASE(test_opinion_lopc_by_who_asks_whom),
		SUITE_CASE(test_opinion_lopc_is_not_asked_of_two_at_once),
		SUITE_CASE(test_opinion_lopc_is_not_asked_where_ranks_meet),
		CU_TEST_INFO_NULL,
	};

	return suite_run("opinion_lopc", cases);
}
