/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/matched.h"

/* Starts at ns and takes 1; function names it, and its completion is written by done(). */
static void start(struct mktrace *m, uint32_t rank, int64_t ns, const char *function,
		  uint64_t request)
{
	struct mkop op = {.kind = OP_NBC_POST, .request = request};

	mktrace_call(m, rank, (struct mkspan){ns, ns + 1}, function, NULL, 1, &op);
}

static struct mkop done(uint64_t request, uint64_t bytes)
{
	return (struct mkop){.kind = OP_NBC_DONE, .peer = -1, .bytes = bytes, .request = request};
}

/*
 * Two at a time, completed together on rank 0 and the other way round on rank 1: what counts is
 * the order in which they were started.
 */
static void test_nonblocking_by_their_starts(void)
{
	struct mkop both[] = {done(1, 8), done(2, 0)}, first = done(7, 8), second = done(9, 0);
	char *dir;
	struct mktrace *m = traced_begin(&dir, 2);
	struct matched r;

	start(m, 0, 10, "MPI_Iallreduce", 1);
	start(m, 0, 20, "MPI_Ibarrier", 2);
	mktrace_call(m, 0, (struct mkspan){100, 400}, "MPI_Waitall", NULL, 2, both);
	start(m, 1, 150, "MPI_Iallreduce", 7);
	start(m, 1, 300, "MPI_Ibarrier", 9);
	mktrace_call(m, 1, (struct mkspan){310, 390}, "MPI_Wait", NULL, 1, &second);
	mktrace_call(m, 1, (struct mkspan){391, 395}, "MPI_Wait", NULL, 1, &first);
	enter(m, 0, 500, "MPI_Barrier", (struct mkop){.peer = -1});
	enter(m, 1, 500, "MPI_Barrier", (struct mkop){.peer = -1});
	r = match(m, dir);
	CU_ASSERT_EQUAL_FATAL(r.c.n, 3);
	CU_ASSERT_EQUAL(r.c.c[0].is_nonblocking, 0);
	CU_ASSERT_EQUAL(r.c.n_starts, 4);
	CU_ASSERT_STRING_EQUAL(r.t.regions[r.c.c[1].region].name, "MPI_Iallreduce");
	CU_ASSERT_EQUAL(r.c.c[1].is_nonblocking, 1);
	CU_ASSERT_EQUAL(r.c.c[1].members, 2);
	CU_ASSERT_EQUAL(r.c.c[1].sent, 8);
	CU_ASSERT_EQUAL(r.c.c[1].first_enter_ns, 0); /* time starts with the first event */
	CU_ASSERT_EQUAL(r.c.c[1].last_enter_ns, 140);
	CU_ASSERT_EQUAL(r.c.c[1].last_rank, 1);
	CU_ASSERT_EQUAL(r.c.c[1].seen_ns, 400 - 150);
	CU_ASSERT_EQUAL(r.c.c[2].last_enter_ns, 290);
	CU_ASSERT_EQUAL(r.c.c[2].seen_ns, 400 - 300);
	for (uint32_t i = 0; i < r.c.n_starts; i++) {
		const struct collective_start *x = &r.c.starts[i];

		CU_ASSERT_EQUAL(call_collective(&r.t.calls[x->done]), TRACE_NONE);
		/* the MPI_Waitall is the all-reduce's */
		CU_ASSERT_EQUAL(x->is_first, x->collective == 1 || r.t.calls[x->done].rank == 1);
	}
	release(&r);
}

/*
 * A killed rank had waited for its second only. It is not the others' first; and of which
 * communicator its first was is not known, so that whatever it started later counts nowhere.
 */
static void test_nonblocking_before_a_kill(void)
{
	struct mkop both[] = {done(1, 0), done(2, 0)}, second = done(9, 0);
	char *dir;
	struct mktrace *m = traced_begin(&dir, 2);
	struct matched r;

	start(m, 0, 10, "MPI_Ibarrier", 1);
	start(m, 0, 20, "MPI_Ibarrier", 2);
	mktrace_call(m, 0, (struct mkspan){30, 400}, "MPI_Waitall", NULL, 2, both);
	start(m, 1, 150, "MPI_Ibarrier", 7);
	start(m, 1, 300, "MPI_Ibarrier", 9);
	mktrace_call(m, 1, (struct mkspan){310, 390}, "MPI_Wait", NULL, 1, &second);
	r = match(m, dir);
	CU_ASSERT_EQUAL_FATAL(r.c.n, 2);
	CU_ASSERT_EQUAL(r.c.c[0].members, 1);
	CU_ASSERT_EQUAL(r.c.c[1].members, 1);
	release(&r);
}

/* What a rank did not record nobody can count. */
static void test_nonblocking_not_across_pauses(void)
{
	struct mkop pause = {.kind = OP_PAUSE}, one = done(1, 8);
	char *dir;
	struct mktrace *m = traced_begin(&dir, 2);
	struct matched r;

	for (uint32_t rank = 0; rank < 2; rank++) {
		start(m, rank, 10, "MPI_Iallreduce", 1);
		mktrace_call(m, rank, (struct mkspan){20, 30}, "MPI_Wait", NULL, 1, &one);
	}
	mktrace_call(m, 1, (struct mkspan){40, 50}, "MPI_Pcontrol", NULL, 1, &pause);
	r = match(m, dir);
	CU_ASSERT_EQUAL(r.c.n, 0);
	release(&r);
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_nonblocking_by_their_starts),
		SUITE_CASE(test_nonblocking_before_a_kill),
		SUITE_CASE(test_nonblocking_not_across_pauses),
		CU_TEST_INFO_NULL,
	};

	return suite_run("nonblocking", cases);
}
