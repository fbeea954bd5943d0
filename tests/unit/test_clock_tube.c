/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/clock/clock_tube.h"

#include "analyze/clock/clock.h"

#include "tests/fixtures/suite.h"
#include "tests/fixtures/tables.h"

#include <math.h>
#include <stdlib.h>

#define US       INT64_C(1000)
#define S        INT64_C(1000000000)
#define RUN_NS   (100 * S)
#define MESSAGES 6000
#define LEAST_NS (20 * US)
#define WAIT_NS  (30 * US) /* beyond the least, at most */

/* How a clock is wrong: a shape from 0 to 1 of the run, and its height. */
struct fault {
	double (*shape)(double into);
	double height_ns;
};

static double straight(double into)
{
	return into;
}

static double wave(double into)
{
	return sin(6.2831853 * into);
}

static double waves(double into)
{
	return sin(4 * 6.2831853 * into);
}

static double bend(double into)
{
	return 4 * into * (1 - into);
}

static double warming(double into)
{
	return into < 0.3 ? 0 : into < 0.5 ? 5 * (into - 0.3) : 1;
}

static double jump(double into)
{
	return into > 0.45;
}

static double wrong_ns(const struct fault *f, double ns)
{
	return f->height_ns * f->shape(fmin(fmax(ns / RUN_NS, 0), 1));
}

/* What is left when the recorder has joined both ends by a line, as timeline.c does. */
static double left_ns(const struct fault *f, int64_t known_ns, double ns)
{
	double whole = known_ns < 0 ? 0 : wrong_ns(f, RUN_NS) * ns / RUN_NS;

	return wrong_ns(f, ns) - whole - (known_ns < 0 ? 0 : wrong_ns(f, 0));
}

struct run {
	struct tables x;
	struct clock_quality quality;
	int64_t took_ns[MESSAGES];
};

/*
 * Three clocks, rank 1's is wrong, and messages of each of the other two with it and with each
 * other; none from..to of the run.
 */
static void record(struct run *run, const struct fault *f, int64_t known_ns, double from, double to)
{
	struct tables *x = &run->x;
	struct err err;

	tables_init(x, 3, 1);
	x->trace.clocks = 3;
	for (uint32_t r = 0; r < 3; r++) {
		x->trace.ranks[r].clock = r;
		x->trace.ranks[r].clock_error_ns = known_ns;
	}
	for (int32_t k = 0; k < MESSAGES; k++) {
		uint32_t src = (uint32_t)k % 3, dst = (src + 1 + (uint32_t)k / 3 % 2) % 3, send,
			 recv;
		double sent = (double)k * ((double)RUN_NS / MESSAGES) + 1e6, done;
		double into = (double)k / MESSAGES;

		run->took_ns[k] = LEAST_NS + INT64_C(7919) * k % WAIT_NS;
		if (into > from && into < to)
			continue;
		done = sent + (double)run->took_ns[k];
		sent += src == 1 ? left_ns(f, known_ns, sent) : 0;
		done += dst == 1 ? left_ns(f, known_ns, done) : 0;
		send = tables_call(x, src, REGION_SEND, (int64_t)sent, (int64_t)sent + 10, 0);
		recv = tables_call(x, dst, REGION_RECV, (int64_t)done - 10, (int64_t)done, 1);
		tables_message(x, 8, send, send, recv, recv);
		x->messages.m[x->messages.n - 1].tag = k;
	}
	tables_finish(x);
	CU_ASSERT_EQUAL_FATAL(clock_align(&x->trace, &x->messages, NULL, NULL, &run->quality, &err),
			      0);
}

/* Every message takes as long as it took, within its two clocks' bound. */
static void expect_true_messages(const struct run *run)
{
	const struct trace *t = &run->x.trace;
	uint32_t beyond = 0;

	for (uint32_t i = 0; i < run->x.messages.n; i++) {
		const struct message *m = &run->x.messages.m[i];
		int64_t off_ns = m->done_ns - m->sent_ns - run->took_ns[m->tag];
		int64_t pair_ns = clock_pair_error_ns(t, &run->quality, m->src, m->dst);

		beyond += off_ns > clock_bound_ns(pair_ns) + 1;
		beyond += llabs(off_ns) > run->quality.error_ns + 1;
	}
	CU_ASSERT_EQUAL(beyond, 0);
}

static void expect_true_clock(const struct run *run, const struct fault *f, int64_t known_ns)
{
	uint32_t beyond = 0;

	for (int64_t ns = 0; ns < RUN_NS; ns += RUN_NS / 1000)
		beyond += fabs(left_ns(f, known_ns, (double)ns)) > (double)run->quality.error_ns;
	CU_ASSERT_EQUAL(beyond, 0);
}

static const struct fault small[] = {{straight, 12e3}, {wave, 12e3}, {bend, 12e3},
				     {warming, 12e3},  {jump, 12e3}, {wave, -18e3}};
static const struct fault large[] = {{straight, 900e3}, {wave, 300e3}, {bend, -900e3},
				     {warming, 600e3},  {waves, 60e6}, {bend, 20e6},
				     {jump, 400e3}};

/*
 * Compared at its begin and end only, a clock that bends by less than any message takes: none
 * arrives too early, and the fastest of the run alone would say that clocks agree which do not.
 */
static void test_clock_tube_bends_that_no_message_contradicts(void)
{
	const int64_t known_ns = 2 * US + RUN_NS / 200000; /* as timeline.h has it of such a run */

	for (size_t k = 0; k < sizeof(small) / sizeof(*small); k++) {
		struct run run;

		record(&run, &small[k], known_ns, 0, 0);
		CU_ASSERT_EQUAL(run.quality.violations, 0);
		expect_true_messages(&run);
		expect_true_clock(&run, &small[k], known_ns);
		/* better than 504 us by far: the bend, a message and what a slot takes */
		CU_ASSERT(run.quality.error_ns < 18 * US + LEAST_NS + 10 * US);
		tables_release(&run.x);
	}
}

/* A clock that nobody compared, or that bends by more than a message takes. */
static void test_clock_tube_bends_that_messages_contradict(void)
{
	const int64_t known_ns = 2 * US + RUN_NS / 200000;

	for (size_t k = 0; k < 2 * sizeof(large) / sizeof(*large); k++) {
		double useful_ns;
		struct run run;

		record(&run, &large[k / 2], k % 2 ? known_ns : -1, 0, 0);
		expect_true_messages(&run);
		/* A jump about as well as it is large; else it is what messages take, and slots. */
		useful_ns = 100e3 + fabs(large[k / 2].height_ns) / 10;
		if (large[k / 2].shape == jump)
			useful_ns = 4 * large[k / 2].height_ns;
		CU_ASSERT((double)run.quality.error_ns < useful_ns);
		if (large[k / 2].height_ns < 1e6) /* clocks that there are */
			CU_ASSERT_EQUAL(run.quality.jumped, large[k / 2].shape == jump);
		tables_release(&run.x);
	}
}

/* Where there are no messages for a while, the bound is wider, and no wider than the recorder's. */
static void test_clock_tube_without_messages_for_a_while(void)
{
	const int64_t known_ns = 2 * US + RUN_NS / 200000;
	const struct fault f = {bend, 100e3};
	struct run run;

	record(&run, &f, known_ns, 0.02, 0.98);
	CU_ASSERT_EQUAL(run.quality.violations, 0);
	expect_true_messages(&run);
	expect_true_clock(&run, &f, known_ns);
	CU_ASSERT(run.quality.error_ns <= 2 * known_ns);
	/* but messages, where there are, are known as well as before */
	CU_ASSERT(clock_pair_error_ns(&run.x.trace, &run.quality, 0, 1) < 100 * US);
	tables_release(&run.x);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_clock_tube_bends_that_no_message_contradicts),
	SUITE_CASE(test_clock_tube_bends_that_messages_contradict),
	SUITE_CASE(test_clock_tube_without_messages_for_a_while),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("clock_tube", tests);
}
