/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When a round trip counts as another than it was. */
#include "calibrate/moved.h"

#include "tests/unit/suite.h"

/* Was 100 and is now so much, both with an interval of this half width. */
static int moved(double now, double half)
{
	struct drift_point p = {.bytes = 64,
				.before = {100, 100 - half, 100 + half, 9},
				.now = {now, now - half, now + half, 9}};

	return drift_moved(&p);
}

static void test_moved_by_more_than_the_share(void)
{
	CU_ASSERT(!moved(105, 1)); /* the intervals differ, yet it is too little */
	CU_ASSERT(!moved(95, 1));
	CU_ASSERT(moved(120, 1));
	CU_ASSERT(moved(80, 1));
}

static void test_moved_beyond_the_intervals(void)
{
	struct drift_point p = {64, {100, 85, 125, 9}, {120, 119, 121, 9}};

	CU_ASSERT(!moved(120, 15));
	CU_ASSERT(!moved(80, 15));
	CU_ASSERT(!drift_moved(&p)); /* the one then is enough */
	p = (struct drift_point){64, {100, 99, 101, 9}, {120, 95, 125, 9}};
	CU_ASSERT(!drift_moved(&p)); /* ... and the one now */
}

static void test_moved_is_not_what_was_not_measured(void)
{
	struct drift_point p = {64, {100, 99, 101, 9}, {0, 0, 0, 0}};

	CU_ASSERT(!drift_moved(&p));
}

/* Intervals that a change to twice or half would be lost in are no "holds". */
static void test_moved_cannot_tell(void)
{
	struct drift_point p = {64, {100, 99, 101, 9}, {100, 99, 101, 9}};

	CU_ASSERT(!drift_cannot_tell(&p));
	p.now = (struct estimate){105, 85, 130, 9};
	CU_ASSERT(!drift_cannot_tell(&p));
	p.now = (struct estimate){3260, 90, 6000, 9};
	CU_ASSERT(!drift_moved(&p));
	CU_ASSERT(drift_cannot_tell(&p));
	p.now = (struct estimate){100, 40, 120, 9};
	CU_ASSERT(drift_cannot_tell(&p));
	p = (struct drift_point){64, {100, 45, 150, 9}, {100, 99, 101, 9}};
	CU_ASSERT(drift_cannot_tell(&p)); /* the one then */
	p = (struct drift_point){64, {100, -5, 150, 9}, {100, 99, 101, 9}};
	CU_ASSERT(drift_cannot_tell(&p));
	p = (struct drift_point){64, {100, 99, 101, 9}, {0, 0, 0, 0}};
	CU_ASSERT(drift_cannot_tell(&p));
	p.now = (struct estimate){300, 290, 310, 9};
	CU_ASSERT(!drift_cannot_tell(&p)); /* it moved */
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_moved_by_more_than_the_share),
	SUITE_CASE(test_moved_beyond_the_intervals),
	SUITE_CASE(test_moved_is_not_what_was_not_measured),
	SUITE_CASE(test_moved_cannot_tell),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("moved", tests);
}
