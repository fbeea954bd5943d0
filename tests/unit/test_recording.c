/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/recording.h"

#include "analyze/reader/reader.h"
#include "tests/fixtures/scratch.h"
#include "tests/traces/mktrace.h"

#include "tests/fixtures/suite.h"

#include <math.h>

static struct err err;

/* Two ranks for 1 us: a send and its wait; a receive, a flood of 5 polls, and its wait. */
static struct mktrace *exchange(char **dir)
{
	struct mktrace *m;
	struct mkop isend = {.kind = OP_ISEND, .peer = 1, .bytes = 8, .request = 1};
	struct mkop sent = {.kind = OP_ISEND_DONE, .request = 1};
	struct mkop irecv = {.kind = OP_IRECV, .request = 2};
	struct mkop got = {.kind = OP_IRECV_DONE, .peer = 0, .bytes = 8, .request = 2};

	*dir = scratch_new();
	m = mktrace_new(*dir, 2, &err);
	mktrace_call(m, 0, (struct mkspan){0, 100}, "MPI_Isend", NULL, 1, &isend);
	mktrace_call(m, 0, (struct mkspan){100, 1000}, "MPI_Wait", NULL, 1, &sent);
	mktrace_call(m, 1, (struct mkspan){0, 100}, "MPI_Irecv", NULL, 1, &irecv);
	mktrace_enter_flood(m, 1, 200, "MPI_Test", (struct flood){.polls = 5, .inside_ns = 50});
	mktrace_leave(m, 1, 300, "MPI_Test");
	mktrace_call(m, 1, (struct mkspan){300, 1000}, "MPI_Wait", NULL, 1, &got);
	return m;
}

/* What recording_of() says of the archive, which is removed. */
static int say(struct mktrace *m, char *dir, struct recording *out)
{
	struct trace t = {0};
	int said;

	CU_ASSERT_EQUAL(mktrace_close(m, &err), 0);
	CU_ASSERT_EQUAL_FATAL(trace_read(dir, &t, &err), 0);
	said = recording_of(&t, out);
	trace_release(&t);
	scratch_free(dir);
	return said;
}

static void test_recording_counts_calls_and_requests(void)
{
	char *dir;
	struct mktrace *m = exchange(&dir);
	struct recording r;

	mktrace_cost(m, 0, (struct rank_cost){10, 4, 1, 2, 20, 0});
	mktrace_cost(m, 1, (struct rank_cost){20, 6, 3, 0, 30, 5});
	CU_ASSERT_EQUAL_FATAL(say(m, dir, &r), 1);
	CU_ASSERT_EQUAL(r.calls, 2 + 1 + 5 + 1);
	CU_ASSERT_EQUAL(r.requests, 2);
	CU_ASSERT_DOUBLE_EQUAL(r.call_s, 15e-9, 1e-15);
	CU_ASSERT_DOUBLE_EQUAL(r.request_s, 5e-9, 1e-15);
	CU_ASSERT_EQUAL(r.polls, 5);
	CU_ASSERT_DOUBLE_EQUAL(r.poll_s, 2e-9, 1e-15);
	CU_ASSERT_DOUBLE_EQUAL(r.sites_s, 2e-9, 1e-15);
	CU_ASSERT_DOUBLE_EQUAL(r.writing_s, 50e-9, 1e-15);
	CU_ASSERT_DOUBLE_EQUAL(r.aside_s, 5e-9, 1e-15);
	/* 2 calls, a request and 22 ns; 2 calls, 5 polls, a request and 35 ns; of twice 1 us */
	CU_ASSERT_DOUBLE_EQUAL(r.share, (20 + 4 + 22 + 40 + 15 + 6 + 35) / 2000.0, 1e-9);
}

static void test_recording_of_others(void)
{
	char *dir;
	struct mktrace *m = exchange(&dir);
	struct recording r = {.calls = 4711};

	CU_ASSERT_EQUAL(say(m, dir, &r), 0);
	m = exchange(&dir);
	mktrace_cost(m, 1, (struct rank_cost){.call_ns = 20}); /* of one rank of two */
	CU_ASSERT_EQUAL(say(m, dir, &r), 0);
	m = exchange(&dir);
	mktrace_cost(m, 0, (struct rank_cost){.call_ns = 20});
	mktrace_cost(m, 1, (struct rank_cost){.call_ns = INFINITY}); /* nobody measured that */
	CU_ASSERT_EQUAL(say(m, dir, &r), 0);
	CU_ASSERT_EQUAL(r.calls, 4711);
}

static struct recording_effect effect_of(double share, double compute, double waits, double start)
{
	struct view v = {.total_ns = 1000};

	v.parts[COST_compute].ns = (int64_t)(1000 * compute);
	v.parts[COST_late_partner].ns = (int64_t)(1000 * waits);
	v.parts[COST_start_end].ns = (int64_t)(1000 * start);
	return recording_effect(share, &v);
}

/*
 * Nobody waits: it is what it is, to a factor of two. Half of the time: none, or the other's as
 * well.
 */
static void test_recording_is_hidden_by_waits_or_waited_for(void)
{
	struct recording_effect none = effect_of(0.1, 1, 0, 0), half = effect_of(0.1, 0.5, 0.5, 0);
	struct recording_effect some = effect_of(0.1, 0.97, 0.03, 0);
	struct recording_effect started = effect_of(0.1, 0.25, 0.25, 0.5);
	struct recording_effect all = effect_of(0.3, 0.1, 0.9, 0),
				unknown = effect_of(NAN, 1, 0, 0);

	CU_ASSERT_DOUBLE_EQUAL(none.least, 0.05, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(none.most, 0.2, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(half.least, 0, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(half.most, 0.4, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(some.least, 0.02, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(started.most, 0.4, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(all.most, 1, 1e-9);
	CU_ASSERT(isnan(unknown.least) && isnan(unknown.most));
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_recording_counts_calls_and_requests),
	SUITE_CASE(test_recording_of_others),
	SUITE_CASE(test_recording_is_hidden_by_waits_or_waited_for),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("recording", tests);
}
