/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clocks of programs that send no messages: what their collectives prove. */
#include "analyze/clock/clock_proofs.h"

#include "analyze/clock/clock.h"
#include "analyze/reader/reader.h"
#include "tests/fixtures/scratch.h"
#include "tests/traces/mktrace.h"

#include "tests/fixtures/suite.h"

#include <stdlib.h>

#define RANKS     3
#define ROUNDS    400
#define ROUND_NS  INT64_C(10000000)
#define LEAST_NS  20000
#define APART_NS  200000 /* they come in one after the other */
#define BEHIND_NS 500000

/* A trace that is being written, and what is made of it. */
struct story {
	char *dir;
	struct mktrace *m;
	struct trace t;
	struct messages messages;
	struct collectives collectives;
	struct clock_quality quality;
	struct err err;
};

/* What is to be read off the clock of a rank: that of rank 1 is behind, or bends. */
struct fault {
	int64_t behind_ns, bend_ns;
};

static int64_t shown(const struct fault *f, uint32_t rank, int64_t ns)
{
	double into = (double)ns / (ROUNDS * ROUND_NS);

	return BEHIND_NS + ns -
	       (rank == 1 ? f->behind_ns + (int64_t)((double)f->bend_ns * 4 * into * (1 - into))
			  : 0);
}

/* In round k all come in, another one last, after each of the others; true times. */
static int64_t entered(uint32_t k, uint32_t rank)
{
	uint32_t turn = k / RANKS % 2 ? rank : RANKS - rank;

	return k * ROUND_NS + (turn + k) % RANKS * APART_NS;
}

static int64_t left(uint32_t k, uint32_t rank)
{
	return k * ROUND_NS + (RANKS - 1) * APART_NS + LEAST_NS + (7919 * (k + rank)) % 30000;
}

static struct story begin(void)
{
	struct story s = {.dir = scratch_new()};

	s.m = mktrace_new(s.dir, RANKS, &s.err);
	return s;
}

static void align(struct story *s)
{
	struct trace *t = &s->t;

	CU_ASSERT_EQUAL(mktrace_close(s->m, &s->err), 0);
	CU_ASSERT_EQUAL_FATAL(trace_read(s->dir, t, &s->err), 0);
	CU_ASSERT_EQUAL_FATAL(messages_match(t, &s->messages, &s->err), 0);
	CU_ASSERT_EQUAL_FATAL(collectives_match(t, &s->collectives, &s->err), 0);
	CU_ASSERT_EQUAL_FATAL(
		clock_align(t, &s->messages, &s->collectives, NULL, &s->quality, &s->err), 0);
	scratch_free(s->dir);
}

static void release(struct story *s)
{
	collectives_release(&s->collectives);
	messages_release(&s->messages);
	trace_release(&s->t);
}

static void round_blocking(struct story *s, const struct fault *f, uint32_t k)
{
	struct mkop op = {.kind = OP_COLL, .peer = -1, .bytes = 8, .bytes_in = 8};

	for (uint32_t r = 0; r < RANKS; r++)
		mktrace_call(s->m, r,
			     (struct mkspan){shown(f, r, entered(k, r)), shown(f, r, left(k, r))},
			     "MPI_Allreduce", NULL, 1, &op);
}

static void round_nonblocking(struct story *s, const struct fault *f, uint32_t k)
{
	struct mkop post = {.kind = OP_NBC_POST, .request = k + 1};
	struct mkop done = {
		.kind = OP_NBC_DONE, .peer = -1, .bytes = 8, .bytes_in = 8, .request = k + 1};

	for (uint32_t r = 0; r < RANKS; r++) {
		int64_t enter_ns = shown(f, r, entered(k, r)), leave_ns = shown(f, r, left(k, r));

		mktrace_call(s->m, r, (struct mkspan){enter_ns, enter_ns + 100}, "MPI_Iallreduce",
			     NULL, 1, &post);
		mktrace_call(s->m, r, (struct mkspan){enter_ns + 200, leave_ns}, "MPI_Wait", NULL,
			     1, &done);
	}
}

static struct story play(const struct fault *f,
			 void (*round)(struct story *, const struct fault *, uint32_t))
{
	struct story s = begin();

	for (uint32_t k = 0; k < ROUNDS; k++)
		round(&s, f, k);
	align(&s);
	return s;
}

/* How far the end of a rank's last call is off that of rank 0's, now. */
static int64_t off_ns(const struct story *s, uint32_t rank)
{
	const struct rank *a = &s->t.ranks[0], *b = &s->t.ranks[rank];

	return (b->end_ns - a->end_ns) - (left(ROUNDS - 1, rank) - left(ROUNDS - 1, 0));
}

/* 500 us behind: it leaves long before the last has come. */
static void test_clock_proofs_move_a_clock_that_is_behind(void)
{
	static void (*const rounds[])(struct story *, const struct fault *,
				      uint32_t) = {round_blocking, round_nonblocking};
	const struct fault f = {.behind_ns = BEHIND_NS};

	for (size_t k = 0; k < 2; k++) {
		struct story s = play(&f, rounds[k]);

		CU_ASSERT_EQUAL(s.quality.violations, 0);
		CU_ASSERT(s.quality.early_leaves > ROUNDS / 4);
		CU_ASSERT_EQUAL(s.quality.moved_nodes, 1);
		for (uint32_t r = 1; r < RANKS; r++)
			CU_ASSERT(llabs(off_ns(&s, r)) <= s.quality.error_ns);
		CU_ASSERT(s.quality.error_ns < 2 * LEAST_NS + 10000);
		release(&s);
	}
}

/* Nothing contradicts it, and nothing but collectives tells of it: not an error of 0. */
static void test_clock_proofs_bound_a_clock_that_bends(void)
{
	const struct fault f = {.bend_ns = 15000};
	struct story s = play(&f, round_blocking);

	CU_ASSERT_EQUAL(s.quality.early_leaves, 0);
	CU_ASSERT_EQUAL(s.quality.moved_nodes, 0);
	CU_ASSERT(s.quality.error_ns >= f.bend_ns);
	CU_ASSERT(s.quality.error_ns < f.bend_ns + 2 * LEAST_NS);
	release(&s);
}

static uint32_t proofs(const char *function, int32_t root, uint64_t bytes)
{
	struct mkop op = {.kind = OP_COLL, .peer = root, .bytes = bytes};
	struct clock_proofs found;
	struct story s = begin();
	uint32_t n;

	for (uint32_t r = 0; r < RANKS; r++)
		mktrace_call(s.m, r, (struct mkspan){100 * r, 1000}, function, NULL, 1, &op);
	align(&s);
	CU_ASSERT_EQUAL_FATAL(clock_proofs_find(&s.t, &s.collectives, &found), 0);
	for (uint32_t i = 0; i < found.n; i++)
		CU_ASSERT_NOT_EQUAL(s.t.calls[found.p[i].entered].rank,
				    s.t.calls[found.p[i].left].rank);
	n = found.n;
	clock_proofs_release(&found);
	release(&s);
	return n;
}

/* Only what the collective surely moves from one to the other. */
static void test_clock_proofs_are_by_what_flows(void)
{
	CU_ASSERT_EQUAL(proofs("MPI_Barrier", -1, 0), 4);
	CU_ASSERT_EQUAL(proofs("MPI_Alltoall", -1, 8), 4);
	CU_ASSERT_EQUAL(proofs("MPI_Alltoall", -1, 0), 0);
	CU_ASSERT_EQUAL(proofs("MPI_Alltoallv", -1, 8), 0);
	CU_ASSERT_EQUAL(proofs("MPI_Scan", -1, 8), 0);
	CU_ASSERT_EQUAL(proofs("MPI_Bcast", 2, 8), 2);
	CU_ASSERT_EQUAL(proofs("MPI_Reduce", 2, 8), 2);
	CU_ASSERT_EQUAL(proofs("MPI_Reduce", 2, 0), 0);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_clock_proofs_move_a_clock_that_is_behind),
	SUITE_CASE(test_clock_proofs_bound_a_clock_that_bends),
	SUITE_CASE(test_clock_proofs_are_by_what_flows),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("clock_proofs", tests);
}
