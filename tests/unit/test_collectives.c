/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow/coll_costs.h"
#include "analyze/flow/gathering.h"
#include "common/schema.h"
#include "tests/fixtures/matched.h"

#include <stdlib.h>
#include <string.h>

static void test_collectives_last_to_enter(void)
{
	static const int64_t at[] = {10, 40, 20};
	char *dir;
	struct mktrace *m = traced_begin(&dir, 3);
	struct matched r;
	uint32_t i;

	mktrace_call(m, 0, (struct mkspan){0, 1}, "MPI_Init", NULL, 0, NULL);
	for (i = 0; i < 3; i++) {
		enter(m, i, at[i], "MPI_Bcast",
		      (struct mkop){
			      .peer = 2, .bytes = i == 2 ? 24 : 0, .bytes_in = i == 2 ? 8 : 9});
		enter(m, i, 300 - at[i], "MPI_Barrier", (struct mkop){.peer = -1});
	}
	r = match(m, dir);
	CU_ASSERT_EQUAL_FATAL(r.c.n, 2);
	CU_ASSERT_EQUAL(r.c.c[0].members, 3);
	CU_ASSERT_EQUAL(r.c.c[0].root, 2);
	CU_ASSERT_EQUAL(r.c.c[0].bytes, 32);
	CU_ASSERT_EQUAL(r.c.c[0].first_enter_ns, 10);
	CU_ASSERT_EQUAL(r.c.c[0].last_enter_ns, 40);
	CU_ASSERT_EQUAL(r.c.c[0].last_rank, 1);
	CU_ASSERT_STRING_EQUAL(r.t.regions[r.c.c[0].region].name, "MPI_Bcast");
	CU_ASSERT_EQUAL(r.c.c[1].root, -1);
	CU_ASSERT_EQUAL(r.c.c[1].last_rank, 0);
	CU_ASSERT_EQUAL(call_collective(&r.t.calls[0]), TRACE_NONE);
	CU_ASSERT_EQUAL(call_collective(&r.t.calls[1]), 0);
	CU_ASSERT_EQUAL(call_collective(&r.t.calls[2]), 1);
	CU_ASSERT_EQUAL(call_collective(&r.t.calls[4]), 1);
	release(&r);
}

static void test_collectives_count_per_communicator(void)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 3);
	uint32_t pair = mktrace_comm(m, "pair", 2, (uint32_t[]){2, 0});
	struct matched r;
	uint32_t i;

	/* rank 2 calls them in another order than rank 0, which is fine on two communicators */
	enter(m, 0, 0, "MPI_Barrier", (struct mkop){.peer = -1});
	enter(m, 0, 100, "MPI_Reduce", (struct mkop){.comm = pair, .peer = 0});
	enter(m, 1, 5, "MPI_Barrier", (struct mkop){.peer = -1});
	enter(m, 2, 50, "MPI_Reduce", (struct mkop){.comm = pair, .peer = 0});
	enter(m, 2, 150, "MPI_Barrier", (struct mkop){.peer = -1});
	r = match(m, dir);
	CU_ASSERT_EQUAL_FATAL(r.c.n, 2);
	for (i = 0; i < 2; i++) {
		int is_pair = r.c.c[i].members == 2;

		CU_ASSERT_EQUAL(r.c.c[i].members, is_pair ? 2 : 3);
		CU_ASSERT_EQUAL(r.c.c[i].last_rank, is_pair ? 0 : 2);
		CU_ASSERT_EQUAL(r.c.c[i].root, is_pair ? 2 : -1);
	}
	release(&r);
}

static void test_collectives_short_after_a_kill(void)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 2);
	struct matched r;
	int i;

	for (i = 0; i < 5; i++)
		enter(m, 0, 1000 * i, "MPI_Allreduce", (struct mkop){.peer = -1});
	for (i = 0; i < 3; i++)
		enter(m, 1, 1000 * i + 7, "MPI_Allreduce", (struct mkop){.peer = -1});
	r = match(m, dir);
	CU_ASSERT_EQUAL_FATAL(r.c.n, 5);
	for (i = 0; i < 5; i++) {
		CU_ASSERT_EQUAL(r.c.c[i].members, i < 3 ? 2 : 1);
		CU_ASSERT_EQUAL(r.c.c[i].first_enter_ns, 1000 * i);
	}
	release(&r);
}

static void test_collectives_of_nobody(void)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 2);
	struct matched r;

	enter(m, 0, 0, "MPI_Barrier", (struct mkop){.comm = 5, .peer = -1}); /* not defined */
	r = match(m, dir);
	CU_ASSERT_EQUAL(r.c.n, 0);
	CU_ASSERT_EQUAL(call_collective(&r.t.calls[0]), TRACE_NONE);
	release(&r);
}

/* Messages and pauses among them: only the messages' records go. */
static void test_collectives_need_no_records_of_messages(void)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 2);
	struct mkop send = {.kind = OP_SEND, .peer = 1, .bytes = 8};
	struct mkop receive = {.kind = OP_RECV, .peer = 0, .bytes = 8};
	struct mkop pause = {.kind = OP_PAUSE}, resume = {.kind = OP_RESUME};
	struct mkop reduce = {.peer = -1, .bytes = 8, .bytes_in = 8};
	struct matched r;
	struct collectives again;

	for (uint32_t i = 0; i < 2; i++) {
		enter(m, i, 100, "MPI_Allreduce", reduce);
		mktrace_call(m, i, (struct mkspan){300, 400}, i ? "MPI_Recv" : "MPI_Send", NULL, 1,
			     i ? &receive : &send);
		mktrace_op(m, i, 500, &pause);
		mktrace_op(m, i, 700 + i, &resume);
		enter(m, i, 1000 + i, "MPI_Allreduce", reduce);
	}
	r = match(m, dir);
	CU_ASSERT_EQUAL(r.t.records, 10);
	CU_ASSERT_EQUAL(r.t.n_ops, 8);
	CU_ASSERT_EQUAL(trace_paused_ns(&r.t, 0), 200);
	CU_ASSERT_EQUAL(trace_paused_ns(&r.t, 1), 201);
	CU_ASSERT_EQUAL_FATAL(collectives_match(&r.t, &again, &err), 0);
	CU_ASSERT_EQUAL_FATAL(again.n, r.c.n);
	CU_ASSERT_EQUAL(again.c[0].last_enter_ns, r.c.c[0].last_enter_ns);
	CU_ASSERT_EQUAL(again.c[1].last_enter_ns, r.c.c[1].last_enter_ns);
	collectives_release(&again);
	release(&r);
}

/* Between two groups the root says that it is it, and its neighbours that it is one of theirs. */
static void test_collectives_root_is_one_itself(void)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 3);
	struct matched r;
	uint32_t i;

	for (i = 0; i < 3; i++) {
		enter(m, i, 10, "MPI_Bcast", (struct mkop){.peer = i == 1 ? -2 : -3});
		enter(m, i, 200, "MPI_Barrier", (struct mkop){.peer = -1});
	}
	r = match(m, dir);
	CU_ASSERT_EQUAL_FATAL(r.c.n, 2);
	CU_ASSERT_EQUAL(r.c.c[0].root, 1);
	CU_ASSERT_EQUAL(r.c.c[1].root, -1);
	release(&r);
}

/* Three of four ranks stand in a barrier, until 1000, after one of all; until when each waits. */
struct standing {
	struct matched matched;
	int64_t ready_ns[3];
	int refused;
};

static void stand(struct standing *x, uint32_t n, const struct mkop *fourth, const char *creator)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 4);
	struct mkop barrier = {.kind = OP_COLL, .peer = -1};
	struct machine none = {.source = MACHINE_SELF_CALIBRATED};
	struct trace *t = &x->matched.t;
	struct gathering g;
	struct coll_costs costs;

	for (uint32_t i = 0; i < 4; i++)
		mktrace_call(m, i, (struct mkspan){10 + i, 100}, "MPI_Barrier", NULL, 1, &barrier);
	for (uint32_t i = 0; i < 3; i++)
		mktrace_call(m, i, (struct mkspan){200 + 50 * i, 1000}, "MPI_Barrier", NULL, 1,
			     &barrier);
	mktrace_call(m, 3, (struct mkspan){220, 1000}, "MPI_Recv", NULL, n, fourth);
	*t = traced_read(m, dir);
	free(t->creator);
	t->creator = creator ? strdup(creator) : NULL;
	CU_ASSERT_EQUAL_FATAL(collectives_match(t, &x->matched.c, &err), 0);
	CU_ASSERT_EQUAL_FATAL(x->matched.c.n, 2);
	CU_ASSERT_EQUAL_FATAL(gathering_init(&g, t, &x->matched.c, NULL, &none, &err), 0);
	CU_ASSERT_EQUAL_FATAL(coll_costs_init(&costs, t, &x->matched.c, &none, &err), 0);
	for (uint32_t i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL(gathering_ready_ns(&g, t->ranks[i].first_call),
				t->calls[t->ranks[3].first_call].enter_ns);
		x->ready_ns[i] = gathering_ready_ns(&g, t->ranks[i].first_call + 1);
	}
	CU_ASSERT_EQUAL(coll_costs_at(&costs, 0).refused, COLL_NO_MACHINE);
	x->refused = coll_costs_at(&costs, 1).refused;
	coll_costs_release(&costs);
	gathering_release(&g);
}

static void test_collectives_that_a_rank_never_entered(void)
{
	struct standing x;

	stand(&x, 0, NULL, SCHEMA_CREATOR);
	CU_ASSERT_EQUAL(x.matched.c.c[0].is_short, 0);
	CU_ASSERT_EQUAL(x.matched.c.c[0].last_rank, 3);
	CU_ASSERT_EQUAL(x.matched.c.c[1].is_short, 1);
	CU_ASSERT_EQUAL(x.matched.c.c[1].last_rank, 3);
	CU_ASSERT_EQUAL(x.refused, COLL_SHORT);
	for (uint32_t i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(x.ready_ns[i], x.matched.t.calls[1].leave_ns);
	release(&x.matched);
}

/* It may have entered where it was not recorded, or another tool ended its recording. */
static void test_collectives_that_a_rank_may_have_entered(void)
{
	static const struct mkop pause = {.kind = OP_PAUSE};
	struct standing x;

	for (int is_paused = 0; is_paused < 2; is_paused++) {
		stand(&x, (uint32_t)is_paused, &pause, is_paused ? SCHEMA_CREATOR : "another");
		CU_ASSERT_EQUAL(x.matched.c.c[1].is_short, 0);
		CU_ASSERT_EQUAL(x.matched.c.c[1].last_rank, 2);
		CU_ASSERT_EQUAL(x.refused, COLL_INCOMPLETE);
		for (uint32_t i = 0; i < 3; i++)
			CU_ASSERT_EQUAL(x.ready_ns[i], x.matched.c.c[1].last_enter_ns);
		release(&x.matched);
	}
}

/*
 * The same of a rank that ran without the recorder, or whose last collective is of nobody knows
 * which.
 */
static void test_collectives_that_a_rank_entered_unseen(void)
{
	struct standing x;
	struct trace *t = &x.matched.t;

	stand(&x, 0, NULL, SCHEMA_CREATOR);
	for (int is_absent = 0; is_absent < 2; is_absent++) {
		collectives_release(&x.matched.c);
		t->ranks[3].absent = (uint8_t)is_absent;
		t->regions[t->calls[t->ranks[3].first_call + 1].region].kind =
			is_absent ? REGION_RECV : REGION_COLLECTIVE;
		CU_ASSERT_EQUAL_FATAL(collectives_match(t, &x.matched.c, &err), 0);
		CU_ASSERT_EQUAL(x.matched.c.c[1].is_short, 0);
		CU_ASSERT_EQUAL(x.matched.c.c[1].last_rank, 2);
	}
	release(&x.matched);
}

/* Two ranks stand in one function each where their communicator has one collective, or returned. */
static void test_collectives_that_are_mixed_up(void)
{
	static const char *const others[] = {"MPI_Allreduce", "MPI_Barrier_c", "MPI_Allreduce"};
	struct mkop op = {.kind = OP_COLL, .peer = -1};
	struct machine none = {.source = MACHINE_SELF_CALIBRATED};

	for (int way = 0; way < 3; way++) {
		char *dir;
		struct mktrace *m = traced_begin(&dir, 2);
		struct matched r = {0};
		struct gathering g;

		mktrace_call(m, 0, (struct mkspan){200, 1000}, "MPI_Barrier", NULL, 1, &op);
		mktrace_call(m, 1, (struct mkspan){300, 1000}, others[way], NULL, 1, &op);
		if (way == 2)
			for (uint32_t i = 0; i < 2; i++)
				mktrace_call(m, i, (struct mkspan){1100, 1101}, "MPI_Comm_rank",
					     NULL, 0, NULL);
		r.t = traced_read(m, dir);
		free(r.t.creator);
		r.t.creator = strdup(SCHEMA_CREATOR);
		CU_ASSERT_EQUAL_FATAL(collectives_match(&r.t, &r.c, &err), 0);
		CU_ASSERT_EQUAL_FATAL(r.c.n, 1);
		CU_ASSERT_EQUAL(r.c.c[0].is_short, way == 0);
		CU_ASSERT_EQUAL(r.c.c[0].is_mixed, way != 1);
		CU_ASSERT_EQUAL_FATAL(gathering_init(&g, &r.t, &r.c, NULL, &none, &err), 0);
		for (uint32_t i = 0; i < 2; i++) {
			const struct call *call = &r.t.calls[r.t.ranks[i].first_call];

			CU_ASSERT_EQUAL(gathering_ready_ns(&g, r.t.ranks[i].first_call),
					way == 0 ? call->leave_ns : r.c.c[0].last_enter_ns);
		}
		gathering_release(&g);
		release(&r);
	}
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_collectives_that_are_mixed_up),
	SUITE_CASE(test_collectives_root_is_one_itself),
	SUITE_CASE(test_collectives_last_to_enter),
	SUITE_CASE(test_collectives_count_per_communicator),
	SUITE_CASE(test_collectives_short_after_a_kill),
	SUITE_CASE(test_collectives_of_nobody),
	SUITE_CASE(test_collectives_need_no_records_of_messages),
	SUITE_CASE(test_collectives_that_a_rank_never_entered),
	SUITE_CASE(test_collectives_that_a_rank_may_have_entered),
	SUITE_CASE(test_collectives_that_a_rank_entered_unseen),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("collectives", tests);
}
