/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which messages are a pipeline, and what its sweeps took. */
#include "analyze/opinion/pipeline_load.h"

#include "tests/fixtures/pipelines.h"
#include "tests/fixtures/suite.h"

#include <math.h>
#include <string.h>

static const struct pipeline plain = {
	.ranks = 8, .sweeps = 3, .blocks = 5, .bytes = 1000, .work_ns = 50000};

static struct err err;

/* All of x's messages, and how many blocks would be best on the machine; x is released. */
static int look(struct tables *x, struct pipeline_load *out, double *best, const char **why_not)
{
	static const struct clock_quality one_clock;
	struct machine machine = pipeline_machine();
	struct attribution a;
	struct evidence_base b = {.t = &x->trace,
				  .m = &x->messages,
				  .c = &x->collectives,
				  .machine = &machine,
				  .a = &a};
	int found;

	CU_ASSERT_EQUAL_FATAL(attribution_run(&x->trace, &x->messages, &x->collectives, &machine,
					      &one_clock, &a, &err),
			      0);
	CU_ASSERT_EQUAL_FATAL(evidence_find(&b, &err), 0);
	found = pipeline_load_find(&b, (struct some_messages){a.by_send, x->messages.n}, out,
				   why_not, &err);
	if (found > 0)
		*best = pipeline_best_blocks(&b, out);
	evidence_release(&b);
	attribution_release(&a);
	machine_release(&machine);
	tables_release(x);
	return found;
}

static struct pipeline_load load_of(struct pipeline p)
{
	struct pipeline_load load = {.P = 0};
	const char *why_not;
	struct tables x;
	double best;

	pipeline_make(&x, &p);
	CU_ASSERT_EQUAL_FATAL(look(&x, &load, &best, &why_not), 1);
	return load;
}

static const char *refusal_of(struct tables *x)
{
	struct pipeline_load load;
	const char *why_not = "";
	double best;

	CU_ASSERT_EQUAL(look(x, &load, &best, &why_not), 0);
	return why_not;
}

static void test_pipeline_makespan_by_hand(void)
{
	struct pipeline p = plain;

	for (p.blocks = 1; p.blocks < 40; p.blocks *= 3) {
		struct pipeline_load x = load_of(p);

		CU_ASSERT_EQUAL(x.P, 8);
		CU_ASSERT_EQUAL(x.sweeps, 3);
		CU_ASSERT_EQUAL(x.blocks, p.blocks);
		CU_ASSERT_DOUBLE_EQUAL(x.bytes, 1000, 1e-9);
		CU_ASSERT_DOUBLE_EQUAL(x.work_s, 50e-6, 1e-12);
		CU_ASSERT_DOUBLE_EQUAL(x.slowest_s, 50e-6, 1e-12);
		CU_ASSERT_DOUBLE_EQUAL(x.makespan_s, pipeline_makespan_s(&p), 1e-9);
		CU_ASSERT(x.is_blocking && !x.is_synchronous);
	}
}

/* 8 ranks, 5 blocks: 8 50 + 7 13 + 4 52 us. */
static void test_pipeline_fixture_is_right(void)
{
	CU_ASSERT_DOUBLE_EQUAL(pipeline_makespan_s(&plain), 699e-6, 1e-12);
}

/* There and back: the same, of both ways. */
static void test_pipeline_both_ways(void)
{
	struct pipeline p = plain;
	struct pipeline_load x;

	p.back = 1;
	p.sweeps = 4;
	x = load_of(p);
	CU_ASSERT_EQUAL(x.sweeps, 4);
	CU_ASSERT_EQUAL(x.blocks, p.blocks);
	CU_ASSERT_DOUBLE_EQUAL(x.makespan_s, pipeline_makespan_s(&p), 1e-9);
}

/* Calls that communicate with nobody are none, there and back. */
static void test_pipeline_with_proc_null(void)
{
	struct pipeline p = plain;
	struct pipeline_load x;

	p.to_nobody = 1;
	p.back = 1;
	x = load_of(p);
	CU_ASSERT_EQUAL(x.sweeps, 3);
	CU_ASSERT_DOUBLE_EQUAL(x.work_s, 50e-6, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(x.makespan_s, pipeline_makespan_s(&p), 1e-9);
}

/* Where nobody waits for the end of a sweep the line is filled once. */
static void test_pipeline_sweeps_that_follow_are_one(void)
{
	struct pipeline p = plain, all = plain;
	struct pipeline_load x;

	p.flowing = 1;
	all.blocks = p.blocks * p.sweeps;
	x = load_of(p);
	CU_ASSERT_EQUAL(x.sweeps, 1);
	CU_ASSERT_EQUAL(x.blocks, 15);
	CU_ASSERT_DOUBLE_EQUAL(x.makespan_s, pipeline_makespan_s(&all), 1e-9);
}

static void test_pipeline_slowest_rank(void)
{
	struct pipeline p = plain;

	p.longer_ns = 30000;
	CU_ASSERT_DOUBLE_EQUAL(load_of(p).slowest_s, 80e-6, 1e-12);
}

/*
 * The makespan with b blocks is P w/b + (P-1)(12 us + m/b) + (b-1)(2 us + w/b) for w us and m ns of
 * bytes in all: least at b = sqrt((P-1)(w + m)/2 us), 29.9 of 8 ranks with 5 times 50 and 1 us.
 */
static void test_pipeline_best_blocks(void)
{
	const uint32_t now[] = {1, 5, 20, 30, 36, 250};

	for (size_t k = 0; k < sizeof(now) / sizeof(now[0]); k++) {
		struct pipeline p = plain, best = plain;
		struct pipeline_load load;
		const char *why_not;
		struct tables x;
		double b;

		p.blocks = now[k];
		p.work_ns = 250000 / now[k];
		p.bytes = 5000 / now[k];
		pipeline_make(&x, &p);
		CU_ASSERT_EQUAL_FATAL(look(&x, &load, &b, &why_not), 1);
		best.blocks = (uint32_t)b;
		best.work_ns = 250000 / best.blocks;
		best.bytes = 5000 / best.blocks;
		p.blocks = 30;
		p.work_ns = 250000 / 30;
		p.bytes = 5000 / 30;
		CU_ASSERT(pipeline_makespan_s(&best) <= 1.012 * pipeline_makespan_s(&p));
		CU_ASSERT(now[k] >= 24 && now[k] <= 36 ? b == now[k] : b > 20 && b < 45);
	}
}

static void test_pipeline_says_why_not(void)
{
	struct pipeline p = plain;
	struct tables x;

	p.after_ns = 30000;
	pipeline_make(&x, &p);
	CU_ASSERT_PTR_NOT_NULL(strstr(refusal_of(&x), "before they pass a block on"));
	pipeline_make(&x, &plain);
	x.messages.m[0].dst = x.messages.m[0].src;
	CU_ASSERT_PTR_NOT_NULL(strstr(refusal_of(&x), "to themselves"));
	p = plain;
	p.ranks = 2;
	pipeline_make(&x, &p);
	CU_ASSERT_PTR_NOT_NULL(strstr(refusal_of(&x), "fewer than three ranks"));
}

/* Ranks in a line that all send before they receive: halos, no pipeline. */
static void test_pipeline_is_no_halo(void)
{
	struct tables x;
	int64_t now = 0;

	tables_init(&x, 6, 1);
	for (uint32_t round = 0; round < 10; round++, now += 100000)
		for (uint32_t r = 0; r < 5; r++) {
			uint32_t send = tables_call(&x, r, REGION_SEND, now, now + 1000, 3);
			uint32_t recv =
				tables_call(&x, r + 1, REGION_RECV, now + 2000, now + 20000, 2);

			tables_message(&x, 100, send, send, recv, recv);
		}
	tables_finish(&x);
	CU_ASSERT_PTR_NOT_NULL(strstr(refusal_of(&x), "send before they have received"));
}

/* Everybody sends to all others; a ring; two lines. */
static void test_pipeline_is_one_line(void)
{
	static const struct {
		uint32_t ranks, skip, wrap, all;
		const char *why;
	} rows[] = {
		{6, 6, 0, 1, "more than two neighbours"},
		{6, 6, 1, 0, "no rank of its line begins"},
		{6, 2, 0, 0, "these are several"},
	};

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		struct tables x;

		tables_init(&x, rows[k].ranks, 1);
		for (uint32_t i = 0; i < rows[k].ranks * rows[k].ranks; i++) {
			uint32_t src = i / rows[k].ranks, dst = i % rows[k].ranks, send, recv;

			if (src == dst || src == rows[k].skip ||
			    (!rows[k].all && dst != (src + 1) % rows[k].ranks) ||
			    (!rows[k].wrap && dst < src))
				continue;
			send = tables_call(&x, src, REGION_SEND, 1000 * i, 1000 * i + 500, 3);
			recv = tables_call(&x, dst, REGION_RECV, 1000 * i + 600, 1000 * i + 900, 2);
			tables_message(&x, 100, send, send, recv, recv);
		}
		tables_finish(&x);
		CU_ASSERT_PTR_NOT_NULL(strstr(refusal_of(&x), rows[k].why));
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_pipeline_fixture_is_right),
		SUITE_CASE(test_pipeline_makespan_by_hand),
		SUITE_CASE(test_pipeline_both_ways),
		SUITE_CASE(test_pipeline_with_proc_null),
		SUITE_CASE(test_pipeline_sweeps_that_follow_are_one),
		SUITE_CASE(test_pipeline_slowest_rank),
		SUITE_CASE(test_pipeline_best_blocks),
		SUITE_CASE(test_pipeline_says_why_not),
		SUITE_CASE(test_pipeline_is_no_halo),
		SUITE_CASE(test_pipeline_is_one_line),
		CU_TEST_INFO_NULL,
	};

	return suite_run("pipeline_load", tests);
}
