/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/uneven.h"

#include "analyze/matching/messages.h"
#include "analyze/reader/reader.h"
#include "tests/fixtures/scratch.h"
#include "tests/fixtures/suite.h"
#include "tests/traces/mktrace.h"

#include <stdlib.h>
#include <string.h>

#define MOST 7

static struct err err;

/* Two sides of a channel, by their sizes. */
struct sides {
	uint32_t n_sends, n_recvs;
	int sent[MOST], received[MOST];
};

static int same_size(const void *user, uint32_t send, uint32_t recv)
{
	const struct sides *s = user;

	CU_ASSERT_FATAL(send < s->n_sends && recv < s->n_recvs);
	return s->sent[send] == s->received[recv];
}

/* All ways to join the receives from the nth on with sends from the next on: what each can have. */
static int try_all(const struct sides *s, uint32_t n, uint32_t next, uint32_t *now, uint64_t *seen)
{
	uint32_t joined = 0, i, k;
	int ways = 0;

	if (n < s->n_recvs) {
		for (k = next; k < s->n_sends; k++) {
			now[n] = k;
			if (same_size(s, k, n))
				ways += try_all(s, n + 1, k + 1, now, seen);
		}
		now[n] = UNEVEN_NONE;
		return s->n_recvs > s->n_sends ? ways + try_all(s, n + 1, next, now, seen) : ways;
	}
	for (i = 0; i < s->n_recvs; i++)
		joined += now[i] != UNEVEN_NONE;
	if (joined < s->n_sends && joined < s->n_recvs)
		return 0;
	for (i = 0; i < s->n_recvs; i++)
		seen[i] = !seen[i] || seen[i] == now[i] + UINT64_C(2) ? now[i] + UINT64_C(2) : 1;
	return 1;
}

static void compare(const struct sides *s)
{
	uint64_t seen[MOST] = {0};
	uint32_t send_of[MOST], now[MOST], i;
	int ways = try_all(s, 0, 0, now, seen);

	uneven_place(&(struct uneven){s->n_sends, s->n_recvs, s, same_size, 0, 0}, send_of);
	for (i = 0; i < s->n_recvs; i++) {
		uint32_t only = ways && seen[i] != 1 ? (uint32_t)(seen[i] - 2) : UNEVEN_UNKNOWN;

		/* That a receive's is missing it may leave open. */
		CU_ASSERT(send_of[i] == only ||
			  (send_of[i] == UNEVEN_UNKNOWN && only == UNEVEN_NONE));
	}
}

/* Sizes out of one, two, or three; each what all ways to join them have in common. */
static void test_uneven_as_by_all_ways(void)
{
	unsigned seed = 7, known = 0, none = 0;

	for (int k = 0; k < 20000; k++) {
		struct sides s = {.n_sends = 1 + (uint32_t)rand_r(&seed) % MOST};
		uint32_t kept = 1 + (uint32_t)rand_r(&seed) % s.n_sends, i;
		int sizes = 1 + rand_r(&seed) % 3;

		for (i = 0; i < s.n_sends; i++)
			s.sent[i] = rand_r(&seed) % sizes;
		for (i = 0; i < s.n_sends; i++)
			if ((uint32_t)rand_r(&seed) % s.n_sends < kept)
				s.received[s.n_recvs++] = s.sent[i];
		if (k % 2) { /* the other side lacks some */
			struct sides other = {.n_sends = s.n_recvs, .n_recvs = s.n_sends};

			memcpy(other.sent, s.received, sizeof(other.sent));
			memcpy(other.received, s.sent, sizeof(other.received));
			s = other;
		}
		if (s.n_sends != s.n_recvs && s.n_sends && s.n_recvs)
			compare(&s);
		known += s.n_recvs;
		none += s.n_recvs > s.n_sends;
	}
	CU_ASSERT(known > 40000 && none > 5000);
}

/* Where each side paused: the first and last of both are each other's. */
static void test_uneven_begin_and_end(void)
{
	struct sides s = {.n_sends = 6, .n_recvs = 4};
	struct uneven u = {6, 4, &s, same_size, 1, 2};
	uint32_t of[MOST];

	uneven_place(&u, of);
	CU_ASSERT(of[0] == 0 && of[1] == UNEVEN_UNKNOWN && of[2] == 4 && of[3] == 5);
	u.first = 2;
	uneven_place(&u, of);
	CU_ASSERT(of[0] == 0 && of[1] == 1 && of[2] == 4 && of[3] == 5);
	uneven_place_ends(&u, of);
	CU_ASSERT(of[0] == 0 && of[1] == 1 && of[2] == 4 && of[3] == 5);
	u.n_recvs = s.n_recvs = 6;
	uneven_place_ends(&u, of);
	CU_ASSERT(of[1] == 1 && of[2] == UNEVEN_UNKNOWN && of[3] == UNEVEN_UNKNOWN && of[4] == 4);
	/* One that cannot be: nothing is sure. */
	s.received[5] = 1;
	uneven_place_ends(&u, of);
	CU_ASSERT(of[0] == UNEVEN_UNKNOWN && of[4] == UNEVEN_UNKNOWN);
	/* More than there are. */
	u = (struct uneven){5, 4, &s, same_size, 3, 3};
	uneven_place(&u, of);
	CU_ASSERT(of[0] == UNEVEN_UNKNOWN && of[3] == UNEVEN_UNKNOWN);
	uneven_place_ends(&u, of);
	CU_ASSERT(of[0] == UNEVEN_UNKNOWN && of[3] == UNEVEN_UNKNOWN);
}

/*
 * Rank 0 sends 6 messages to rank 1, by 100 ns each, of the sizes given; the record of send or of
 * receive lost is not there (-1: is). More on a channel of another tag is all there.
 */
struct lossy {
	int lost_send, lost_recv, ends;
	uint64_t bytes[6];
};

static void write_rank(struct mktrace *m, const struct lossy *x, uint32_t rank)
{
	for (int k = 0; k < 12; k++) {
		int64_t ns = 1000 + k / 2 * 100;
		struct mkop op = {.kind = rank ? OP_RECV : OP_SEND,
				  .peer = (int32_t)!rank,
				  .tag = k % 2,
				  .bytes = x->bytes[k / 2]};
		int lost = rank ? x->lost_recv : x->lost_send;

		mktrace_call(m, rank, (struct mkspan){ns + k % 2 * 20, ns + k % 2 * 20 + 10},
			     rank ? "MPI_Recv" : "MPI_Send", NULL, k != 2 * lost, &op);
	}
	if (x->ends)
		mktrace_call(m, rank, (struct mkspan){9000, 9100}, "MPI_Finalize", NULL, 0, NULL);
}

/* How many messages were joined, each with its own. */
static struct messages match(const struct lossy *x, struct trace *t, uint32_t *right)
{
	char *dir = scratch_new();
	struct mktrace *m = mktrace_new(dir, 2, &err);
	struct messages found;

	for (uint32_t r = 0; r < 2; r++)
		mktrace_host(m, r, "n", "b");
	for (uint32_t r = 0; r < 2; r++)
		write_rank(m, x, r);
	CU_ASSERT_EQUAL_FATAL(mktrace_close(m, &err), 0);
	CU_ASSERT_EQUAL_FATAL(trace_read(dir, t, &err), 0);
	CU_ASSERT_EQUAL_FATAL(messages_match(t, &found, &err), 0);
	*right = 0;
	for (uint32_t i = 0; i < found.n; i++)
		*right += found.m[i].done_ns - found.m[i].sent_ns == 10;
	scratch_free(dir);
	return found;
}

static void expect(const struct lossy *x, uint32_t n, uint32_t unknown, uint32_t sends,
		   uint32_t recvs)
{
	struct trace t;
	uint32_t right;
	struct messages m = match(x, &t, &right);

	CU_ASSERT_EQUAL(m.n, n);
	CU_ASSERT_EQUAL(m.untold, unknown);
	CU_ASSERT_EQUAL(m.unmatched_sends, sends);
	CU_ASSERT_EQUAL(m.unmatched_recvs, recvs);
	CU_ASSERT_EQUAL(m.n + m.untold + recvs, 12U - (x->lost_recv >= 0));
	if (x->ends)
		CU_ASSERT_EQUAL(right, n);
	messages_release(&m);
	trace_release(&t);
}

static void test_uneven_sizes_tell(void)
{
	expect(&(struct lossy){-1, -1, 1, {1, 2, 3, 4, 5, 6}}, 12, 0, 0, 0);
	expect(&(struct lossy){-1, 2, 1, {1, 2, 3, 4, 5, 6}}, 11, 0, 1, 0);
	expect(&(struct lossy){2, -1, 1, {1, 2, 3, 4, 5, 6}}, 11, 0, 0, 1);
	/* Of the two before it nobody knows which is lost. */
	expect(&(struct lossy){-1, 2, 1, {1, 2, 2, 4, 5, 6}}, 10, 1, 1, 0);
	expect(&(struct lossy){2, -1, 1, {1, 2, 2, 4, 5, 6}}, 10, 1, 0, 1);
}

static void test_uneven_of_one_size_nobody_knows(void)
{
	expect(&(struct lossy){-1, 2, 1, {8, 8, 8, 8, 8, 8}}, 6, 5, 1, 0);
	expect(&(struct lossy){2, -1, 1, {8, 8, 8, 8, 8, 8}}, 6, 5, 0, 1);
}

/* Sizes tell that there is something missing, not what. */
static void test_uneven_on_both_sides(void)
{
	expect(&(struct lossy){1, 4, 1, {1, 2, 3, 4, 5, 6}}, 6, 5, 0, 0);
	expect(&(struct lossy){4, 1, 1, {6, 5, 4, 3, 2, 1}}, 6, 5, 0, 0);
}

/* What a killed job did not come to was at its end. */
static void test_uneven_end_of_a_killed_job(void)
{
	expect(&(struct lossy){-1, 5, 0, {8, 8, 8, 8, 8, 8}}, 11, 0, 1, 0);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_uneven_as_by_all_ways),
	SUITE_CASE(test_uneven_sizes_tell),
	SUITE_CASE(test_uneven_of_one_size_nobody_knows),
	SUITE_CASE(test_uneven_on_both_sides),
	SUITE_CASE(test_uneven_end_of_a_killed_job),
	SUITE_CASE(test_uneven_begin_and_end),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("uneven", tests);
}
