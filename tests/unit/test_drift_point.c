/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What calibrate --drift says of a round trip, measured or not. */
#include "cmd/calibrate/calibrate_drift_point.h"

#include "tests/fixtures/suite.h"

#include <stdlib.h>
#include <string.h>

static const struct estimate was = {100e-6, 95e-6, 105e-6, 9}, none;

static void says(const struct drift_point *p, enum drift_says verdict, const char *line)
{
	char *text = NULL;
	size_t length;
	FILE *f = open_memstream(&text, &length);

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	calibrate_drift_point_put(f, NEAR_NODE, p, verdict);
	fclose(f);
	CU_ASSERT_STRING_EQUAL(text, line);
	free(text);
}

static void test_drift_point_says_what_it_was(void)
{
	const struct drift_point p = {
		.bytes = 64, .before = was, .now = {150e-6, 149e-6, 151e-6, 9}};
	json_t *o = calibrate_drift_point_json(NEAR_NODE, &p, DRIFT_MOVED);

	says(&p, DRIFT_MOVED,
	     "  node        64 B   100 us   150 us   +50 %  moved           seen from +10 %\n");
	CU_ASSERT_DOUBLE_EQUAL(json_real_value(json_object_get(json_object_get(o, "now"), "value")),
			       150e-6, 0);
	CU_ASSERT(json_is_true(json_object_get(o, "moved")));
	CU_ASSERT(json_is_false(json_object_get(o, "cannot_tell")));
	json_decref(o);
}

/* No time to measure it is no time of 0 s, nor has it become faster. */
static void test_drift_point_has_no_number_for_what_was_not_measured(void)
{
	const struct drift_point p = {.bytes = 64, .before = was, .now = none};
	json_t *o = calibrate_drift_point_json(NEAR_NODE, &p, DRIFT_UNCLEAR);

	says(&p, DRIFT_UNCLEAR,
	     "  node        64 B   100 us        -       -  no time for it  not seen\n");
	CU_ASSERT(json_is_null(json_object_get(o, "now")));
	CU_ASSERT(json_is_null(json_object_get(o, "seen_above")));
	CU_ASSERT(json_is_null(json_object_get(o, "seen_below")));
	CU_ASSERT(json_is_true(json_object_get(o, "cannot_tell")));
	json_decref(o);
}

/* What one look had no time for, an earlier one may have found. */
static void test_drift_point_keeps_what_was_measured(void)
{
	struct drift_point p = {.bytes = 64, .before = was};
	const struct drift_cores cores = {0};

	drift_add(&p, (struct estimate){100e-6, 1e-6, 900e-6, 3}, &cores);
	drift_add(&p, none, &cores);
	CU_ASSERT_EQUAL(p.now.n, 3);
	CU_ASSERT_EQUAL(p.looks[DRIFT_UNCLEAR], 2);
}

static void sums(const struct drift_tally *t, const char *line)
{
	char *text = NULL;
	size_t length;
	FILE *f = open_memstream(&text, &length);

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	calibrate_drift_point_sum(f, t);
	fclose(f);
	CU_ASSERT_STRING_EQUAL(text, line);
	free(text);
}

/* Who reads only the last line learns too that the rest is not known to hold. */
static void test_drift_point_sum_says_what_cannot_be_told(void)
{
	const struct drift_tally all_hold = {{[DRIFT_HOLDS] = 3}},
				 untold = {{[DRIFT_HOLDS] = 3,
					    [DRIFT_CORES] = 1,
					    [DRIFT_WAKES] = 1,
					    [DRIFT_UNCLEAR] = 1}},
				 both = {{[DRIFT_MOVED] = 1, [DRIFT_UNCLEAR] = 2}};

	CU_ASSERT_EQUAL(calibrate_drift_point_untold(&all_hold), 0);
	CU_ASSERT_EQUAL(calibrate_drift_point_untold(&untold), 3);
	sums(&all_hold, "0 of 3 moved by more than 10 % and beyond the intervals\n");
	sums(&untold,
	     "0 of 6 moved by more than 10 % and beyond the intervals, 3 cannot be told\n");
	sums(&both, "1 of 3 moved by more than 10 % and beyond the intervals, 2 cannot be told: "
		    "calibrate again\n");
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_drift_point_says_what_it_was),
	SUITE_CASE(test_drift_point_has_no_number_for_what_was_not_measured),
	SUITE_CASE(test_drift_point_keeps_what_was_measured),
	SUITE_CASE(test_drift_point_sum_says_what_cannot_be_told),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("drift_point", tests);
}
