/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/run_ends.h"

#include "tests/unit/suite.h"
#include "tests/unit/sums.h"

#define US 1000
#define MS 1000000

/* How long a trace of 10 ms lasts, of which run.json says this; NULL: there is none. */
static int64_t lasts_ns(const char *unfinished)
{
	struct trace t = {.wall_ns = 10 * MS};
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

static CU_TestInfo tests[] = {
	SUITE_CASE(test_run_ends_when_the_last_process_did),
	SUITE_CASE(test_run_ends_with_its_events_where_no_end_is_known),
	SUITE_CASE(test_run_ends_with_what_its_ranks_computed),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("run ends", tests);
}
