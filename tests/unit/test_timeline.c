/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "interpose/archive/timeline.h"

#include "tests/fixtures/suite.h"

#include <stdlib.h>
#include <string.h>

#define S  INT64_C(1000000000)
#define US 1000

static const struct ticks_scale two_ns = {.tick0 = 0, .ns0 = 0, .ns_per_tick = 2.0};

/* Points as a leader's log has them: two in the header, the others as records. */
static struct timeline make(uint32_t n, const struct log_offset points[n])
{
	size_t bytes = sizeof(struct log_header) + n * sizeof(struct record);
	char *digest = calloc(1, bytes);
	struct log_header *h = (void *)digest;
	struct record *r = (void *)(digest + sizeof(*h));
	struct timeline t = {0};
	uint32_t i;

	h->n_offsets = n < 2 ? n : 2;
	h->has_ticks = 1;
	for (i = 0; i < n; i++) {
		if (i == 0 || i == n - 1) {
			h->offset[i ? 1 : 0] = points[i];
			continue;
		}
		r->kind = RECORD_DEF_OFFSET;
		r->enter = points[i].tick;
		r->request = (uint64_t)points[i].mono_ns;
		r->bytes = (uint64_t)points[i].offset_ns;
		r->bytes_in = (uint64_t)points[i].error_ns;
		r++;
	}
	CU_ASSERT_EQUAL_FATAL(timeline_add(&t, digest, (size_t)((char *)r - digest)), 0);
	timeline_sort(&t);
	free(digest);
	return t;
}

static void test_timeline_without_points_is_the_logs_own(void)
{
	struct timeline t = {0};

	CU_ASSERT_EQUAL(timeline_ns(&t, &two_ns, 500), 1000);
}

static void test_timeline_joins_points_by_lines(void)
{
	const struct log_offset points[] = {
		{.tick = 1000, .mono_ns = 2000, .offset_ns = 100},
		{.tick = 2000, .mono_ns = 4000, .offset_ns = 300},
		{.tick = 4000, .mono_ns = 8000, .offset_ns = 100},
	};
	struct timeline t = make(3, points);

	CU_ASSERT_EQUAL(t.n, 3);
	CU_ASSERT_EQUAL(timeline_ns(&t, &two_ns, 1000), 2100);
	CU_ASSERT_EQUAL(timeline_ns(&t, &two_ns, 1500), 3200);
	CU_ASSERT_EQUAL(timeline_ns(&t, &two_ns, 2000), 4300);
	CU_ASSERT_EQUAL(timeline_ns(&t, &two_ns, 3000), 6200);
	CU_ASSERT_EQUAL(timeline_ns(&t, &two_ns, 4000), 8100);
	CU_ASSERT_EQUAL(timeline_ns(&t, &two_ns, 900), 1900);   /* too short for a rate: */
	CU_ASSERT_EQUAL(timeline_ns(&t, &two_ns, 5000), 10100); /* the log's own */
	timeline_release(&t);
}

/* A killed job: what was learnt of the drift goes on after the last comparison. */
static void test_timeline_goes_on_at_the_rate_learnt(void)
{
	const struct log_offset points[] = {
		{.tick = 0, .mono_ns = 0, .offset_ns = 0},
		{.tick = 50 * S, .mono_ns = 100 * S, .offset_ns = 3000 * US},
	};
	struct timeline t = make(2, points);

	CU_ASSERT_EQUAL(timeline_ns(&t, &two_ns, 100 * S), 200 * S + 6000 * US);
	timeline_release(&t);
}

/* Years of uptime, counted in cycles of 4 GHz. */
static void test_timeline_of_a_long_uptime(void)
{
	const uint64_t begin = UINT64_C(4000000000) * 86400 * 3650;
	const int64_t ns = INT64_C(86400) * 3650 * S;
	const struct log_offset points[] = {
		{.tick = begin, .mono_ns = ns, .offset_ns = -ns + S},
		{.tick = begin + UINT64_C(4000000000) * 86400,
		 .mono_ns = ns + 86400 * S,
		 .offset_ns = -ns + S},
	};
	struct timeline t = make(2, points);
	uint64_t middle = begin + UINT64_C(2000000000) * 86400;

	CU_ASSERT_EQUAL(timeline_ns(&t, &two_ns, middle), 43201 * S);
	CU_ASSERT_EQUAL(timeline_ns(&t, &two_ns, middle + 4000), 43201 * S + 1000);
	timeline_release(&t);
}

static void test_timeline_never_goes_back(void)
{
	const struct log_offset points[] = {
		{.tick = 1000, .mono_ns = 2000},
		{.tick = 2000, .mono_ns = 4000, .offset_ns = -3000},
		{.tick = 4000, .mono_ns = 8000},
	};
	struct timeline t = make(3, points);
	int64_t last = INT64_MIN, ns;
	uint64_t tick;

	for (tick = 0; tick < 6000; tick += 100) {
		ns = timeline_ns(&t, &two_ns, tick);
		CU_ASSERT(ns >= last);
		last = ns;
	}
	timeline_release(&t);
}

static void test_timeline_bound_between_points(void)
{
	const struct log_offset points[] = {
		{.tick = 0, .mono_ns = 0, .error_ns = 2000},
		{.tick = 50 * S, .mono_ns = 100 * S, .error_ns = 4000},
	};
	struct timeline t = make(2, points);
	struct timeline_quality q = timeline_judge(&t);

	/* the mean of both, and 1 ppm of 50 s */
	CU_ASSERT_EQUAL(timeline_between_ns(&t, 0), 3000 + 50 * US);
	CU_ASSERT_EQUAL(q.error_ns, 3000 + 50 * US);
	CU_ASSERT_EQUAL(q.first_ns, 2000);
	CU_ASSERT_EQUAL(q.final_ns, 4000);
	CU_ASSERT_EQUAL(q.steps, 0);
	timeline_release(&t);
}

/* Drift of 100 ppm all the time, and 2 ms more somewhere in the third piece of 10 s. */
static void test_timeline_tells_a_step_from_drift(void)
{
	struct log_offset points[6];
	struct timeline_quality q;
	struct timeline t;
	int i;

	for (i = 0; i < 6; i++)
		points[i] = (struct log_offset){.tick = (uint64_t)(5 * i * S),
						.mono_ns = 10 * i * S,
						.offset_ns = 1000 * US * i - (i > 2) * 2000 * US,
						.error_ns = 1000};
	t = make(6, points);
	q = timeline_judge(&t);
	CU_ASSERT_EQUAL(q.steps, 1);
	CU_ASSERT(llabs(q.step_ns + 2000 * US) <= 2);
	CU_ASSERT(llabs(q.error_ns - (1000 + 5 * US + 2000 * US)) <= 5);
	timeline_release(&t);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_timeline_without_points_is_the_logs_own),
	SUITE_CASE(test_timeline_joins_points_by_lines),
	SUITE_CASE(test_timeline_goes_on_at_the_rate_learnt),
	SUITE_CASE(test_timeline_of_a_long_uptime),
	SUITE_CASE(test_timeline_never_goes_back),
	SUITE_CASE(test_timeline_bound_between_points),
	SUITE_CASE(test_timeline_tells_a_step_from_drift),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("timeline", tests);
}
