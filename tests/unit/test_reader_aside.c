/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which requests of windows and files stay open, and that of their records nothing else is kept. */
#include "analyze/reader/reader.h"
#include "tests/fixtures/scratch.h"
#include "tests/traces/mktrace.h"

#include "tests/fixtures/suite.h"

#include <stdlib.h>

static struct err err;

/*
 * One call of rank 0 with one record, k ms after the begin; of rank 0's second thread with thread.
 */
static void add(struct mktrace *m, int k, uint32_t thread, const char *function, struct mkop op)
{
	uint64_t location = SCHEMA_LOCATION(0, thread);

	mktrace_enter(m, location, k * 1000000, function, NULL);
	mktrace_op(m, location, k * 1000000 + 10, &op);
	mktrace_leave(m, location, k * 1000000 + 20, function);
}

static struct trace read_again(struct mktrace *m, char *dir)
{
	struct trace t = {0};

	CU_ASSERT_EQUAL_FATAL(mktrace_close(m, &err), 0);
	CU_ASSERT_EQUAL_FATAL(trace_read(dir, &t, &err), 0);
	scratch_free(dir);
	return t;
}

/* Only MPI_Rput and the like have requests: a window's other operations may well stay open. */
static void test_reader_aside_of_windows(void)
{
	char *dir = scratch_new();
	struct mktrace *m = mktrace_new(dir, 2, &err);
	uint32_t window = mktrace_window(m, MKTRACE_WORLD);
	struct mkop done = {.kind = OP_ASIDE_DONE, .comm = window, .request = 2, .of_window = 1};
	struct trace t;

	add(m, 1, 0, "MPI_Put", (struct mkop){.kind = OP_PUT, .comm = window, .request = 1});
	add(m, 2, 0, "MPI_Rput", (struct mkop){.kind = OP_PUT, .comm = window, .request = 2});
	add(m, 3, 0, "MPI_Rget_c", (struct mkop){.kind = OP_GET, .comm = window, .request = 3});
	add(m, 4, 0, "MPI_Raccumulate",
	    (struct mkop){.kind = OP_ATOMIC, .comm = window, .request = 4});
	add(m, 5, 0, "MPI_Wait", done);
	t = read_again(m, dir);
	CU_ASSERT_EQUAL(t.ranks[0].aside, 2);
	CU_ASSERT_EQUAL(t.ranks[1].aside, 0);
	CU_ASSERT_EQUAL(t.ranks[0].completed, 5);
	CU_ASSERT_FALSE(t.calls[4].is_of_files);
	CU_ASSERT_EQUAL(t.n_ops, 4);
	CU_ASSERT_EQUAL(t.records, 4);
	trace_release(&t);
}

/* One that another thread completes, one that fails, one that stays, and one that blocked. */
static void test_reader_aside_of_files(void)
{
	char *dir = scratch_new();
	struct mktrace *m = mktrace_new(dir, 1, &err);
	struct mkop begin = {.kind = OP_ASIDE, .tag = 1}, done = {.kind = OP_ASIDE_DONE};
	struct trace t;
	int k;

	for (k = 1; k <= 3; k++) {
		begin.request = (uint64_t)k;
		add(m, k, 1, "MPI_File_iread", begin);
	}
	done.request = 2;
	add(m, 5, 0, "MPI_Wait", done);
	done.request = 3;
	done.tag = -1;
	add(m, 6, 0, "MPI_Wait", done);
	begin.tag = 0;
	begin.request = 4;
	add(m, 7, 0, "MPI_File_read", begin);
	t = read_again(m, dir);
	CU_ASSERT_EQUAL(t.ranks[0].aside, 1);
	for (uint32_t c = 0; c < t.n_calls; c++)
		CU_ASSERT_TRUE(t.calls[c].is_of_files);
	CU_ASSERT_EQUAL(t.n_ops, 0);
	CU_ASSERT_EQUAL(t.records, 0);
	trace_release(&t);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_reader_aside_of_windows),
	SUITE_CASE(test_reader_aside_of_files),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("reader_aside", tests);
}
