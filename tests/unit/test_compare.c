/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/compare.h"
#include "report/pick.h"

#include "tests/fixtures/comparison.h"
#include "tests/fixtures/suite.h"

#include <stdlib.h>
#include <string.h>

/* "change" of a part of the comparison. */
static const char *change_of(const json_t *comparison, const char *name)
{
	const json_t *part;
	size_t i;

	json_array_foreach((json_t *)pick(comparison, "parts"), i, part)
		if (!strcmp(pick_text(part, "name", ""), name))
			return pick_text(part, "change", "");
	return "";
}

static void test_compare_same_run_has_no_change(void)
{
	json_t *c = compare(run_of(1.0, 0.4, 0.3, 0.5), run_of(1.0, 0.4, 0.3, 0.5), 0.0);

	CU_ASSERT_EQUAL(compare_is_regression(c), 0);
	CU_ASSERT_DOUBLE_EQUAL(pick_number(c, "wall_change", 9.0), 0.0, 0.0);
	CU_ASSERT_STRING_EQUAL(change_of(c, "network_contention"), "same");
	CU_ASSERT_STRING_EQUAL(change_of(c, "compute"), "same");
	CU_ASSERT_STRING_EQUAL(change_of(c, "wire"), "");
	json_decref(c);
}

static void test_compare_noise_band(void)
{
	json_t *c = compare(run_of(1.0, 0, 0, 0), run_of(1.04, 0, 0, 0), 0.05);

	CU_ASSERT_EQUAL(compare_is_regression(c), 0);
	json_decref(c);
	c = compare(run_of(1.0, 0, 0, 0), run_of(1.06, 0, 0, 0), 0.05);
	CU_ASSERT_EQUAL(compare_is_regression(c), 1);
	json_decref(c);
	c = compare(run_of(1.0, 0, 0, 0), run_of(0.5, 0, 0, 0), 0.05);
	CU_ASSERT_EQUAL(compare_is_regression(c), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(pick_text(c, "verdict", ""), "Faster"));
	json_decref(c);
}

/* Ranks that compute or sleep longer make a run slower, but not its communication. */
static void test_compare_tells_what_was_outside_mpi(void)
{
	static const struct {
		double base_s, base_mpi_s, new_s, new_mpi_s;
		const char *verdict;
	} rows[] = {
		{1.0, 0.4, 1.5, 0.4, "(+50 %), by the time that ranks spent outside MPI."},
		{1.5, 0.4, 1.0, 0.42, "(-33 %), by the time that ranks spent outside MPI."},
		{1.0, 0.4, 1.5, 0.9, "(+50 %)."},
		{1.0, 0.4, 1.5, 0.6, "(+50 %)."}, /* both */
		{1.0, 0.4, 1.02, 0.4, "(+2.0 %)."},
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double b = 2 * rows[i].base_mpi_s, n = 2 * rows[i].new_mpi_s;
		json_t *c = compare(run_of(rows[i].base_s, b, b, b), run_of(rows[i].new_s, n, n, n),
				    0.05);

		CU_ASSERT_PTR_NOT_NULL(strstr(pick_text(c, "verdict", ""), rows[i].verdict));
		CU_ASSERT_EQUAL(compare_is_regression(c), rows[i].new_s > 1.05 * rows[i].base_s);
		json_decref(c);
	}
}

static void test_compare_parts_need_disjoint_intervals(void)
{
	json_t *c = compare(run_of(1.0, 0.4, 0.3, 0.5), run_of(1.0, 0.2, 0.1, 0.35), 0.05);

	CU_ASSERT_STRING_EQUAL(change_of(c, "network_contention"), "open");
	json_decref(c);
	c = compare(run_of(1.0, 0.4, 0.3, 0.5), run_of(1.0, 0.2, 0.1, 0.25), 0.05);
	CU_ASSERT_STRING_EQUAL(change_of(c, "network_contention"), "better");
	CU_ASSERT_STRING_EQUAL(change_of(c, "compute"), "worse");
	json_decref(c);
}

/* A run of 2 ranks: wall time, and what of it is MPI's start and end. */
static json_t *started(double wall_s, double start_s)
{
	json_t *d = run_of(wall_s, 0, 0, 0);

	json_object_set_new((json_t *)pick(d, "budget.parts"), "start_end",
			    json_pack("{s:f, s:f, s:f}", "s", 2 * start_s, "low_s", 2 * start_s,
				      "high_s", 2 * start_s));
	return d;
}

/* How long MPI needs to start is neither better nor worse, and decides nothing. */
static void test_compare_judges_no_start(void)
{
	static const struct {
		double base_s, base_start_s, new_s, new_start_s;
		const char *verdict;
		int regression;
	} rows[] = {
		{1.5, 0.5, 1.2, 0.2, "No difference beyond the noise, starting", 0},
		{1.2, 0.2, 1.5, 0.5, "No difference beyond the noise, starting", 0},
		{1.2, 0.2, 1.2, 0.1, "Slower, starting and ending MPI left out: 1.10 s", 1},
		{1.2, 0.2, 1.4, 0.4, "left out: 1.00 s instead of 1.00 s", 0},
		{1.2, 0.2, 1.5, 0.2, "Slower: 1.50 s instead of 1.20 s wall time", 1},
		{1.5, 0.3, 1.2, 0.2, "Faster: 1.20 s instead of 1.50 s wall time", 0},
		{1.0, 0.999, 1.0, 0.998, "No difference beyond the noise: 1.00 s and 1.00 s", 0},
	};

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		json_t *c = compare(started(rows[k].base_s, rows[k].base_start_s),
				    started(rows[k].new_s, rows[k].new_start_s), 0.05);

		CU_ASSERT_STRING_EQUAL(change_of(c, "start_end"), "unjudged");
		CU_ASSERT_PTR_NOT_NULL(strstr(pick_text(c, "verdict", ""), rows[k].verdict));
		CU_ASSERT_EQUAL(compare_is_regression(c), rows[k].regression);
		json_decref(c);
	}
}

/* A run of 2 ranks of which nothing was recorded, but how long it took. */
static json_t *unrecorded(double wall_s)
{
	json_t *d = run_of(wall_s, 0, 0, 0), *run = json_object_get(d, "run");

	json_object_set_new((json_t *)pick(d, "budget.parts"), "compute", json_object());
	json_object_set_new(run, "left_out_ranks", json_integer(2));
	json_object_set_new(run, "recorded_share", json_real(0.0));
	return d;
}

/*
 * What starting took is left out of both wall times or of none; what is not recorded is not better.
 */
static void test_compare_unrecorded(void)
{
	json_t *new = started(1.2, 0.2), *c = compare(started(1.65, 0.2), unrecorded(1.6), 0.05);

	CU_ASSERT_PTR_NOT_NULL(strstr(pick_text(c, "verdict", ""), "1.65 s and 1.60 s wall time"));
	CU_ASSERT_EQUAL(compare_is_regression(c), 0);
	CU_ASSERT_STRING_EQUAL(change_of(c, "compute"), "unjudged");
	CU_ASSERT_EQUAL(json_array_size(pick(c, "conditions")), 2);
	json_decref(c);
	add_hotspot(new, "skew", "high", 10);
	c = compare(unrecorded(1.2), new, 0.05);
	CU_ASSERT_EQUAL(compare_is_regression(c), 0);
	CU_ASSERT_STRING_EQUAL(change_of(c, "compute"), "unjudged");
	json_decref(c);
}

/* Of four ranks two were recorded: what is lost is of a rank that was. */
static void test_compare_per_recorded_rank(void)
{
	json_t *four = run_of(1.0, 0.4, 0.4, 0.4), *c;
	json_t *run = json_object_get(four, "run");

	json_object_set_new(run, "ranks", json_integer(4));
	json_object_set_new(run, "left_out_ranks", json_integer(2));
	c = compare(run_of(1.0, 0.4, 0.4, 0.4), four, 0.05);
	CU_ASSERT_DOUBLE_EQUAL(pick_number(json_array_get(pick(c, "parts"), 0), "new_s", 9.0),
			       pick_number(json_array_get(pick(c, "parts"), 0), "base_s", 8.0),
			       1e-12);
	json_decref(c);
}

/* Of what is left of a run nobody can say that it was faster. */
static void test_compare_parts_of_runs(void)
{
	static const char lost[] = "0.evt of rank 0 ends early";

	for (int k = 0; k < 2; k++) {
		json_t *base = run_of(2.0, 0, 0, 0), *new = run_of(1.0, 0, 0, 0), *c;
		json_t *run = json_object_get(k == 1 ? base : new, "run");
		const char *expected =
			k == 1 ? "Not comparable: the new run finished after 1.00 s, the base run "
				 "has files that are missing or not whole after 2.00 s."
			       : "Not comparable: the new run has files that are missing or not "
				 "whole after 1.00 s, the base run finished after 2.00 s.";

		json_object_set_new(run, "lost", json_string(lost));
		c = compare(base, new, 0.05);
		CU_ASSERT(!compare_is_of_runs(c));
		CU_ASSERT(!compare_is_regression(c));
		CU_ASSERT_STRING_EQUAL(pick_text(c, "verdict", ""), expected);
		json_decref(c);
	}
}

/* Whether the verdict or the conditions of two commands' comparison have a text. */
static int says(const char *before, const char *after, const char *text)
{
	json_t *base = run_of(1.0, 0, 0, 0), *new = run_of(2.0, 0, 0, 0), *c;
	char *all;
	int found;

	json_object_set_new(json_object_get(base, "run"), "command", json_string(before));
	json_object_set_new(json_object_get(new, "run"), "command", json_string(after));
	c = compare(base, new, 0.05);
	all = json_dumps(c, 0);
	found = all && strstr(all, text) != NULL;
	free(all);
	json_decref(c);
	return found;
}

static void test_compare_says_what_is_unlike(void)
{
	CU_ASSERT(says("./a -n 1", "bin/b -n 1", "different programs: a and b"));
	CU_ASSERT(says("./a -n 1", "bin/b -n 1", "Slower: 2.00 s instead of 1.00 s"));
	CU_ASSERT(says("./a -n 1", "bin/b -n 1", "if a and b are the same program"));
	CU_ASSERT(says("./a -n 1", "bin/b -n 1", "\"regression\": true"));
	CU_ASSERT(says("./a -n 1", "bin/a -n 1", "\"conditions\": []"));
	CU_ASSERT(!says("./a -n 1", "bin/a -n 1", "the same program"));
	CU_ASSERT(says("./a -n 1", "./a", "different options: -n 1 and none"));
	CU_ASSERT(says("./a -n 1", "./a", "\"regression\": true"));
}

/*
 * Whether two runs, of which the second has something else in its section run, are said to differ.
 */
static int says_of(const char *key, json_t *first, json_t *second, const char *text)
{
	json_t *base = run_of(1.0, 0, 0, 0), *new = run_of(1.0, 0, 0, 0), *c;
	const char *said;
	int found;

	json_object_set_new(json_object_get(base, "run"), key, first);
	json_object_set_new(json_object_get(new, "run"), key, second);
	c = compare(base, new, 0.05);
	said = json_string_value(json_array_get(pick(c, "conditions"), 0));
	found = text ? said && strstr(said, text) && json_array_size(pick(c, "conditions")) == 1
		     : !said;
	json_decref(c);
	return found;
}

static void test_compare_says_what_was_recorded(void)
{
	CU_ASSERT(says_of("options", json_object(), json_pack("{s:s}", "ranks", "0-1"),
			  "recorded with different options: none and --ranks=0-1"));
	CU_ASSERT(says_of("options", json_pack("{s:s}", "ranks", "0"),
			  json_pack("{s:s}", "ranks", "0"), NULL));
	CU_ASSERT(says_of("options", json_null(), json_object(), NULL));
	CU_ASSERT(says_of("left_out_ranks", json_integer(0), json_integer(1),
			  "different ranks were recorded, 2 of 2 and 1 of 2"));
	CU_ASSERT(says_of("recorded_share", json_real(1.0), json_real(0.995),
			  "different parts of the time of the recorded ranks were recorded"));
	CU_ASSERT(says_of("recorded_share", json_real(0.5), json_real(0.25), "50.0 % and 25.0 %"));
	CU_ASSERT(says_of("recorded_share", json_real(0.5), json_real(0.505), NULL));
	CU_ASSERT(says_of("events_end", json_string(""), json_string("after 1 s"),
			  "the events of the new run end before the program"));
	CU_ASSERT(says_of("ranks", json_integer(2), json_integer(3),
			  "different numbers of ranks: 2 and 3"));
}

/* Two ranks on so many cores. */
static json_t *sharing(double cores)
{
	return json_pack("[{s:i, s:f}]", "count", 2, "cores", cores);
}

static void test_compare_says_who_shares_cores(void)
{
	CU_ASSERT(says_of("shared_cores", sharing(1.0), json_array(),
			  "2 ranks share cores, up to 2 to each, in the new one no ranks"));
	CU_ASSERT(says_of("shared_cores", sharing(1.0), sharing(1.5), "up to 1.33 to each"));
	CU_ASSERT(says_of("shared_cores", sharing(1.5), sharing(1.5), NULL));
	CU_ASSERT(says_of("shared_cores", json_array(), json_array(), NULL));
	CU_ASSERT(says_of("shared_cores", sharing(1.0), json_null(), NULL));
}

/* A run of 2 ranks whose rank 1 a signal ended, or MPI_Abort; NULL: nobody knows what. */
static json_t *cut(double wall_s, const char *ended, const char *signal)
{
	json_t *d = run_of(wall_s, 0, 0, 0), *run = json_object_get(d, "run");
	json_t *one = json_pack("{s:i, s:s, s:s, s:s}", "rank", 0, "ended", "killed", "signal",
				"SIGTERM", "from", signal ? "launcher" : "between");
	json_t *other = json_pack("{s:i, s:s}", "rank", 1, "ended", ended);

	if (signal)
		json_object_set_new(other, "signal", json_string(signal));
	json_object_set_new(run, "ended", json_string(ended));
	json_object_set_new(run, "ending", json_string("rank 1 did it"));
	json_object_set_new(run, "unfinished", json_pack("[o, o]", one, other));
	return d;
}

/* Whatever it took: a run that died is not faster, and no part of it better. */
static void test_compare_runs_cut_short(void)
{
	static const struct {
		const char *ended, *signal, *text;
	} ways[] = {
		{"killed", "SIGSEGV",
		 "Not comparable: the new run was ended by SIGSEGV (rank 1) after"},
		{"killed", NULL, "Not comparable: the new run was killed after"},
		{"abort", NULL, "Not comparable: the new run called MPI_Abort (rank 1) after"},
		{"exit", NULL, "the new run left without MPI_Finalize (rank 1) after"},
		{"exec", NULL, "the new run became another program (rank 1) after"},
	};
	static const double walls_s[] = {0.5, 1.0, 2.0};

	for (size_t k = 0; k < 15; k++) {
		const char *ended = ways[k / 3].ended, *signal = ways[k / 3].signal;
		json_t *c = compare(run_of(1.0, 0.4, 0.3, 0.5), cut(walls_s[k % 3], ended, signal),
				    0.05);
		const char *said = json_string_value(json_array_get(pick(c, "conditions"), 0));

		CU_ASSERT_PTR_NOT_NULL(strstr(pick_text(c, "verdict", ""), ways[k / 3].text));
		CU_ASSERT_PTR_NOT_NULL(
			strstr(pick_text(c, "verdict", ""), "the base run finished after 1.00 s"));
		CU_ASSERT_STRING_EQUAL(said, "the new run did not finish: rank 1 did it");
		CU_ASSERT_STRING_EQUAL(change_of(c, "compute"), "unjudged");
		CU_ASSERT(json_is_false(pick(c, "comparable")) &&
			  json_is_null(pick(c, "wall_change")));
		CU_ASSERT_EQUAL(compare_is_regression(c), 1);
		json_decref(c);
	}
}

/*
 * Only the new run can be worse; that what died found less is no hotspot of the one that did not.
 */
static void test_compare_base_cut_short(void)
{
	json_t *new = run_of(2.0, 0, 0, 0), *c;

	add_hotspot(new, "skew", "high", 10);
	c = compare(cut(1.0, "killed", "SIGSEGV"), new, 0.05);
	CU_ASSERT_EQUAL(compare_is_regression(c), 0);
	CU_ASSERT_EQUAL(json_array_size(pick(c, "hotspots")), 0);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(pick_text(c, "verdict", ""), "the base run was ended by SIGSEGV"));
	json_decref(c);
	c = compare(cut(1.0, "killed", "SIGSEGV"), cut(0.5, "abort", NULL), 0.05);
	CU_ASSERT_EQUAL(compare_is_regression(c), 0);
	CU_ASSERT_EQUAL(json_array_size(pick(c, "conditions")), 2);
	json_decref(c);
}

static void test_compare_refuses_other_documents(void)
{
	json_t *base = run_of(1.0, 0, 0, 0);
	json_t *other = json_object();
	struct err err = {""};

	CU_ASSERT_PTR_NULL(compare_documents(base, other, 0.05, &err));
	CU_ASSERT(*err.text);
	json_decref(base);
	json_decref(other);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_compare_same_run_has_no_change),
	SUITE_CASE(test_compare_noise_band),
	SUITE_CASE(test_compare_tells_what_was_outside_mpi),
	SUITE_CASE(test_compare_parts_need_disjoint_intervals),
	SUITE_CASE(test_compare_judges_no_start),
	SUITE_CASE(test_compare_unrecorded),
	SUITE_CASE(test_compare_per_recorded_rank),
	SUITE_CASE(test_compare_parts_of_runs),
	SUITE_CASE(test_compare_says_what_is_unlike),
	SUITE_CASE(test_compare_says_who_shares_cores),
	SUITE_CASE(test_compare_says_what_was_recorded),
	SUITE_CASE(test_compare_runs_cut_short),
	SUITE_CASE(test_compare_base_cut_short),
	SUITE_CASE(test_compare_refuses_other_documents),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("compare", tests);
}
