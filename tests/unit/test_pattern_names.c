/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of single patterns, those above all that are easily taken for each other. */
#include "analyze/pattern.h"

#include "tests/unit/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP_NS  1000
#define ROUND_NS 1000000
#define BYTES    4000

/* Messages in rounds, made by one of the functions below. */
struct script {
	uint32_t ranks;
	uint32_t rounds;
	uint32_t round;
	size_t n, room;
	struct delivery *d;
};

/* p sends in a step of this round; it is there half a step later. */
static void send(struct script *s, uint32_t p, uint32_t q, uint32_t step, uint64_t bytes)
{
	int64_t start = (int64_t)s->round * ROUND_NS + (int64_t)step * STEP_NS;

	if (s->n == s->room) {
		s->room = 2 * s->room + 256;
		s->d = reallocarray(s->d, s->room, sizeof(*s->d));
		CU_ASSERT_PTR_NOT_NULL_FATAL(s->d);
	}
	s->d[s->n++] = (struct delivery){.src = p,
					 .dst = q,
					 .sent_in = s->round,
					 .done_in = s->round,
					 .bytes = bytes,
					 .sent_ns = start,
					 .done_ns = start + STEP_NS / 2};
}

/* One round; a, b: of the pattern. */
typedef void round_fn(struct script *s, uint32_t a, uint32_t b);

static struct pattern find(uint32_t ranks, round_fn *each, uint32_t a, uint32_t b)
{
	struct script s = {.ranks = ranks, .rounds = 12};
	struct traffic t;
	struct pattern p;
	struct err err;

	for (s.round = 0; s.round < s.rounds; s.round++)
		each(&s, a, b);
	CU_ASSERT_EQUAL_FATAL(traffic_build(ranks, s.n, s.d, &t, &err), 0);
	CU_ASSERT_EQUAL_FATAL(pattern_find(&t, &p, &err), 0);
	traffic_release(&t);
	free(s.d);
	return p;
}

static int is_named(const char *name, uint32_t ranks, round_fn *each, uint32_t a, uint32_t b)
{
	struct pattern p = find(ranks, each, a, b);
	int right = !strcmp(p.best.name, name);

	if (!right)
		printf("\n    %u ranks (%u, %u): %s, should be %s", ranks, a, b, p.best.name, name);
	return right;
}

/* To the parent's children or, if b, back: the parent is without the lowest bit. */
static void low_tree(struct script *s, uint32_t root, uint32_t reduce)
{
	for (uint32_t v = 1; v < s->ranks; v++) {
		uint32_t child = (v + root) % s->ranks;
		uint32_t parent = ((v & (v - 1)) + root) % s->ranks;
		uint32_t depth = (uint32_t)__builtin_popcount(v);

		if (reduce)
			send(s, child, parent, 20 - depth, BYTES);
		else
			send(s, parent, child, depth, BYTES);
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
			send(s, child, parent, 20 - k, BYTES);
		else
			send(s, parent, child, k, BYTES);
	}
}

static void test_pattern_of_binomial_trees_of_any_size(void)
{
	for (uint32_t ranks = 4; ranks < 40; ranks++) {
		CU_ASSERT(is_named("binomial broadcast tree", ranks, low_tree, 0, 0));
		CU_ASSERT(is_named("binomial broadcast tree", ranks, high_tree, ranks / 2, 0));
		CU_ASSERT(is_named("binomial reduce tree", ranks, low_tree, 1, 1));
		CU_ASSERT(is_named("binomial reduce tree", ranks, high_tree, 0, 1));
	}
}

static void to_transposed(struct script *s, uint32_t rows, uint32_t columns)
{
	for (uint32_t r = 0; r < s->ranks; r++)
		send(s, r, r % columns * rows + r / columns, 0, BYTES);
}

static void test_pattern_of_a_transpose_that_is_no_square(void)
{
	CU_ASSERT(is_named("transpose 4x4", 16, to_transposed, 4, 4));
	CU_ASSERT(is_named("transpose 3x4", 12, to_transposed, 3, 4));
	CU_ASSERT(is_named("transpose 4x3", 12, to_transposed, 4, 3));
	CU_ASSERT(is_named("transpose 2x8", 16, to_transposed, 2, 8));
	CU_ASSERT(is_named("transpose 16x32", 512, to_transposed, 16, 32));
}

/* There and back over a distance; a little more goes back. */
static void there_and_back(struct script *s, uint32_t distance, uint32_t unused)
{
	(void)unused;
	for (uint32_t p = 0; p < s->ranks; p++) {
		send(s, p, (p + distance) % s->ranks, 0, BYTES);
		send(s, p, (p + s->ranks - distance) % s->ranks, 0, BYTES + 100);
	}
}

static void test_pattern_of_a_shift_and_back_has_the_shorter_distance(void)
{
	CU_ASSERT(is_named("shift(5) and back", 64, there_and_back, 5, 0));
	CU_ASSERT(is_named("shift(5) and back", 64, there_and_back, 59, 0));
}

/* Of 101 ranks the cubes are all. */
static uint32_t cube_of(uint32_t i)
{
	return i * i * i % 101;
}

/* A path in no order, some of whose messages are also sent on to another rank. */
static void path_with_strays(struct script *s, uint32_t every, uint32_t unused)
{
	(void)unused;
	for (uint32_t i = 0; i + 1 < s->ranks; i++) {
		send(s, cube_of(i), cube_of(i + 1), i, BYTES);
		if (i % every == 3 && i < 60)
			send(s, cube_of(i), cube_of(i + 30), i, BYTES);
	}
}

/* Few of its ranks are leaves, and nobody's messages come round to him. */
static void test_pattern_of_a_path_is_no_tree_and_no_permutation(void)
{
	struct pattern p = find(101, path_with_strays, 16, 0);

	CU_ASSERT(!strstr(p.best.name, "tree"));
	CU_ASSERT(!strstr(p.best.name, "permutation"));
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_pattern_of_binomial_trees_of_any_size),
		SUITE_CASE(test_pattern_of_a_transpose_that_is_no_square),
		SUITE_CASE(test_pattern_of_a_shift_and_back_has_the_shorter_distance),
		SUITE_CASE(test_pattern_of_a_path_is_no_tree_and_no_permutation),
		CU_TEST_INFO_NULL,
	};

	return suite_run("pattern_names", tests);
}
