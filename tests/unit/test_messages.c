/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/messages.h"

#include "tests/fixtures/traced.h"
#include "tests/traces/mkrandom.h"

#include <stdlib.h>

struct matched {
	struct trace t;
	struct messages m;
};

static struct matched match(struct mktrace *m, char *dir)
{
	struct matched out = {.t = traced_read(m, dir)};

	CU_ASSERT_EQUAL_FATAL(messages_match(&out.t, &out.m, &err), 0);
	return out;
}

static void release(struct matched *r)
{
	messages_release(&r->m);
	trace_release(&r->t);
}

static int64_t entered(const struct matched *r, uint32_t call)
{
	return call == TRACE_NONE ? -1 : r->t.calls[call].enter_ns;
}

static void call1(struct mktrace *m, uint32_t rank, int64_t ns, const char *function,
		  struct mkop op)
{
	mktrace_call(m, rank, (struct mkspan){ns, ns + 5}, function, NULL, 1, &op);
}

static void test_messages_in_order_of_post_not_of_completion(void)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 2);
	struct matched r;
	int i;

	for (i = 0; i < 3; i++)
		call1(m, 0, 10 * i, "MPI_Send",
		      (struct mkop){.kind = OP_SEND, .peer = 1, .tag = 1, .bytes = 100U + i});
	for (i = 0; i < 3; i++)
		call1(m, 1, 10 * i, "MPI_Irecv",
		      (struct mkop){.kind = OP_IRECV, .request = 1U + i});
	for (i = 2; i >= 0; i--)
		call1(m, 1, 100 - 10 * i, "MPI_Wait",
		      (struct mkop){.kind = OP_IRECV_DONE, .peer = 0, .tag = 1, .request = 1U + i});
	r = match(m, dir);
	CU_ASSERT_EQUAL_FATAL(r.m.n, 3);
	CU_ASSERT_EQUAL(r.m.by_dst[1], 0);
	CU_ASSERT_EQUAL(r.m.by_dst[2], 3);
	for (i = 0; i < 3; i++) { /* sorted by completion: the last posted completed first */
		CU_ASSERT_EQUAL(r.m.m[i].bytes, 102U - i);
		CU_ASSERT_EQUAL(entered(&r, r.m.m[i].recv_call), 20 - 10 * i);
		CU_ASSERT_EQUAL(entered(&r, r.m.m[i].recv_done), 80 + 10 * i);
		CU_ASSERT_EQUAL(entered(&r, r.m.m[i].send_call), 20 - 10 * i);
		CU_ASSERT_EQUAL(r.m.m[i].send_done, r.m.m[i].send_call);
	}
	release(&r);
}

static void test_messages_wildcard_takes_its_post_position(void)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 2);
	struct matched r;

	call1(m, 0, 0, "MPI_Send", (struct mkop){.kind = OP_SEND, .peer = 1, .tag = 4, .bytes = 1});
	call1(m, 0, 10, "MPI_Send",
	      (struct mkop){.kind = OP_SEND, .peer = 1, .tag = 4, .bytes = 2});
	/* the wildcard is posted first and completes last: it has the first message */
	call1(m, 1, 0, "MPI_Irecv", (struct mkop){.kind = OP_IRECV, .request = 1});
	call1(m, 1, 20, "MPI_Recv", (struct mkop){.kind = OP_RECV, .peer = 0, .tag = 4});
	call1(m, 1, 30, "MPI_Wait",
	      (struct mkop){.kind = OP_IRECV_DONE, .peer = 0, .tag = 4, .request = 1});
	r = match(m, dir);
	CU_ASSERT_EQUAL_FATAL(r.m.n, 2);
	CU_ASSERT_EQUAL(r.m.m[0].bytes, 2);
	CU_ASSERT_EQUAL(entered(&r, r.m.m[0].recv_call), 20);
	CU_ASSERT_EQUAL(r.m.m[1].bytes, 1);
	CU_ASSERT_EQUAL(entered(&r, r.m.m[1].recv_call), 0);
	release(&r);
}

static void test_messages_sendrecv_holds_both(void)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 2);
	struct matched r;
	uint32_t rank;

	for (rank = 0; rank < 2; rank++)
		mktrace_call(
			m, rank, (struct mkspan){rank, 50 + rank}, "MPI_Sendrecv", NULL, 2,
			(struct mkop[]){{.kind = OP_SEND,
					 .peer = 1 - (int32_t)rank,
					 .tag = 1,
					 .bytes = rank},
					{.kind = OP_RECV, .peer = 1 - (int32_t)rank, .tag = 1}});
	r = match(m, dir);
	CU_ASSERT_EQUAL_FATAL(r.m.n, 2);
	CU_ASSERT_EQUAL(r.m.m[0].src, 1);
	CU_ASSERT_EQUAL(r.m.m[0].dst, 0);
	CU_ASSERT_EQUAL(r.m.m[0].bytes, 1);
	CU_ASSERT_EQUAL(entered(&r, r.m.m[0].send_call), 1);
	CU_ASSERT_EQUAL(entered(&r, r.m.m[0].recv_done), 0);
	CU_ASSERT_EQUAL(r.m.unmatched_sends, 0);
	release(&r);
}

static void test_messages_keep_communicators_apart(void)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 3);
	uint32_t other = mktrace_comm(m, "other", 3, (uint32_t[]){2, 1, 0});
	struct matched r;

	call1(m, 0, 0, "MPI_Send", (struct mkop){.kind = OP_SEND, .peer = 1, .tag = 1, .bytes = 1});
	call1(m, 0, 10, "MPI_Send",
	      (struct mkop){.kind = OP_SEND, .comm = other, .peer = 1, .tag = 1, .bytes = 2});
	call1(m, 1, 0, "MPI_Recv",
	      (struct mkop){.kind = OP_RECV, .comm = other, .peer = 2, .tag = 1});
	call1(m, 1, 10, "MPI_Recv", (struct mkop){.kind = OP_RECV, .peer = 0, .tag = 1});
	r = match(m, dir);
	CU_ASSERT_EQUAL_FATAL(r.m.n, 2);
	CU_ASSERT_EQUAL(r.m.m[0].bytes, 2);
	CU_ASSERT_EQUAL(r.m.m[1].bytes, 1);
	release(&r);
}

static void test_messages_cancelled_and_failing_tests(void)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 2);
	struct matched r;

	call1(m, 1, 0, "MPI_Irecv", (struct mkop){.kind = OP_IRECV, .request = 1});
	call1(m, 1, 10, "MPI_Irecv", (struct mkop){.kind = OP_IRECV, .request = 2});
	call1(m, 1, 20, "MPI_Wait", (struct mkop){.kind = OP_CANCELLED, .request = 1});
	call1(m, 1, 30, "MPI_Test", (struct mkop){.kind = OP_TEST_FAILED, .request = 2});
	call1(m, 1, 40, "MPI_Test", (struct mkop){.kind = OP_TEST_FAILED, .request = 2});
	call1(m, 0, 0, "MPI_Isend",
	      (struct mkop){.kind = OP_ISEND, .peer = 1, .tag = 1, .bytes = 1, .request = 1});
	call1(m, 0, 10, "MPI_Isend",
	      (struct mkop){.kind = OP_ISEND, .peer = 1, .tag = 1, .bytes = 2, .request = 2});
	call1(m, 0, 20, "MPI_Wait", (struct mkop){.kind = OP_CANCELLED, .request = 1});
	call1(m, 1, 50, "MPI_Wait",
	      (struct mkop){.kind = OP_IRECV_DONE, .peer = 0, .tag = 1, .request = 2});
	r = match(m, dir);
	CU_ASSERT_EQUAL_FATAL(r.m.n, 1);
	CU_ASSERT_EQUAL(r.m.m[0].bytes, 2);
	CU_ASSERT_EQUAL(r.m.m[0].not_here_ns, 40);
	CU_ASSERT_EQUAL(r.m.m[0].send_done, TRACE_NONE);
	CU_ASSERT_EQUAL(r.m.cancelled, 2);
	CU_ASSERT_EQUAL(r.m.unmatched_sends + r.m.unmatched_recvs, 0);
	release(&r);
}

static void test_messages_of_threads_are_ambiguous(void)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 2);
	uint64_t second = SCHEMA_LOCATION(1, 1);
	struct mkop post = {.kind = OP_IRECV, .request = 5};
	struct mkop done = {.kind = OP_IRECV_DONE, .peer = 0, .tag = 1, .request = 5};
	struct mkop recv = {.kind = OP_RECV, .peer = 0, .tag = 1};
	struct matched r;

	call1(m, 0, 0, "MPI_Send", (struct mkop){.kind = OP_SEND, .peer = 1, .tag = 1, .bytes = 1});
	call1(m, 0, 10, "MPI_Send",
	      (struct mkop){.kind = OP_SEND, .peer = 1, .tag = 1, .bytes = 2});
	call1(m, 0, 20, "MPI_Send",
	      (struct mkop){.kind = OP_SEND, .peer = 1, .tag = 2, .bytes = 3});
	/* posted by the second thread, completed by the first */
	mktrace_call(m, second, (struct mkspan){5, 6}, "MPI_Irecv", NULL, 1, &post);
	mktrace_call(m, second, (struct mkspan){20, 26}, "MPI_Recv", NULL, 1, &recv);
	mktrace_call(m, 1, (struct mkspan){30, 31}, "MPI_Wait", NULL, 1, &done);
	recv.tag = 2;
	mktrace_call(m, 1, (struct mkspan){40, 41}, "MPI_Recv", NULL, 1, &recv);
	r = match(m, dir);
	CU_ASSERT_EQUAL_FATAL(r.m.n, 3);
	CU_ASSERT_EQUAL(r.m.m[0].bytes, 2);
	CU_ASSERT_EQUAL(r.m.m[1].bytes, 1);
	CU_ASSERT_EQUAL(entered(&r, r.m.m[1].recv_call), 5);
	CU_ASSERT_EQUAL(r.m.ambiguous, 2);
	release(&r);
}

static void test_messages_without_partner_are_counted(void)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 2);
	struct matched r;

	call1(m, 0, 0, "MPI_Send", (struct mkop){.kind = OP_SEND, .peer = 1, .tag = 1});
	call1(m, 0, 10, "MPI_Send", (struct mkop){.kind = OP_SEND, .peer = 77, .tag = 1});
	call1(m, 0, 20, "MPI_Send", (struct mkop){.kind = OP_SEND, .comm = 9, .peer = 0, .tag = 1});
	call1(m, 1, 0, "MPI_Recv", (struct mkop){.kind = OP_RECV, .peer = 0, .tag = 2});
	call1(m, 1, 10, "MPI_Irecv", (struct mkop){.kind = OP_IRECV, .request = 3});
	call1(m, 1, 20, "MPI_Wait",
	      (struct mkop){.kind = OP_IRECV_DONE, .peer = 5, .tag = 2, .request = 8});
	/* MPI_PROC_NULL is nobody's partner */
	call1(m, 1, 30, "MPI_Send", (struct mkop){.kind = OP_SEND, .peer = -1, .tag = 1});
	call1(m, 1, 40, "MPI_Recv", (struct mkop){.kind = OP_RECV, .peer = -1, .tag = 1});
	call1(m, 1, 50, "MPI_Irecv", (struct mkop){.kind = OP_IRECV, .request = 9});
	call1(m, 1, 60, "MPI_Wait", (struct mkop){.kind = OP_IRECV_DONE, .peer = -1, .request = 9});
	r = match(m, dir);
	CU_ASSERT_EQUAL(r.m.n, 0);
	CU_ASSERT_EQUAL(r.m.unmatched_sends, 3);
	CU_ASSERT_EQUAL(r.m.unmatched_recvs, 3);
	release(&r);
}

/*
 * A send and a receive that do not find each other leave no hole before the next rank's messages.
 */
static void test_messages_without_partner_leave_no_hole(void)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 3);
	struct matched r;

	for (uint32_t dst = 0; dst < 2; dst++) {
		call1(m, 2, 40 * dst, "MPI_Send",
		      (struct mkop){.kind = OP_SEND, .peer = (int32_t)dst, .tag = 1});
		call1(m, 2, 40 * dst + 20, "MPI_Send",
		      (struct mkop){.kind = OP_SEND, .peer = (int32_t)dst, .tag = 3, .bytes = dst});
		call1(m, dst, 0, "MPI_Recv", (struct mkop){.kind = OP_RECV, .peer = 2, .tag = 2});
		call1(m, dst, 100, "MPI_Recv",
		      (struct mkop){.kind = OP_RECV, .peer = 2, .tag = 3, .bytes = dst});
	}
	r = match(m, dir);
	CU_ASSERT_EQUAL_FATAL(r.m.n, 2);
	CU_ASSERT_EQUAL(r.m.unmatched_sends, 2);
	CU_ASSERT_EQUAL(r.m.unmatched_recvs, 2);
	for (uint32_t dst = 0; dst < 2; dst++) {
		CU_ASSERT_EQUAL(r.m.by_dst[dst], dst);
		CU_ASSERT_EQUAL(r.m.m[dst].dst, dst);
		CU_ASSERT_EQUAL(r.m.m[dst].tag, 3);
		CU_ASSERT_EQUAL(r.m.m[dst].bytes, dst);
	}
	CU_ASSERT_EQUAL(r.m.by_dst[3], 2);
	release(&r);
}

static void check_message(const struct matched *r, const struct message *got,
			  const struct mktruth *truth)
{
	CU_ASSERT_EQUAL(got->src, truth->src);
	CU_ASSERT_EQUAL(got->dst, truth->dst);
	CU_ASSERT_EQUAL(got->tag, truth->tag);
	CU_ASSERT_EQUAL(entered(r, got->send_call), truth->sent_ns);
	CU_ASSERT_EQUAL(entered(r, got->send_done), truth->send_done_ns);
	CU_ASSERT_EQUAL(entered(r, got->recv_call), truth->posted_ns);
	CU_ASSERT_EQUAL(entered(r, got->recv_done), truth->recv_done_ns);
	CU_ASSERT_EQUAL(got->not_here_ns, truth->not_here_ns);
}

static void check_random(const struct mkrandom *what)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, what->ranks);
	struct mkexpected expected;
	struct matched r;
	uint32_t i, dst;

	mkrandom_write(m, what, &expected);
	r = match(m, dir);
	CU_ASSERT_EQUAL(r.m.n, expected.matched);
	CU_ASSERT_EQUAL(r.m.unmatched_sends, expected.n - expected.matched);
	CU_ASSERT_EQUAL(r.m.unmatched_recvs, expected.open_recvs);
	CU_ASSERT_EQUAL(r.m.cancelled, expected.cancelled);
	CU_ASSERT_EQUAL(r.m.by_dst[what->ranks], r.m.n);
	for (i = 0; i < r.m.n; i++)
		check_message(&r, &r.m.m[i], &expected.messages[r.m.m[i].bytes - 1]);
	for (dst = 0; dst < what->ranks; dst++) {
		for (i = r.m.by_dst[dst]; i < r.m.by_dst[dst + 1]; i++) {
			CU_ASSERT_EQUAL(r.m.m[i].dst, dst);
			CU_ASSERT(i == r.m.by_dst[dst] ||
				  r.t.calls[r.m.m[i - 1].recv_done].leave_ns <=
					  r.t.calls[r.m.m[i].recv_done].leave_ns);
		}
	}
	free(expected.messages);
	release(&r);
}

static void test_messages_of_random_programs(void)
{
	struct mkrandom what = {.steps = 400};

	for (what.seed = 1; what.seed <= 60; what.seed++) {
		what.ranks = 1 + what.seed % 7;
		what.reuse_requests = what.seed % 2;
		check_random(&what);
	}
}

/* The last failing test counts when it began, not when the flood did. */
static void test_messages_know_the_last_of_many_polls(void)
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, 2);
	struct mkop test = {.kind = OP_TEST_FAILED, .request = 1, .polls = 999};
	struct matched r;

	call1(m, 1, 0, "MPI_Irecv", (struct mkop){.kind = OP_IRECV, .request = 1});
	mktrace_enter_flood(m, 1, 100, "MPI_Iprobe",
			    (struct flood){.polls = 1998, .inside_ns = 600});
	mktrace_op(m, 1, 790, &test);
	mktrace_leave(m, 1, 800, "MPI_Iprobe");
	call1(m, 0, 10, "MPI_Send", (struct mkop){.kind = OP_SEND, .peer = 1, .tag = 1});
	call1(m, 1, 900, "MPI_Wait",
	      (struct mkop){.kind = OP_IRECV_DONE, .peer = 0, .tag = 1, .request = 1});
	r = match(m, dir);
	CU_ASSERT_EQUAL_FATAL(r.m.n, 1);
	CU_ASSERT_EQUAL(r.m.m[0].not_here_ns, 790);
	CU_ASSERT_EQUAL_FATAL(r.t.n_floods, 1);
	CU_ASSERT_EQUAL(r.t.floods[0].polls, 1998);
	CU_ASSERT_EQUAL(r.t.floods[0].inside_ns, 600);
	CU_ASSERT_PTR_EQUAL(trace_flood(&r.t, &r.t.calls[r.m.m[0].recv_call + 1]), r.t.floods);
	CU_ASSERT_PTR_NULL(trace_flood(&r.t, &r.t.calls[r.m.m[0].recv_call]));
	release(&r);
}

/*
 * Bytes 0 to 4: 0 is matched, 1 taken by a plain receive, 2 matched and never received, 3 and 4
 * matched and received, the later one first.
 */
static void test_messages_of_matched_probes(void)
{
	static const uint64_t order[] = {1, 4, 3, 0};
	struct mkop one = {.kind = OP_MATCHED, .peer = 0, .tag = 1};
	char *dir;
	struct mktrace *m = traced_begin(&dir, 2);
	struct matched r;
	int i;

	for (i = 0; i < 5; i++)
		call1(m, 0, 10 * i, "MPI_Send",
		      (struct mkop){.kind = OP_SEND, .peer = 1, .tag = 1, .bytes = (uint64_t)i});
	one.request = 70;
	call1(m, 1, 100, "MPI_Mprobe", one);
	call1(m, 1, 110, "MPI_Recv", (struct mkop){.kind = OP_RECV, .tag = 1, .bytes = 1});
	for (one.request = 72; one.request <= 74; one.request++)
		mktrace_op(m, 1, 120, &one);
	call1(m, 1, 130, "MPI_Imrecv", (struct mkop){.kind = OP_IRECV, .request = 74});
	call1(m, 1, 140, "MPI_Wait",
	      (struct mkop){.kind = OP_IRECV_DONE, .tag = 1, .request = 74, .bytes = 4});
	for (i = 0; i < 2; i++)
		call1(m, 1, 150 + 10 * i, "MPI_Mrecv",
		      (struct mkop){.kind = OP_RECV, .tag = 1, .request = i ? 70 : 73});
	r = match(m, dir);
	CU_ASSERT_EQUAL_FATAL(r.m.n, 4);
	for (i = 0; i < 4; i++)
		CU_ASSERT_EQUAL(r.m.m[i].bytes, order[i]);
	CU_ASSERT_EQUAL(entered(&r, r.m.m[1].recv_call), 130);
	CU_ASSERT_EQUAL(r.m.unmatched_sends, 1);
	CU_ASSERT_EQUAL(r.m.unmatched_recvs, 0);
	release(&r);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_messages_in_order_of_post_not_of_completion),
	SUITE_CASE(test_messages_wildcard_takes_its_post_position),
	SUITE_CASE(test_messages_sendrecv_holds_both),
	SUITE_CASE(test_messages_keep_communicators_apart),
	SUITE_CASE(test_messages_cancelled_and_failing_tests),
	SUITE_CASE(test_messages_know_the_last_of_many_polls),
	SUITE_CASE(test_messages_of_matched_probes),
	SUITE_CASE(test_messages_of_threads_are_ambiguous),
	SUITE_CASE(test_messages_without_partner_are_counted),
	SUITE_CASE(test_messages_without_partner_leave_no_hole),
	SUITE_CASE(test_messages_of_random_programs),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("messages", tests);
}
