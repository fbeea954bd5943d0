/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/compare_sites.h"
#include "report/pick.h"

#include "tests/fixtures/comparison.h"
#include "tests/fixtures/suite.h"

#include <string.h>

/* Summed over the 2 ranks; parts: of these seconds, starting and ending MPI. */
static void add_site(json_t *d, const char *file, int line, double s, int calls, double parts)
{
	if (!json_object_get(d, "callsites"))
		json_object_set_new(d, "callsites", json_array());
	json_array_append_new(json_object_get(d, "callsites"),
			      json_pack("{s:{s:s, s:i, s:s, s:s}, s:i, s:f, s:{s:f}}", "callsite",
					"file", file, "line", line, "function", "go", "mpi",
					"MPI_Send", "calls", calls, "s", s, "parts", "start_end",
					parts));
}

static void check(const json_t *comparison, size_t at, const char *change, double base_s,
		  double new_s)
{
	const json_t *place = json_array_get(pick(comparison, "callsites"), at);

	CU_ASSERT_STRING_EQUAL(pick_text(place, "change", ""), change);
	CU_ASSERT_DOUBLE_EQUAL(pick_number(place, "base_s", -1.0), base_s, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(pick_number(place, "new_s", -1.0), new_s, 1e-12);
}

/* One place on two lines, built in two folders; one that is gone; one that is new. */
static void test_compare_sites_wherever_they_moved(void)
{
	json_t *base = run_of(1.0, 0, 0, 0), *new = run_of(1.0, 0, 0, 0), *c;
	const json_t *first;

	add_site(base, "/ci/base/a.c", 10, 0.1, 20, 0);
	add_site(base, "/ci/base/a.c", 30, 0.1, 20, 0);
	add_site(base, "/ci/base/b.c", 10, 0.04, 2, 0);
	add_site(new, "/ci/new/a.c", 31, 0.8, 400, 0);
	add_site(new, "/ci/new/c.c", 10, 0.02, 2, 0);
	c = compare(base, new, 0.05);
	CU_ASSERT_EQUAL_FATAL(json_array_size(pick(c, "callsites")), 3);
	check(c, 0, "more", 0.1, 0.4);
	check(c, 1, "less", 0.02, 0);
	check(c, 2, "more", 0, 0.01);
	first = json_array_get(pick(c, "callsites"), 0);
	CU_ASSERT_PTR_NULL(pick(first, "callsite.line")); /* of two */
	CU_ASSERT_EQUAL(pick_number(json_array_get(pick(c, "callsites"), 2), "callsite.line", 0),
			10);
	CU_ASSERT_EQUAL(pick_number(first, "base_calls", 0), 20);
	CU_ASSERT_EQUAL(pick_number(first, "new_calls", 0), 200);
	json_decref(c);
}

/* Where no line moved each is a place of its own, also one more. */
static void test_compare_sites_by_line(void)
{
	json_t *base = run_of(1.0, 0, 0, 0), *new = run_of(1.0, 0, 0, 0), *c;

	add_site(base, "/ci/base/a.c", 10, 0.1, 20, 0);
	add_site(base, "/ci/base/a.c", 30, 0.2, 20, 0);
	add_site(new, "/ci/new/a.c", 10, 0.1, 20, 0);
	add_site(new, "/ci/new/a.c", 30, 0.2, 20, 0);
	add_site(new, "/ci/new/a.c", 31, 0.8, 400, 0);
	c = compare(base, new, 0.05);
	CU_ASSERT_EQUAL_FATAL(json_array_size(pick(c, "callsites")), 3);
	check(c, 0, "more", 0, 0.4);
	CU_ASSERT_EQUAL(pick_number(json_array_get(pick(c, "callsites"), 0), "callsite.line", 0),
			31);
	CU_ASSERT_STRING_EQUAL(pick_text(json_array_get(pick(c, "callsites"), 1), "change", ""),
			       "same");
	CU_ASSERT_STRING_EQUAL(pick_text(json_array_get(pick(c, "callsites"), 2), "change", ""),
			       "same");
	json_decref(c);
}

static void add_address(json_t *d, const char *address)
{
	json_t *all, *callsite;

	add_site(d, "", 0, 0.2, 2, 0);
	all = json_object_get(d, "callsites");
	callsite = json_object_get(json_array_get(all, json_array_size(all) - 1), "callsite");
	json_object_set_new(callsite, "function", json_null());
	json_object_set_new(callsite, "address", json_string(address));
}

/* Two places of a program of which nothing but the addresses is known are two. */
static void test_compare_sites_by_address(void)
{
	json_t *base = run_of(1.0, 0, 0, 0), *new = run_of(1.0, 0, 0, 0), *c;

	add_address(base, "/bin/a:0123+0x10");
	add_address(base, "/bin/a:0123+0x20");
	add_address(new, "/bin/a:0123+0x20");
	c = compare(base, new, 0.05);
	CU_ASSERT_EQUAL_FATAL(json_array_size(pick(c, "callsites")), 2);
	check(c, 0, "less", 0.1, 0);
	check(c, 1, "same", 0.1, 0.1);
	CU_ASSERT_STRING_EQUAL(pick_text(json_array_get(pick(c, "callsites"), 0),
					 "callsite.address", ""),
			       "/bin/a:0123+0x10");
	json_decref(c);
}

static void test_compare_sites_noise(void)
{
	json_t *base = run_of(1.0, 0, 0, 0), *new = run_of(1.0, 0, 0, 0), *c;

	add_site(base, "a.c", 1, 0.4, 2, 0);
	add_site(new, "a.c", 1, 0.41, 2, 0);
	add_site(base, "b.c", 1, 0.001, 2, 0); /* matters to nobody */
	add_site(new, "b.c", 1, 0.004, 2, 0);
	add_site(base, "c.c", 1, 0.1, 2, 0.1); /* MPI_Init is not judged */
	add_site(new, "c.c", 1, 0.9, 2, 0.9);
	c = compare(base, new, 0.05);
	CU_ASSERT_EQUAL_FATAL(json_array_size(pick(c, "callsites")), 2);
	check(c, 0, "same", 0.2, 0.205);
	check(c, 1, "same", 0.0005, 0.002);
	json_decref(c);
}

/* A rank of the run that took longer lacked a core for as long, or nearly. */
static void test_compare_sites_of_ranks_without_a_core(void)
{
	static const double awaited_s[] = {0.05, 0.2, 0.4};
	static const char *const change[] = {"more", "open", "open"};

	for (int k = 0; k < 3; k++) {
		json_t *base = run_of(1.0, 0, 0, 0), *new = run_of(1.2, 0, 0, 0), *c;

		add_site(base, "a.c", 1, 0.4, 2, 0);
		add_site(new, "a.c", 1, 0.8, 2, 0);
		json_object_set_new(new, "evidence",
				    json_pack("{s:[{s:f}]}", "processes", "core_awaited_ns",
					      1e9 * awaited_s[k]));
		c = compare(base, new, 0.05);
		check(c, 0, change[k], 0.2, 0.4);
		json_decref(c);
	}
}

/* Of a run that died nothing follows. */
static void test_compare_sites_of_what_does_not_compare(void)
{
	json_t *base = run_of(1.0, 0, 0, 0), *new = run_of(1.0, 0, 0, 0), *c;

	add_site(new, "a.c", 1, 0.4, 2, 0);
	json_object_set_new(json_object_get(base, "run"), "ended", json_string("killed"));
	c = compare(base, new, 0.05);
	CU_ASSERT_EQUAL(json_array_size(pick(c, "callsites")), 0);
	CU_ASSERT(json_is_array(pick(c, "callsites")));
	json_decref(c);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_compare_sites_wherever_they_moved),
	SUITE_CASE(test_compare_sites_by_line),
	SUITE_CASE(test_compare_sites_by_address),
	SUITE_CASE(test_compare_sites_noise),
	SUITE_CASE(test_compare_sites_of_ranks_without_a_core),
	SUITE_CASE(test_compare_sites_of_what_does_not_compare),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("compare_sites", tests);
}
