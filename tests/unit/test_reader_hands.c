/* SPDX-License-Identifier: GPL-3.0-or-later */
/* However many hands read an archive: one trace, its things numbered by the ranks' order. */
#include "analyze/reader/reader.h"
#include "tests/fixtures/scratch.h"
#include "tests/traces/mktrace.h"

#include "tests/fixtures/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS 9
#define MANY  3000 /* calls of the first rank: the others are done before it and have to wait */

static struct err err;

static const char *const hands[] = {"1", "2", "3", "7", "16"};
#define HANDS (sizeof(hands) / sizeof(*hands))

/*
 * Each rank has a site of its own, after one that it shares with its neighbour, sends to itself,
 * exposes a window, which every second rank has, to a group, and polls.
 */
static void write_rank(struct mktrace *m, uint32_t r, uint32_t self, const uint32_t *things)
{
	const struct mkop send = {.kind = OP_SEND, .comm = self, .peer = 0, .tag = (int32_t)r};
	const struct mkop recv = {.kind = OP_RECV, .comm = self, .peer = 0, .tag = (int32_t)r};
	const struct mkop post = {
		.kind = OP_EPOCH, .comm = things[r % 2], .request = things[2 + r % 3]};
	const char *const shared = r / 2 % 2 ? "site of 2, 3, 6 and 7" : "site of the others";
	char own[32];
	int64_t at = 1000 + r;

	snprintf(own, sizeof(own), "site of %u", r);
	for (int k = 0; k < (r == 0 ? MANY : 2); k++, at += 10) {
		mktrace_call(m, r, (struct mkspan){at, at + 2}, "MPI_Send", shared, 1, &send);
		mktrace_call(m, r, (struct mkspan){at + 3, at + 5}, "MPI_Recv", own, 1, &recv);
	}
	mktrace_call(m, r, (struct mkspan){at, at + 1}, "MPI_Win_post", NULL, 1, &post);
	mktrace_enter_flood(m, r, at + 2, "MPI_Test",
			    (struct flood){.polls = r + 1, .inside_ns = 1});
	mktrace_leave(m, r, at + 4, "MPI_Test");
}

static char *write_archive(void)
{
	char *dir = scratch_new();
	struct mktrace *m = mktrace_new(dir, RANKS, &err);
	const uint32_t members[] = {2, 0, 1};
	uint32_t self = mktrace_comm_self(m), things[5];

	for (uint32_t k = 0; k < 2; k++)
		things[k] = mktrace_window(m, MKTRACE_WORLD);
	for (uint32_t k = 0; k < 3; k++)
		things[2 + k] = mktrace_comm(m, "some", k + 1, members);
	for (uint32_t r = 0; r < RANKS; r++)
		write_rank(m, r, self, things);
	CU_ASSERT_EQUAL_FATAL(mktrace_close(m, &err), 0);
	return dir;
}

/* A rank's site, communicators and groups: numbers that are new go up by the ranks' order. */
static void check_rank(const struct trace *t, uint32_t r)
{
	const struct rank *rank = &t->ranks[r];
	const struct call *first = &t->calls[rank->first_call];
	const struct call *last = first + rank->calls - 1;
	const struct op *post = &t->ops[rank->first_op];
	const struct send *send = &t->ends.sends[t->ends.of[r].send];
	const struct recv *recv = &t->ends.recvs[t->ends.of[r].recv];
	/* self, then the window if it is the first of its kind, of each rank */
	uint32_t self = t->n_comms_defined + r + (r < 2 ? r : 2);
	char own[32];

	snprintf(own, sizeof(own), "site of %u", r);
	CU_ASSERT_EQUAL(rank->calls, r == 0 ? 2 * MANY + 2 : 6);
	CU_ASSERT_EQUAL(first->rank, r);
	CU_ASSERT_EQUAL(first->site, r / 2 % 2 ? 3 : 0);
	CU_ASSERT_STRING_EQUAL(t->sites[first[1].site].path, own);
	CU_ASSERT_EQUAL(first[1].site, r + 1 + (r > 1));
	CU_ASSERT(last->is_flood);
	CU_ASSERT_EQUAL(last->part, r);
	CU_ASSERT_EQUAL(t->floods[r].polls, r + 1);
	CU_ASSERT_EQUAL_FATAL(rank->ops, 1);
	CU_ASSERT_EQUAL(post->kind, OP_EPOCH);
	CU_ASSERT_EQUAL(post->call, rank->first_call + rank->calls - 2);
	CU_ASSERT_EQUAL(post->comm, t->n_comms_defined + 1 + (r % 2) * 2);
	CU_ASSERT_EQUAL(post->request, r % 3);
	CU_ASSERT_EQUAL(t->groups[post->request].size, r % 3 + 1);
	CU_ASSERT_EQUAL(send->comm, self);
	CU_ASSERT_EQUAL(recv->comm, self);
	CU_ASSERT_EQUAL_FATAL(t->comms[self].size, 1);
	CU_ASSERT_EQUAL(t->comms[self].members[0], r);
	CU_ASSERT_EQUAL(send->dst, r);
	CU_ASSERT_EQUAL(send->call, rank->first_call);
	CU_ASSERT_EQUAL(recv->done, rank->first_call + 1);
}

static void test_reader_hands_make_one_trace(void)
{
	char *dir = write_archive();

	for (size_t h = 0; h < HANDS; h++) {
		struct trace t = {0};

		setenv("OMPI_COMM_WORLD_LOCAL_SIZE", hands[h], 1);
		CU_ASSERT_EQUAL_FATAL(trace_read(dir, &t, &err), 0);
		CU_ASSERT_EQUAL(t.n_calls, 2 * MANY + 2 + 6 * (RANKS - 1));
		CU_ASSERT_EQUAL(t.n_sites, RANKS + 2);
		CU_ASSERT_EQUAL(t.n_comms, t.n_comms_defined + RANKS + 2);
		CU_ASSERT_EQUAL(t.n_groups, 3);
		CU_ASSERT_EQUAL(t.records, 2 * MANY + 1 + 5 * (RANKS - 1));
		CU_ASSERT_EQUAL(t.wall_ns, 10 * MANY + 4);
		for (uint32_t r = 0; r < RANKS; r++)
			check_rank(&t, r);
		trace_release(&t);
	}
	scratch_free(dir);
}

/* Of several damaged files, whoever comes to them, those ranks lack their ends and no others. */
static void test_reader_hands_find_all_damage(void)
{
	char *dir = write_archive();

	for (int r = 4; r < RANKS; r++) {
		char name[32];

		snprintf(name, sizeof(name), "traces/%d.evt", r);
		CU_ASSERT_EQUAL_FATAL(mktrace_cut(scratch_path(dir, name), 40, &err), 0);
	}
	for (size_t h = 0; h < HANDS; h++) {
		struct trace t = {0};

		setenv("OMPI_COMM_WORLD_LOCAL_SIZE", hands[h], 1);
		CU_ASSERT_EQUAL_FATAL(trace_read(dir, &t, &err), 0);
		for (uint32_t r = 0; r < RANKS; r++)
			CU_ASSERT_EQUAL(t.ranks[r].loss.what, r < 4 ? LOSS_NONE : LOSS_CUT);
		trace_release(&t);
	}
	scratch_free(dir);
}

/* Event files that are missing are those of their ranks; trace_check() says how many. */
static void test_reader_hands_find_missing_files(void)
{
	char *dir = write_archive();

	for (uint32_t lost = 2; lost < 7; lost++) {
		char name[32];
		struct trace t = {0};

		snprintf(name, sizeof(name), "traces/%u.evt", lost);
		CU_ASSERT_EQUAL_FATAL(remove(scratch_path(dir, name)), 0);
		CU_ASSERT_EQUAL_FATAL(trace_read(dir, &t, &err), 0);
		for (uint32_t r = 0; r < RANKS; r++)
			CU_ASSERT_EQUAL(t.ranks[r].loss.what,
					r >= 2 && r <= lost ? LOSS_MISSING : LOSS_NONE);
		trace_release(&t);
		CU_ASSERT_EQUAL(trace_check(dir, &err), -1);
		CU_ASSERT_PTR_NOT_NULL(strstr(
			err.text, lost == 2   ? "/traces/2.evt: No such file or directory: the copy"
				  : lost == 3 ? "2 of its 9 event files are missing (2.evt, 3.evt):"
				  : lost < 5  ? "3 of its 9 event files are missing"
					      : "(2.evt, 3.evt, 4.evt, ...): the copy"));
	}
	scratch_free(dir);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_reader_hands_make_one_trace),
	SUITE_CASE(test_reader_hands_find_missing_files),
	SUITE_CASE(test_reader_hands_find_all_damage),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("reader_hands", tests);
}
