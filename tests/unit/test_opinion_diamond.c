/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Diamond DAG as second opinion: of pipelines whose makespan is known. */
#include "tests/fixtures/opinions.h"
#include "tests/fixtures/pipelines.h"

static struct opinion ask(struct pipeline p)
{
	struct tables x;

	pipeline_make(&x, &p);
	return opinion_of("Diamond DAG", x, pipeline_machine());
}

static void test_opinion_diamond_of_a_pipeline(void)
{
	struct pipeline p = {
		.ranks = 8, .sweeps = 1, .blocks = 60, .bytes = 1000, .work_ns = 50000};
	struct opinion o = ask(p);
	double makespan_s = pipeline_makespan_s(&p);

	CU_ASSERT_EQUAL_FATAL(o.valid, 1);
	CU_ASSERT_EQUAL(opinion_value(&o.inputs, "P"), 8);
	CU_ASSERT_EQUAL(opinion_value(&o.inputs, "b"), 60);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "bytes"), 1000, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "W_s"), 50e-6, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "O_s_s"), 1e-6, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "O_r_s"), 1e-6, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "hop_s"), 13e-6, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "gap_s"), 3e-6, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.measured, "makespan_s"), makespan_s, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.predicted, "makespan_s"), makespan_s, 1e-9);
}

/* By hand sqrt(7 (3000 + 60 us) / 2 us) = 103.5, and 60 are as good as 1 in 100. */
static void test_opinion_diamond_best_blocks(void)
{
	struct pipeline p = {
		.ranks = 8, .sweeps = 1, .blocks = 6, .bytes = 10000, .work_ns = 500000};
	struct opinion o = ask(p);
	double best = opinion_value(&o.predicted, "b_best"), made_s;

	CU_ASSERT_EQUAL_FATAL(o.valid, 1);
	CU_ASSERT(best > 55 && best < 104);
	p.blocks = (uint32_t)best;
	p.work_ns = 3000000 / p.blocks;
	p.bytes = 60000 / p.blocks;
	made_s = pipeline_makespan_s(&p);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.predicted, "makespan_best_s"), made_s,
			       1e-3 * made_s);
}

static void test_opinion_diamond_says_why_not(void)
{
	struct pipeline p = {
		.ranks = 8, .sweeps = 1, .blocks = 60, .bytes = 1000, .work_ns = 50000};
	struct machine unknown = pipeline_machine();
	struct opinion o;
	struct tables x;

	p.longer_ns = 30000;
	o = ask(p);
	CU_ASSERT(!o.valid && strstr(o.why_not, "one has 1.5 times as much"));
	p.longer_ns = 0;
	pipeline_make(&x, &p);
	x.trace.ranks[3].taken_off = 1;
	x.trace.ranks[3].core_awaited_ns = x.trace.wall_ns / 10;
	o = opinion_of("Diamond DAG", x, pipeline_machine());
	CU_ASSERT(!o.valid && strstr(o.why_not, "without a core"));
	pipeline_make(&x, &p);
	x.trace.ranks[3].taken_off = 1; /* for so little of the run that it does not matter */
	x.trace.ranks[3].core_awaited_ns = x.trace.wall_ns / 50;
	CU_ASSERT(opinion_of("Diamond DAG", x, pipeline_machine()).valid);
	pipeline_make(&x, &p);
	for (int class = 0; class < LOCALITY_COUNT; class ++)
		unknown.classes[class].n = 0;
	o = opinion_of("Diamond DAG", x, unknown);
	CU_ASSERT(!o.valid && strstr(o.why_not, "parameters are not known"));
}

/* Blocks that go over a grid of 4 x 4, down and to the right. */
static void test_opinion_diamond_not_of_grids(void)
{
	int64_t free_ns[16] = {0}, comes_ns[16][2];
	uint32_t sent[16][2];
	struct opinion o;
	struct tables x;

	tables_init(&x, 16, 1);
	for (uint32_t block = 0; block < 20; block++)
		for (uint32_t r = 0; r < 16; r++)
			for (uint32_t way = 0; way < 4; way++) {
				uint32_t d = way % 2, step = d ? 1 : 4, call;
				uint32_t at = d ? r % 4 : r / 4;
				int64_t now = free_ns[r] + (way == 2 ? 50000 : 0);

				free_ns[r] = now;
				if (way < 2 && at > 0) {
					int64_t there = comes_ns[r - step][d];

					free_ns[r] = now + 1000 > there ? now + 1000 : there;
					call = tables_call(&x, r, REGION_RECV, now, free_ns[r], d);
					tables_message(&x, 1000, sent[r - step][d],
						       sent[r - step][d], call, call);
				} else if (way >= 2 && at < 3) {
					free_ns[r] = now + 1000;
					comes_ns[r][d] = now + 13000;
					sent[r][d] = tables_call(&x, r, REGION_SEND, now,
								 free_ns[r], 2 + d);
				}
			}
	tables_finish(&x);
	o = opinion_of("Diamond DAG", x, pipeline_machine());
	CU_ASSERT(!o.valid && strstr(o.why_not, "goes over a grid"));
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_opinion_diamond_of_a_pipeline),
		SUITE_CASE(test_opinion_diamond_best_blocks),
		SUITE_CASE(test_opinion_diamond_says_why_not),
		SUITE_CASE(test_opinion_diamond_not_of_grids),
		CU_TEST_INFO_NULL,
	};

	return suite_run("opinion_diamond", tests);
}
