/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the verdict says of the parts, and of what is in none of them. */
#include "tests/fixtures/handmade.h"
#include "tests/fixtures/suite.h"

/* A number alone would be taken for what is known, though it be the most that it can be. */
static void test_verdict_says_between_what_the_largest_part_is(void)
{
	struct handmade f;
	struct part *held;
	int64_t total;

	handmade_fill(&f);
	total = f.attribution.budget.total_ns;
	held = &f.attribution.budget.parts[COST_back_pressure];
	*held = (struct part){total / 4, 0, total / 4};
	CU_ASSERT_TRUE(is_verdict(&f, "The largest part of it, at most 25 % of rank time, is "
				      "perhaps sends held up because"));
	f.attribution.budget.contention = exactly(0);
	*held = (struct part){total / 4, total / 20, total / 2};
	CU_ASSERT_TRUE(is_verdict(&f, "The largest part of it, between 5.0 % and 50 % of rank "
				      "time, is sends held up because"));
	*held = (struct part){total / 4, total / 5, total / 4};
	CU_ASSERT_TRUE(is_verdict(&f, "The largest part of it, 25 % of rank time, is sends held "
				      "up because"));
	*held = exactly(0);
	f.attribution.budget.parts[COST_not_identifiable] = (struct part){total / 4, 0, total / 4};
	CU_ASSERT_TRUE(is_verdict(&f, "The largest part of it, at most 25 % of rank time, is time "
				      "that the trace cannot explain."));
	handmade_release(&f);
}

/* Of much communication that is in many small parts none is worth a word. */
static void test_verdict_leaves_small_parts_out(void)
{
	for (int much = 0; much < 2; much++) {
		struct handmade f;
		struct part *parts;
		int64_t total, each;

		handmade_fill(&f);
		total = f.attribution.budget.total_ns;
		each = much ? total / 50 : total / 125;
		parts = f.attribution.budget.parts;
		parts[COST_compute] = exactly(total - 4 * each);
		parts[COST_network_contention] = f.attribution.budget.contention = exactly(0);
		parts[COST_send_overhead] = parts[COST_receive_overhead] = exactly(each);
		parts[COST_wire] = parts[COST_late_partner] = exactly(each);
		CU_ASSERT_EQUAL(is_verdict(&f, "The largest part of it"), much);
		handmade_release(&f);
	}
}

/* What others wait for ranks that contention holds up is in no part of it: hotspots know. */
static void test_verdict_says_that_others_wait(void)
{
	static const char words[] = "Contention makes others wait, too: at most 40 % of the run's "
				    "time could be saved (HOTSPOTS).";
	struct handmade f;
	struct hotspot h = {.kind = "incast", .is_contention = 1};
	struct hotspots all = {.h = &h, .n = 1};
	double wall_s;

	handmade_fill(&f);
	wall_s = (double)f.trace.wall_ns * 1e-9;
	f.analysis.hotspots = &all;
	h.saves_mid_s = 0.3 * wall_s;
	h.saves_high_s = 0.4 * wall_s;
	CU_ASSERT_TRUE(is_verdict(&f, words));
	h.saves_high_s = 0.2 * wall_s; /* as much as contention is of rank time */
	CU_ASSERT_FALSE(is_verdict(&f, "makes others wait"));
	h.saves_high_s = 0.4 * wall_s;
	h.is_contention = 0;
	CU_ASSERT_FALSE(is_verdict(&f, "makes others wait"));
	handmade_release(&f);
}

/* It is no communication, but nobody shall look for that time elsewhere. */
static void test_verdict_tells_file_access(void)
{
	struct handmade f;
	struct part *p;

	handmade_fill(&f);
	p = &f.attribution.budget.parts[COST_file_access];
	CU_ASSERT_FALSE(is_verdict(&f, "access to files"));
	*p = exactly(f.attribution.budget.total_ns / 4);
	CU_ASSERT_TRUE(is_verdict(&f, "25 % of rank time is access to files."));
	p->low_ns = 0;
	CU_ASSERT_TRUE(is_verdict(&f, "25 % of rank time is access to files, or waiting within "));
	handmade_release(&f);
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_verdict_says_between_what_the_largest_part_is),
		SUITE_CASE(test_verdict_leaves_small_parts_out),
		SUITE_CASE(test_verdict_says_that_others_wait),
		SUITE_CASE(test_verdict_tells_file_access),
		CU_TEST_INFO_NULL,
	};

	return suite_run("verdict_parts", cases);
}
