/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which readings of counters an archive's reader keeps. */
#include "analyze/reader/reader.h"
#include "tests/fixtures/scratch.h"
#include "tests/traces/mktrace.h"

#include "tests/fixtures/suite.h"

#include <stdlib.h>
#include <string.h>

static struct err err;

/* The recorder's names, without its rows' rest. */
static const char *const recorded[] = {
#define COUNTER(id, name, unit, of, missing) name,
#include "interpose/evidence/counters.def"
#undef COUNTER
};

static void test_readings_have_the_recorders_names(void)
{
	size_t n = sizeof(recorded) / sizeof(recorded[0]), known = 0;

	for (size_t i = 0; i < n; i++)
		known += reading_named(recorded[i]) != READING_KINDS;
	CU_ASSERT_EQUAL(known, READING_KINDS);
	CU_ASSERT_EQUAL(reading_named("tcp_retransmits"), READING_SENT_AGAIN);
	CU_ASSERT_EQUAL(reading_named("tcp_timeouts"), READING_TIMEOUTS);
	CU_ASSERT_EQUAL(reading_named("tcp"), READING_KINDS);
}

static void call(struct mktrace *m, uint32_t rank, int64_t enter_ns, int64_t leave_ns)
{
	mktrace_call(m, SCHEMA_LOCATION(rank, 0), (struct mkspan){enter_ns, leave_ns},
		     "MPI_Comm_rank", NULL, 0, NULL);
}

static int is_reading(const struct counter_reading *x, uint32_t rank, enum reading_of of,
		      int64_t time_ns, uint64_t value)
{
	return x->rank == rank && x->of == of && x->time_ns == time_ns && x->value == value;
}

/* From the trace's first event on, and nobody's time is longer for them. */
static void test_readings_are_kept_by_rank(void)
{
	char *dir = scratch_new();
	struct mktrace *m = mktrace_new(dir, 3, &err);
	struct trace t = {0};

	call(m, 0, 1000, 1010);
	for (int k = 1; k <= 3; k++) {
		mktrace_reading(m, SCHEMA_LOCATION(0, 0), 1000 + 100 * k, "tcp_timeouts",
				(uint64_t)k * k);
		mktrace_reading(m, SCHEMA_LOCATION(0, 0), 1000 + 100 * k, "voluntary_switches", 7);
	}
	call(m, 1, 1020, 2000);
	call(m, 2, 1030, 1040);
	mktrace_reading(m, SCHEMA_LOCATION(2, 0), 5000, "tcp_retransmits", 5);
	CU_ASSERT_EQUAL_FATAL(mktrace_close(m, &err), 0);
	CU_ASSERT_EQUAL_FATAL(trace_read(dir, &t, &err), 0);
	CU_ASSERT_EQUAL_FATAL(t.readings.n, 4);
	for (int k = 1; k <= 3; k++)
		CU_ASSERT(is_reading(&t.readings.v[k - 1], 0, READING_TIMEOUTS, 100 * k,
				     (uint64_t)k * k));
	CU_ASSERT(is_reading(&t.readings.v[3], 2, READING_SENT_AGAIN, 4000, 5));
	CU_ASSERT_EQUAL(t.wall_ns, 1000);
	CU_ASSERT_EQUAL(t.ranks[0].end_ns, 10);
	trace_release(&t);
	scratch_free(dir);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_readings_have_the_recorders_names),
	SUITE_CASE(test_readings_are_kept_by_rank),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("readings", tests);
}
