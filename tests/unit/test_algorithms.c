/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/algorithms.h"

#include "tests/fixtures/suite.h"

#include <string.h>

/* L = 10 us, g = 2 us + 1 ns a byte. */
static const struct plogp_point points[] = {{0, 1e-6, 1e-6, 2e-6}, {1e6, 1e-6, 1e-6, 1.002e-3}};
static const struct plogp p = {10e-6, 2, points};

static struct err err;

static double time_us(enum algorithm_goal goal, double n, double bytes, const char *name)
{
	struct algorithm_time t = {"", 0};

	CU_ASSERT_EQUAL_FATAL(algorithm_best(goal, p, n, bytes, &t, &err), 0);
	CU_ASSERT_STRING_EQUAL(t.name, name);
	return t.time_s * 1e6;
}

/* Each case by hand: steps of 12 us + 1 us a 1000 bytes. */
static void test_algorithms_small_ones_take_few_steps(void)
{
	CU_ASSERT_DOUBLE_EQUAL(time_us(ALGORITHM_BARRIER, 8, 0, "dissemination"), 36, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(time_us(ALGORITHM_BARRIER, 9, 0, "dissemination"), 48, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(time_us(ALGORITHM_BROADCAST, 8, 1000, "binomial tree"), 39, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(time_us(ALGORITHM_ALLREDUCE, 4, 1000, "recursive doubling"), 26,
			       1e-6);
	CU_ASSERT_DOUBLE_EQUAL(time_us(ALGORITHM_SCAN, 4, 1000, "recursive doubling"), 26, 1e-6);
	/* 1000, 2000, and the last 2 of the 5 others' parts */
	CU_ASSERT_DOUBLE_EQUAL(time_us(ALGORITHM_ALLGATHER, 6, 1000, "recursive doubling"), 41,
			       1e-6);
	CU_ASSERT_DOUBLE_EQUAL(time_us(ALGORITHM_ALLTOALL, 32, 8, "log-step exchange"), 60.64,
			       1e-6);
}

static void test_algorithms_large_ones_move_few_bytes(void)
{
	/* 500, 250 and 125 kB down a tree, then 7 times 125 kB in a ring */
	CU_ASSERT_DOUBLE_EQUAL(time_us(ALGORITHM_BROADCAST, 8, 1e6, "scatter and allgather"),
			       911 + 959, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(time_us(ALGORITHM_REDUCE, 8, 1e6, "reduce-scatter and gather"),
			       2 * 911, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(time_us(ALGORITHM_ALLREDUCE, 8, 1e6, "reduce-scatter and allgather"),
			       2 * 911, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(time_us(ALGORITHM_REDUCE_SCATTER, 8, 1e6, "recursive halving"), 911,
			       1e-6);
	/* one port: 7 messages of 2 us + 100 us */
	CU_ASSERT_DOUBLE_EQUAL(time_us(ALGORITHM_GATHER, 8, 1e5, "linear"), 10 + 7 * 102, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(time_us(ALGORITHM_ALLTOALL, 8, 1e5, "linear"), 10 + 7 * 102, 1e-6);
}

static void test_algorithms_refuse(void)
{
	struct algorithm_time t = {"untouched", 7};

	CU_ASSERT_EQUAL(algorithm_best(ALGORITHM_BARRIER, p, 1, 0, &t, &err), -1);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "at least 2"));
	CU_ASSERT_EQUAL(algorithm_best(ALGORITHM_BROADCAST, p, 4, -1, &t, &err), -1);
	CU_ASSERT_EQUAL(algorithm_best(ALGORITHM_BROADCAST, (struct plogp){0}, 4, 1, &t, &err), -1);
	CU_ASSERT_STRING_EQUAL(t.name, "untouched");
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_algorithms_small_ones_take_few_steps),
		SUITE_CASE(test_algorithms_large_ones_move_few_bytes),
		SUITE_CASE(test_algorithms_refuse),
		CU_TEST_INFO_NULL,
	};

	return suite_run("algorithms", cases);
}
