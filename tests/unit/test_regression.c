/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `contend diff` calls a regression. */
#include "report/compare.h"
#include "report/pick.h"

#include "tests/fixtures/comparison.h"
#include "tests/fixtures/suite.h"

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
	json_array_set_new((json_t *)pick(json_array_get(pick(base, "hotspots"), 0), "saves_s"), 1,
			   json_real(was_s));
	json_array_set_new((json_t *)pick(json_array_get(pick(new, "hotspots"), 0), "saves_s"), 1,
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

/* A run of so many seconds, in which rank 1 was without a core for so many. */
static json_t *without_core(double wall_s, double awaited_s)
{
	return awaiting(run_of(wall_s, 0, 0, 0), awaited_s);
}

/* Whether it is the same program comes before what may be the cause if it is. */
static void test_regression_of_other_programs_without_a_core(void)
{
	json_t *base = without_core(1.0, 0), *new = without_core(2.0, 1.5), *c;

	json_object_set_new(json_object_get(base, "run"), "command", json_string("./a"));
	json_object_set_new(json_object_get(new, "run"), "command", json_string("./b"));
	c = compare(base, new, 0.05);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(json_string_value(pick(c, "verdict")),
		       ", if a and b are the same program, but waiting for cores may be"));
	json_decref(c);
}

/* How the only part of such runs, which is all of them, is said to have changed. */
static const char *compute_of(const json_t *comparison)
{
	const json_t *part;
	size_t i;

	json_array_foreach((json_t *)pick(comparison, "parts"), i, part)
		if (!strcmp(pick_text(part, "name", ""), "compute"))
			return pick_text(part, "change", "");
	return "";
}

/*
 * Nobody can tell a slower program from one that waited so long for a core, nor which part of it
 * became slower.
 */
static void test_regression_without_a_core(void)
{
	static const struct {
		double base_s, base_awaited_s, new_s, new_awaited_s;
		const char *says;
		int worse, may_be;
	} cases[] = {
		{1, 0, 2, 0.1, "Slower: ", 1, 0},
		{1, 0, 2, 1.1, "Cannot tell if slower: ", 0, 1},
		{1, 0, 2, 9, "Cannot tell if slower: ", 0, 1},
		{1, 5, 2, 0, "Slower: ", 1, 0},
		{2.37, 0, 7.09, 4.44, "Cannot tell if slower: ", 0, 1},
		{7.09, 4.44, 2.37, 0, "Cannot tell if faster: ", 0, 0},
		{2.37, 0, 7.09, 4, "Slower: ", 1, 0},
		{2, 1.1, 1, 0, "Cannot tell if faster: ", 0, 0},
		{2, 0.1, 1, 3, "Faster: ", 0, 0},
		{1, 0.9, 1, 0.9, "No difference beyond the noise: ", 0, 0},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		json_t *c = compare(without_core(cases[i].base_s, cases[i].base_awaited_s),
				    without_core(cases[i].new_s, cases[i].new_awaited_s), 0.05);
		const char *verdict = pick_text(c, "verdict", "");

		CU_ASSERT_EQUAL(strncmp(verdict, cases[i].says, strlen(cases[i].says)), 0);
		CU_ASSERT_EQUAL(compare_is_regression(c), cases[i].worse);
		CU_ASSERT_EQUAL(compare_may_be_slower(c), cases[i].may_be);
		CU_ASSERT_EQUAL(json_array_size(pick(c, "conditions")), 1);
		CU_ASSERT_STRING_EQUAL(compute_of(c), *verdict == 'C'   ? "open"
						      : *verdict == 'S' ? "worse"
						      : *verdict == 'F' ? "better"
									: "same");
		json_decref(c);
	}
}

/* What part of a difference may be waiting for cores is said where the rest of it decides, too. */
static void test_regression_partly_without_a_core(void)
{
	static const struct {
		double base_s, base_awaited_s, new_s, new_awaited_s;
		const char *word, *cores;
	} cases[] = {
		{1, 0, 2, 0.4, "Slower: ", "waiting for cores may be up to 400 ms of the new run."},
		{2, 0.4, 1, 0,
		 "Faster: ", "waiting for cores may be up to 400 ms of the base run."},
		{1, 0.3, 2, 0.4,
		 "Slower: ", "may be up to 400 ms of the new run and 300 ms of the base one."},
		{2, 0.4, 1, 0.3,
		 "Faster: ", "may be up to 400 ms of the base run and 300 ms of the new one."},
		{1, 0, 2, 0.04, "Slower: ", NULL},
		{1, 0.4, 2, 0, "Slower: ", NULL},
		{1, 0.4, 1, 0.4, "No difference ", NULL},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		json_t *c = compare(without_core(cases[i].base_s, cases[i].base_awaited_s),
				    without_core(cases[i].new_s, cases[i].new_awaited_s), 0.05);
		const char *verdict = pick_text(c, "verdict", "");

		CU_ASSERT_EQUAL(strncmp(verdict, cases[i].word, strlen(cases[i].word)), 0);
		CU_ASSERT_EQUAL(!strstr(verdict, "core"), !cases[i].cores);
		CU_ASSERT(!cases[i].cores || strstr(verdict, cases[i].cores));
		json_decref(c);
	}
}

/*
 * Two ranks that had no core, 1.1 s of 2: if they waited for others all the time but so many
 * seconds, it is only these. Not so if they compute.
 */
static void test_regression_of_ranks_that_poll(void)
{
	static const struct {
		double own_s;
		const char *word;
	} cases[] = {
		{0.1, "Slower: "},
		{0.4, "Slower: "},
		{0.6, "Cannot tell if slower: "},
		{2.0, "Cannot tell if slower: "},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		json_t *new = without_core(2, 1.1), *ranks = json_array(), *c;
		json_t *processes = json_object_get(json_object_get(new, "evidence"), "processes");

		json_object_set_new(json_array_get(processes, 0), "core_awaited_ns",
				    json_real(1.1e9));
		for (int r = 0; r < 2; r++)
			json_array_append_new(ranks, json_pack("{s:i, s:f, s:{s:f, s:f}}", "rank",
							       r, "wall_s", 2.0, "parts",
							       "late_partner", 1.9 - cases[i].own_s,
							       "collective_wait", 0.1));
		json_object_set_new(new, "ranks", ranks);
		c = compare(without_core(1, 0), new, 0.05);
		CU_ASSERT_EQUAL(strncmp(pick_text(c, "verdict", ""), cases[i].word,
					strlen(cases[i].word)),
				0);
		json_decref(c);
	}
}

/* So is a hotspot that likely costs no more than that. */
static void test_regression_hotspot_without_a_core(void)
{
	const double awaited_s[] = {0.1, 0.3};
	size_t i;

	for (i = 0; i < 2; i++) {
		json_t *new = without_core(1.0, awaited_s[i]), *c;

		add_hotspot(new, "incast", "high", 20); /* likely 0.2 s */
		c = compare(run_of(1.0, 0, 0, 0), new, 0.05);
		CU_ASSERT_EQUAL(compare_is_regression(c), i == 0);
		json_decref(c);
	}
}

/* Of ranks that were killed nobody asked the system: that is no 0 %. */
static void test_regression_without_times_of_cores(void)
{
	json_t *base = without_core(1, 0), *c;
	const char *says;

	json_object_set_new(
		json_array_get(json_object_get(json_object_get(base, "evidence"), "processes"), 0),
		"core_used_ns", json_integer(0));
	c = compare(base, without_core(1, 0.9), 0.05);
	says = json_string_value(json_array_get(pick(c, "conditions"), 0));
	CU_ASSERT_PTR_NOT_NULL_FATAL(says);
	CU_ASSERT_PTR_NULL(strstr(says, "base run"));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(says, "90.0 % of the new run, of the other that is not known"));
	json_decref(c);
	c = compare(without_core(1, 0), without_core(1, 0.9), 0.05);
	says = json_string_value(json_array_get(pick(c, "conditions"), 0));
	CU_ASSERT_PTR_NOT_NULL_FATAL(says);
	CU_ASSERT_PTR_NOT_NULL(strstr(says, "of the base run and 90.0 % of the new one"));
	json_decref(c);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_regression_hotspots_come_and_go),
		SUITE_CASE(test_regression_hotspots_that_grow),
		SUITE_CASE(test_regression_without_a_core),
		SUITE_CASE(test_regression_of_other_programs_without_a_core),
		SUITE_CASE(test_regression_partly_without_a_core),
		SUITE_CASE(test_regression_of_ranks_that_poll),
		SUITE_CASE(test_regression_hotspot_without_a_core),
		SUITE_CASE(test_regression_without_times_of_cores),
		CU_TEST_INFO_NULL,
	};

	return suite_run("regression", tests);
}
