/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/unsent.h"
#include "common/table.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/tables.h"

#define US 1000

/* Rank 1 takes one message of rank 0 in a call, two in the next one, and one of rank 2. */
static void take(struct tables *x, uint32_t calls[3])
{
	uint32_t send;

	tables_init(x, 3, 1);
	send = tables_call(x, 0, REGION_SEND, 0, US, 0);
	for (uint32_t k = 0; k < 3; k++)
		calls[k] = tables_call(x, 1, REGION_WAITALL, 10 * k * US, (10 * k + 5) * US, 0);
	tables_message(x, 1000, send, send, calls[0], calls[0]);
	tables_finish(x);
	for (uint32_t k = 0; k < 3; k++)
		calls[k] = x->trace.ranks[1].first_call + k;
	x->trace.ends.recvs = table_calloc(4, sizeof(*x->trace.ends.recvs));
	CU_ASSERT_FATAL(x->trace.ends.recvs != NULL);
	x->trace.ends.n_recvs = 4;
	x->trace.ends.recvs[0] = (struct recv){.src = 0, .done = calls[0]};
	x->trace.ends.recvs[1] = (struct recv){.src = 0, .done = calls[1]};
	x->trace.ends.recvs[2] = (struct recv){.src = 0, .done = TRACE_NONE};
	x->trace.ends.recvs[3] = (struct recv){.src = 2, .done = calls[2]};
}

static void test_unsent_after_the_record_ends(void)
{
	uint32_t calls[3];
	struct tables x;

	take(&x, calls);
	x.trace.ranks[0].loss.what = LOSS_CUT;
	CU_ASSERT_EQUAL(unsent_find(&x.trace, &x.messages), 0);
	CU_ASSERT_EQUAL(x.messages.n_unsent, 1);
	CU_ASSERT_EQUAL(unsent_by(&x.messages, calls[0]), TRACE_NONE);
	CU_ASSERT_EQUAL(unsent_by(&x.messages, calls[1]), 0);
	CU_ASSERT_EQUAL(unsent_by(&x.messages, calls[2]), TRACE_NONE);
	table_free(x.trace.ends.recvs);
	table_free(x.messages.unsent);
	tables_release(&x);
}

/*
 * A call takes a message of rank 2, whose send is lost, and then one of rank 0, which is there; and
 * so they are both lossy; the next one takes one of each, both lost.
 */
static void test_unsent_of_several_ranks(void)
{
	static const uint32_t src[] = {2, 0, 2, 0};
	uint32_t calls[3];
	struct tables x;

	take(&x, calls);
	x.trace.ranks[0].loss.what = x.trace.ranks[2].loss.what = LOSS_CUT;
	for (uint32_t k = 0; k < 4; k++)
		x.trace.ends.recvs[k] = (struct recv){.src = src[k], .done = calls[k / 2]};
	CU_ASSERT_EQUAL(unsent_find(&x.trace, &x.messages), 0);
	CU_ASSERT_EQUAL(x.messages.n_unsent, 3);
	CU_ASSERT_EQUAL(unsent_by(&x.messages, calls[0]), 2);
	CU_ASSERT_EQUAL(unsent_by(&x.messages, calls[1]), UNSENT_BY_SEVERAL);
	CU_ASSERT_EQUAL(unsent_by(&x.messages, calls[2]), TRACE_NONE);
	table_free(x.trace.ends.recvs);
	table_free(x.messages.unsent);
	tables_release(&x);
}

/* Of rank 2 nothing was recorded but its start and end. */
static void test_unsent_by_who_was_left_out(void)
{
	static struct op pause = {.kind = OP_PAUSE};
	uint32_t calls[3];
	struct tables x;

	take(&x, calls);
	x.trace.ops = &pause;
	x.trace.ranks[2].ops = 1;
	x.trace.ranks[2].first_op = 0;
	CU_ASSERT_FATAL(trace_is_left_out(&x.trace, 2));
	CU_ASSERT_EQUAL(unsent_find(&x.trace, &x.messages), 0);
	CU_ASSERT_EQUAL(x.messages.n_unsent, 1);
	CU_ASSERT_EQUAL(unsent_by(&x.messages, calls[2]), 2);
	x.trace.ops = NULL;
	table_free(x.trace.ends.recvs);
	table_free(x.messages.unsent);
	tables_release(&x);
}

static void test_unsent_by_nobody_where_all_is_there(void)
{
	uint32_t calls[3];
	struct tables x;

	take(&x, calls);
	CU_ASSERT_EQUAL(unsent_find(&x.trace, &x.messages), 0);
	CU_ASSERT_EQUAL(x.messages.n_unsent, 0);
	table_free(x.trace.ends.recvs);
	table_free(x.messages.unsent);
	tables_release(&x);
}

/* Whoever sent to rank 1, three of its receives have no message, and one of them no end. */
static void test_unsent_calls_with_torn_receives(void)
{
	uint32_t calls[3];
	struct tables x;

	take(&x, calls);
	x.trace.ends.recvs[3].src = TRACE_NONE;
	x.messages.unmatched_recvs = 2;
	CU_ASSERT_EQUAL(unsent_find(&x.trace, &x.messages), 0);
	CU_ASSERT_EQUAL(x.messages.n_torn, 2);
	CU_ASSERT_FALSE(unsent_is_torn(&x.messages, calls[0]));
	CU_ASSERT_TRUE(unsent_is_torn(&x.messages, calls[1]));
	CU_ASSERT_TRUE(unsent_is_torn(&x.messages, calls[2]));
	CU_ASSERT_EQUAL(unsent_by(&x.messages, calls[1]), TRACE_NONE);
	table_free(x.trace.ends.recvs);
	unsent_release(&x.messages);
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_unsent_after_the_record_ends),
		SUITE_CASE(test_unsent_of_several_ranks),
		SUITE_CASE(test_unsent_calls_with_torn_receives),
		SUITE_CASE(test_unsent_by_who_was_left_out),
		SUITE_CASE(test_unsent_by_nobody_where_all_is_there),
		CU_TEST_INFO_NULL,
	};

	return suite_run("unsent", tests);
}
