/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hotspots of two runs side by side. */
#include "report/compare.h"
#include "report/pick.h"

#include "tests/fixtures/comparison.h"
#include "tests/fixtures/suite.h"

#include <string.h>

/* Two of a kind at one place are two: of other ranks. */
static void test_compare_hotspots_of_one_place(void)
{
	json_t *base = run_of(1.0, 0, 0, 0), *new = run_of(1.0, 0, 0, 0), *c;

	add_hotspot(base, "skew", "high", 10);
	add_hotspot(new, "skew", "high", 10);
	add_hotspot(new, "skew", "high", 10);
	c = compare(base, new, 0.05);
	CU_ASSERT_EQUAL(json_array_size(pick(c, "hotspots")), 2);
	CU_ASSERT_STRING_EQUAL(pick_text(json_array_get(pick(c, "hotspots"), 0), "change", ""),
			       "same");
	CU_ASSERT_STRING_EQUAL(pick_text(json_array_get(pick(c, "hotspots"), 1), "change", ""),
			       "appeared");
	CU_ASSERT_EQUAL(compare_is_regression(c), 1);
	json_decref(c);
}

/* Built elsewhere it is the same hotspot, and no reason to fail; of another file it is not. */
static void test_compare_hotspots_of_another_folder(void)
{
	static const char *const built[] = {"/ci/1/base/a.c", "/ci/2/new/a.c", "/ci/2/new/b.c"};

	for (int k = 1; k < 3; k++) {
		json_t *base = run_of(1.0, 0, 0, 0), *new = run_of(1.0, 0, 0, 0), *c;

		add_hotspot(base, "skew", "high", 10);
		add_hotspot(new, "skew", "high", 12);
		json_object_set_new((json_t *)pick(json_array_get(pick(base, "hotspots"), 0),
						   "callsite"),
				    "file", json_string(built[0]));
		json_object_set_new((json_t *)pick(json_array_get(pick(new, "hotspots"), 0),
						   "callsite"),
				    "file", json_string(built[k]));
		c = compare(base, new, 0.05);
		CU_ASSERT_EQUAL(compare_is_regression(c), k == 2);
		CU_ASSERT_EQUAL(json_array_size(pick(c, "hotspots")), k);
		json_decref(c);
	}
}

static json_t *saving(double likely_s, double most_s)
{
	json_t *d = run_of(1.0, 0, 0, 0);

	add_hotspot(d, "skew", "low", 10);
	json_object_set_new(json_array_get(json_object_get(d, "hotspots"), 0), "saves_s",
			    json_pack("[f, f, f]", 0.0, likely_s, most_s));
	return d;
}

/* What is likely decides whether one grew: its most is a bound, as vague as the machine. */
static void test_compare_hotspots_by_what_is_likely(void)
{
	static const struct {
		double base_s, base_most_s, new_s, new_most_s;
		const char *change;
	} rows[] = {
		{0.2, 0.3, 0.2, 0.9, "same"},   {0.2, 0.9, 0.205, 0.3, "same"},
		{0.2, 0.9, 0.4, 0.9, "larger"}, {0.2, 0.3, 0.1, 0.9, "smaller"},
		{0.0, 0.3, 0.001, 0.9, "same"}, /* of a second, nobody's concern */
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		json_t *c = compare(saving(rows[i].base_s, rows[i].base_most_s),
				    saving(rows[i].new_s, rows[i].new_most_s), 0.05);
		const json_t *row = json_array_get(pick(c, "hotspots"), 0);

		CU_ASSERT_STRING_EQUAL(pick_text(row, "change", ""), rows[i].change);
		CU_ASSERT_DOUBLE_EQUAL(pick_item(row, "base_saves_s", 1), rows[i].base_s, 0.0);
		CU_ASSERT_DOUBLE_EQUAL(pick_item(row, "new_saves_s", 2), rows[i].new_most_s, 0.0);
		json_decref(c);
	}
}

static void test_compare_hotspots_open(void)
{
	json_t *c = compare(awaiting(saving(0.2, 0.3), 0.21), saving(0.4, 0.5), 0.05);

	CU_ASSERT_STRING_EQUAL(pick_text(json_array_get(pick(c, "hotspots"), 0), "change", ""),
			       "open");
	json_decref(c);
	c = compare(awaiting(saving(0.2, 0.3), 0.19), saving(0.4, 0.5), 0.05);
	CU_ASSERT_STRING_EQUAL(pick_text(json_array_get(pick(c, "hotspots"), 0), "change", ""),
			       "larger");
	json_decref(c);
}

/* One that may be what ranks waited for cores in either run is no regression; else it says why. */
static void test_compare_hotspots_without_cores(void)
{
	for (int k = 0; k < 4; k++) {
		json_t *base = run_of(1.0, 0, 0, 0), *new = run_of(1.0, 0, 0, 0), *c;
		int worse = k == 0 || k == 3;

		add_hotspot(new, "skew", "high", 10); /* likely 0.2 s */
		if (k > 0)
			awaiting(k == 1 ? base : new, k == 3 ? 0.1 : 0.25);
		c = compare(base, new, 0.05);
		CU_ASSERT_EQUAL(compare_is_regression(c), worse);
		CU_ASSERT_EQUAL(json_array_size(pick(c, "reasons")), (size_t)worse);
		if (worse)
			CU_ASSERT_STRING_EQUAL(
				json_string_value(json_array_get(pick(c, "reasons"), 0)),
				"the hotspot skew appeared at a.c:10 in go(), severity high");
		json_decref(c);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_compare_hotspots_of_one_place),
		SUITE_CASE(test_compare_hotspots_of_another_folder),
		SUITE_CASE(test_compare_hotspots_by_what_is_likely),
		SUITE_CASE(test_compare_hotspots_open),
		SUITE_CASE(test_compare_hotspots_without_cores),
		CU_TEST_INFO_NULL,
	};

	return suite_run("compare_hotspots", tests);
}
