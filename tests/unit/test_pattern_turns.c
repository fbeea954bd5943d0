/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Circles that are others after some rounds, and what else is. */
#include "tests/fixtures/script.h"

#include "tests/fixtures/suite.h"

#include <stdio.h>
#include <string.h>

/* A ring, both ways or one, and after some rounds another one. */
static void ring_in_turns(struct script *s, uint32_t turn, uint32_t both)
{
	static const uint32_t of_four[] = {0, 2, 1, 3};
	uint32_t now = s->round / turn, n = s->ranks;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = (i + 1) % n;
		uint32_t p = n > 4 ? i * (2 * now + 1) % n : now ? of_four[i] : i;
		uint32_t q = n > 4 ? k * (2 * now + 1) % n : now ? of_four[k] : k;

		script_send(s, p, q, 0, SCRIPT_BYTES);
		if (both)
			script_send(s, q, p, 0, SCRIPT_BYTES);
	}
}

/* In the end everybody has sent to everybody, but not in one round. */
static void test_pattern_of_rings_in_turns_is_no_total_exchange(void)
{
	CU_ASSERT(script_is_named("rings, one after another", 4, ring_in_turns, 6, 1));
	CU_ASSERT(script_is_named("rings, one after another", 16, ring_in_turns, 4, 1));
	CU_ASSERT(script_is_named("permutations, one after another", 16, ring_in_turns, 4, 0));
	CU_ASSERT(script_is_named("ring", 16, ring_in_turns, 12, 1));
}

/* Some number below n, by turn and i. */
static uint32_t any_below(uint32_t turn, uint32_t i, uint32_t n)
{
	uint64_t x = ((uint64_t)turn << 32 | i) + 0x9e3779b97f4a7c15;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return (uint32_t)((x ^ x >> 31) % n);
}

/* Up and down any tree, or in a path if chain, and after some rounds another one. */
static void tree_in_turns(struct script *s, uint32_t turn, uint32_t chain)
{
	uint32_t now = s->round / turn, n = s->ranks;

	for (uint32_t i = 1; i < n; i++) {
		uint32_t above = chain ? i - 1 : any_below(now, i, i);
		uint32_t p = (i * (2 * now + 1) + now) % n;
		uint32_t q = (above * (2 * now + 1) + now) % n;

		script_send(s, p, q, 0, SCRIPT_BYTES);
		script_send(s, q, p, 0, SCRIPT_BYTES);
	}
}

/* Each to any one, which takes each of what comes in a round of its own. */
static void function_in_turns(struct script *s, uint32_t turn, uint32_t unused)
{
	uint32_t now = s->round / turn, n = s->ranks, got[64] = {0};

	(void)unused;
	for (uint32_t p = 0; p < n; p++) {
		uint32_t q = (p + 1 + any_below(now, p, n - 1)) % n;

		script_send(s, p, q, 0, SCRIPT_BYTES);
		s->d[s->n - 1].sent_in = n * s->round;
		s->d[s->n - 1].done_in = n * s->round + got[q]++;
	}
}

static int in_turns_of(uint32_t ranks, script_round *each, uint32_t how)
{
	struct pattern p = script_pattern(ranks, each, 4, how);
	int is = !!strstr(p.best.name, "one after another");

	if (is)
		printf("\n    %u ranks (%u): %s, %.3f", ranks, how, p.best.name, p.score);
	return is;
}

/* A name of circles wants circles. */
static void test_pattern_of_trees_in_turns_is_no_rings(void)
{
	for (uint32_t ranks = 8; ranks <= 32; ranks *= 2) {
		for (uint32_t chain = 0; chain < 2; chain++)
			CU_ASSERT(!in_turns_of(ranks, tree_in_turns, chain));
		CU_ASSERT(!in_turns_of(ranks, function_in_turns, 0));
	}
}

/* Half of the turns are rings: they explain half. */
static void rings_half_the_time(struct script *s, uint32_t turn, uint32_t unused)
{
	(void)unused;
	if (s->round / turn % 2)
		tree_in_turns(s, turn, 1);
	else
		ring_in_turns(s, turn, 1);
}

static void test_pattern_of_some_rings_in_turns_explains_them(void)
{
	struct pattern p = script_pattern(16, rings_half_the_time, 3, 0);

	CU_ASSERT(strcmp(p.best.name, "rings, one after another") || p.score < 0.6);
}

/* A shift by another distance in every round, in no order. */
static void shifts(struct script *s, uint32_t unused1, uint32_t unused2)
{
	(void)unused1, (void)unused2;
	for (uint32_t p = 0; p < s->ranks; p++)
		script_send(s, p, (p + 1 + any_below(s->round, 7, s->ranks - 1)) % s->ranks, 0,
			    SCRIPT_BYTES);
}

static void test_pattern_of_a_permutation_a_round(void)
{
	struct pattern p = script_pattern(32, shifts, 0, 0);

	CU_ASSERT_STRING_EQUAL(p.best.name, "permutations, one after another");
	CU_ASSERT_FALSE(pattern_is_confident(&p));
}

/* Another ring every third round; some messages of each round are missing, some go astray. */
static void rings_with_gaps(struct script *s, uint32_t every, uint32_t unused)
{
	uint32_t n = s->ranks, now = s->round / 3;

	(void)unused;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t p = i * (2 * now + 1) % n, q = (i + 1) * (2 * now + 1) % n;

		if (any_below(s->round, i, every))
			script_send(s, p, q, 0, SCRIPT_BYTES);
		if (any_below(s->round, i + n, every))
			script_send(s, q, p, 0, SCRIPT_BYTES);
		if (!any_below(s->round, i + 2 * n, every))
			script_send(s, p, (p + 5) % n, 0, SCRIPT_BYTES);
	}
}

static void test_pattern_of_rings_in_turns_with_gaps(void)
{
	CU_ASSERT(script_is_named("rings, one after another", 32, rings_with_gaps, 10, 0));
	CU_ASSERT(script_is_named("rings, one after another", 16, rings_with_gaps, 12, 0));
}

int main(void)
{
	static CU_TestInfo cases[] = {
		SUITE_CASE(test_pattern_of_rings_in_turns_is_no_total_exchange),
		SUITE_CASE(test_pattern_of_some_rings_in_turns_explains_them),
		SUITE_CASE(test_pattern_of_trees_in_turns_is_no_rings),
		SUITE_CASE(test_pattern_of_a_permutation_a_round),
		SUITE_CASE(test_pattern_of_rings_in_turns_with_gaps),
		CU_TEST_INFO_NULL,
	};

	return suite_run("pattern_turns", cases);
}
