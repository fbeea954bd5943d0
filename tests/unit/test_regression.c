/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `contend diff` calls a regression. */
#include "report/compare.h"
#include "report/pick.h"

#include "tests/unit/comparison.h"
#include "tests/unit/suite.h"

#include <string.h>

static void test_regression_hotspots_come_and_go(void)
{
	json_t *base = run_of(1.0, 0, 0, 0);
	json_t *new = run_of(1.0, 0, 0, 0);
	const json_t *list;
	json_t *c;

	add_hotspot(base, "order", "high", 10);
	add_hotspot(base, "incast", "low", 20);
	add_hotspot(new, "order", "high", 12);
	add_hotspot(new, "server", "medium", 30);
	c = compare(base, new, 0.05);
	list = pick(c, "hotspots");
	CU_ASSERT_EQUAL(json_array_size(list), 3);
	CU_ASSERT_STRING_EQUAL(pick_text(json_array_get(list, 0), "change", ""), "same");
	CU_ASSERT_STRING_EQUAL(pick_text(json_array_get(list, 1), "change", ""), "appeared");
	CU_ASSERT_STRING_EQUAL(pick_text(json_array_get(list, 2), "change", ""), "gone");
	CU_ASSERT_EQUAL(compare_is_regression(c), 1);
	json_decref(c);
}

/* Is it a regression that the same hotspot went from one severity and saving to another? */
static int is_worse(const char *was, double was_s, const char *is, double is_s)
{
	json_t *base = run_of(1.0, 0, 0, 0), *new = run_of(1.0, 0, 0, 0), *c;
	int worse;

	add_hotspot(base, "order", was, 10);
	add_hotspot(new, "order", is, 12);
	json_array_set_new((json_t *)pick(json_array_get(pick(base, "hotspots"), 0), "saves_s"), 2,
			   json_real(was_s));
	json_array_set_new((json_t *)pick(json_array_get(pick(new, "hotspots"), 0), "saves_s"), 2,
			   json_real(is_s));
	c = compare(base, new, 0.05);
	CU_ASSERT_STRING_EQUAL(
		pick_text(json_array_get(pick(c, "hotspots"), 0), "base_severity", ""), was);
	worse = compare_is_regression(c);
	json_decref(c);
	return worse;
}

/* What was there but mattered to nobody is as new as what was not there. */
static void test_regression_hotspots_that_grow(void)
{
	CU_ASSERT_EQUAL(is_worse("low", 0.01, "high", 0.3), 1);
	CU_ASSERT_EQUAL(is_worse("low", 0.01, "medium", 0.05), 1);
	CU_ASSERT_EQUAL(is_worse("medium", 0.05, "high", 0.3), 1);
	CU_ASSERT_EQUAL(is_worse("high", 0.2, "high", 0.3), 0);
	CU_ASSERT_EQUAL(is_worse("low", 0.01, "low", 0.02), 0);
	CU_ASSERT_EQUAL(is_worse("low", 0.3, "high", 0.31), 0);
	CU_ASSERT_EQUAL(is_worse("high", 0.3, "medium", 0.05), 0);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_regression_hotspots_come_and_go),
		SUITE_CASE(test_regression_hotspots_that_grow),
		CU_TEST_INFO_NULL,
	};

	return suite_run("regression", tests);
}
