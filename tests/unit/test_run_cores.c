/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/run/run_cores.h"

#include "tests/fixtures/suite.h"

static void mark(double wall_s, json_t *processes, struct rank ranks[2])
{
	struct run run = {.meta = json_pack("{s:f, s:{s:o}}", "wall_s", wall_s, "evidence",
					    "processes", processes)};
	struct trace trace = {.ranks = ranks, .n_ranks = 2, .nodes = 1};
	struct err err;

	CU_ASSERT_EQUAL_FATAL(run_cores_mark(&run, &trace, &err), 0);
	core_groups_release(&trace.core_groups);
	json_decref(run.meta);
}

/* Of eight threads, each of which waited for 0.3 % of the run, none lacked a core; of one does. */
static void test_run_cores_of_many_threads_that_hardly_waited(void)
{
	struct rank ranks[2] = {{0}};

	mark(10,
	     json_pack("[{s:i, s:f, s:f}, {s:i, s:f, s:f}]", "rank", 0, "core_used_ns", 79e9,
		       "core_awaited_ns", 24e7, "rank", 1, "core_used_ns", 9e9, "core_awaited_ns",
		       24e7),
	     ranks);
	CU_ASSERT(!ranks[0].taken_off);
	CU_ASSERT(ranks[1].taken_off);
}

/* A run of less than no time is damaged: nobody waited for less. */
static void test_run_cores_of_damaged_times(void)
{
	static const double walls[] = {-1, -1e300};

	for (size_t k = 0; k < sizeof(walls) / sizeof(*walls); k++) {
		struct rank ranks[2] = {{0}};

		mark(walls[k], json_pack("[{s:i, s:f}]", "rank", 1, "core_awaited_ns", 1e9), ranks);
		CU_ASSERT(!ranks[1].taken_off);
		CU_ASSERT_EQUAL(ranks[1].core_awaited_ns, 0);
	}
}

/* Of the ranks of a run of 8 it is this one that lacked a core. */
static void check_marked(const struct run *run, struct rank marked[8], uint32_t lacking)
{
	struct trace trace = {.ranks = marked, .n_ranks = 8, .nodes = 1};
	struct err err;

	CU_ASSERT_FATAL(!run_cores_mark(run, &trace, &err));
	core_groups_release(&trace.core_groups);
	for (uint32_t r = 0; r < 8; r++)
		CU_ASSERT_EQUAL(trace_lacks_core(&trace, r), r == lacking);
}

static void test_run_cores_marks_ranks_without_a_core(void)
{
	struct run run = {.meta = json_loads("{\"wall_s\": 10, \"cores\": 8, \"evidence\": "
					     "{\"processes\": ["
					     "{\"rank\": 1, \"involuntary_switches\": 199}, "
					     "{\"rank\": 2, \"involuntary_switches\": 201}, "
					     "{\"rank\": 8, \"involuntary_switches\": 201}]}}",
					     0, NULL)};
	struct rank marked[8] = {{0}};
	struct trace trace = {.ranks = marked, .n_ranks = 8, .nodes = 1};
	struct err err;

	check_marked(&run, marked, 2);
	json_object_set_new(run.meta, "cores", json_integer(4));
	CU_ASSERT_FATAL(!run_cores_mark(&run, &trace, &err));
	core_groups_release(&trace.core_groups);
	CU_ASSERT(trace_lacks_core(&trace, 1));
	json_decref(run.meta);
}

static void test_run_cores_marks_ranks_that_awaited_cores(void)
{
	struct run run = {.meta = json_loads("{\"wall_s\": 10, \"evidence\": {\"processes\": ["
					     "{\"rank\": 1, \"involuntary_switches\": 201, "
					     "\"core_used_ns\": 9e9, \"core_awaited_ns\": 1e8}, "
					     "{\"rank\": 2, \"core_used_ns\": 9e9, "
					     "\"core_awaited_ns\": 1e9}]}}",
					     0, NULL)};
	struct rank marked[8] = {{0}};

	check_marked(&run, marked, 2);
	CU_ASSERT_EQUAL(marked[1].core_awaited_ns, 100000000);
	CU_ASSERT_EQUAL(marked[2].core_awaited_ns, 1000000000);
	json_decref(run.meta);
}

/* The kernel counts a rank's threads together; none waited for longer than the run. */
static void test_run_cores_awaited_by_threads(void)
{
	struct run run = {.meta = json_loads("{\"wall_s\": 10, \"evidence\": {\"processes\": ["
					     "{\"rank\": 6, \"core_used_ns\": 8e9, "
					     "\"core_awaited_ns\": 12e9}]}}",
					     0, NULL)};
	struct rank marked[8] = {{0}};

	check_marked(&run, marked, 6);
	CU_ASSERT_EQUAL(marked[6].core_awaited_ns, 10000000000);
	json_decref(run.meta);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_run_cores_marks_ranks_without_a_core),
		SUITE_CASE(test_run_cores_marks_ranks_that_awaited_cores),
		SUITE_CASE(test_run_cores_awaited_by_threads),
		SUITE_CASE(test_run_cores_of_many_threads_that_hardly_waited),
		SUITE_CASE(test_run_cores_of_damaged_times),
		CU_TEST_INFO_NULL,
	};

	return suite_run("run_cores", tests);
}
