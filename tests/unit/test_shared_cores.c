/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/shared_cores.h"

#include <math.h>

#include "tests/fixtures/suite.h"

#define RANKS 4

/* 4 ranks, 10 s, of which rank 0 had 8 s of own time and the others 2.667. */
struct run {
	struct trace t;
	struct rank ranks[RANKS];
	struct attribution a;
	struct view budgets[RANKS];
	struct evidence_base b;
};

static const double own_s[RANKS] = {8, 8 / 3.0, 8 / 3.0, 8 / 3.0};

/* Each used a core so long, and waited so long for one of so many cores; used_s 0: not known. */
static struct levelling allow(double cores, double used_s[2], double away_s[2])
{
	struct levelling x = {.run_s = 4, .steps_s = 5, .most_s = 5, .least_s = 3};
	struct run r = {.t = {.n_ranks = RANKS, .nodes = 1}};

	for (int k = 0; k < RANKS; k++)
		r.ranks[k] = (struct rank){.core_used_ns = (int64_t)(used_s[k > 0] * 1e9),
					   .core_awaited_ns = (int64_t)(away_s[k > 0] * 1e9)};
	r.t.ranks = r.ranks;
	CU_ASSERT_FATAL(!trace_set_cores(&r.t, cores));
	r.a.rank_budget = r.budgets;
	r.b = (struct evidence_base){.t = &r.t, .a = &r.a, .wall_s = 10};
	shared_cores_allow(&r.b, own_s, 0, &x);
	core_groups_release(&r.t.core_groups);
	return x;
}

/* Of 10 s it is outside MPI for 6. If MPI polls, who ran or waited for 4 or more slept there. */
static void test_shared_cores_tell_waits_outside(void)
{
	static const struct {
		double used_s, away_s, outside_s;
	} cases[] = {{1, 4, 1}, {2, 4, 2}, {5, 4, 4}, {0.5, 3, 3}, {0, 3, 3}, {0, 8, 6}, {3, 0, 0}};
	struct run r = {.t = {.n_ranks = 1, .nodes = 1}};

	r.t.ranks = r.ranks;
	r.a.rank_budget = r.budgets;
	r.b = (struct evidence_base){.t = &r.t, .a = &r.a, .wall_s = 10};
	for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
		r.ranks[0] = (struct rank){.core_used_ns = (int64_t)(cases[k].used_s * 1e9),
					   .core_awaited_ns = (int64_t)(cases[k].away_s * 1e9)};
		CU_ASSERT_DOUBLE_EQUAL(shared_cores_away_s(&r.b, 0, 6), cases[k].outside_s, 1e-9);
	}
}

static void test_shared_cores_leave_who_has_one(void)
{
	struct levelling x = allow(4, (double[]){8, 8 / 3.0}, (double[]){0.1, 0.1});

	CU_ASSERT_EQUAL(x.run_s, 4);
	CU_ASSERT_EQUAL(x.steps_s, 5);
	CU_ASSERT_EQUAL(x.least_s, 3);
	CU_ASSERT_EQUAL(x.most_s, 5);
}

/* 16 s of work take 8 on two cores, whoever has it; and 7 / 2 longer if they come one by one. */
static void test_shared_cores_need_time_for_all_work(void)
{
	struct levelling x = allow(2, (double[]){8, 8 / 3.0}, (double[]){2, 22 / 3.0});

	CU_ASSERT_DOUBLE_EQUAL(x.run_s, 2, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(x.steps_s, 2, 1e-6);
	CU_ASSERT_EQUAL(x.least_s, 0);
	x = allow(1, (double[]){8, 8 / 3.0}, (double[]){2, 22 / 3.0});
	CU_ASSERT_EQUAL(x.run_s, 0);
}

/*
 * Who sleeps in its own time needs no core for it, and cannot have waited for one meanwhile: what
 * the others ran and waited they did in MPI. 4 s is what each has to do, all else may go.
 */
static void test_shared_cores_are_left_to_others_asleep(void)
{
	double used_s[] = {0.5, 4}, away_s[] = {1.5, 3.334};
	struct levelling x = allow(2, used_s, away_s);

	CU_ASSERT_EQUAL(x.run_s, 4);
	CU_ASSERT_DOUBLE_EQUAL(x.most_s, 10 - 4, 1e-3);
	/* The most that may need a core: 0.5 and 3 times 2.667 of 4, on two. */
	CU_ASSERT_DOUBLE_EQUAL(x.least_s, 10 - (0.5 + 8) / 2 - 7 / 2.0, 1e-6);
}

/* Nothing is sure where nobody counted; the time in which all wait for cores may all go. */
static void test_shared_cores_uncounted_allow_anything(void)
{
	struct levelling x = allow(2, (double[]){0, 0}, (double[]){0, 0});

	CU_ASSERT_EQUAL(x.run_s, 4);
	CU_ASSERT_EQUAL(x.least_s, 0);
	CU_ASSERT_EQUAL(x.most_s, 10);
	/* no more than was waited */
	x = allow(2, (double[]){8, 8}, (double[]){0.1, 0.1});
	CU_ASSERT_DOUBLE_EQUAL(x.most_s, 5 + 0.4, 1e-6);
}

/* Nor less than all need of their cores, however little they wait: the first one 6 s. */
static void test_shared_cores_need_time_for_what_they_did(void)
{
	struct levelling x = allow(2, (double[]){8, 8 / 3.0}, (double[]){2, 0});

	CU_ASSERT_DOUBLE_EQUAL(x.most_s, 10 - 6 / 2.0, 1e-6);
	x = allow(1, (double[]){8, 8 / 3.0}, (double[]){2, 0});
	CU_ASSERT_DOUBLE_EQUAL(x.most_s, 10 - 6, 1e-6);
}

/* Two on each of two cores: the longest chain may wait for one core, then for the other one. */
static void test_shared_cores_of_groups_add_up(void)
{
	struct levelling one = {.run_s = 4, .steps_s = 5, .most_s = 5, .least_s = 3}, two = one;
	struct run r = {.t = {.n_ranks = RANKS, .nodes = 2, .ranks = r.ranks}};

	for (uint32_t k = 0; k < RANKS; k++)
		r.ranks[k] = (struct rank){
			.node = k % 2, .core_used_ns = 2000000000, .core_awaited_ns = 8000000000};
	r.a.rank_budget = r.budgets;
	r.b = (struct evidence_base){.t = &r.t, .a = &r.a, .wall_s = 10};
	CU_ASSERT_FATAL(!trace_set_cores(&r.t, 1));
	shared_cores_allow(&r.b, own_s, 0, &two);
	core_groups_release(&r.t.core_groups);
	for (uint32_t k = 0; k < RANKS; k++) {
		r.ranks[k].node = 0;
		r.ranks[k].crowd = 0;
	}
	CU_ASSERT_FATAL(!trace_set_cores(&r.t, 2));
	shared_cores_allow(&r.b, own_s, 0, &one);
	core_groups_release(&r.t.core_groups);
	CU_ASSERT_DOUBLE_EQUAL(two.least_s, 10 - 2 * (2 + 2), 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(one.least_s, 10 - 2 * 2 - 7 / 2.0, 1e-6);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_shared_cores_tell_waits_outside),
		SUITE_CASE(test_shared_cores_leave_who_has_one),
		SUITE_CASE(test_shared_cores_need_time_for_all_work),
		SUITE_CASE(test_shared_cores_are_left_to_others_asleep),
		SUITE_CASE(test_shared_cores_uncounted_allow_anything),
		SUITE_CASE(test_shared_cores_need_time_for_what_they_did),
		SUITE_CASE(test_shared_cores_of_groups_add_up),
		CU_TEST_INFO_NULL,
	};

	return suite_run("shared_cores", tests);
}
