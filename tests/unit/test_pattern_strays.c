/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Patterns of which messages are missing, or with some too many: nearly another's. */
#include "tests/fixtures/script.h"

#include "tests/fixtures/suite.h"

#include <string.h>

/* One way round, in an order that visits no two neighbours of a square across. */
static void wind_round(struct script *s, uint32_t missed, uint32_t unused)
{
	static const uint32_t next[] = {1, 3, 0, 2};

	(void)unused;
	for (uint32_t p = 0; p < s->ranks; p++)
		if (p || s->round >= missed)
			script_send(s, p, next[p], 0, SCRIPT_BYTES);
}

static void test_pattern_of_a_winding_path_is_no_grid(void)
{
	CU_ASSERT(script_is_named("ring", 4, wind_round, 0, 0));
	CU_ASSERT(script_is_named("ring", 4, wind_round, 1, 0));
}

/* A few of the messages of a line go between its ends, or few of a ring's do. */
static void line_with_ends(struct script *s, uint32_t every, uint32_t unused)
{
	(void)unused;
	for (uint32_t p = 0; p < s->ranks; p++) {
		if (p + 1 == s->ranks && s->round % every)
			continue;
		script_send(s, p, (p + 1) % s->ranks, 0, SCRIPT_BYTES);
		script_send(s, (p + 1) % s->ranks, p, 0, SCRIPT_BYTES);
	}
}

static void test_pattern_of_half_a_joint_is_no_line_and_no_ring(void)
{
	struct pattern p = script_pattern(11, line_with_ends, 4, 0);

	CU_ASSERT(!p.best.regular);
	CU_ASSERT(script_is_named("chain", 11, line_with_ends, 12, 0));
	CU_ASSERT(script_is_named("ring", 11, line_with_ends, 1, 0));
}

/* Most of them with one partner, but for the first few, who go round in two cycles. */
static void with_partners(struct script *s, uint32_t few, uint32_t unused)
{
	(void)unused;
	for (uint32_t p = 0; p < s->ranks; p++)
		script_send(s, p, p < few ? (p + 2) % few : p ^ 1, 0, SCRIPT_BYTES);
}

static void test_pattern_of_pairs_with_strays_is_no_permutation(void)
{
	struct pattern p = script_pattern(40, with_partners, 6, 0);

	CU_ASSERT(strcmp(p.best.name, "permutation"));
	CU_ASSERT(script_is_named("pairwise", 40, with_partners, 0, 0));
}

/* To the parent of three; the last few three times of four. */
static void three_tree(struct script *s, uint32_t few, uint32_t unused)
{
	(void)unused;
	for (uint32_t p = 1; p < s->ranks; p++)
		if (p + few < s->ranks || s->round % 4)
			script_send(s, p, (p - 1) / 3, 20 - p, SCRIPT_BYTES);
}

static void test_pattern_of_a_tree_is_no_server(void)
{
	struct pattern p = script_pattern(13, three_tree, 6, 0);

	CU_ASSERT(!strstr(p.best.name, "server"));
	CU_ASSERT(script_is_named("3-ary reduce tree", 13, three_tree, 0, 0));
}

/* A sweep in which the ranks of the last row seldom send. */
static void thin_sweep(struct script *s, uint32_t columns, uint32_t every)
{
	for (uint32_t p = 0; p < s->ranks; p++) {
		uint32_t step = p % columns + p / columns;

		if (p % columns + 1 < columns && (p + columns < s->ranks || s->round % every == 0))
			script_send(s, p, p + 1, step, SCRIPT_BYTES);
		if (p + columns < s->ranks)
			script_send(s, p, p + columns, step, SCRIPT_BYTES);
	}
}

static void test_pattern_of_two_parents_is_no_tree(void)
{
	struct pattern p = script_pattern(12, thin_sweep, 6, 2);

	CU_ASSERT(!strstr(p.best.name, "tree"));
	CU_ASSERT(script_is_named("2-D sweep 2x6", 12, thin_sweep, 6, 1));
}

/* To the neighbours in rows and columns, but not from one half of the rows to the other. */
static void two_grids(struct script *s, uint32_t columns, uint32_t cut)
{
	for (uint32_t p = 0; p < s->ranks; p++) {
		if (p % columns + 1 < columns) {
			script_send(s, p, p + 1, 0, SCRIPT_BYTES);
			script_send(s, p + 1, p, 0, SCRIPT_BYTES);
		}
		if (p + columns < s->ranks && (!cut || p / columns + 1 != cut)) {
			script_send(s, p, p + columns, 1, SCRIPT_BYTES);
			script_send(s, p + columns, p, 1, SCRIPT_BYTES);
		}
	}
}

/* A rank at the end that does nothing is another matter. */
static void test_pattern_of_two_grids_is_not_one(void)
{
	struct pattern p = script_pattern(32, two_grids, 4, 4);

	CU_ASSERT(!p.best.regular);
	p = script_pattern(40, two_grids, 1, 20);
	CU_ASSERT(!p.best.regular);
	CU_ASSERT(script_is_named("2-D grid 8x4", 32, two_grids, 4, 0));
	CU_ASSERT(script_is_named("chain", 40, two_grids, 1, 0));
	CU_ASSERT(script_is_named("chain", 40, two_grids, 1, 1));
}

/* Two ranks have their children; one sends to the other once. */
static void two_stars(struct script *s, uint32_t size, uint32_t unused)
{
	(void)unused;
	for (uint32_t p = 0; p < s->ranks; p++)
		if (p % size)
			script_send(s, p - p % size, p, 0, SCRIPT_BYTES);
	if (!s->round)
		script_send(s, 0, size, 1, SCRIPT_BYTES);
}

static void test_pattern_of_two_stars_is_no_tree(void)
{
	struct pattern p = script_pattern(12, two_stars, 6, 0);

	CU_ASSERT(!strstr(p.best.name, "tree"));
}

/* Of 101 ranks the cubes are all. */
static uint32_t cube(uint32_t i)
{
	return i * i * i % 101;
}

/* Both ways round in no order; and one of twenty to any other. */
static void ring_with_strays(struct script *s, uint32_t times, uint32_t unused)
{
	(void)unused;
	for (uint32_t p = 0; p < s->ranks; p++)
		for (uint32_t i = 0; i < times; i++) {
			uint32_t any = (s->round * times + i) / 10;

			script_send(s, cube(p), cube((p + 1) % 101), 2 * i, SCRIPT_BYTES);
			script_send(s, cube((p + 1) % 101), cube(p), 2 * i, SCRIPT_BYTES);
			if (i % 10 == 0)
				script_send(s, p, (p + 1 + any % 100) % 101, 2 * i, SCRIPT_BYTES);
		}
}

/* In a long run there are strays between any two. */
static void test_pattern_of_permuted_ranks_with_strays_everywhere(void)
{
	struct pattern p = script_pattern(101, ring_with_strays, 100, 0);

	CU_ASSERT(p.best.permuted);
}

/*
 * Two cycles of nine, each after it has received; in the rounds after the first few they are open.
 */
static void open_cycles(struct script *s, uint32_t few, uint32_t strays)
{
	for (uint32_t i = 0; i < 18; i++) {
		uint32_t next = i % 9 < 8 ? i + 1 : i - 8;

		if (next > i || s->round < few)
			script_send(s, i * 7 % 18, next * 7 % 18, i % 9, SCRIPT_BYTES);
	}
	if (s->round < strays)
		script_send(s, 0, 5 + s->round, 9, SCRIPT_BYTES);
}

/* What closes them may be strays only if there are some. */
static void test_pattern_of_cycles_half_closed(void)
{
	struct pattern p = script_pattern(18, open_cycles, 6, 3);

	CU_ASSERT(script_is_named("permutation", 18, open_cycles, 12, 0));
	CU_ASSERT(script_is_named("permutation", 18, open_cycles, 6, 0));
	CU_ASSERT(strcmp(p.best.name, "permutation"));
}

/* Everybody with everybody of the group; two of the first groups exchange a few of theirs. */
static void bridged_groups(struct script *s, uint32_t size, uint32_t strays)
{
	for (uint32_t p = 0; p < s->ranks; p++)
		for (uint32_t k = 1; k < size; k++)
			script_send(s, p, p / size * size + (p + k) % size, k, SCRIPT_BYTES);
	if (s->round < strays) {
		script_send(s, 0, size, size, SCRIPT_BYTES);
		script_send(s, size, 0, size, SCRIPT_BYTES);
	}
}

static void test_pattern_of_groups_that_exchange_strays(void)
{
	CU_ASSERT(script_is_named("total exchange in 4 groups of 6", 24, bridged_groups, 6, 0));
	CU_ASSERT(script_is_named("total exchange in 4 groups of 6", 24, bridged_groups, 6, 6));
}

/* Of two rounds: cycles of eleven, a fifth of the messages and one rank's missing, a few strays. */
static void cycles_with_gaps(struct script *s, uint32_t strays, uint32_t unused)
{
	(void)unused;
	for (uint32_t i = 0; s->round < 2 && i < 22; i++) {
		uint32_t next = i % 11 < 10 ? i + 1 : i - 10;

		if (i && (2 * i + s->round) % 5)
			script_send(s, i * 7 % 22, next * 7 % 22, 0, SCRIPT_BYTES);
		if (s->round == 0 && i < strays)
			script_send(s, i, (i + 9) % 22, 1, SCRIPT_BYTES);
	}
}

/* Of two rounds: partners, one message of each missing, and some send a stray. */
static void partners_with_gaps(struct script *s, uint32_t strays, uint32_t unused)
{
	(void)unused;
	for (uint32_t p = 0; s->round < 2 && p < s->ranks; p++) {
		if (p % 2 || s->round)
			script_send(s, p, p ^ 1, 0, SCRIPT_BYTES);
		if (s->round == 0 && p % 4 == 0 && p < 4 * strays)
			script_send(s, p, (p + 9) % s->ranks, 1, 2 * SCRIPT_BYTES);
	}
}

static void test_pattern_of_one_each_with_gaps(void)
{
	struct pattern p = script_pattern(22, cycles_with_gaps, 3, 0);

	CU_ASSERT_STRING_EQUAL(p.best.name, "permutation");
	CU_ASSERT_FALSE(pattern_is_confident(&p));
	CU_ASSERT(script_is_named("pairwise", 24, partners_with_gaps, 3, 0));
}

/* Of 23 ranks the cubes are all. */
static uint32_t in_no_order(uint32_t i)
{
	return i * i * i % 23;
}

/* Of two rounds: along a line; a few messages and all of one pair are missing, and some stray. */
static void line_with_gaps(struct script *s, uint32_t permuted, uint32_t unused)
{
	(void)unused;
	for (uint32_t i = 0; s->round < 2 && i + 1 < s->ranks; i++) {
		uint32_t p = permuted ? in_no_order(i) : i;
		uint32_t q = permuted ? in_no_order(i + 1) : i + 1;

		if (i != 9 && (2 * i + s->round) % 7)
			script_send(s, p, q, i, SCRIPT_BYTES);
		if (i % 8 == 2 && s->round)
			script_send(s, p, (p + 13) % s->ranks, i, SCRIPT_BYTES);
	}
}

static void test_pattern_of_a_line_with_gaps(void)
{
	for (int permuted = 0; permuted < 2; permuted++) {
		struct pattern p = script_pattern(23, line_with_gaps, (uint32_t)permuted, 0);

		CU_ASSERT_STRING_EQUAL(p.best.name, "1-D sweep (pipeline)");
		CU_ASSERT_EQUAL(p.best.permuted, permuted);
		CU_ASSERT_FALSE(pattern_is_confident(&p));
	}
}

/* A ring in no order, of which one pair lacks most messages, and others some. */
static void ring_with_a_thin_pair(struct script *s, uint32_t thin, uint32_t strays)
{
	for (uint32_t i = 0; s->round < 2 && i < s->ranks; i++) {
		uint32_t p = in_no_order(i), q = in_no_order((i + 1) % s->ranks);

		if (i != thin || s->round)
			script_send(s, p, q, 0, SCRIPT_BYTES);
		if (i != thin && (2 * i + s->round) % 5)
			script_send(s, q, p, 0, SCRIPT_BYTES);
		if (i < strays && s->round)
			script_send(s, p, (p + 5) % s->ranks, 0, SCRIPT_BYTES);
	}
}

static void test_pattern_of_a_ring_with_a_thin_pair_may_be_a_chain(void)
{
	struct pattern p = script_pattern(23, ring_with_a_thin_pair, 6, 3);

	CU_ASSERT_STRING_EQUAL(p.best.name, "ring");
	CU_ASSERT(script_is_also(&p, "chain"));
	CU_ASSERT_FALSE(pattern_is_confident(&p));
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_pattern_of_a_winding_path_is_no_grid),
		SUITE_CASE(test_pattern_of_half_a_joint_is_no_line_and_no_ring),
		SUITE_CASE(test_pattern_of_pairs_with_strays_is_no_permutation),
		SUITE_CASE(test_pattern_of_a_tree_is_no_server),
		SUITE_CASE(test_pattern_of_two_parents_is_no_tree),
		SUITE_CASE(test_pattern_of_two_grids_is_not_one),
		SUITE_CASE(test_pattern_of_two_stars_is_no_tree),
		SUITE_CASE(test_pattern_of_permuted_ranks_with_strays_everywhere),
		SUITE_CASE(test_pattern_of_cycles_half_closed),
		SUITE_CASE(test_pattern_of_groups_that_exchange_strays),
		SUITE_CASE(test_pattern_of_one_each_with_gaps),
		SUITE_CASE(test_pattern_of_a_line_with_gaps),
		SUITE_CASE(test_pattern_of_a_ring_with_a_thin_pair_may_be_a_chain),
		CU_TEST_INFO_NULL,
	};

	return suite_run("pattern_strays", tests);
}
