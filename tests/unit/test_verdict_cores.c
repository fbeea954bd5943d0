/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the verdict says of cores that ranks shared or that were taken from them. */
#include "tests/fixtures/handmade.h"
#include "tests/fixtures/suite.h"

/* What processes take away that are none of the ranks is in the verdict when it is much. */
static void test_verdict_cores_taken(void)
{
	struct handmade f;

	handmade_fill(&f);
	CU_ASSERT_FALSE(is_verdict(&f, "without a core"));
	f.ranks[1].core_awaited_ns = f.trace.wall_ns / 4;
	CU_ASSERT_TRUE(is_verdict(&f, "Ranks were without a core for up to 25 % of the run: much "
				      "of this may be that."));
	f.ranks[1].is_threaded = 1;
	CU_ASSERT_TRUE(is_verdict(&f, "Ranks' threads were without a core for up to 25 %"));
	f.ranks[0].gone_ns = f.trace.wall_ns / 2;
	CU_ASSERT_TRUE(is_verdict(&f, "Rank 0 was gone for the last 50 % of the run"));
	f.ranks[0].is_silent = 1;
	CU_ASSERT_TRUE(is_verdict(&f, "Rank 0 gave no sign of life for the last 50 % of the run"));
	f.ranks[1].core_awaited_ns = f.trace.wall_ns / 20;
	CU_ASSERT_FALSE(is_verdict(&f, "without a core"));
	handmade_release(&f);
}

/* So is what ranks take away from each other: how much where it was counted. */
static void test_verdict_cores_shared(void)
{
	struct handmade f;

	handmade_fill(&f);
	f.ranks[1].node = f.ranks[0].node;
	json_object_set_new(f.run.meta, "cores", json_integer(1));
	CU_ASSERT_TRUE(is_verdict(&f, "2 ranks shared 1 core: much of this may be waiting for a "
				      "core."));
	f.ranks[1].core_awaited_ns = f.trace.wall_ns / 4;
	CU_ASSERT_TRUE(is_verdict(&f, "2 ranks shared 1 core and were without a core for up to "
				      "25 % of the run: much of this may be that."));
	f.ranks[1].core_awaited_ns = f.trace.wall_ns / 20;
	CU_ASSERT_FALSE(is_verdict(&f, "shared 1 core"));
	handmade_release(&f);
}

/* The system counts those waits of the whole run: they are no share of what was recorded. */
static void test_verdict_cores_waited_for_are_a_share_of_the_run(void)
{
	struct op ends[] = {{.kind = OP_PAUSE, .time_ns = 500000},
			    {.kind = OP_PAUSE, .time_ns = 500000}};
	struct handmade f;

	handmade_fill(&f);
	f.trace.ops = ends;
	f.trace.n_ops = 2;
	f.ranks[0].ops = f.ranks[1].ops = f.ranks[1].first_op = 1;
	f.ranks[1].core_awaited_ns = f.trace.wall_ns / 4 * 3;
	CU_ASSERT_TRUE(is_verdict(&f, "Only 50 % of rank time was recorded"));
	CU_ASSERT_TRUE(is_verdict(&f, "without a core for up to 75 % of the whole run, recorded or "
				      "not: some of this may be that."));
	handmade_release(&f);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_verdict_cores_taken),
		SUITE_CASE(test_verdict_cores_shared),
		SUITE_CASE(test_verdict_cores_waited_for_are_a_share_of_the_run),
		CU_TEST_INFO_NULL,
	};

	return suite_run("verdict_cores", tests);
}
