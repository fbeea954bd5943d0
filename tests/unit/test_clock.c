/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/clock/clock.h"

#include "analyze/reader/reader.h"
#include "tests/fixtures/scratch.h"
#include "tests/traces/mktrace.h"

#include "tests/fixtures/suite.h"
#include "tests/fixtures/tables.h"

#include <stdlib.h>

static struct err err;

/* A trace that is being written; messages need ns from send entry to receive completion. */
struct story {
	char *dir;
	struct mktrace *m;
	struct trace t;
	struct messages messages;
	struct clock_quality quality;
	int64_t known_ns;              /* 0: the recorder says nothing */
	const struct machine *machine; /* NULL: no file */
};

static struct story begin(uint32_t ranks)
{
	struct story s = {.dir = scratch_new()};

	s.m = mktrace_new(s.dir, ranks, &err);
	return s;
}

static void message(struct story *s, uint32_t src, uint32_t dst, int64_t sent_ns, int64_t done_ns)
{
	struct mkop send = {.kind = OP_SEND, .peer = (int32_t)dst, .bytes = 8};
	struct mkop recv = {.kind = OP_RECV, .peer = (int32_t)src, .bytes = 8};

	mktrace_call(s->m, src, (struct mkspan){sent_ns, sent_ns + 2}, "MPI_Send", NULL, 1, &send);
	mktrace_call(s->m, dst, (struct mkspan){done_ns - 2, done_ns}, "MPI_Recv", NULL, 1, &recv);
}

static void align(struct story *s)
{
	CU_ASSERT_EQUAL(mktrace_close(s->m, &err), 0);
	CU_ASSERT_EQUAL_FATAL(trace_read(s->dir, &s->t, &err), 0);
	for (uint32_t r = 0; s->known_ns && r < s->t.n_ranks; r++)
		s->t.ranks[r].clock_error_ns = s->known_ns;
	CU_ASSERT_EQUAL_FATAL(messages_match(&s->t, &s->messages, &err), 0);
	CU_ASSERT_EQUAL_FATAL(clock_align(&s->t, &s->messages, NULL, s->machine, &s->quality, &err),
			      0);
	scratch_free(s->dir);
}

static void release(struct story *s)
{
	messages_release(&s->messages);
	trace_release(&s->t);
}

/* Each pair of clocks is as good as its own messages show, not as the worst of all. */
static void test_clock_errors_are_per_pair(void)
{
	struct story s = begin(3);

	message(&s, 0, 1, 1000, 1010);
	message(&s, 1, 0, 2000, 2020);
	message(&s, 0, 2, 3000, 8000);
	align(&s);
	CU_ASSERT_EQUAL(s.quality.error_ns, 5000);
	CU_ASSERT_EQUAL(clock_pair_error_ns(&s.t, &s.quality, 0, 1), 10);
	CU_ASSERT_EQUAL(clock_pair_error_ns(&s.t, &s.quality, 1, 0), 20);
	CU_ASSERT_EQUAL(clock_pair_error_ns(&s.t, &s.quality, 0, 2), 5000);
	CU_ASSERT_EQUAL(clock_pair_error_ns(&s.t, &s.quality, 0, 0), 0);
	release(&s);
}

/* Two clocks of which one was shifted prove nothing of what happens between them. */
static void test_clock_shifted_pairs_are_known(void)
{
	struct story s = begin(3);

	message(&s, 0, 1, 1000, 900);
	message(&s, 0, 2, 2000, 2010);
	align(&s);
	CU_ASSERT_EQUAL(s.quality.moved_nodes, 1);
	CU_ASSERT(clock_is_moved(clock_pair_error_ns(&s.t, &s.quality, 0, 1)));
	CU_ASSERT_EQUAL(clock_pair_error_ns(&s.t, &s.quality, 0, 2), 10);
	release(&s);
}

static void test_clock_of_one_node_is_exact(void)
{
	struct story s = begin(2);

	mktrace_host(s.m, 0, "alpha", "boot");
	mktrace_host(s.m, 1, "beta", "boot"); /* another host, the same machine */
	message(&s, 0, 1, 100, 150);
	message(&s, 1, 0, 200, 190); /* impossible, but no question of clocks */
	align(&s);
	CU_ASSERT_EQUAL(s.quality.error_ns, 0);
	CU_ASSERT_EQUAL(s.quality.violations, 0);
	CU_ASSERT_EQUAL(s.quality.moved_nodes, 0);
	release(&s);
}

static void test_clock_bounds_come_from_the_fastest(void)
{
	struct story s = begin(2);

	message(&s, 0, 1, 100, 180); /* 80 */
	message(&s, 0, 1, 200, 250); /* 50: fastest forward */
	message(&s, 1, 0, 300, 330); /* 30: fastest backward */
	message(&s, 1, 0, 400, 990);
	align(&s);
	CU_ASSERT_EQUAL(s.quality.error_ns, 50);
	CU_ASSERT_EQUAL(s.quality.skew_ns, 10);
	CU_ASSERT_EQUAL(s.quality.violations, 0);
	CU_ASSERT_EQUAL(s.quality.moved_nodes, 0);
	CU_ASSERT_EQUAL(s.t.calls[0].enter_ns, 0);
	release(&s);
}

/* The recorder knows better than messages that took long, unless they disprove it. */
static void test_clock_believes_the_recorder(void)
{
	struct story s = begin(2);

	message(&s, 0, 1, 100, 180);
	message(&s, 1, 0, 300, 330);
	s.known_ns = 10;
	align(&s);
	CU_ASSERT_EQUAL(s.quality.error_ns, 20);
	release(&s);

	s = begin(2);
	message(&s, 0, 1, 5000, 4100);
	message(&s, 1, 0, 5600, 6700);
	s.known_ns = 10;
	align(&s);
	CU_ASSERT_EQUAL(s.quality.error_ns, 200);
	release(&s);
}

/* Rank 1's clock is 1000 behind: its receives lie before the sends. */
static void test_clock_shifts_whole_nodes_by_the_least(void)
{
	struct story s = begin(3);
	struct mkop post = {.kind = OP_IRECV, .request = 1};
	struct mkop test = {.kind = OP_TEST_FAILED, .request = 1};
	struct mkop done = {.kind = OP_IRECV_DONE, .peer = 0, .request = 1};

	mktrace_call(s.m, 2, (struct mkspan){0, 10}, "MPI_Barrier", NULL, 0, NULL);
	mktrace_call(s.m, 2, (struct mkspan){6600, 6610}, "MPI_Barrier", NULL, 0, NULL);
	message(&s, 0, 1, 5000, 4100); /* took 100, seems -900 */
	mktrace_call(s.m, 1, (struct mkspan){4200, 4210}, "MPI_Irecv", NULL, 1, &post);
	mktrace_call(s.m, 1, (struct mkspan){4300, 4310}, "MPI_Test", NULL, 1, &test);
	mktrace_call(s.m, 1, (struct mkspan){4400, 5500}, "MPI_Wait", NULL, 1, &done);
	mktrace_call(s.m, 0, (struct mkspan){6000, 6010}, "MPI_Send", NULL, 1,
		     &(struct mkop){.kind = OP_SEND, .peer = 1, .bytes = 8});
	message(&s, 1, 0, 5600, 6700); /* took 100, seems 1100 */
	align(&s);
	CU_ASSERT_EQUAL(s.quality.violations, 2);
	CU_ASSERT_EQUAL(s.quality.moved_nodes, 1);
	CU_ASSERT_EQUAL_FATAL(s.messages.n, 3);
	/* 900 is the least that mends it */
	CU_ASSERT_EQUAL(s.t.ranks[1].begin_ns, 4098 + 900);
	CU_ASSERT_EQUAL(s.t.ranks[0].begin_ns, 5000);
	CU_ASSERT_EQUAL(s.t.ranks[2].begin_ns, 0);
	CU_ASSERT_EQUAL(s.t.wall_ns, 6700);
	CU_ASSERT_EQUAL(s.messages.m[s.messages.by_dst[1] + 1].not_here_ns, 4300 + 900);
	CU_ASSERT_EQUAL(s.t.calls[s.messages.m[s.messages.by_dst[1]].recv_done].leave_ns, 5000);
	CU_ASSERT_EQUAL(s.quality.error_ns, 200);
	CU_ASSERT_EQUAL(s.quality.skew_ns, 100);
	release(&s);
}

static void test_clock_shift_goes_on_through_other_nodes(void)
{
	struct story s = begin(3);

	message(&s, 0, 1, 5000, 4000); /* 1 is at least 1000 behind 0 */
	message(&s, 1, 2, 4500, 4400); /* 2 is at least 100 behind 1 */
	align(&s);
	CU_ASSERT_EQUAL(s.quality.moved_nodes, 2);
	CU_ASSERT_EQUAL(s.t.calls[s.messages.m[0].recv_done].leave_ns,
			s.t.calls[s.messages.m[0].send_call].enter_ns);
	CU_ASSERT_EQUAL(s.t.calls[s.messages.m[1].recv_done].leave_ns,
			s.t.calls[s.messages.m[1].send_call].enter_ns);
	release(&s);
}

/* The fastest both ways are negative: the clock drifts, and no shift mends that. */
static void test_clock_that_drifts_ends(void)
{
	struct story s = begin(3);

	message(&s, 0, 1, 5000, 4000);
	message(&s, 1, 0, 9000, 8000);
	message(&s, 1, 2, 10000, 11000);
	align(&s);
	CU_ASSERT_EQUAL(s.quality.violations, 2);
	CU_ASSERT(s.quality.error_ns >= 1000);
	release(&s);
}

#define DRIFT_MESSAGES 1200
#define DRIFT_ROUND_NS 1000000
#define DRIFT_LEAST_NS 30000

/* Ahead by rank, and rank 1's bends by up to 300 us and back within the run. */
static int64_t drifting(uint32_t rank, int64_t ns)
{
	double into = (double)ns / DRIFT_ROUND_NS / DRIFT_MESSAGES;

	return ns + rank * 5000 + (rank == 1 ? (int64_t)(1.2e6 * into * (1 - into)) : 0);
}

/* From every of three ranks to every other; took_ns: what each takes in truth. */
static struct story drift(const struct machine *machine, int64_t *took_ns)
{
	struct story s = begin(3);

	s.machine = machine;
	for (uint32_t k = 0; k < DRIFT_MESSAGES; k++) {
		uint32_t src = k % 3, dst = (k + 1 + k / 3 % 2) % 3;
		int64_t sent_ns = (int64_t)k * DRIFT_ROUND_NS + 1;

		took_ns[k] = DRIFT_LEAST_NS + 7919 * k % 50000;
		message(&s, src, dst, drifting(src, sent_ns), drifting(dst, sent_ns + took_ns[k]));
	}
	align(&s);
	return s;
}

/* The most by which a message now takes another time than it took. */
static int64_t furthest(const struct story *s, const int64_t *took_ns)
{
	int64_t most_ns = 0;

	CU_ASSERT_EQUAL_FATAL(s->messages.n, DRIFT_MESSAGES);
	for (uint32_t i = 0; i < s->messages.n; i++) {
		const struct message *x = &s->messages.m[i];
		int64_t sent_ns = s->t.calls[x->send_call].enter_ns;
		uint32_t k = (uint32_t)((sent_ns + DRIFT_ROUND_NS / 2) / DRIFT_ROUND_NS);
		int64_t off_ns = llabs(x->done_ns - sent_ns - took_ns[k]);

		CU_ASSERT(x->done_ns >= sent_ns);
		most_ns = off_ns > most_ns ? off_ns : most_ns;
	}
	for (uint32_t c = 0; c + 1 < s->t.n_calls; c++)
		CU_ASSERT(s->t.calls[c].rank != s->t.calls[c + 1].rank ||
			  s->t.calls[c].leave_ns <= s->t.calls[c + 1].enter_ns);
	return most_ns;
}

/* No shift mends it; in windows it is, as well as is said, and better with calibrated minima. */
static void test_clock_drift_is_mended_in_windows(void)
{
	struct machine machine = tables_machine(26e-6, 4e-6, 0, 65536);
	int64_t took_ns[DRIFT_MESSAGES], far_ns, calibrated_ns;
	struct story s = drift(NULL, took_ns);

	CU_ASSERT(s.quality.violations > DRIFT_MESSAGES / 10);
	CU_ASSERT(s.quality.windows > 0);
	far_ns = furthest(&s, took_ns);
	CU_ASSERT(far_ns <= s.quality.error_ns);
	CU_ASSERT(s.quality.error_ns < 150000);
	CU_ASSERT(clock_is_moved(clock_pair_error_ns(&s.t, &s.quality, 0, 1)));
	release(&s);
	s = drift(&machine, took_ns);
	calibrated_ns = furthest(&s, took_ns);
	CU_ASSERT(calibrated_ns <= s.quality.error_ns);
	CU_ASSERT(s.quality.error_ns < 100000);
	CU_ASSERT(calibrated_ns < far_ns);
	release(&s);
	machine_release(&machine);
}

/*
 * Never too early; the later node's clock gains gained_ns over the run, by which none is too early.
 */
static struct story gain(int64_t gained_ns, int64_t known_ns, int64_t busy_ns)
{
	struct story s = begin(2);

	s.known_ns = known_ns;
	for (uint32_t k = 0; k < DRIFT_MESSAGES; k++) {
		int64_t sent_ns = (int64_t)k * DRIFT_ROUND_NS + 1, off_ns, took_ns;

		off_ns = gained_ns / 2 - (int64_t)((double)gained_ns * k / DRIFT_MESSAGES);
		took_ns = gained_ns / 2 + DRIFT_LEAST_NS + 7919 * k % 20000;
		/* For a third of the run all messages one way wait for something. */
		took_ns += k % 2 && k / (DRIFT_MESSAGES / 3) == 1 ? busy_ns : 0;
		message(&s, k % 2, 1 - k % 2, sent_ns + (k % 2 ? off_ns : 0),
			sent_ns + took_ns + (k % 2 ? 0 : off_ns));
	}
	align(&s);
	CU_ASSERT_EQUAL(s.quality.violations, 0);
	return s;
}

/* The fastest messages of all the run alone would say that clocks agree which never did. */
static void test_clock_drift_that_no_message_contradicts(void)
{
	struct story s = gain(400000, 0, 0);

	CU_ASSERT_DOUBLE_EQUAL((double)s.quality.drift_ns, 400000, 40000);
	CU_ASSERT(clock_pair_error_ns(&s.t, &s.quality, 0, 1) >= 400000);
	CU_ASSERT(clock_pair_error_ns(&s.t, &s.quality, 1, 0) >= 400000);
	CU_ASSERT(s.quality.error_ns >= 400000);
	release(&s);
	s = gain(400000, 10000, 0); /* the recorder knows better */
	CU_ASSERT_EQUAL(s.quality.error_ns, 20000);
	CU_ASSERT_EQUAL(s.quality.drift_ns, 0);
	release(&s);
}

/* Noise is no drift, nor is traffic that goes one way for a while. */
static void test_clock_traffic_is_no_drift(void)
{
	struct story s = gain(0, 0, 0);

	CU_ASSERT(s.quality.drift_ns < 1000);
	CU_ASSERT(s.quality.error_ns < DRIFT_LEAST_NS + 3000);
	release(&s);
	s = gain(0, 0, 400000);
	CU_ASSERT(s.quality.drift_ns < 1000);
	CU_ASSERT(s.quality.error_ns < DRIFT_LEAST_NS + 3000);
	release(&s);
}

/* What a machine file says a message takes at least is no doubt about the clocks. */
static void test_clock_bounds_count_from_the_calibrated_least(void)
{
	struct machine machine = tables_machine(20e-9, 10e-9, 0, 65536);
	struct story s = begin(2);

	s.machine = &machine;
	message(&s, 0, 1, 100, 180);
	message(&s, 1, 0, 300, 350);
	align(&s);
	CU_ASSERT(s.quality.error_ns >= 50 && s.quality.error_ns < 53);
	CU_ASSERT_EQUAL(s.quality.moved_nodes, 0);
	release(&s);
	machine_release(&machine);
}

static void test_clock_time_starts_at_0_after_a_shift(void)
{
	struct story s = begin(2);

	message(&s, 0, 1, 5000, 4000);
	align(&s);
	CU_ASSERT_EQUAL(s.t.ranks[1].begin_ns, 0);
	CU_ASSERT_EQUAL(s.t.ranks[0].begin_ns, 2);
	CU_ASSERT_EQUAL(s.t.wall_ns, 4);
	release(&s);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_clock_errors_are_per_pair),
	SUITE_CASE(test_clock_shifted_pairs_are_known),
	SUITE_CASE(test_clock_of_one_node_is_exact),
	SUITE_CASE(test_clock_bounds_come_from_the_fastest),
	SUITE_CASE(test_clock_believes_the_recorder),
	SUITE_CASE(test_clock_shifts_whole_nodes_by_the_least),
	SUITE_CASE(test_clock_shift_goes_on_through_other_nodes),
	SUITE_CASE(test_clock_that_drifts_ends),
	SUITE_CASE(test_clock_drift_is_mended_in_windows),
	SUITE_CASE(test_clock_drift_that_no_message_contradicts),
	SUITE_CASE(test_clock_traffic_is_no_drift),
	SUITE_CASE(test_clock_bounds_count_from_the_calibrated_least),
	SUITE_CASE(test_clock_time_starts_at_0_after_a_shift),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("clock", tests);
}
