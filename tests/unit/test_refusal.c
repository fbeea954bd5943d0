/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Archives that the reader cannot take, and what it says then. */
#include "analyze/reader/reader.h"

#include "tests/fixtures/scratch.h"
#include "tests/fixtures/suite.h"
#include "tests/traces/mktrace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct err err;

/* OTF2 3.0.2 loses what it had when it gives up on a damaged anchor file. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:otf2_archive_open\nleak:otf2_file_posix_open\n";
}

static void fails(const char *path, const char *words)
{
	struct trace t = {.wall_ns = 4711};

	CU_ASSERT_EQUAL(trace_read(path, &t, &err), -1);
	CU_ASSERT_EQUAL(t.wall_ns, 4711);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, words));
	if (!strstr(err.text, words))
		fprintf(stderr, "\"%s\" does not say \"%s\"\n", err.text, words);
}

static void small_archive(const char *dir)
{
	struct mktrace *m = mktrace_new(dir, 2, &err);
	struct mkop send = {.kind = OP_SEND, .peer = 1, .tag = 7, .bytes = 300};
	struct mkop recv = {.kind = OP_RECV, .peer = 0, .tag = 7, .bytes = 300};

	mktrace_call(m, 0, (struct mkspan){0, 10}, "MPI_Send", "/a:-+0x1", 1, &send);
	mktrace_call(m, 1, (struct mkspan){0, 10}, "MPI_Recv", "/a:-+0x1", 1, &recv);
	CU_ASSERT_EQUAL(mktrace_close(m, &err), 0);
}

static void test_refusal_says_what_is_wrong(void)
{
	char *dir = scratch_new();
	char *evt = strdup(scratch_path(dir, "traces/1.evt"));

	fails("/nowhere", "/nowhere: No such file");
	fails(dir, "no OTF2 archive");
	scratch_store(scratch_path(dir, "a.txt"), "x", 1);
	fails(scratch_path(dir, "a.txt"), "does not end in .otf2");
	scratch_store(scratch_path(dir, "a.otf2"), "", 0);
	fails(scratch_path(dir, "a.otf2"), "empty");
	scratch_store(scratch_path(dir, "a.otf2"), "hello, world\n", 13);
	fails(dir, "not an OTF2 archive");
	small_archive(dir);
	fails(dir, "2 OTF2 archives in it");
	unlink(scratch_path(dir, "a.otf2"));
	unlink(scratch_path(dir, "traces/0.evt")); /* no other rank is left */
	CU_ASSERT_EQUAL(mktrace_cut(evt, 0, &err), 0);
	fails(dir,
	      "0.evt: No such file or directory: the copy or the recording is not whole; copy or "
	      "record it again");
	unlink(evt);
	fails(dir, "2 of its 2 event files are missing (0.evt, 1.evt)");
	CU_ASSERT_EQUAL(mktrace_cut(scratch_path(dir, "traces.def"), 100, &err), 0);
	fails(dir, "traces.def: ends early");
	unlink(scratch_path(dir, "traces.def"));
	fails(dir, "traces.def: No such file or directory: the copy or the recording is not whole");
	free(evt);
	scratch_free(dir);
}

static void test_refusal_wants_mpi(void)
{
	char *dir = scratch_new();
	struct mktrace *m = mktrace_new(dir, 1, &err);
	struct trace t = {.wall_ns = 0};

	mktrace_enter(m, 0, 0, "main", NULL);
	mktrace_leave(m, 0, 10, "main");
	CU_ASSERT_EQUAL(mktrace_close(m, &err), 0);
	CU_ASSERT_EQUAL(trace_read(dir, &t, &err), 0); /* it can be described */
	CU_ASSERT_EQUAL(trace_is_of_calls(&t, &err), -1);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "no MPI call"));
	trace_release(&t);
	scratch_free(dir);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_refusal_says_what_is_wrong),
	SUITE_CASE(test_refusal_wants_mpi),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("refusal", tests);
}
