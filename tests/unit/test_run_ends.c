/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/run/run_ends.h"

#include "tests/fixtures/suite.h"
#include "tests/fixtures/sums.h"

#define US 1000
#define MS 1000000

/* How long a trace of 10 ms lasts, of which run.json says this; NULL: there is none. */
static int64_t lasts_ns(const char *unfinished)
{
	struct rank ranks[3] = {0};
	struct trace t = {.wall_ns = 10 * MS, .n_ranks = 3, .ranks = ranks};
	struct run r = {0};

	if (unfinished)
		r.meta = json_pack("{s:o}", "unfinished", json_loads(unfinished, 0, NULL));
	run_ends_mark(&r, &t);
	json_decref(r.meta);
	return t.wall_ns;
}

static void test_run_ends_when_the_last_process_did(void)
{
	CU_ASSERT_EQUAL(lasts_ns("[{\"rank\":0,\"alive_s\":0.25},{\"rank\":1,\"alive_s\":0.5},"
				 "{\"rank\":2,\"alive_s\":0.125}]"),
			500 * MS);
	CU_ASSERT_EQUAL(lasts_ns("[{\"rank\":0,\"alive_s\":0.005}]"), 10 * MS);
}

static void test_run_ends_with_its_events_where_no_end_is_known(void)
{
	CU_ASSERT_EQUAL(lasts_ns(NULL), 10 * MS);
	CU_ASSERT_EQUAL(lasts_ns("[]"), 10 * MS);
	CU_ASSERT_EQUAL(lasts_ns("[{\"rank\":0}]"), 10 * MS);
	CU_ASSERT_EQUAL(lasts_ns("[{\"rank\":0,\"alive_s\":-1}]"), 10 * MS);
	CU_ASSERT_EQUAL(lasts_ns("[{\"rank\":0,\"alive_s\":1e300}]"), 10 * MS);
	CU_ASSERT_EQUAL(lasts_ns("[7,{\"rank\":0,\"alive_s\":\"long\"}]"), 10 * MS);
}

/* The last computation is the rank's own, and the parts add up with it. */
static void test_run_ends_with_what_its_ranks_computed(void)
{
	struct machine m = tables_machine(5e-6, 1e-6, 1e-9, 1 << 20);
	struct run r = {
		.meta = json_pack("{s:[{s:i, s:f}]}", "unfinished", "rank", 1, "alive_s", 0.5)};
	struct attribution before, after;
	uint32_t send, recv;
	struct tables x;

	tables_init(&x, 2, 1);
	send = tables_call(&x, 0, REGION_SEND, 0, 2 * US, 0);
	recv = tables_call(&x, 1, REGION_RECV, 0, 10 * US, 1);
	tables_message(&x, 1000, send, send, recv, recv);
	tables_finish(&x);
	before = sums_attribute(&x, &m);
	run_ends_mark(&r, &x.trace);
	after = sums_attribute(&x, &m);
	CU_ASSERT(sums_add_up(&x, &after));
	CU_ASSERT_EQUAL(after.budget.total_ns, 2 * 500 * MS);
	CU_ASSERT_EQUAL(after.budget.parts[COST_compute].ns - before.budget.parts[COST_compute].ns,
			after.budget.total_ns - before.budget.total_ns);
	attribution_release(&before);
	attribution_release(&after);
	json_decref(r.meta);
	tables_release(&x);
	machine_release(&m);
}

/* Who left no note of its end was only last seen then. */
static void test_rank_is_silent_without_a_note(void)
{
	struct run r = {.meta = json_loads("{\"unfinished\": [{\"rank\": 0, \"alive_s\": 0.02, "
					   "\"ended\": \"killed\"}, {\"rank\": 1, \"alive_s\": "
					   "0.02, \"ended\": \"killed\", \"signal\": "
					   "\"SIGTERM\"}, {\"rank\": 2, \"alive_s\": 0.02, "
					   "\"ended\": \"exit\"}]}",
					   0, NULL)};
	struct rank ranks[3] = {{.end_ns = 10 * MS}, {.end_ns = 10 * MS}, {.end_ns = 10 * MS}};
	struct trace t = {.wall_ns = 100 * MS, .n_ranks = 3, .ranks = ranks};

	run_ends_mark(&r, &t);
	for (int k = 0; k < 3; k++) {
		CU_ASSERT_EQUAL(ranks[k].gone_ns, 80 * MS);
		CU_ASSERT_EQUAL(ranks[k].is_silent, k == 0);
	}
	json_decref(r.meta);
}

/* What is booked of rank 0, which was last seen at 20 ms, by whose record it paused or not; ns. */
static int64_t booked_ns(int64_t leave_ns, int pauses)
{
	struct machine m = tables_machine(5e-6, 1e-6, 1e-9, 1 << 20);
	struct run r = {.meta = json_pack("{s:[{s:i, s:f}, {s:i, s:f}]}", "unfinished", "rank", 0,
					  "alive_s", 0.02, "rank", 1, "alive_s", 0.5)};
	struct op pause = {.kind = OP_PAUSE, .time_ns = 15 * MS};
	struct attribution a;
	struct tables x;
	int64_t ns;

	tables_init(&x, 2, 1);
	tables_call(&x, 0, REGION_RECV, 0, leave_ns, 0);
	tables_call(&x, 1, REGION_RECV, 0, 400 * MS, 1);
	tables_finish(&x);
	if (pauses) {
		x.trace.ops = &pause;
		x.trace.n_ops = x.trace.ranks[0].ops = 1;
	}
	run_ends_mark(&r, &x.trace);
	a = sums_attribute(&x, &m);
	CU_ASSERT_EQUAL(a.rank_budget[1].total_ns, 500 * MS);
	CU_ASSERT_EQUAL(a.budget.total_ns, 500 * MS + a.rank_budget[0].total_ns);
	CU_ASSERT_EQUAL(a.rank_budget[0].total_ns - a.rank_budget[0].parts[COST_compute].ns,
			leave_ns);
	ns = a.rank_budget[0].total_ns;
	x.trace.ops = NULL;
	x.trace.n_ops = 0;
	attribution_release(&a);
	json_decref(r.meta);
	tables_release(&x);
	machine_release(&m);
	return ns;
}

/*
 * Who is dead computes nothing. A call that it did not return from is its time, and a pause is not.
 */
static void test_rank_that_is_gone_has_no_time(void)
{
	CU_ASSERT_EQUAL(booked_ns(10 * MS, 0), 20 * MS);
	CU_ASSERT_EQUAL(booked_ns(300 * MS, 0), 300 * MS);
	CU_ASSERT_EQUAL(booked_ns(10 * MS, 1), 15 * MS);
}

static void test_run_ends_first_gone(void)
{
	struct rank ranks[3] = {{.gone_ns = 0}, {.gone_ns = 2 * MS}, {.gone_ns = 3 * MS}};
	struct trace t = {.wall_ns = 10 * MS, .n_ranks = 3, .ranks = ranks};

	CU_ASSERT_EQUAL(run_ends_first_gone(&t), 2);
	ranks[2].gone_ns = 0;
	CU_ASSERT_EQUAL(run_ends_first_gone(&t), 1);
	ranks[1].gone_ns = MS - 1; /* as if all were ended one soon after the other */
	CU_ASSERT_EQUAL(run_ends_first_gone(&t), TRACE_NONE);
	t.wall_ns = t.n_ranks = 0;
	CU_ASSERT_EQUAL(run_ends_first_gone(&t), TRACE_NONE);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_run_ends_when_the_last_process_did),
	SUITE_CASE(test_run_ends_with_its_events_where_no_end_is_known),
	SUITE_CASE(test_run_ends_with_what_its_ranks_computed),
	SUITE_CASE(test_rank_is_silent_without_a_note),
	SUITE_CASE(test_rank_that_is_gone_has_no_time),
	SUITE_CASE(test_run_ends_first_gone),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("run ends", tests);
}
