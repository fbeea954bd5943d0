/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trees: of any number of ranks, by nodes, one way and both. */
#include "tests/fixtures/script.h"

#include "tests/fixtures/suite.h"

/* To the parent's children or, if b, back: the parent is without the lowest bit. */
static void low_tree(struct script *s, uint32_t root, uint32_t reduce)
{
	for (uint32_t v = 1; v < s->ranks; v++) {
		uint32_t child = (v + root) % s->ranks;
		uint32_t parent = ((v & (v - 1)) + root) % s->ranks;
		uint32_t depth = (uint32_t)__builtin_popcount(v);

		if (reduce)
			script_send(s, child, parent, 20 - depth, SCRIPT_BYTES);
		else
			script_send(s, parent, child, depth, SCRIPT_BYTES);
	}
}

/* The same without the highest bit, and every rank's first child first. */
static void high_tree(struct script *s, uint32_t root, uint32_t reduce)
{
	for (uint32_t v = 1; v < s->ranks; v++) {
		uint32_t k = 31 - (uint32_t)__builtin_clz(v);
		uint32_t child = (v + root) % s->ranks;
		uint32_t parent = ((v & ~(1u << k)) + root) % s->ranks;

		if (reduce)
			script_send(s, child, parent, 20 - k, SCRIPT_BYTES);
		else
			script_send(s, parent, child, k, SCRIPT_BYTES);
	}
}

static void test_pattern_of_binomial_trees_of_any_size(void)
{
	for (uint32_t ranks = 4; ranks < 40; ranks++) {
		CU_ASSERT(script_is_named("binomial broadcast tree", ranks, low_tree, 0, 0));
		CU_ASSERT(
			script_is_named("binomial broadcast tree", ranks, high_tree, ranks / 2, 0));
		CU_ASSERT(script_is_named("binomial reduce tree", ranks, low_tree, 1, 1));
		CU_ASSERT(script_is_named("binomial reduce tree", ranks, high_tree, 0, 1));
	}
}

/* The same with two numbers in each other's place. */
static void swapped_tree(struct script *s, uint32_t a, uint32_t b)
{
	for (uint32_t v = 1; v < s->ranks; v++) {
		uint32_t k = 31 - (uint32_t)__builtin_clz(v);
		uint32_t parent = v & ~(1u << k);

		script_send(s,
			    parent == a   ? b
			    : parent == b ? a
					  : parent,
			    v == a   ? b
			    : v == b ? a
				     : v,
			    k, SCRIPT_BYTES);
	}
}

/* A binomial tree of six is one of three branches, too: in any order of the ranks it says both. */
static void test_pattern_of_a_tree_of_six_is_two(void)
{
	struct pattern p = script_pattern(6, high_tree, 0, 0);

	CU_ASSERT_STRING_EQUAL(p.best.name, "binomial broadcast tree");
	CU_ASSERT(script_is_also(&p, "3-ary broadcast tree"));
	p = script_pattern(6, swapped_tree, 0, 3);
	CU_ASSERT_STRING_EQUAL(p.best.name, "3-ary broadcast tree");
	CU_ASSERT(script_is_also(&p, "binomial broadcast tree"));
	p = script_pattern(12, high_tree, 0, 0);
	CU_ASSERT_EQUAL(p.n_equivalent, 0);
}

/* To all, some more and some less. */
static void uneven_star(struct script *s, uint32_t root, uint32_t reduce)
{
	for (uint32_t v = 1; v < s->ranks; v++) {
		uint32_t leaf = (v + root) % s->ranks;

		script_send(s, reduce ? leaf : root, reduce ? root : leaf, v, v * SCRIPT_BYTES);
	}
}

/* To all the same. */
static void even_star(struct script *s, uint32_t root, uint32_t unused)
{
	(void)unused;
	for (uint32_t v = 1; v < s->ranks; v++)
		script_send(s, root, (v + root) % s->ranks, 5, 5 * SCRIPT_BYTES);
}

static void test_pattern_of_an_even_scatter_may_be_a_broadcast(void)
{
	struct pattern even = script_pattern(6, even_star, 1, 0);
	struct pattern uneven = script_pattern(6, uneven_star, 1, 0);

	CU_ASSERT_STRING_EQUAL(even.best.name, "scatter from 1");
	CU_ASSERT_EQUAL_FATAL(even.n_equivalent, 1);
	CU_ASSERT_STRING_EQUAL(even.equivalent[0], "linear broadcast from 1");
	CU_ASSERT_STRING_EQUAL(uneven.best.name, "scatter from 1");
	CU_ASSERT_EQUAL(uneven.n_equivalent, 0);
}

static void test_pattern_of_a_tree_of_one_level_is_a_scatter(void)
{
	CU_ASSERT(script_is_named("scatter from 1", 4, uneven_star, 1, 0));
	CU_ASSERT(script_is_named("gather to 2 (incast)", 4, uneven_star, 2, 1));
}

/* A line's ranks all send the same way, or both ways. */
static void test_pattern_of_a_tree_of_four_is_no_line(void)
{
	struct pattern p = script_pattern(4, low_tree, 0, 0);

	CU_ASSERT(!script_is_also(&p, "1-D sweep (pipeline)"));
	CU_ASSERT(!script_is_also(&p, "chain"));
}

/* To the parent of two, and back. */
static void both_ways_of_two(struct script *s, uint32_t unused, uint32_t neither)
{
	(void)unused, (void)neither;
	for (uint32_t p = 1; p < s->ranks; p++) {
		script_send(s, p, (p - 1) / 2, 32 - p, SCRIPT_BYTES);
		script_send(s, (p - 1) / 2, p, 32 + p, SCRIPT_BYTES);
	}
}

/* Within each node its first rank has all; the first of those has the others. Down, up or both. */
enum { DOWN = 1, UP = 2 };

static void node_wise(struct script *s, uint32_t node, uint32_t ways)
{
	for (uint32_t p = 1; p < s->ranks; p++) {
		uint32_t above = p % node ? p / node * node : 0;
		uint32_t level = p % node ? 2 : 1;

		if (ways & UP)
			script_send(s, p, above, 2 - level, SCRIPT_BYTES);
		if (ways & DOWN)
			script_send(s, above, p, 2 + level, SCRIPT_BYTES);
	}
}

static void test_pattern_of_trees_by_nodes(void)
{
	for (uint32_t node = 3; node <= 20; node += node / 2) {
		uint32_t ranks = node * 4;
		struct pattern p = script_pattern(ranks, node_wise, node, UP | DOWN);

		CU_ASSERT_STRING_EQUAL(p.best.name, "two-level tree, up and down");
		CU_ASSERT(pattern_is_confident(&p));
		CU_ASSERT(
			script_is_named("two-level broadcast tree", ranks, node_wise, node, DOWN));
		CU_ASSERT(script_is_named("two-level reduce tree", ranks, node_wise, node, UP));
	}
	/* One node is a server and its clients, be they few. */
	CU_ASSERT(script_is_named("client-server, 1 server", 4, node_wise, 4, UP | DOWN));
	CU_ASSERT(script_is_named("client-server, 1 server", 16, node_wise, 16, UP | DOWN));
	CU_ASSERT(script_is_named("tree, up and down", 31, both_ways_of_two, 0, 0));
}

/* Two rounds down a tree of three; every sixth message is missing, and one rank gets none. */
static void tree_with_gaps(struct script *s, uint32_t alone, uint32_t arity)
{
	for (uint32_t p = 1; s->round < 2 && p < s->ranks; p++)
		if (p != alone && (2 * p + s->round) % 6)
			script_send(s, (p - 1) / arity, p, p, SCRIPT_BYTES);
	if (!s->round) /* as many go astray */
		script_send(s, 20, 2, 40, SCRIPT_BYTES);
}

static void test_pattern_of_a_tree_with_gaps(void)
{
	struct pattern p = script_pattern(40, tree_with_gaps, 4, 3);

	CU_ASSERT_STRING_EQUAL(p.best.name, "3-ary broadcast tree");
	CU_ASSERT_FALSE(pattern_is_confident(&p));
	p = script_pattern(40, tree_with_gaps, 4, 2);
	CU_ASSERT_STRING_EQUAL(p.best.name, "2-ary broadcast tree");
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_pattern_of_binomial_trees_of_any_size),
		SUITE_CASE(test_pattern_of_a_tree_of_six_is_two),
		SUITE_CASE(test_pattern_of_a_tree_of_one_level_is_a_scatter),
		SUITE_CASE(test_pattern_of_an_even_scatter_may_be_a_broadcast),
		SUITE_CASE(test_pattern_of_a_tree_of_four_is_no_line),
		SUITE_CASE(test_pattern_of_trees_by_nodes),
		SUITE_CASE(test_pattern_of_a_tree_with_gaps),
		CU_TEST_INFO_NULL,
	};

	return suite_run("pattern_trees", tests);
}
