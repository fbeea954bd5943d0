/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/text.h"

#include "tests/fixtures/suite.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static struct style style_of(unsigned width)
{
	return (struct style){.width = width, .top = 5};
}

/* A document of 2 ranks with one hotspot of this title. */
static json_t *document_with(const char *title)
{
	json_t *d = json_pack(
		"{s:s, s:{s:s, s:s, s:s, s:i, s:i, s:f, s:s}, s:{s:[s], s:{s:f}},"
		" s:{s:f, s:f, s:s, s:[s]}, s:{s:f, s:{s:{s:f, s:f, s:f, s:f}, s:{s:f, s:f, s:f,"
		" s:f}}}}",
		"schema", "contend/1", "run", "command", "./app", "directory", "my run.contend",
		"recorder", "contend 0", "ranks", 2, "nodes", 2, "wall_s", 1.0, "ended", "finalize",
		"summary", "verdict", "Communication is 38 % of rank time.", "contention", "share",
		0.2, "quality", "clock_error_s", 1e-6, "recording_cost_share", 0.0001, "confidence",
		"high", "conditions", "a doubt that is long enough to need another line", "budget",
		"total_s", 2.0, "parts", "compute", "s", 1.6, "share", 0.8, "low_s", 1.6, "high_s",
		1.6, "network_contention", "s", 0.4, "share", 0.2, "low_s", 0.2, "high_s", 0.5);
	json_t *hotspot = json_pack("{s:s, s:s, s:s, s:s, s:{s:s, s:i, s:s, s:s}, s:[f, f, f],"
				    " s:[f, f, f], s:s}",
				    "kind", "order", "severity", "high", "title", title, "why", "w",
				    "callsite", "file", "/src/a.c", "line", 7, "function", "go",
				    "mpi", "MPI_Send", "saves_s", 0.1, 0.2, 0.3, "saves_share", 0.1,
				    0.2, 0.3, "advice", "shuffle");

	if (!d || !hotspot)
		CU_FAIL_FATAL("json_pack");
	json_object_set_new(json_object_get(d, "run"), "latest", json_string("contend.latest"));
	json_object_set_new(d, "hotspots", json_pack("[o]", hotspot));
	return d;
}

/* The report as a string; caller frees. */
static char *render(const json_t *document, const struct style *style)
{
	struct err err = {""};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	CU_ASSERT_EQUAL(text_report(document, style, out, &err), 0);
	fclose(out);
	return text;
}

static unsigned widest_line(const char *text)
{
	unsigned widest = 0;
	unsigned columns = 0;

	for (; *text; text++) {
		columns = *text == '\n' ? 0 : columns + (((unsigned char)*text & 0xc0) != 0x80);
		if (columns > widest)
			widest = columns;
	}
	return widest;
}

static void test_text_keeps_to_the_width(void)
{
	static const unsigned widths[] = {60, 72, 80, 132};
	json_t *d = document_with("all ranks send to 0,1,2,... in the same order, which is far too "
				  "long a title for one line of any terminal that people use");
	size_t i;

	for (i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		struct style s = style_of(widths[i]);
		char *text;

		text = render(d, &s);
		CU_ASSERT(widest_line(text) <= widths[i]);
		s.charset = CHARSET_UTF8;
		free(text);
		text = render(d, &s);
		CU_ASSERT(widest_line(text) <= widths[i]);
		free(text);
	}
	json_decref(d);
}

static void test_text_says_the_essential(void)
{
	struct style s = style_of(80);
	json_t *d = document_with("same order");
	char *text = render(d, &s);
	const char *last = strstr(text, "  contend diff 'my run.contend' contend.latest\n");

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "Communication is 38 % of rank time."));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "network contention 20.0 % [10.0-25.0]"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "1 HIGH   order   same order"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "300 ms  30.0 %"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "MPI_Send a.c:7 in go()"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "recording cost under 0.1 % of it"));
	CU_ASSERT_PTR_NOT_NULL(last);
	CU_ASSERT(last && !strchr(last, '\n')[1]);
	free(text);
	json_decref(d);
}

/* Beside it what it may have done to the run, where that may be noticeable. */
static void test_text_says_what_recording_did_to_the_run(void)
{
	struct style s = style_of(80);
	json_t *d = document_with("same order");
	json_t *quality = json_object_get(d, "quality");
	char *text;

	json_object_set_new(quality, "recording_cost_share", json_real(0.04));
	json_object_set_new(quality, "recording_cost_low", json_real(0.001));
	json_object_set_new(quality, "recording_cost_high", json_real(0.32));
	text = render(d, &s);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "recording cost 4.0 % [0.1-32.0] of it"));
	CU_ASSERT_PTR_NULL(strstr(text, "after it"));
	free(text);
	json_object_set_new(quality, "finishing_s", json_real(0.02));
	text = render(d, &s);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "recording cost 4.0 % [0.1-32.0] of it, and 20.0 ms"));
	free(text);
	json_object_set_new(quality, "finishing_s", json_real(0.009));
	json_object_set_new(quality, "recording_cost_high", json_real(0.009));
	text = render(d, &s);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "recording cost 4.0 % of it"));
	free(text);
	json_decref(d);
}

/* Where all of a command has no room, its programs' folders go first. */
static void test_text_leaves_out_folders_of_programs(void)
{
	static const char *const rows[][2] = {
		{"/a/b 1", "   /a/b 1   "},
		{"/a/long/way/to/b --of=c/d 1 : /another/f x", "   b --of=c/d 1 : f x   "},
		{"/a/long/way/to/b --of=c/d --with=much/more/than/fits", "   b --of=c/d --with="}};
	const struct style style = style_of(80);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		json_t *d = document_with("a title");
		char *text;

		json_object_set_new(json_object_get(d, "run"), "command", json_string(rows[i][0]));
		text = render(d, &style);
		CU_ASSERT_PTR_NOT_NULL(strstr(text, rows[i][1]));
		free(text);
		json_decref(d);
	}
}

/* A number's unit does not begin a line, whatever the width; other words may. */
static void test_text_keeps_units_with_their_numbers(void)
{
	static const char *const broken[] = {"1.09\n", "2.00\n", "38\n", "650\n", "7.50\n"};
	json_t *d = document_with("t");
	json_t *sentence = json_pack("[s]", "all together 1.09 s, at least 2.00 MiB (of them "
					    "38 %), at most 650 ns; 7.50 MB/s of 3 sums");
	int breaks = 0;

	json_object_set_new(json_object_get(d, "summary"), "verdict", sentence);
	for (unsigned width = 20; width < 90; width++) {
		struct style style = style_of(width);
		char *text = render(d, &style);

		for (size_t k = 0; k < sizeof(broken) / sizeof(*broken); k++)
			CU_ASSERT_PTR_NULL(strstr(text, broken[k]));
		breaks += strstr(text, "of 3\nsums") != NULL;
		free(text);
	}
	CU_ASSERT(breaks > 0);
	json_decref(d);
}

/* Long places are cut with a mark, and never where the line number is. */
static void test_text_marks_what_is_cut(void)
{
	static const char *const files[] = {"solver.c",
					    "a_file_with_a_name_that_is_far_too_long_for_a_table.c",
					    "a_file_that_just_fits_in.c"};
	static const char *const shown[][2] = {{"  solver.c:7 in exch", "bours()\n"},
					       {"  ...", "_too_long_for_a_table.c:7\n"},
					       {"  a_file_that_just_fits_in.c:7", "...\n"}};
	struct style style = style_of(80);

	for (int k = 0; k < 3; k++) {
		json_t *d = document_with("t");
		char *text;

		json_object_set_new(d, "callsites",
				    json_pack("[{s:{s:s, s:i, s:s, s:s}, s:i, s:f, s:f, s:f}]",
					      "callsite", "file", files[k], "line", 7, "function",
					      "exchange_boundary_values_with_all_neighbours", "mpi",
					      "MPI_Send", "calls", 3, "s", 0.1, "share", 0.1,
					      "contention_s", 0.1));
		text = render(d, &style);
		CU_ASSERT_PTR_NOT_NULL(strstr(text, shown[k][0]));
		CU_ASSERT_PTR_NOT_NULL(strstr(text, shown[k][1]));
		CU_ASSERT(widest_line(text) <= 80);
		free(text);
		json_decref(d);
	}
}

/* A kind longer than its column does not run into its title, nor the title into the saving. */
static void test_text_leaves_gaps(void)
{
	json_t *d = document_with("a title that is just long enough to reach the right side");
	struct style style = style_of(80);
	char *text;

	json_object_set_new(json_array_get(json_object_get(d, "hotspots"), 0), "kind",
			    json_string("late_posting"));
	text = render(d, &style);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "late_posting  a title"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "  300 ms"));
	free(text);
	json_decref(d);
}

/* Imbalance is in the computation, not in the call that ends it. */
static void test_text_names_computation_by_the_call_behind_it(void)
{
	struct style style = style_of(80);

	for (int k = 0; k < 2; k++) {
		json_t *d = document_with("t");
		char *text;

		json_object_set_new(json_array_get(json_object_get(d, "hotspots"), 0), "kind",
				    json_string(k ? "imbalance" : "incast"));
		text = render(d, &style);
		CU_ASSERT_EQUAL(strstr(text, "where computation before MPI_Send a.c:7") != NULL, k);
		free(text);
		json_decref(d);
	}
}

/* Nothing is the least of many ranks, and the most of none. */
static void test_text_names_no_rank_for_nothing(void)
{
	struct style style = style_of(80);
	json_t *d = document_with("t"), *some, *none;
	char *text;

	some = json_pack("{s:f, s:i, s:f, s:f, s:i}", "min_s", 0.0, "min_rank", 7, "median_s", 1.0,
			 "max_s", 2.0, "max_rank", 3);
	none = json_pack("{s:f, s:i, s:f, s:f, s:i}", "min_s", 0.0, "min_rank", 7, "median_s", 0.0,
			 "max_s", 0.0, "max_rank", 3);
	json_object_set_new(d, "spread",
			    json_pack("{s:O, s:o, s:o}", "compute", some, "communication", some,
				      "contention", none));
	text = render(d, &style);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(text, "computation         0 s     -  1.00 s  2.00 s     3\n"));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(text, "of it contention    0 s     -     0 s     0 s     -\n"));
	free(text);
	json_decref(d);
}

static void test_text_escapes_only_with_colours(void)
{
	struct style s = style_of(80);
	json_t *d = document_with("evil \033[31m title\nand\tmore");
	char *text = render(d, &s);

	CU_ASSERT_PTR_NULL(strchr(text, '\033'));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "evil ?[31m title?and?more"));
	free(text);
	s.colours = COLOURS_ON;
	text = render(d, &s);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\033[31mHIGH\033[0m"));
	CU_ASSERT_PTR_NULL(strstr(text, "\033[31m title"));
	free(text);
	json_decref(d);
}

static void test_text_survives_a_bare_document(void)
{
	struct style s = style_of(80);
	json_t *d = json_pack("{s:s}", "schema", "contend/1");
	char *text = render(d, &s);

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "HOTSPOTS"));
	free(text);
	json_decref(d);
}

static void test_text_refuses_other_documents(void)
{
	struct style s = style_of(80);
	struct err err = {""};
	json_t *d = json_pack("{s:s}", "schema", "contend/9");

	CU_ASSERT_EQUAL(text_report(d, &s, stdout, &err), -1);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "contend/9"));
	json_decref(d);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_text_keeps_to_the_width),
	SUITE_CASE(test_text_says_the_essential),
	SUITE_CASE(test_text_says_what_recording_did_to_the_run),
	SUITE_CASE(test_text_marks_what_is_cut),
	SUITE_CASE(test_text_leaves_out_folders_of_programs),
	SUITE_CASE(test_text_keeps_units_with_their_numbers),
	SUITE_CASE(test_text_leaves_gaps),
	SUITE_CASE(test_text_names_no_rank_for_nothing),
	SUITE_CASE(test_text_names_computation_by_the_call_behind_it),
	SUITE_CASE(test_text_escapes_only_with_colours),
	SUITE_CASE(test_text_survives_a_bare_document),
	SUITE_CASE(test_text_refuses_other_documents),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	return suite_run("text", tests);
}
