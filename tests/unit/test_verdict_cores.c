/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the verdict says of cores that ranks shared or that were taken from them. */
#include "analyze/run/run_cores.h"
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
				      "of this, and of computation, may be that."));
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

/* Who neither ran nor waited for a core slept, and that is not work. */
static void test_verdict_cores_asleep(void)
{
	struct handmade f;
	int64_t compute_ns;

	handmade_fill(&f);
	compute_ns = f.attribution.budget.total_ns / 5;
	f.attribution.rank_budget[0].parts[COST_compute].ns = compute_ns;
	CU_ASSERT_FALSE(is_verdict(&f, "asleep")); /* nobody knows how long it ran */
	f.ranks[0].core_used_ns = compute_ns / 2;
	CU_ASSERT_TRUE(is_verdict(&f, "At least 10 % of rank time counts as computation, but ranks "
				      "were asleep"));
	f.ranks[0].core_awaited_ns = compute_ns / 4;
	CU_ASSERT_TRUE(is_verdict(&f, "At least 5.0 % of rank time"));
	f.ranks[0].is_threaded = 1;
	CU_ASSERT_FALSE(is_verdict(&f, "asleep"));
	f.ranks[0].is_threaded = 0;
	f.ranks[0].core_awaited_ns = compute_ns / 3;
	CU_ASSERT_FALSE(is_verdict(&f, "asleep"));
	handmade_release(&f);
}

/* Who lacks a core waits, and not for cores, if it is for one that has its own. */
static void test_verdict_cores_of_who_is_awaited(void)
{
	const char *said = "Ranks were without a core for up to 25 % of the run, but rank 0, for "
			   "which they wait, for 5.0 % only.";
	struct late_partner row = {.rank = 0, .ns = 100, .direct_ns = 100};
	struct lateness l = {.rows = &row, .n = 1, .ns = 100};
	struct handmade f;

	handmade_fill(&f);
	f.ranks[1].core_awaited_ns = f.trace.wall_ns / 4;
	f.ranks[0].core_awaited_ns = f.trace.wall_ns / 20 - 1;
	f.analysis.lateness = &l;
	CU_ASSERT_FALSE(is_verdict(&f, said)); /* nobody knows how long rank 0 had it */
	f.ranks[0].core_used_ns = f.trace.wall_ns / 2;
	CU_ASSERT_TRUE(is_verdict(&f, said));
	l.ns = 200; /* most are for others */
	CU_ASSERT_FALSE(is_verdict(&f, said));
	l.ns = 100;
	row.rank = 1;
	CU_ASSERT_TRUE(is_verdict(&f, "much of this, and of computation, may be that."));
	handmade_release(&f);
}

/* Who was long without a core may have been waited for by all. */
static void test_verdict_cores_lower_confidence(void)
{
	struct handmade f;

	handmade_fill(&f);
	f.machine.path = "m.json";
	for (int k = 0; k < 2; k++) {
		json_t *document;

		f.ranks[1].core_awaited_ns = f.trace.wall_ns / (k ? 8 : 12);
		document = handmade_document(&f);
		CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(
					       json_object_get(document, "quality"), "confidence")),
				       k ? "medium" : "high");
		json_decref(document);
	}
	handmade_release(&f);
}

/* Both ranks on one node, and what run.json says of its cores. */
static void share(struct handmade *f, const char *key, json_t *value)
{
	struct err err;

	f->ranks[1].node = f->ranks[0].node;
	json_object_set_new(f->run.meta, key, value);
	CU_ASSERT_FATAL(!run_cores_mark(&f->run, &f->trace, &err));
}

/* So is what ranks take away from each other: how much where it was counted. */
static void test_verdict_cores_shared(void)
{
	struct handmade f;

	handmade_fill(&f);
	share(&f, "cores", json_integer(1));
	CU_ASSERT_TRUE(is_verdict(&f, "2 ranks shared 1 core: much of this may be waiting for a "
				      "core."));
	CU_ASSERT_FALSE(is_verdict(&f, "There is a core for each rank"));
	f.ranks[1].core_awaited_ns = f.trace.wall_ns / 4;
	CU_ASSERT_TRUE(is_verdict(&f, "2 ranks shared 1 core and were without a core for up to "
				      "25 % of the run: much of this, and of computation, may"));
	/* both ran for a tenth: while the one waited for a quarter others had the core for 15 % */
	f.ranks[0].core_used_ns = f.ranks[1].core_used_ns = f.trace.wall_ns / 20;
	CU_ASSERT_TRUE(is_verdict(&f, "2 ranks shared 1 core (of these other processes had at "
				      "least 15 %) and were without a core for up to 25 % of the "
				      "run: much of this, and of computation, may be that."));
	CU_ASSERT_TRUE(is_verdict(&f, "Keep other processes off their cores, and start no "
				      "more ranks than there are cores."));
	f.attribution.budget.parts[COST_compute].ns /= 4;
	CU_ASSERT_TRUE(is_verdict(&f, "much of this may be that."));
	f.ranks[1].core_used_ns = f.trace.wall_ns;
	CU_ASSERT_FALSE(is_verdict(&f, "other processes"));
	f.ranks[1].core_awaited_ns = f.trace.wall_ns / 20;
	CU_ASSERT_FALSE(is_verdict(&f, "shared 1 core"));
	core_groups_release(&f.trace.core_groups);
	handmade_release(&f);
}

/* Who is bound to the same, and what to do, where it costs time. */
static void test_verdict_cores_bound(void)
{
	static const char *const may_use[] = {"0", "0,1", "0-3"};
	struct handmade f;

	for (int k = 0; k < 3; k++) {
		handmade_fill(&f);
		f.ranks[1].core_awaited_ns = f.trace.wall_ns / 4;
		share(&f, "processors",
		      json_pack("[{s:s, s:i, s:s}]", "ranks", "0-1", "of", 4, "may_use",
				may_use[k]));
		if (!k) {
			CU_ASSERT_TRUE(is_verdict(
				&f, "Ranks 0 and 1 of alpha were bound to the same core and were "
				    "without a core for up to 25 % of the run: much of this, and "
				    "of computation, may be that."));
			CU_ASSERT_TRUE(is_verdict(&f, "The ranks there may use 1 of the node's 4 "
						      "cores: look for what binds them"));
		} else {
			CU_ASSERT_FALSE(is_verdict(&f, "bound to the same"));
		}
		f.ranks[1].core_awaited_ns = f.trace.wall_ns / 20;
		CU_ASSERT_FALSE(is_verdict(&f, "core"));
		core_groups_release(&f.trace.core_groups);
		handmade_release(&f);
	}
}

/* Where there is next to no communication, too: then it is computation that takes longer. */
static void test_verdict_cores_bound_without_communication(void)
{
	struct handmade f;

	handmade_fill(&f);
	f.attribution.budget.parts[COST_compute] = exactly(1998000000);
	f.attribution.budget.total_ns += 1998000000 - 1400000;
	f.ranks[1].core_awaited_ns = f.trace.wall_ns / 4;
	share(&f, "cores", json_integer(1));
	CU_ASSERT_TRUE(is_verdict(&f, "there is little to gain from it."));
	CU_ASSERT_FALSE(is_verdict(&f, "without a core"));
	share(&f, "processors",
	      json_pack("[{s:s, s:i, s:s}]", "ranks", "0-1", "of", 4, "may_use", "0"));
	CU_ASSERT_TRUE(is_verdict(&f, "Ranks 0 and 1 of alpha were bound to the same core and were "
				      "without a core for up to 25 % of the run."));
	CU_ASSERT_TRUE(is_verdict(&f, "The ranks there may use 1 of the node's 4 cores"));
	f.ranks[1].core_awaited_ns = f.trace.wall_ns / 20;
	CU_ASSERT_FALSE(is_verdict(&f, "core"));
	core_groups_release(&f.trace.core_groups);
	handmade_release(&f);
}

/* A core is free that only the third rank may use; a quota is told as one. */
static void test_verdict_cores_advice(void)
{
	uint32_t two[] = {0, 1};
	struct core_group shared = {.by = CORE_GROUP_SET,
				    .n = 2,
				    .ranks = two,
				    .cores = 1,
				    .is_alike = 1,
				    .open = 3,
				    .node_ranks = 3,
				    .of_node = 4};
	struct handmade f;

	handmade_fill(&f);
	f.trace.core_groups = (struct core_groups){&shared, 1};
	json_object_set_new(f.run.meta, "mpi", json_string("Open MPI 4.1.4"));
	CU_ASSERT_TRUE(is_verdict(&f,
				  "There is a core for each rank: bind them so, as mpirun "
				  "--map-by core --bind-to core or srun --cpu-bind=cores does."));
	json_object_set_new(f.run.meta, "mpi", json_string("MPICH 4.0.2"));
	CU_ASSERT_TRUE(is_verdict(&f, "as mpiexec -bind-to core -map-by core or srun"));
	shared.is_alike = 0;
	CU_ASSERT_TRUE(is_verdict(&f, "Ranks 0 and 1 of alpha were bound to 1 core together: "));
	shared.by = CORE_GROUP_QUOTA;
	shared.cores = 1.5;
	CU_ASSERT_TRUE(is_verdict(&f,
				  "Ranks 0 and 1 of alpha might use no more than 1.5 cores at "
				  "once, by a quota of their control group: much of this may be "
				  "waiting for a core."));
	CU_ASSERT_TRUE(is_verdict(&f, "Let them have a larger quota, or start fewer ranks there."));
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
		SUITE_CASE(test_verdict_cores_asleep),
		SUITE_CASE(test_verdict_cores_of_who_is_awaited),
		SUITE_CASE(test_verdict_cores_lower_confidence),
		SUITE_CASE(test_verdict_cores_shared),
		SUITE_CASE(test_verdict_cores_bound),
		SUITE_CASE(test_verdict_cores_bound_without_communication),
		SUITE_CASE(test_verdict_cores_advice),
		SUITE_CASE(test_verdict_cores_waited_for_are_a_share_of_the_run),
		CU_TEST_INFO_NULL,
	};

	return suite_run("verdict_cores", tests);
}
