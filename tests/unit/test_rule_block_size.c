/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/findings.h"
#include "tests/fixtures/pipelines.h"
#include "tests/fixtures/suite.h"

#include <string.h>

#define WORK_NS 3000000 /* of a rank in a sweep */
#define BYTES   60000

static struct pipeline in_blocks(uint32_t blocks)
{
	return (struct pipeline){.ranks = 8,
				 .sweeps = 5,
				 .blocks = blocks,
				 .bytes = BYTES / blocks,
				 .work_ns = WORK_NS / blocks};
}

static double wall_s(struct pipeline p)
{
	struct tables x;
	double s;

	pipeline_make(&x, &p);
	s = x.trace.wall_ns * 1e-9;
	tables_release(&x);
	return s;
}

static struct hotspots find(struct pipeline p, struct machine machine)
{
	struct hotspots h;
	struct tables x;

	pipeline_make(&x, &p);
	h = findings_of(&x, machine);
	tables_release(&x);
	return h;
}

/* Whoever has as many blocks as advised saves what is said. */
static void expect_saving(uint32_t blocks, const char *words)
{
	struct hotspots h = find(in_blocks(blocks), pipeline_machine());
	const struct hotspot *x = findings_one(&h, "block_size");
	double saved_s;

	CU_ASSERT_PTR_NOT_NULL_FATAL(x);
	CU_ASSERT_EQUAL(x->site, PIPELINE_SITE);
	CU_ASSERT_EQUAL(findings_evidence(x, "blocks"), blocks);
	CU_ASSERT_EQUAL(findings_evidence(x, "sweeps"), 5);
	CU_ASSERT_PTR_NOT_NULL(strstr(x->title, words));
	saved_s = wall_s(in_blocks(blocks)) -
		  wall_s(in_blocks((uint32_t)findings_evidence(x, "blocks_best")));
	CU_ASSERT(saved_s > 0 && x->saves_low_s > 0.5 * saved_s && x->saves_low_s <= saved_s);
	CU_ASSERT_DOUBLE_EQUAL(x->saves_mid_s, saved_s, 0.02 * saved_s);
	CU_ASSERT(x->saves_high_s >= saved_s && x->saves_high_s < 1.5 * saved_s);
	CU_ASSERT(findings_one(&h, "aggregation") == NULL);
	hotspots_release(&h);
}

static void test_rule_block_size_too_coarse(void)
{
	expect_saving(4, "too large");
	expect_saving(1, "too large");
}

static void test_rule_block_size_too_fine(void)
{
	expect_saving(2000, "too small");
}

/* What smaller messages take is not known without a machine file: perhaps next to nothing. */
static void test_rule_block_size_has_a_bound_without_a_file(void)
{
	struct machine self = pipeline_machine();
	struct pipeline p = in_blocks(4);
	double all_s = wall_s(p), work_s = (double)(p.sweeps * p.blocks) * (double)p.work_ns * 1e-9;
	struct hotspots h;
	const struct hotspot *x;

	self.source = MACHINE_SELF_CALIBRATED;
	h = find(p, self);
	x = findings_one(&h, "block_size");
	CU_ASSERT_PTR_NOT_NULL_FATAL(x);
	CU_ASSERT_DOUBLE_EQUAL(x->saves_high_s, all_s - work_s, 0.03 * all_s);
	CU_ASSERT_EQUAL(x->saves_low_s, 0);
	hotspots_release(&h);
}

static int finds(struct pipeline p, struct machine machine)
{
	struct hotspots h = find(p, machine);
	int found = findings_one(&h, "block_size") != NULL;

	hotspots_release(&h);
	return found;
}

static void test_rule_block_size_leaves_good_ones(void)
{
	for (uint32_t blocks = 60; blocks <= 200; blocks += 35)
		CU_ASSERT(!finds(in_blocks(blocks), pipeline_machine()));
}

/* One rank has four times the work of others: another block size is not what it needs. */
static void test_rule_block_size_not_of_uneven_work(void)
{
	struct pipeline p = in_blocks(4);

	CU_ASSERT(finds(p, pipeline_machine()));
	p.longer_ns = 3 * p.work_ns;
	CU_ASSERT(!finds(p, pipeline_machine()));
}

/* A sweep takes far longer than by the model: that is not what it describes. */
static void test_rule_block_size_not_where_the_model_is_off(void)
{
	struct pipeline p = in_blocks(1000);

	CU_ASSERT(finds(p, pipeline_machine()));
	CU_ASSERT(!finds(p, tables_machine(1e-6, 1e-8, 1e-9, 1 << 20)));
}

/* Tokens have nothing to divide. */
static void test_rule_block_size_not_of_tokens(void)
{
	struct pipeline p = in_blocks(1);

	p.bytes = 4;
	CU_ASSERT(!finds(p, pipeline_machine()));
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rule_block_size_too_coarse),
		SUITE_CASE(test_rule_block_size_too_fine),
		SUITE_CASE(test_rule_block_size_has_a_bound_without_a_file),
		SUITE_CASE(test_rule_block_size_leaves_good_ones),
		SUITE_CASE(test_rule_block_size_not_of_uneven_work),
		SUITE_CASE(test_rule_block_size_not_where_the_model_is_off),
		SUITE_CASE(test_rule_block_size_not_of_tokens),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_block_size", tests);
}
