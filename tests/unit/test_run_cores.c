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

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_run_cores_of_many_threads_that_hardly_waited),
		SUITE_CASE(test_run_cores_of_damaged_times),
		CU_TEST_INFO_NULL,
	};

	return suite_run("run_cores", tests);
}
