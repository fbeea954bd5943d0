/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What calls are called, and where they are, of our recorder and of others. */
#include "analyze/reader/regions.h"
#include "tests/fixtures/traced.h"

#include <stdlib.h>
#include <string.h>

static const char *path_of(const struct trace *t, uint32_t call)
{
	return t->calls[call].site == TRACE_NONE ? "" : t->sites[t->calls[call].site].path;
}

/* One call at a time with a site, or without. */
static void calls_at(struct mktrace *m, uint64_t location, const char *function, const char *site)
{
	int64_t at = (int64_t)mktrace_events(m);

	mktrace_call(m, location, (struct mkspan){at, at + 1}, function, site, 0, NULL);
}

static void test_reader_sites_hold_until_a_new_one(void)
{
	static const char *const want[] = {
		"", "/a:-+0x1", "/a:-+0x1", "/b:-+0x1", "/b:-+0x1", "/c:-+0x1", "", "", "/c:-+0x1",
	};
	char *dir;
	struct mktrace *m = traced_begin(&dir, 2);
	struct trace t;
	uint32_t i;

	mktrace_new_sites(m);
	calls_at(m, 0, "MPI_Barrier", NULL); /* not known before the first */
	calls_at(m, 0, "MPI_Barrier", "/a:-+0x1");
	calls_at(m, 0, "MPI_Barrier", NULL);
	calls_at(m, 0, "MPI_Test", "/b:-+0x1");
	mktrace_enter_flood(m, 0, 8, "MPI_Test", (struct flood){.polls = 5, .inside_ns = 1});
	mktrace_leave(m, 0, 9, "MPI_Test");
	mktrace_enter(m, 0, 10, "MPI_Comm_dup", "/c:-+0x1");
	mktrace_enter(m, 0, 11, "MPI_Barrier", ""); /* inside of a call, and no longer known */
	mktrace_leave(m, 0, 12, "MPI_Barrier");
	mktrace_leave(m, 0, 13, "MPI_Comm_dup");
	calls_at(m, 0, "MPI_Barrier", NULL);
	calls_at(m, 1, "MPI_Comm_dup", NULL); /* another location */
	calls_at(m, 1, "MPI_Comm_dup", "/c:-+0x1");
	t = traced_read(m, dir);
	CU_ASSERT_EQUAL_FATAL(t.n_calls, sizeof(want) / sizeof(want[0]));
	for (i = 0; i < t.n_calls; i++)
		CU_ASSERT_STRING_EQUAL(path_of(&t, i), want[i]);
	CU_ASSERT_EQUAL(t.n_sites, 3);
	trace_release(&t);
}

/* Without the rule that sites hold, a call without one is from nobody knows where. */
static void test_reader_sites_of_other_recorders(void)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 1);
	struct trace t;

	calls_at(m, 0, "MPI_Barrier", "/a:-+0x1");
	calls_at(m, 0, "MPI_Barrier", NULL);
	t = traced_read(m, dir);
	CU_ASSERT_EQUAL_FATAL(t.n_calls, 2);
	CU_ASSERT_STRING_EQUAL(path_of(&t, 0), "/a:-+0x1");
	CU_ASSERT_STRING_EQUAL(path_of(&t, 1), "");
	trace_release(&t);
}

static void test_reader_names_of_other_recorders(void)
{
	static const struct {
		const char *name, *canonical;
		enum region_kind kind;
	} rows[] = {
		{"MPI_Isend", "MPI_Isend", REGION_ISEND},
		{"mpi_isend_", "MPI_Isend", REGION_ISEND},
		{"mpi_isend__", "MPI_Isend", REGION_ISEND},
		{"MPI_ISEND", "MPI_Isend", REGION_ISEND},
		{"mpi_recv_f08ts_", "MPI_Recv", REGION_RECV},
		{"PMPI_Waitall", "MPI_Waitall", REGION_WAITALL},
		{"MPI_Send_c", "MPI_Send", REGION_SEND},
		{"MPI_Send()", "MPI_Send", REGION_SEND},
		{"MPIX_Comm_shrink", "MPI_Comm_shrink", REGION_COLLECTIVE},
		{"MPIX_Bcast_init", "MPIX_Bcast_init", REGION_MPI_LOCAL},
		{"MPI_Parrived", "MPI_Parrived", REGION_TEST},
		{"MPI_Session_init", "MPI_Session_init", REGION_INIT},
		{"mpi_session_finalize_", "MPI_Session_finalize", REGION_INIT},
		{"mpi_request_get_status_", "MPI_Request_get_status", REGION_TEST},
		{"MPI_Request_get_status_any", "MPI_Request_get_status_any", REGION_TEST},
		{"mpi_comm_join_", "MPI_Comm_join", REGION_COLLECTIVE},
		{"MPI_Comm_c", "MPI_Comm_c", REGION_MPI_LOCAL},
		{"MPI_Comm_rank", "MPI_Comm_rank", REGION_MPI_LOCAL},
		{"MPI_Iallreduce", "MPI_Iallreduce", REGION_MPI_LOCAL},
		{"mpi_", "mpi_", REGION_OTHER},
		{"MPI", "MPI", REGION_OTHER},
		{"my_MPI_Send", "my_MPI_Send", REGION_OTHER},
		{"", "", REGION_OTHER},
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *canonical = region_canonical(rows[i].name);

		CU_ASSERT_STRING_EQUAL(canonical, rows[i].canonical);
		CU_ASSERT_EQUAL(region_classify(rows[i].name), rows[i].kind);
		free(canonical);
	}
}

/* Defined by every location anew, or by Fortran and C: one function. The program's own are not. */
static void test_reader_one_region_per_function(void)
{
	static const char *const names[] = {"MPI_Send", "mpi_send_", "MPI_Recv", "solve", "solve_"};
	char *dir = scratch_new();
	struct mktrace *m = mktrace_new(dir, 1, &err);
	struct trace t;
	unsigned sends = 0, solvers = 0;

	for (int i = 0; i < 5; i++) {
		mktrace_enter(m, 0, 10 * i, names[i], NULL);
		mktrace_leave(m, 0, 10 * i + 5, names[i]);
	}
	CU_ASSERT_EQUAL(mktrace_close(m, &err), 0);
	CU_ASSERT_EQUAL_FATAL(trace_read(dir, &t, &err), 0);
	for (uint32_t i = 0; i < t.n_regions; i++) {
		sends += !strcmp(t.regions[i].name, "MPI_Send");
		solvers += !strncmp(t.regions[i].name, "solve", 5);
	}
	CU_ASSERT_EQUAL(sends, 1);
	CU_ASSERT_EQUAL(solvers, 2);
	CU_ASSERT_EQUAL_FATAL(t.n_calls, 3);
	CU_ASSERT_EQUAL(t.calls[0].region, t.calls[1].region);
	CU_ASSERT_STRING_EQUAL(t.regions[t.calls[2].region].name, "MPI_Recv");
	trace_release(&t);
	scratch_free(dir);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_reader_one_region_per_function),
	SUITE_CASE(test_reader_sites_hold_until_a_new_one),
	SUITE_CASE(test_reader_sites_of_other_recorders),
	SUITE_CASE(test_reader_names_of_other_recorders),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("reader_names", tests);
}
