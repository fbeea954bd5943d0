/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is shared unevenly from step to step, where no collective cuts the run into them. */
#include <string.h>

#include "analyze/gains/own_work.h"
#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#define MS     1000000
#define RANKS  8
#define STEPS  20
#define BEFORE 2
#define AFTER  4

/*
 * Each step every rank sends to the next one and waits for the one before: no collective cuts the
 * run, but all come equally often to both calls. When the last one is done.
 */
static int64_t send_round(struct tables *x, int64_t more_ns, int64_t all_ns)
{
	int64_t at[RANKS] = {0}, sent_ns[RANKS], last_ns = 0, got_ns;
	uint32_t send[RANKS], recv;

	tables_init(x, RANKS, 1);
	for (uint32_t r = 0; r < RANKS; r++)
		tables_call(x, r, REGION_MPI_LOCAL, 0, at[r] = 1000, 6);
	for (uint32_t step = 0; step < STEPS; step++) {
		for (uint32_t r = 0; r < RANKS; r++) {
			sent_ns[r] = at[r] + all_ns + (3 * step % RANKS == r ? more_ns : 0);
			send[r] = tables_call(x, r, REGION_SEND, sent_ns[r], sent_ns[r] + 1000,
					      BEFORE);
		}
		for (uint32_t r = 0; r < RANKS; r++) {
			uint32_t from = (r + RANKS - 1) % RANKS;

			got_ns = sent_ns[from] + 20000;
			at[r] = got_ns > sent_ns[r] + 2000 ? got_ns : sent_ns[r] + 2000;
			recv = tables_call(x, r, REGION_RECV, sent_ns[r] + 1000, at[r], AFTER);
			tables_message(x, 8, send[from], send[from], recv, recv);
			last_ns = at[r] > last_ns ? at[r] : last_ns;
		}
	}
	tables_collective(x, at, last_ns + 20000, 5);
	tables_finish(x);
	return last_ns;
}

/* Half more than the mean in each step is work that can be divided anew, whoever has it. */
static void test_own_work_divides_each_step(void)
{
	struct tables x;
	int64_t even_ns = send_round(&x, 0, 12 * MS), gain_ns;
	const struct hotspot *found;
	struct hotspots h;

	tables_release(&x);
	gain_ns = send_round(&x, 16 * MS, 10 * MS) - even_ns;
	CU_ASSERT_FATAL(gain_ns > STEPS * MS);
	h = findings_of(&x, tables_machine(10e-6, 1e-6, 1e-9, 65536));
	found = findings_one(&h, "imbalance");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT(strstr(found->title, "another rank") != NULL);
	CU_ASSERT_EQUAL(found->site, BEFORE);
	CU_ASSERT_EQUAL(found->saves_low_s, 0);
	CU_ASSERT_DOUBLE_EQUAL(found->saves_mid_s, gain_ns * 1e-9, 0.1 * gain_ns * 1e-9);
	CU_ASSERT(found->saves_high_s >= gain_ns * 1e-9);
	hotspots_release(&h);
	tables_release(&x);
}

/* What threads of a rank do is not replayed, and nothing of it certain. */
static void test_own_work_of_threads_is_guessed(void)
{
	const struct hotspot *found;
	struct hotspots h;
	struct tables x;

	send_round(&x, 16 * MS, 10 * MS);
	x.trace.ranks[0].is_threaded = 1;
	h = findings_of(&x, tables_machine(10e-6, 1e-6, 1e-9, 65536));
	found = findings_one(&h, "imbalance");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_EQUAL(found->saves_low_s, 0);
	CU_ASSERT(found->saves_mid_s > 0.05 && found->saves_mid_s <= found->saves_high_s);
	hotspots_release(&h);
	tables_release(&x);
}

/*
 * Two ranks, of which the first always computes 6 ms and the other 4: whatever of its time it
 * waited for its core, what is left is more than the other can have computed.
 */
static void test_own_work_is_proven_beside_waits_for_a_core(void)
{
	struct machine machine = tables_machine(10e-6, 1e-6, 1e-9, 65536);
	struct clock_quality clock = {0};
	struct attribution a;
	struct tables x;
	struct evidence_base b = {
		.t = &x.trace, .m = &x.messages, .c = &x.collectives, .machine = &machine, .a = &a};
	struct own_work w;
	struct err err;

	tables_init(&x, 2, 1);
	for (uint32_t r = 0; r < 2; r++)
		tables_call(&x, r, REGION_MPI_LOCAL, 0, 1000, 6);
	for (int64_t step = 0; step < STEPS; step++)
		tables_collective(&x,
				  (int64_t[]){1000 + step * 7 * MS + 6 * MS,
					      1000 + step * 7 * MS + 4 * MS},
				  1000 + (step + 1) * 7 * MS, 5);
	tables_finish(&x);
	x.trace.ranks[0].core_awaited_ns = STEPS * MS;
	CU_ASSERT_EQUAL_FATAL(attribution_run(&x.trace, &x.messages, &x.collectives, &machine,
					      &clock, &a, &err),
			      0);
	CU_ASSERT_EQUAL_FATAL(evidence_find(&b, &err), 0);
	CU_ASSERT_EQUAL_FATAL(own_work_init(&w, &b, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(w.sum.fixed_s, STEPS * 1e-3, 1e-5);
	CU_ASSERT_DOUBLE_EQUAL(w.sum.proven_s, STEPS * 0.5e-3, 1e-5);
	CU_ASSERT_DOUBLE_EQUAL(w.sum.led_share, 1, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(w.sum.all_away_s, STEPS * 1e-3, 1e-5);
	own_work_release(&w);
	/* it slept for all but 1.5 of 7 ms, of which 1 was in MPI: outside it waited for 0.5 */
	x.trace.ranks[0].core_used_ns = STEPS * MS / 2;
	CU_ASSERT_EQUAL_FATAL(own_work_init(&w, &b, &err), 0);
	CU_ASSERT_DOUBLE_EQUAL(w.sum.all_away_s, STEPS * 0.5e-3, 1e-5);
	own_work_release(&w);
	evidence_release(&b);
	attribution_release(&a);
	machine_release(&machine);
	tables_release(&x);
}

/*
 * All have begun a session; before another one rank computes for 30 ms more. What is before MPI is
 * begun is no piece of computation, but that is.
 */
static void test_own_work_before_another_session(void)
{
	int64_t enter[RANKS], now = 40 * MS;
	struct hotspots h;
	struct tables x;

	tables_init(&x, RANKS, 1);
	for (uint32_t r = 0; r < RANKS; r++) {
		enter[r] = now - (r == 3 ? 0 : 30 * MS);
		tables_call(&x, r, REGION_INIT, 0, 1000, 0);
		tables_call(&x, r, REGION_INIT, enter[r] - 2000, enter[r] - 1000, 0);
	}
	for (uint32_t step = 0; step <= STEPS; step++) {
		for (uint32_t r = 0; r < RANKS && step; r++)
			enter[r] = now;
		tables_collective(&x, enter, now + 10000, step ? AFTER : BEFORE);
		now += 10 * MS;
	}
	tables_finish(&x);
	h = findings_of(&x, tables_machine(10e-6, 1e-6, 1e-9, 65536));
	CU_ASSERT_EQUAL(findings_count(&h, "imbalance"), 1);
	hotspots_release(&h);
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_own_work_divides_each_step),
		SUITE_CASE(test_own_work_before_another_session),
		SUITE_CASE(test_own_work_of_threads_is_guessed),
		SUITE_CASE(test_own_work_is_proven_beside_waits_for_a_core),
		CU_TEST_INFO_NULL,
	};

	return suite_run("own_work", tests);
}
