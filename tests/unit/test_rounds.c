/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whose turn it is to be measured. */
#include "calibrate/rounds.h"

#include "tests/fixtures/suite.h"

enum { MOST = 9 };

static void test_rounds_shuffle_has_each_once_in_every_place(void)
{
	int seen[MOST][MOST] = {{0}};
	uint64_t random = 1;
	size_t i, k, trial;

	for (trial = 0; trial < 200; trial++) {
		size_t order[MOST];
		unsigned all = 0;

		for (i = 0; i < MOST; i++)
			order[i] = i;
		rounds_shuffle(order, MOST, &random);
		for (i = 0; i < MOST; i++) {
			all |= 1u << order[i];
			seen[i][order[i]]++;
		}
		CU_ASSERT_EQUAL(all, (1u << MOST) - 1);
	}
	for (i = 0; i < MOST; i++)
		for (k = 0; k < MOST; k++)
			CU_ASSERT(seen[i][k] > 0);
}

static void test_rounds_cheap_beside_an_expensive_one(void)
{
	const double cost_s[] = {100e-6, 0.2, 120e-6, 9e-3, 110e-6, 3e-3};
	size_t cheap[6];

	CU_ASSERT_EQUAL(rounds_cheap(cost_s, 6, 1, cheap), 4); /* 9 ms is no fiftieth of 200 ms */
	CU_ASSERT_EQUAL(cheap[0], 0);
	CU_ASSERT_EQUAL(cheap[1], 2);
	CU_ASSERT_EQUAL(cheap[2], 4);
	CU_ASSERT_EQUAL(cheap[3], 5);
}

static void test_rounds_cheap_is_none_among_equals(void)
{
	const double cost_s[] = {100e-6, 101e-6, 4e-3};
	size_t cheap[3];

	CU_ASSERT_EQUAL(rounds_cheap(cost_s, 3, 0, cheap), 0);
	CU_ASSERT_EQUAL(rounds_cheap(cost_s, 3, 2, cheap), 0);
}

/* One that there was no time for has cost nothing. */
static void test_rounds_cheap_is_none_beside_what_was_left_out(void)
{
	const double cost_s[] = {100e-6, 0, 0};
	size_t cheap[3];

	CU_ASSERT_EQUAL(rounds_cheap(cost_s, 3, 1, cheap), 0);
}

/* However many, they take less than what they come after. */
static void test_rounds_cheap_leaves_most_of_the_time_to_the_expensive(void)
{
	double cost_s[MOST], sum_s;
	size_t cheap[MOST], i, k, many;

	for (i = 0; i < MOST; i++) /* powers of two and of four */
		cost_s[i] = (double)(1u << i) * (double)(1u << i);
	for (i = 0; i < MOST; i++) {
		many = rounds_cheap(cost_s, MOST, i, cheap);
		CU_ASSERT_EQUAL(many, i < 3 ? 0 : i - 2); /* 4^3 = 64 */
		for (sum_s = 0, k = 0; k < many; k++)
			sum_s += cost_s[cheap[k]];
		CU_ASSERT(sum_s < cost_s[i] / 40);
	}
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_rounds_shuffle_has_each_once_in_every_place),
	SUITE_CASE(test_rounds_cheap_beside_an_expensive_one),
	SUITE_CASE(test_rounds_cheap_is_none_among_equals),
	SUITE_CASE(test_rounds_cheap_is_none_beside_what_was_left_out),
	SUITE_CASE(test_rounds_cheap_leaves_most_of_the_time_to_the_expensive),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("rounds", tests);
}
