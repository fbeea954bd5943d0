/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/patterns/pattern.h"

#include "tests/fixtures/judged.h"

#include "tests/fixtures/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Of the kinds with this in their name; each as often right as asked. Of two rounds and 20 seeds
 * chance makes one of many kinds less: doc/patterns.md is of 100.
 */
static struct judged judge_some(const char *which, const struct noise *noise, uint64_t seeds,
				unsigned n)
{
	int is_easy = !noise->permuted && noise->rounds != 2;
	struct judged all = {0};

	for (unsigned kind = 0; kind < synthetic_kinds; kind++) {
		struct judged x;

		if (!strstr(synthetic_kind_name(kind), which))
			continue;
		x = judged_kind(kind, noise, seeds, n);
		if (x.right < x.tries)
			printf("    %s: %u of %u\n", synthetic_kind_name(kind), x.right, x.tries);
		CU_ASSERT(judged_is_good(kind, is_easy ? JUDGED_NATURAL_MIN : JUDGED_PERMUTED_MIN,
					 &x));
		judged_add(&all, &x);
	}
	printf("    %u of %u right, %u of %u names sure, %u wrong and sure\n", all.right, all.tries,
	       all.sure, all.named, all.wrong_and_sure);
	return all;
}

static struct judged judge(const struct noise *noise, uint64_t seeds, unsigned n)
{
	return judge_some("", noise, seeds, n);
}

/* The seeds are none that the recognisers were made with. */
static void test_pattern_of_clean_messages(void)
{
	struct noise none = {0};
	struct judged x = judge(&none, 8801, 5);

	CU_ASSERT(x.right >= 0.99 * x.tries);
	CU_ASSERT(x.sure >= 0.95 * x.named);
}

static void test_pattern_of_noisy_messages(void)
{
	struct noise noise = {.missing = 0.03, .extra = 0.03, .size = 0.2};
	struct judged x = judge(&noise, 880100, 12);

	CU_ASSERT(x.sure >= 0.95 * x.named);
}

static void test_pattern_of_permuted_ranks(void)
{
	struct noise noise = {.missing = 0.03, .extra = 0.03, .size = 0.2, .permuted = 1};
	struct judged x = judge(&noise, 890100, 12);

	CU_ASSERT(x.sure >= 0.90 * x.named);
}

/* Three times as noisy. */
static void test_pattern_of_very_noisy_messages(void)
{
	for (int permuted = 0; permuted < 2; permuted++) {
		struct noise noise = {
			.missing = 0.1, .extra = 0.1, .size = 0.5, .permuted = permuted};

		judge(&noise, 895100, 6);
	}
}

/* A tenth of the messages missing and as many strays, of two and of five rounds. */
static void test_pattern_of_few_rounds(void)
{
	for (uint32_t rounds = 2; rounds <= 5; rounds += 3)
		for (int permuted = 0; permuted < 2; permuted++) {
			struct noise noise = {.missing = 0.1,
					      .extra = 0.1,
					      .size = 0.5,
					      .permuted = permuted,
					      .rounds = rounds};

			judge(&noise, 897100, rounds == 2 ? 20 : 10);
		}
}

/* Of two rounds, ranks in any order: a torus of hundreds is nowhere without a gap or a stray. */
static void test_pattern_of_shapes_with_gaps(void)
{
	struct noise noise = {
		.missing = 0.1, .extra = 0.1, .size = 0.5, .permuted = 1, .rounds = 2};

	judge_some("-D ", &noise, 898100, 20);
}

/* A torus of 1,024 ranks in any order, and a total exchange of as many: a matter of a second. */
static void test_pattern_of_many_ranks(void)
{
	enum { ROWS = 16, COLUMNS = 64, P = ROWS * COLUMNS };
	struct synthetic s = {.ranks = P};
	struct pattern p;

	s.d = calloc((size_t)P * P, sizeof(*s.d));
	CU_ASSERT_PTR_NOT_NULL_FATAL(s.d);
	for (uint32_t r = 0; r < P; r++)
		for (int k = 0; k < 4; k++) {
			uint32_t row = (r / COLUMNS + ROWS + (k == 0) - (k == 1)) % ROWS;
			uint32_t column = (r + COLUMNS + (k == 2) - (k == 3)) % COLUMNS;

			/* An odd factor permutes the numbers. */
			s.d[s.n++] = (struct delivery){.src = r * 421 % P,
						       .dst = (row * COLUMNS + column) * 421 % P,
						       .bytes = 1000,
						       .done_ns = 1};
		}
	p = judged_pattern(&s);
	CU_ASSERT_STRING_EQUAL(p.best.name, "2-D torus 16x64");
	CU_ASSERT_TRUE(p.best.permuted);
	s.n = 0;
	for (uint32_t k = 1; k < P; k++)
		for (uint32_t r = 0; r < P; r++)
			s.d[s.n++] = (struct delivery){.src = r,
						       .dst = (r + k) % P,
						       .bytes = 8,
						       .sent_ns = k,
						       .done_ns = k};
	p = judged_pattern(&s);
	CU_ASSERT_STRING_EQUAL(p.best.name, "total exchange, shift rounds");
	free(s.d);
}

/* Few messages, and none that should not be there: what they are is no matter of chance. */
static void test_pattern_of_few_exact_messages(void)
{
	static const uint32_t order[] = {3, 14, 0, 9, 5, 12, 7, 1, 15, 10, 4, 8, 2, 13, 6, 11};
	struct delivery d[40] = {{0}};
	struct synthetic s = {.ranks = 16, .n = 15, .d = d};
	struct pattern p;
	uint32_t i;

	for (int permuted = 0; permuted < 2; permuted++) {
		for (i = 0; i < s.n; i++)
			d[i] = (struct delivery){.src = permuted ? order[i] : i,
						 .dst = permuted ? order[i + 1] : i + 1,
						 .bytes = 8,
						 .done_ns = 100};
		p = judged_pattern(&s);
		CU_ASSERT_STRING_EQUAL(p.best.name, "chain");
		CU_ASSERT_EQUAL(p.best.permuted, permuted);
	}
	s.n = 31; /* two laps of a token, which ends at the last rank */
	for (i = 0; i < s.n; i++)
		d[i] = (struct delivery){.src = i % 16,
					 .dst = (i + 1) % 16,
					 .bytes = 8,
					 .sent_ns = 2 * i,
					 .done_ns = 2 * i + 1};
	p = judged_pattern(&s);
	CU_ASSERT_STRING_EQUAL(p.best.name, "ring");
}

/* A message a pair: one that is missing makes a total exchange nothing else. */
static void test_pattern_of_one_round_for_all_is_sure(void)
{
	struct delivery d[240];
	struct synthetic s = {.ranks = 16, .d = d};
	struct pattern p;

	for (uint32_t i = 0; i < 240; i++)
		d[s.n++] = (struct delivery){.src = i % 16,
					     .dst = (i % 16 + i / 16 + 1) % 16,
					     .bytes = 8,
					     .sent_ns = i / 16,
					     .done_ns = 100};
	p = judged_pattern(&s);
	CU_ASSERT_STRING_EQUAL(p.best.name, "total exchange, shift rounds");
	CU_ASSERT(pattern_is_confident(&p));
}

/*
 * A ring of which one pair's messages are all missing, or a chain: of two rounds nobody can tell.
 */
static void test_pattern_of_few_messages_is_unsure(void)
{
	struct delivery d[200];

	for (uint32_t rounds = 2; rounds <= 32; rounds += 30) {
		struct synthetic s = {.ranks = 6, .d = d};
		struct pattern p;

		for (uint32_t i = 0; i < 5 * rounds; i++)
			d[s.n++] = (struct delivery){.src = i % 5,
						     .dst = i % 5 + 1,
						     .bytes = 8,
						     .sent_in = i / 5,
						     .done_in = i / 5,
						     .sent_ns = i / 5 * 10,
						     .done_ns = i / 5 * 10 + 5};
		p = judged_pattern(&s);
		CU_ASSERT_STRING_EQUAL(p.best.name, "chain");
		CU_ASSERT_EQUAL(pattern_is_confident(&p), rounds > 2);
	}
}

/* A path of which some messages close it, in an order that is not the ranks'. */
static void test_pattern_of_a_path_hardly_closed_is_unsure(void)
{
	static const uint32_t order[] = {3, 4, 0, 9, 5, 2, 7, 1, 8, 6};
	struct delivery d[50];
	struct synthetic s = {.ranks = 10, .d = d};
	struct pattern p;

	for (uint32_t i = 0; i < 50; i++)
		if (i % 10 < 9 || i < 30)
			d[s.n++] = (struct delivery){.src = order[i % 10],
						     .dst = order[(i + 1) % 10],
						     .bytes = 8,
						     .sent_in = i / 10,
						     .done_in = i / 10,
						     .sent_ns = 2 * i,
						     .done_ns = 2 * i + 1};
	p = judged_pattern(&s);
	CU_ASSERT_STRING_EQUAL(p.best.name, "ring");
	CU_ASSERT(!pattern_is_confident(&p));
}

/* What there is too little of is said: ranks or messages. */
static void test_pattern_of_too_little(void)
{
	struct delivery d[40] = {{0}};
	struct synthetic s = {.ranks = 8, .n = 40, .d = d};
	struct pattern p;
	uint32_t i;

	for (i = 0; i < s.n; i++)
		d[i] = (struct delivery){.src = 0, .dst = 1 + i % 2, .bytes = 8, .done_ns = 1};
	p = judged_pattern(&s);
	CU_ASSERT_STRING_EQUAL(p.best.name, "insufficient data");
	CU_ASSERT_STRING_EQUAL(p.why_none, "3 ranks send or receive here; a pattern needs 4");
	for (i = 0; i < s.n; i++)
		d[i] = (struct delivery){
			.src = i % 8, .dst = (i + 1) % 8, .bytes = 8, .done_ns = 1};
	s.n = 8;
	p = judged_pattern(&s);
	CU_ASSERT_STRING_EQUAL(p.best.name, "insufficient data");
	CU_ASSERT_STRING_EQUAL(p.why_none, "8 messages are sent here; a pattern needs 10");
	s.n = 40;
	p = judged_pattern(&s);
	CU_ASSERT_STRING_EQUAL(p.why_none, "");
}

/* Edges with so many messages each, one after another. */
static struct pattern pattern_of_edges(uint32_t ranks, const uint32_t (*edges)[3], size_t n)
{
	struct delivery d[480];
	struct synthetic s = {.ranks = ranks, .d = d};

	for (size_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < edges[i][2]; k++)
			d[s.n++] = (struct delivery){.src = edges[i][0],
						     .dst = edges[i][1],
						     .bytes = 100,
						     .sent_ns = 10 * k,
						     .done_ns = 10 * k + 5};
	return judged_pattern(&s);
}

/* Pairs of which some have more messages than others are no more than there are. */
static void test_pattern_of_uneven_pairs_scores_no_more_than_one(void)
{
	static const uint32_t one_way[][3] = {{1, 0, 90}, {3, 2, 80}};
	static const uint32_t cycle[][3] = {{0, 1, 100}, {1, 2, 100}, {2, 0, 100},
					    {3, 4, 60},  {5, 6, 60},  {7, 8, 60}};
	struct pattern p = pattern_of_edges(4, one_way, 2);

	CU_ASSERT_STRING_EQUAL(p.best.name, "pairs, one way");
	CU_ASSERT(p.best.presence > 0.9 && p.best.presence <= 1.0);
	CU_ASSERT(p.score > 0.9 && p.score <= 1.0);
	p = pattern_of_edges(9, cycle, 6);
	CU_ASSERT(p.best.presence <= 1.0 && p.score <= 1.0);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_pattern_of_clean_messages),
		SUITE_CASE(test_pattern_of_noisy_messages),
		SUITE_CASE(test_pattern_of_permuted_ranks),
		SUITE_CASE(test_pattern_of_very_noisy_messages),
		SUITE_CASE(test_pattern_of_few_rounds),
		SUITE_CASE(test_pattern_of_shapes_with_gaps),
		SUITE_CASE(test_pattern_of_few_exact_messages),
		SUITE_CASE(test_pattern_of_one_round_for_all_is_sure),
		SUITE_CASE(test_pattern_of_few_messages_is_unsure),
		SUITE_CASE(test_pattern_of_a_path_hardly_closed_is_unsure),
		SUITE_CASE(test_pattern_of_many_ranks),
		SUITE_CASE(test_pattern_of_too_little),
		SUITE_CASE(test_pattern_of_uneven_pairs_scores_no_more_than_one),
		CU_TEST_INFO_NULL,
	};

	return suite_run("pattern", tests);
}
