/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Archives of which files are missing, end early or are damaged: what is read of the others. */
#include "analyze/matching/messages.h"
#include "analyze/reader/reader.h"
#include "analyze/run/lost.h"

#include "tests/fixtures/traced.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RANKS    3
#define ROUNDS   20
#define ROUND_NS 1000
#define HOLE     64

/* Each rank sends to the next one and receives from the one before, in each round. */
static struct mktrace *ring(char **dir)
{
	struct mktrace *m = traced_begin(dir, RANKS);

	for (int round = 0; round < ROUNDS; round++)
		for (uint32_t r = 0; r < RANKS; r++) {
			struct mkop send = {
				.kind = OP_SEND, .peer = (int)(r + 1) % RANKS, .bytes = 8};
			struct mkop recv = {
				.kind = OP_RECV, .peer = (int)(r + RANKS - 1) % RANKS, .bytes = 8};
			int64_t ns = round * ROUND_NS;

			mktrace_call(m, r, (struct mkspan){ns, ns + 10}, "MPI_Send", NULL, 1,
				     &send);
			mktrace_call(m, r, (struct mkspan){ns + 20, ns + 90}, "MPI_Recv", NULL, 1,
				     &recv);
		}
	return m;
}

static int64_t bytes_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? -1 : (int64_t)st.st_size;
}

/* Is each message one of its round? */
static uint32_t count_right(const struct trace *t, const struct messages *m)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->n; i++)
		n += m->m[i].done_ns - m->m[i].sent_ns == 90 &&
		     m->m[i].dst == (m->m[i].src + 1) % t->n_ranks;
	return n;
}

/*
 * What rank 1 has of its events up to there, and the others of theirs. Damage may look like an
 * end. Returns its calls.
 */
static uint32_t check_cut(const char *dir, enum loss what)
{
	struct messages m;
	struct trace t;
	uint32_t calls;

	CU_ASSERT_EQUAL_FATAL(trace_read(dir, &t, &err), 0);
	calls = t.ranks[1].calls;
	CU_ASSERT_EQUAL(t.ranks[0].calls, 2 * ROUNDS);
	CU_ASSERT_EQUAL(t.ranks[2].calls, 2 * ROUNDS);
	CU_ASSERT_EQUAL(t.wall_ns, (ROUNDS - 1) * ROUND_NS + 90);
	CU_ASSERT_EQUAL(lost_ranks(&t), 1);
	CU_ASSERT(t.ranks[1].loss.what == what || t.ranks[1].loss.what == LOSS_CUT);
	CU_ASSERT_EQUAL(t.ranks[1].loss.location, 1);
	CU_ASSERT_EQUAL(trace_paused_ns(&t, 1), t.wall_ns - t.ranks[1].end_ns);
	CU_ASSERT(trace_is_unseen_after(&t, 1, t.ranks[1].end_ns));
	CU_ASSERT_EQUAL_FATAL(messages_match(&t, &m, &err), 0);
	CU_ASSERT_EQUAL(m.n, count_right(&t, &m));
	CU_ASSERT(m.n >= ROUNDS + calls / 2);
	CU_ASSERT_EQUAL(m.unmatched_sends + m.unmatched_recvs, 0);
	messages_release(&m);
	trace_release(&t);
	return calls;
}

/* The first time stamp of an event file from there on, or n. */
static size_t next_time(const unsigned char *bytes, size_t n, size_t at)
{
	while (at < n && bytes[at] != 5)
		at = bytes[at] == 0 || bytes[at] == 2 ? n : at + 2 + bytes[at + 1];
	return at;
}

/*
 * A time that cannot be costs its rank what comes then, and no other rank anything; if it is the
 * first one, nothing. Of the last one within a year nobody knows.
 */
static void test_loss_of_a_time(void)
{
	static const uint64_t wild[] = {1000000000000000000, 864000000000000};
	char *dir, *evt;
	struct mktrace *m = ring(&dir);
	unsigned char *bytes;
	uint32_t calls[] = {0, 0}, now;
	size_t n, first, at, k;
	struct trace t;

	CU_ASSERT_EQUAL(mktrace_close(m, &err), 0);
	evt = strdup(scratch_path(dir, "traces/1.evt"));
	bytes = scratch_load(evt, &n);
	CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
	first = next_time(bytes, n, 18);
	for (at = first; next_time(bytes, n, at + 9) < n; at = next_time(bytes, n, at + 9)) {
		for (k = 0; k < 2; k++) {
			uint64_t was;

			memcpy(&was, bytes + at + 1, sizeof(was));
			memcpy(bytes + at + 1, &wild[k], sizeof(was));
			scratch_store(evt, bytes, n);
			memcpy(bytes + at + 1, &was, sizeof(was));
			if (at > first) {
				now = check_cut(dir, LOSS_DAMAGED);
				CU_ASSERT(now >= calls[k]);
				calls[k] = now;
				continue;
			}
			CU_ASSERT_EQUAL_FATAL(trace_read(dir, &t, &err), 0);
			CU_ASSERT_EQUAL(lost_ranks(&t), 0);
			CU_ASSERT_EQUAL(t.wall_ns, (ROUNDS - 1) * ROUND_NS + 90);
			trace_release(&t);
		}
	}
	CU_ASSERT(calls[0] > 2 * ROUNDS - 3 && calls[1] > 2 * ROUNDS - 3);
	free(bytes);
	free(evt);
	scratch_free(dir);
}

/* What is before the damage counts, and nothing that is behind it is taken for something else. */
static void test_loss_of_a_part_in_the_middle(void)
{
	static const char hole[HOLE];
	char *dir, *evt;
	struct mktrace *m = ring(&dir);
	unsigned char *bytes;
	uint32_t calls = 0, now;
	size_t n;

	CU_ASSERT_EQUAL(mktrace_close(m, &err), 0);
	evt = strdup(scratch_path(dir, "traces/1.evt"));
	bytes = scratch_load(evt, &n);
	CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
	for (size_t at = 0; at + 2 * HOLE < n; at += 3) {
		unsigned char was[HOLE];

		memcpy(was, bytes + at, HOLE);
		memcpy(bytes + at, hole, HOLE);
		scratch_store(evt, bytes, n);
		now = check_cut(dir, LOSS_DAMAGED);
		CU_ASSERT(now + 1 >= calls);
		calls = now;
		memcpy(bytes + at, was, HOLE);
	}
	CU_ASSERT(calls > ROUNDS);
	free(bytes);
	free(evt);
	scratch_free(dir);
}

static void test_loss_by_strange_bytes(void)
{
	char *dir, *evt;
	struct mktrace *m = ring(&dir);
	unsigned char *bytes;
	size_t n;

	CU_ASSERT_EQUAL(mktrace_close(m, &err), 0);
	evt = strdup(scratch_path(dir, "traces/1.evt"));
	bytes = scratch_load(evt, &n);
	CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
	srand(1);
	for (size_t at = 18; at + 2 * HOLE < n; at++) {
		unsigned char was[HOLE];

		memcpy(was, bytes + at, HOLE);
		for (size_t k = at; k < at + HOLE; k++)
			bytes[k] = (unsigned char)rand();
		scratch_store(evt, bytes, n);
		check_cut(dir, LOSS_DAMAGED);
		memcpy(bytes + at, was, HOLE);
	}
	free(bytes);
	free(evt);
	scratch_free(dir);
}

static void test_loss_of_the_end_of_events(void)
{
	char *dir, *evt;
	struct mktrace *m = ring(&dir);
	uint32_t calls = 2 * ROUNDS, now;
	int64_t bytes;

	CU_ASSERT_EQUAL(mktrace_close(m, &err), 0);
	evt = strdup(scratch_path(dir, "traces/1.evt"));
	for (bytes = bytes_of(evt) - 2; bytes >= 0; bytes -= 7) {
		CU_ASSERT_EQUAL_FATAL(mktrace_cut(evt, bytes, &err), 0);
		now = check_cut(dir, LOSS_CUT);
		CU_ASSERT(now <= calls);
		calls = now;
	}
	CU_ASSERT_EQUAL(calls, 0);
	free(evt);
	scratch_free(dir);
}

/* Where no rank's last events are left the run is still as long as its definitions say. */
static void test_loss_of_all_ends(void)
{
	char *dir;
	struct mktrace *m = ring(&dir);
	struct trace t;

	CU_ASSERT_EQUAL(mktrace_close(m, &err), 0);
	for (int r = 0; r < RANKS; r++) {
		char name[32], *evt;

		snprintf(name, sizeof(name), "traces/%d.evt", r);
		evt = strdup(scratch_path(dir, name));

		CU_ASSERT_EQUAL_FATAL(mktrace_cut(evt, bytes_of(evt) / 2, &err), 0);
		free(evt);
	}
	CU_ASSERT_EQUAL_FATAL(trace_read(dir, &t, &err), 0);
	CU_ASSERT_EQUAL(t.wall_ns, (ROUNDS - 1) * ROUND_NS + 90);
	for (uint32_t r = 0; r < RANKS; r++) {
		CU_ASSERT(t.ranks[r].end_ns < 2 * t.wall_ns / 3);
		CU_ASSERT_EQUAL(trace_paused_ns(&t, r), t.wall_ns - t.ranks[r].end_ns);
	}
	trace_release(&t);
	scratch_free(dir);
}

/* What was not yet written when a host stopped is zeros, up to the size that the file had. */
static void test_loss_of_what_is_zeros(void)
{
	char *dir, *evt;
	struct mktrace *m = ring(&dir);
	int64_t bytes;

	CU_ASSERT_EQUAL(mktrace_close(m, &err), 0);
	evt = strdup(scratch_path(dir, "traces/1.evt"));
	bytes = bytes_of(evt);
	for (int64_t left = bytes - 2; left > 0; left -= 11) {
		CU_ASSERT_EQUAL_FATAL(mktrace_cut(evt, left, &err), 0);
		CU_ASSERT_EQUAL(truncate(evt, bytes), 0);
		CU_ASSERT(check_cut(dir, LOSS_CUT) <= 2 * ROUNDS);
	}
	free(evt);
	scratch_free(dir);
}

static void test_loss_of_whole_files(void)
{
	char *dir, said[200];
	struct mktrace *m = ring(&dir);
	struct trace t;

	CU_ASSERT_EQUAL(mktrace_close(m, &err), 0);
	unlink(scratch_path(dir, "traces/2.evt"));
	CU_ASSERT_EQUAL_FATAL(trace_read(dir, &t, &err), 0);
	CU_ASSERT_EQUAL(t.ranks[2].loss.what, LOSS_MISSING);
	CU_ASSERT(trace_is_left_out(&t, 2));
	CU_ASSERT(!trace_is_left_out(&t, 1));
	lost_text(NULL, &t, sizeof(said), said);
	CU_ASSERT_STRING_EQUAL(said, "2.evt of rank 2 is missing: nothing of the rank is used");
	trace_release(&t);
	CU_ASSERT_EQUAL(trace_check(dir, &err), -1); /* it is not whole */
	unlink(scratch_path(dir, "traces/0.evt"));
	unlink(scratch_path(dir, "traces/1.evt"));
	CU_ASSERT_EQUAL(trace_read(dir, &t, &err), -1);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "3 of its 3 event files are missing"));
	scratch_free(dir);
}

/* With some locations' clocks in files of their own, one without such a file cannot be placed. */
static void test_loss_of_definitions(void)
{
	for (int cut = 0; cut < 2; cut++) {
		char *dir;
		struct mktrace *m = ring(&dir);
		struct trace t;

		for (uint32_t r = 0; r < RANKS; r++)
			mktrace_clock_offset(m, r, 0, 5);
		CU_ASSERT_EQUAL(mktrace_close(m, &err), 0);
		CU_ASSERT_EQUAL(mktrace_cut(scratch_path(dir, "traces/1.def"), 20, &err), 0);
		if (!cut)
			unlink(scratch_path(dir, "traces/1.def"));
		CU_ASSERT_EQUAL_FATAL(trace_read(dir, &t, &err), 0);
		CU_ASSERT_EQUAL(t.ranks[1].loss.what, LOSS_DEFINITIONS);
		CU_ASSERT(trace_is_left_out(&t, 1));
		CU_ASSERT_EQUAL(lost_ranks(&t), 1);
		trace_release(&t);
		scratch_free(dir);
	}
}

/* A rank ends where the first of its threads does: nobody knows what that one did later. */
static void test_loss_of_a_thread(void)
{
	char *dir;
	struct mktrace *m = ring(&dir);
	struct trace t;

	for (int i = 0; i < 50; i++)
		mktrace_call(m, SCHEMA_LOCATION(1, 1), (struct mkspan){i * 100 + 30, i * 100 + 40},
			     "MPI_Comm_rank", NULL, 0, NULL);
	CU_ASSERT_EQUAL(mktrace_close(m, &err), 0);
	CU_ASSERT_EQUAL(mktrace_cut(scratch_path(dir, "traces/4294967297.evt"), 500, &err), 0);
	CU_ASSERT_EQUAL_FATAL(trace_read(dir, &t, &err), 0);
	CU_ASSERT_EQUAL(t.ranks[1].loss.location, SCHEMA_LOCATION(1, 1));
	CU_ASSERT(t.ranks[1].calls > 2 && t.ranks[1].calls < 50);
	for (uint32_t i = 0; i < t.ranks[1].calls; i++)
		CU_ASSERT(t.calls[t.ranks[1].first_call + i].leave_ns <= t.ranks[1].end_ns);
	trace_release(&t);
	scratch_free(dir);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_loss_of_the_end_of_events),
	SUITE_CASE(test_loss_of_all_ends),
	SUITE_CASE(test_loss_of_a_part_in_the_middle),
	SUITE_CASE(test_loss_by_strange_bytes),
	SUITE_CASE(test_loss_of_what_is_zeros),
	SUITE_CASE(test_loss_of_whole_files),
	SUITE_CASE(test_loss_of_definitions),
	SUITE_CASE(test_loss_of_a_thread),
	SUITE_CASE(test_loss_of_a_time),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("loss", tests);
}
