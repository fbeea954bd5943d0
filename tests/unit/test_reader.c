/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/traced.h"

#include <string.h>
#include <time.h>

static const char *name_of(const struct trace *t, uint32_t call)
{
	return t->regions[t->calls[call].region].name;
}

static void test_reader_calls_and_records(void)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 2);
	struct mkop send = {.kind = OP_SEND, .peer = 1, .tag = 7, .bytes = 300};
	struct mkop irecv = {.kind = OP_IRECV, .request = 9};
	struct mkop done = {.kind = OP_IRECV_DONE, .peer = 0, .tag = 7, .bytes = 300, .request = 9};
	struct trace t;

	mktrace_call(m, 1, (struct mkspan){1000, 1010}, "MPI_Irecv", "/b:-+0x2", 1, &irecv);
	mktrace_call(m, 0, (struct mkspan){1020, 1040}, "MPI_Send", "/a:-+0x1", 1, &send);
	mktrace_call(m, 1, (struct mkspan){1015, 1060}, "MPI_Wait", "/b:-+0x2", 1, &done);
	t = traced_read(m, dir);
	CU_ASSERT_EQUAL(t.n_ranks, 2);
	CU_ASSERT_EQUAL(t.events, 9);
	CU_ASSERT_EQUAL(t.wall_ns, 60);
	CU_ASSERT_EQUAL_FATAL(t.n_calls, 3);
	CU_ASSERT_EQUAL(t.ranks[0].begin_ns, 20);
	CU_ASSERT_EQUAL(t.ranks[0].end_ns, 40);
	CU_ASSERT_EQUAL(t.ranks[1].first_call, 1);
	CU_ASSERT_EQUAL(t.ranks[1].calls, 2);
	CU_ASSERT_EQUAL(t.calls[0].enter_ns, 20);
	CU_ASSERT_EQUAL(t.calls[0].leave_ns, 40);
	CU_ASSERT_EQUAL(trace_call_kind(&t, 0), REGION_SEND);
	CU_ASSERT_EQUAL(trace_call_kind(&t, 2), REGION_WAIT);
	CU_ASSERT_EQUAL(t.n_sites, 2);
	CU_ASSERT_STRING_EQUAL(t.sites[t.calls[0].site].path, "/a:-+0x1");
	CU_ASSERT_EQUAL(t.calls[1].site, t.calls[2].site);
	CU_ASSERT_EQUAL(t.records, 3);
	CU_ASSERT_EQUAL(t.n_ops, 0); /* those of messages are joined */
	CU_ASSERT_EQUAL_FATAL(t.ends.n_sends, 1);
	CU_ASSERT_EQUAL(t.ends.sends[0].bytes, 300);
	CU_ASSERT_EQUAL(t.ends.sends[0].tag, 7);
	CU_ASSERT_EQUAL(t.ends.sends[0].call, 0);
	CU_ASSERT_EQUAL_FATAL(t.ends.n_recvs, 1);
	CU_ASSERT_EQUAL(t.ends.of[1].send, 1);
	CU_ASSERT_EQUAL(t.ends.of[1].recv, 0);
	CU_ASSERT_EQUAL(t.ends.recvs[0].call, 1);
	CU_ASSERT_EQUAL(t.ends.recvs[0].done, 2);
	CU_ASSERT_EQUAL(t.ends.recvs[0].src, 0);
	CU_ASSERT_EQUAL(t.ranks[1].requests, 1);
	trace_release(&t);
}

/* Of a rank's polls those after the last one that completed something have all failed. */
static void test_reader_notes_the_last_completion(void)
{
	static const enum op_kind completed[] = {OP_ISEND_DONE, OP_IRECV_DONE, OP_NBC_DONE,
						 OP_CANCELLED, OP_MATCHED};
	struct mkop failed = {.kind = OP_TEST_FAILED, .request = 8};
	struct trace t;
	size_t i;

	for (i = 0; i < sizeof(completed) / sizeof(completed[0]); i++) {
		char *dir;
		struct mktrace *m = traced_begin(&dir, 2);
		struct mkop done = {.kind = completed[i], .peer = 0, .tag = 7, .request = 9};

		mktrace_call(m, 0, (struct mkspan){1000, 1010}, "MPI_Test", NULL, 1, &failed);
		mktrace_call(m, 1, (struct mkspan){1000, 1010}, "MPI_Test", NULL, 1, &failed);
		mktrace_call(m, 1, (struct mkspan){1020, 1030}, "MPI_Test", NULL, 1, &done);
		mktrace_call(m, 1, (struct mkspan){1040, 1050}, "MPI_Test", NULL, 1, &failed);
		t = traced_read(m, dir);
		CU_ASSERT_EQUAL(t.ranks[0].completed, 0);
		CU_ASSERT_EQUAL(t.ranks[1].first_call, 1);
		CU_ASSERT_EQUAL(t.ranks[1].completed, 2);
		trace_release(&t);
	}
}

/* Recording polls takes no time of the program's own between them. */
static void test_reader_adds_what_recording_polls_takes(void)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 2);
	struct trace t;

	mktrace_cost(m, 0, (struct rank_cost){.call_ns = 60, .poll_ns = 40});
	for (uint32_t r = 0; r < 2; r++) {
		mktrace_enter_flood(m, r, 1000, "MPI_Test",
				    (struct flood){.polls = 100, .inside_ns = 2000});
		mktrace_leave(m, r, 9000, "MPI_Test");
	}
	t = traced_read(m, dir);
	CU_ASSERT_EQUAL_FATAL(t.n_floods, 2);
	CU_ASSERT_EQUAL(t.floods[0].inside_ns, 2000 + 100 * 40);
	CU_ASSERT_EQUAL(t.floods[1].inside_ns, 2000);
	trace_release(&t);
}

static void test_reader_sparse_ids(void)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 3);
	uint32_t odd = mktrace_comm(m, "pair", 2, (uint32_t[]){2, 1});
	struct mkop send = {.kind = OP_SEND, .comm = odd, .peer = 1, .tag = 1, .bytes = 8};
	struct trace t;

	mktrace_sparse(m, 1610612733, 1000);
	mktrace_call(m, 2, (struct mkspan){5, 6}, "MPI_Ssend", NULL, 1, &send);
	t = traced_read(m, dir);
	CU_ASSERT_EQUAL_FATAL(t.n_calls, 1);
	CU_ASSERT_STRING_EQUAL(name_of(&t, 0), "MPI_Ssend");
	CU_ASSERT_EQUAL(t.calls[0].site, TRACE_NONE);
	CU_ASSERT_EQUAL_FATAL(t.ends.n_sends, 1);
	CU_ASSERT_EQUAL(t.ends.sends[0].dst, 1);
	CU_ASSERT_STRING_EQUAL(t.comms[t.ends.sends[0].comm].name, "pair");
	trace_release(&t);
}

static void test_reader_keeps_outermost_calls(void)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 1);
	struct mkop coll = {.kind = OP_COLL, .peer = -1, .bytes = 8, .bytes_in = 9};
	struct trace t;

	mktrace_enter(m, 0, 0, "main", NULL);
	mktrace_enter(m, 0, 10, "MPI_Comm_dup", "/x:-+0x1");
	mktrace_enter(m, 0, 20, "MPI_Allreduce", "/y:-+0x1");
	mktrace_op(m, 0, 25, &coll);
	mktrace_leave(m, 0, 30, "MPI_Allreduce");
	mktrace_leave(m, 0, 40, "MPI_Comm_dup");
	mktrace_leave(m, 0, 45, "MPI_Barrier"); /* was never entered */
	mktrace_enter(m, 0, 50, "MPI_Barrier", NULL);
	mktrace_enter(m, 0, 55, "callback", NULL); /* never left: closed with what is around it */
	mktrace_leave(m, 0, 60, "MPI_Barrier");
	mktrace_enter(m, 0, 70, "MPI_Recv", NULL); /* never left: killed in it */
	mktrace_leave(m, 0, 90, "other");
	t = traced_read(m, dir);
	CU_ASSERT_EQUAL_FATAL(t.n_calls, 3);
	CU_ASSERT_STRING_EQUAL(name_of(&t, 0), "MPI_Comm_dup");
	CU_ASSERT_EQUAL(t.calls[0].leave_ns, 40);
	CU_ASSERT_STRING_EQUAL(t.sites[t.calls[0].site].path, "/x:-+0x1");
	CU_ASSERT_EQUAL(t.calls[1].leave_ns, 60);
	CU_ASSERT_EQUAL(t.calls[2].enter_ns, 70);
	CU_ASSERT_EQUAL(t.calls[2].leave_ns, 90);
	CU_ASSERT_EQUAL(t.ops[0].call, 0);
	CU_ASSERT_EQUAL(t.ops[0].peer, -1);
	CU_ASSERT_EQUAL(t.ops[0].bytes_in, 9);
	trace_release(&t);
}

static void test_reader_merges_threads(void)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 2);
	uint64_t second = SCHEMA_LOCATION(1, 1);
	struct mkop send = {.kind = OP_SEND, .peer = 0, .tag = 1, .bytes = 1};
	struct trace t;
	uint32_t i;

	mktrace_call(m, 0, (struct mkspan){0, 1}, "MPI_Barrier", NULL, 0, NULL);
	for (i = 0; i < 10; i++) {
		send.tag = (int32_t)i;
		mktrace_call(m, i % 2 ? second : 1, (struct mkspan){10 * i + 5, 10 * i + 12},
			     "MPI_Send", NULL, 1, &send);
	}
	t = traced_read(m, dir);
	CU_ASSERT_EQUAL(t.n_ranks, 2);
	CU_ASSERT_EQUAL_FATAL(t.ranks[1].calls, 10);
	for (i = 0; i < 10; i++) {
		CU_ASSERT_EQUAL(t.calls[1 + i].enter_ns, 10 * i + 5);
		CU_ASSERT_EQUAL(t.calls[1 + i].thread, i % 2);
		/* records: in order of time, each with its own call */
		CU_ASSERT_EQUAL(t.ends.sends[i].tag, (int)i);
		CU_ASSERT_EQUAL(t.ends.sends[i].call, 1 + i);
	}
	CU_ASSERT_EQUAL(t.ranks[1].end_ns, 102);
	trace_release(&t);
}

static void test_reader_applies_clock_offsets(void)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 2);
	struct trace t;

	mktrace_clock_offset(m, 1, 0, 1000);
	mktrace_clock_offset(m, 1, 10000, 2000);
	mktrace_call(m, 0, (struct mkspan){0, 10}, "MPI_Barrier", NULL, 0, NULL);
	mktrace_call(m, 1, (struct mkspan){0, 5000}, "MPI_Barrier", NULL, 0, NULL);
	mktrace_call(m, 1, (struct mkspan){9000, 10000}, "MPI_Barrier", NULL, 0, NULL);
	t = traced_read(m, dir);
	CU_ASSERT_EQUAL(t.calls[0].enter_ns, 0);
	CU_ASSERT_EQUAL(t.calls[1].enter_ns, 1000);
	CU_ASSERT_EQUAL(t.calls[1].leave_ns, 6500);
	CU_ASSERT_EQUAL(t.calls[2].leave_ns, 12000);
	trace_release(&t);
}

static void test_reader_nodes_and_clocks(void)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 5);
	struct trace t;

	mktrace_host(m, 0, "alpha", "boot-1");
	mktrace_host(m, 1, "beta", "boot-1"); /* two hosts on one machine */
	mktrace_host(m, 2, "gamma", "boot-2");
	mktrace_host(m, 3, "alpha", "boot-1");
	mktrace_host(m, 4, "delta", NULL);
	mktrace_call(m, 0, (struct mkspan){0, 10}, "MPI_Init", NULL, 0, NULL);
	t = traced_read(m, dir);
	CU_ASSERT_EQUAL(t.nodes, 4);
	CU_ASSERT_EQUAL(t.clocks, 3);
	CU_ASSERT_STRING_EQUAL(t.ranks[1].host, "beta");
	CU_ASSERT_EQUAL(t.ranks[0].node, t.ranks[3].node);
	CU_ASSERT_NOT_EQUAL(t.ranks[0].node, t.ranks[1].node);
	CU_ASSERT_EQUAL(t.ranks[0].clock, t.ranks[1].clock);
	CU_ASSERT_NOT_EQUAL(t.ranks[0].clock, t.ranks[2].clock);
	CU_ASSERT_NOT_EQUAL(t.ranks[4].clock, t.ranks[2].clock);
	CU_ASSERT_EQUAL(t.ranks[4].begin_ns, 0); /* without events */
	CU_ASSERT_EQUAL(t.ranks[4].end_ns, 0);
	trace_release(&t);
}

static void test_reader_self_is_one_per_rank(void)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 2);
	uint32_t self = mktrace_comm_self(m), r;
	struct mkop send = {.kind = OP_SEND, .comm = self, .peer = 0, .tag = 1, .bytes = 8};
	struct trace t;

	for (r = 0; r < 2; r++) {
		mktrace_call(m, r, (struct mkspan){r, 2 + r}, "MPI_Send", NULL, 1, &send);
		mktrace_call(m, r, (struct mkspan){4 + r, 6 + r}, "MPI_Send", NULL, 1, &send);
	}
	t = traced_read(m, dir);
	CU_ASSERT_EQUAL_FATAL(t.ends.n_sends, 4);
	CU_ASSERT_EQUAL(t.ends.sends[0].comm, t.ends.sends[1].comm);
	CU_ASSERT_NOT_EQUAL(t.ends.sends[0].comm, t.ends.sends[2].comm);
	CU_ASSERT_EQUAL(t.ends.sends[0].dst, 0);
	CU_ASSERT_EQUAL(t.ends.sends[2].dst, 1);
	trace_release(&t);
}

/* A pause that MPI_Init ends with is older than it; one that follows is not. */
static void test_reader_begins_with_a_pause(void)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 2);
	struct mkop pause = {.kind = OP_PAUSE};
	struct trace t;

	for (uint32_t i = 0; i < 2; i++) {
		mktrace_call(m, i, (struct mkspan){100 + i, 500}, "MPI_Init", NULL, 0, NULL);
		mktrace_op(m, i, 500 + i, &pause);
		mktrace_call(m, i, (struct mkspan){900, 1100}, "MPI_Finalize", NULL, 0, NULL);
	}
	t = traced_read(m, dir);
	CU_ASSERT_EQUAL(trace_paused_ns(&t, 0), 1000);
	CU_ASSERT_EQUAL(trace_paused_ns(&t, 1), 599);
	CU_ASSERT(trace_is_before_recording(&t, 0) && !trace_is_before_recording(&t, 1));
	CU_ASSERT(!trace_is_before_recording(&t, 2));
	trace_release(&t);
}

/* CPU time to read so many sends, each noted before its call, at times so far apart. */
static double s_to_read(uint32_t n, int64_t apart_ns)
{
	const struct mkop send = {.kind = OP_SEND, .peer = 1, .bytes = 8};
	char *dir;
	struct mktrace *m = traced_begin(&dir, 2);
	struct trace t;
	clock_t begun;

	mktrace_chunk(m, 1 << 22); /* behind the first one OTF2 looks for more at each equal time */
	for (int64_t ns = 0; n-- > 0; ns += apart_ns) {
		mktrace_op(m, 0, ns, &send);
		mktrace_call(m, 0, (struct mkspan){ns, ns}, "MPI_Send", NULL, 0, NULL);
	}
	begun = clock();
	t = traced_read(m, dir);
	CU_ASSERT_EQUAL(t.ends.n_sends, t.n_calls);
	trace_release(&t);
	return (double)(clock() - begun) / CLOCKS_PER_SEC;
}

/* Many calls may be at one time: of each only what is new is looked at. */
static void test_reader_takes_no_longer_by_a_coarse_clock(void)
{
	CU_ASSERT(s_to_read(60000, 0) < 5 * s_to_read(60000, 1000));
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_reader_calls_and_records),
	SUITE_CASE(test_reader_notes_the_last_completion),
	SUITE_CASE(test_reader_adds_what_recording_polls_takes),
	SUITE_CASE(test_reader_sparse_ids),
	SUITE_CASE(test_reader_keeps_outermost_calls),
	SUITE_CASE(test_reader_merges_threads),
	SUITE_CASE(test_reader_applies_clock_offsets),
	SUITE_CASE(test_reader_nodes_and_clocks),
	SUITE_CASE(test_reader_self_is_one_per_rank),
	SUITE_CASE(test_reader_begins_with_a_pause),
	SUITE_CASE(test_reader_takes_no_longer_by_a_coarse_clock),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("reader", tests);
}
