/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/walk.h"
#include "analyze/flow/unseen.h"

#include "tests/fixtures/suite.h"

#define LEGS(w) (sizeof(w) / sizeof((w)[0]))

/* Rank 0 pauses from 100 to 200, and from 300 on; rank 1 from 150 to 250, by another thread. */
static struct op ops[] = {
	{.kind = OP_PAUSE, .time_ns = 100},  {.kind = OP_RESUME, .time_ns = 200},
	{.kind = OP_PAUSE, .time_ns = 300},  {.kind = OP_SEND, .time_ns = 10},
	{.kind = OP_RESUME, .time_ns = 250}, {.kind = OP_PAUSE, .time_ns = 150},
};
static struct rank ranks[] = {
	{.first_op = 0, .ops = 3}, {.first_op = 3, .ops = 3}, {.first_op = 6}};
static const struct trace trace = {.ranks = ranks, .n_ranks = 3, .ops = ops, .n_ops = 6};

static struct walk walk_of(int64_t start_ns, int n, const struct leg *legs, int sender_n)
{
	struct walk w = {.start_ns = start_ns, .n = n, .sender_n = sender_n};

	for (int k = 0; k < n; k++)
		w.leg[k] = legs[k];
	w.at_ns = w.end_ns = legs[n - 1].end_ns;
	w.sender_ns = legs[sender_n - 1].end_ns;
	return w;
}

static void expect_legs(const struct walk *w, int n, const struct leg *wanted)
{
	CU_ASSERT_EQUAL_FATAL(w->n, n);
	for (int k = 0; k < n; k++) {
		CU_ASSERT_EQUAL(w->leg[k].end_ns, wanted[k].end_ns);
		CU_ASSERT_EQUAL(w->leg[k].part, wanted[k].part);
		CU_ASSERT_EQUAL(w->leg[k].alt, wanted[k].alt);
	}
}

static struct walk judged(uint32_t src, uint32_t dst, struct walk w)
{
	struct unseen u;
	struct err err;

	CU_ASSERT_EQUAL_FATAL(unseen_init(&u, &trace, &err), 0);
	walk_judge_unseen(&u, src, dst, &w);
	unseen_release(&u);
	return w;
}

static void test_unseen_nobody_is_called_inattentive_in_a_pause(void)
{
	static const struct leg before[] = {
		{60, COST_wire, COST_wire},
		{220, COST_inattention, COST_inattention},
		{230, COST_receive_overhead, COST_receive_overhead},
	};
	static const struct leg after[] = {
		{60, COST_wire, COST_wire},
		{100, COST_inattention, COST_inattention},
		{200, COST_not_identifiable, COST_inattention},
		{220, COST_inattention, COST_inattention},
		{230, COST_receive_overhead, COST_receive_overhead},
	};
	struct walk w = judged(2, 0, walk_of(50, LEGS(before), before, 2));

	expect_legs(&w, LEGS(after), after);
	CU_ASSERT_EQUAL(w.sender_n, 4);
	CU_ASSERT_EQUAL(w.at_ns, 230);
}

static void test_unseen_what_calls_prove_stays(void)
{
	static const struct leg legs[] = {
		{120, COST_send_overhead, COST_send_overhead},
		{180, COST_late_partner, COST_late_partner},
		{190, COST_wire, COST_wire},
	};
	struct walk w = judged(2, 0, walk_of(90, LEGS(legs), legs, 1));

	expect_legs(&w, LEGS(legs), legs);
}

static void test_unseen_between_the_pauses_of_both(void)
{
	static const struct leg before[] = {
		{260, COST_handler_contention, COST_network_contention},
		{310, COST_uncollected, COST_uncollected},
	};
	static const struct leg after[] = {
		{260, COST_not_identifiable, COST_handler_contention},
		{310, COST_not_identifiable, COST_uncollected},
	};
	struct walk w = judged(0, 1, walk_of(100, LEGS(before), before, 1));

	expect_legs(&w, LEGS(after), after);
	CU_ASSERT_EQUAL(w.sender_n, 1);
}

static void test_unseen_outside_of_pauses_nothing_changes(void)
{
	static const struct leg legs[] = {{290, COST_inattention, COST_inattention}};
	struct walk w = judged(2, 0, walk_of(200, 1, legs, 1));

	expect_legs(&w, 1, legs);
	w = judged(1, 2, walk_of(250, 1, legs, 1));
	expect_legs(&w, 1, legs);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_unseen_nobody_is_called_inattentive_in_a_pause),
	SUITE_CASE(test_unseen_what_calls_prove_stays),
	SUITE_CASE(test_unseen_between_the_pauses_of_both),
	SUITE_CASE(test_unseen_outside_of_pauses_nothing_changes),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("unseen", tests);
}
