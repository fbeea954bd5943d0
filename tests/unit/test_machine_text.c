/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the summary and the page of a machine file say of what its measurement could not tell. */
#include "report/machine_text.h"

#include "report/machine_page.h"

#include "tests/fixtures/suite.h"

#include <stdlib.h>
#include <string.h>

static int summary(const json_t *machine, FILE *out, struct err *err)
{
	return machine_text(machine, "m.json", out, err);
}

/* What is written of a machine file, which is given back. Caller: free. */
static char *written(int (*write)(const json_t *, FILE *, struct err *), json_t *machine)
{
	struct err err = {""};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	CU_ASSERT_PTR_NOT_NULL_FATAL(machine);
	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	CU_ASSERT_EQUAL(write(machine, out, &err), 0);
	fclose(out);
	json_decref(machine);
	return text;
}

static char *text_from(json_t *machine)
{
	return written(summary, machine);
}

/* A class whose 1 B has this gap, and whose large messages have this progress. */
static char *text_of(double gap_s, json_t *progress)
{
	json_t *points =
		json_pack("[{s:f, s:{s:f, s:b}, s:{s:f, s:b}, s:{s:f, s:b}}]", "bytes", 1.0, "o_s",
			  "value", 50e-9, "identifiable", 1, "o_r", "value", 245e-9, "identifiable",
			  1, "g", "value", gap_s, "identifiable", gap_s > 0);
	json_t *machine =
		json_pack("{s:s, s:{s:{s:o, s:{s:f, s:s*, s:o, s:[], s:o}}}}", "name", "toy",
			  "classes", "node", "points", points, "there", "core_share",
			  json_is_null(progress) ? 0.11 : 1.0, "progress_why_not",
			  json_is_null(progress) ? "nobody knows the gap" : NULL,
			  "asynchronous_progress", progress, "credits", "unidentified",
			  gap_s < 0 ? json_pack("[s]", "g(1)") : json_array());

	return text_from(machine);
}

static void test_unidentified_values_are_marked(void)
{
	char *text = text_of(-289e-6, json_real(0.1));

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "-289 us ?"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "?: not identified"));
	CU_ASSERT_PTR_NULL(strstr(text, "50.0 ns ?"));
	free(text);
	text = text_of(289e-6, json_real(0.1));
	CU_ASSERT_PTR_NULL(strstr(text, "?"));
	free(text);
}

static void test_progress_that_is_not_known(void)
{
	char *text = text_of(1e-6, json_null());

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "move while both sides compute: ?\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "?: nobody knows the gap\n"));
	CU_ASSERT_PTR_NULL(strstr(text, "by themselves"));
	free(text);
	text = text_of(1e-6, json_real(0.1));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "large messages do not move while both sides compute"));
	free(text);
	text = text_of(1e-6, json_real(0.9));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "large messages move by themselves while both sides"));
	free(text);
}

/* A class without points, of which so much is known about who completes; takes way. */
static char *text_of_way(json_t *way)
{
	json_t *machine = json_pack("{s:s, s:{s:{s:[], s:o}}}", "name", "toy", "classes", "node",
				    "points", "there", way);

	return text_from(machine);
}

static void test_limits_and_what_is_not_known_of_them(void)
{
	char *text = text_of_way(json_pack("{s:i, s:i, s:i, s:i, s:[]}", "t1_bytes", 4096,
					   "t1_fails_bytes", 4097, "t2_bytes", 16384,
					   "t2_fails_bytes", 65536, "not_known"));

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "computes up to 4.00 KiB (T1)"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "up to 16.0 KiB, below 64.0 KiB (T2)"));
	CU_ASSERT_PTR_NULL(strstr(text, "?"));
	free(text);
	text = text_of_way(json_pack("{s:n, s:i, s:n, s:n, s:[s], s:s}", "t1_bytes",
				     "t1_fails_bytes", 1024, "t2_bytes", "t2_fails_bytes",
				     "not_known", "t1_bytes", "why_not_known", "nobody looked"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "computes up to some size below 1.00 KiB (T1)"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "up to any size (T2)\n    not known: nobody looked\n"));
	free(text);
	text = text_of_way(json_pack("{s:n, s:n, s:n, s:n, s:[s, s]}", "t1_bytes", "t1_fails_bytes",
				     "t2_bytes", "t2_fails_bytes", "not_known", "t1_bytes",
				     "t2_bytes"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "computes up to a size not known (T1)"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "up to a size not known (T2)"));
	free(text);
}

/* A number, one that may be more, the least and the most where looks differ, or none. */
static void test_credits_and_what_is_not_known_of_them(void)
{
	char *text = text_of_way(json_pack(
		"{s:[{s:i, s:i, s:b}, {s:i, s:i, s:b}, {s:i, s:n, s:b, s:i, s:i}, {s:i, s:n, s:b, "
		"s:n, s:n}]}",
		"credits", "bytes", 0, "messages", 127, "at_least", 0, "bytes", 8, "messages", 32,
		"at_least", 1, "bytes", 16, "messages", "at_least", 0, "least", 33, "most", 64,
		"bytes", 32, "messages", "at_least", 0, "least", "most"));

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "    0 B 127   8 B at least 32   16 B 33 to 64\n"
					    "    32 B not known\n"));
	free(text);
}

/* With both sizes of both limits, no line is too long. */
static void test_limits_fit_on_a_line(void)
{
	char *text = text_of_way(json_pack("{s:i, s:i, s:i, s:i, s:[]}", "t1_bytes", 16384,
					   "t1_fails_bytes", 65536, "t2_bytes", 16384,
					   "t2_fails_bytes", 65536, "not_known"));
	char *line, *rest;

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "16.0 KiB, below 64.0 KiB (T1)"));
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		CU_ASSERT(strlen(line) <= 80);
	free(text);
}

static void test_simpler_models_are_shown(void)
{
	json_t *machine =
		json_pack("{s:s, s:{s:{s:[], s:{}, s:{s:{s:f, s:f, s:f, s:f}, s:{s:f, s:f}}}}}",
			  "name", "toy", "classes", "node", "points", "there", "derived", "loggp",
			  "L_s", -2e-6, "o_s", 1e-6, "g_s", 12.5e-6, "G_s_per_byte", 1.25e-10,
			  "hockney", "alpha_s", 9e-6, "beta_s_per_byte", 1.5e-10);
	struct err err = {""};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	CU_ASSERT_PTR_NOT_NULL_FATAL(machine);
	CU_ASSERT_EQUAL(machine_text(machine, "m.json", out, &err), 0);
	fclose(out);
	CU_ASSERT_PTR_NOT_NULL(strstr(text,
				      "  LogP, LogGP      L -2.00 us ?, o 1.00 us, g 12.5 us, "
				      "G 0.125 ns/B\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "  Hockney          alpha 9.00 us, beta 0.15 ns/B\n"));
	json_decref(machine);
	free(text);
	text = text_of(1e-6, json_real(0.1));
	CU_ASSERT_PTR_NULL(strstr(text, "LogP"));
	free(text);
}

/* What a byte takes is no 0 where none was sent, and marked where it was not told from 0. */
static void test_a_byte_that_nothing_is_known_of(void)
{
	char *text = text_from(json_pack(
		"{s:s, s:{s:{s:[], s:{s:[s]}, s:{s:{s:f, s:f, s:f, s:n}, s:{s:f, s:f}}}}}", "name",
		"toy", "classes", "node", "points", "there", "unidentified", "beta", "derived",
		"loggp", "L_s", 2e-6, "o_s", 1e-6, "g_s", 1e-6, "G_s_per_byte", "hockney",
		"alpha_s", 9e-6, "beta_s_per_byte", -1.5e-10));

	CU_ASSERT_PTR_NOT_NULL(strstr(text, " g 1.00 us, G ?\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "alpha 9.00 us, beta -0.15 ns/B ?\n"));
	free(text);
}

/* Of a parameter's many sizes how many, in lines that are not too long. */
static void test_many_sizes_are_counted(void)
{
	json_t *names = json_pack("[s]", "L");
	char *text, *line, *rest;
	int i;

	for (i = 1; i <= 4096; i *= 2) {
		json_array_append_new(names, json_sprintf("g(%d)", i));
		json_array_append_new(names, json_sprintf("o_r_expected(%d)", i));
		json_array_append_new(names, json_sprintf("o_r(%d)", i));
	}
	json_array_append_new(names, json_string("o_s(16)"));
	text = text_of_way(json_pack("{s:o}", "unidentified", names));
	CU_ASSERT_PTR_NOT_NULL(
		strstr(text, "reach 0 or below: L,\n    g at 13 sizes up to 4.00 KiB,"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "o_r_expected at 13 sizes up to 4.00 KiB,"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, " o_r at 13 sizes up to 4.00 KiB,"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, " o_s(16)\n"));
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		CU_ASSERT(strlen(line) <= 80);
	free(text);
}

/* Below 0 with the interval, the way back's too. */
static void test_what_models_do_not_have_is_marked(void)
{
	char *text = text_from(json_pack(
		"{s:s, s:{s:{s:[], s:{s:[s, s, s]}, s:{s:[s]}, s:{s:{s:f, s:f, s:f}, s:{}}}}}",
		"name", "toy", "classes", "node", "points", "there", "unidentified", "L", "LogGP L",
		"LogGP g", "back", "unidentified", "g(64)", "derived", "loggp", "L_s", -2e-6, "o_s",
		1e-6, "g_s", -409e-6, "hockney"));

	CU_ASSERT_PTR_NOT_NULL(
		strstr(text, "  LogP, LogGP      L -2.00 us ?, o 1.00 us, g -409 us ?, G ?\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "intervals reach 0 or below: L, LogGP L,"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "  not identified on the way back: g(64)\n"));
	free(text);
}

/* No latency is below 0: it is marked wherever it is, with why. */
static void test_a_latency_below_0_is_marked_with_why(void)
{
	static const char why[] = "RTT(0)/2 - g(0) is -615 ns, and no time is below 0";
	json_t *L = json_pack("{s:f, s:f, s:f, s:b}", "value", -615e-9, "low", -700e-9, "high",
			      -500e-9, "identifiable", 0);
	char *text = text_from(json_pack(
		"{s:s, s:{s:{s:[], s:{s:O, s:{s:f}, s:[s, s], s:{s:s, s:s}}, s:{s:o, s:{s:s}}, "
		"s:{s:{s:f, s:f, s:f, s:f}, s:{s:f}}}}}",
		"name", "toy", "classes", "node", "points", "there", "L", L, "g0", "value", 1e-6,
		"unidentified", "L", "G", "why_unidentified", "L", why, "G", "it is of few bytes",
		"back", "L", L, "why_unidentified", "L", why, "derived", "loggp", "L_s", -2e-6,
		"o_s", 1e-6, "g_s", 1e-6, "G_s_per_byte", 1e-9, "hockney", "alpha_s", 2e-6));

	CU_ASSERT_PTR_NOT_NULL(strstr(
		text, "\n  latency L        -615 ns ? [-700 ns to -500 ns]\n"
		      "    ?: L is not identified: RTT(0)/2 - g(0) is -615 ns, and no time is "
		      "below 0\n  least gap g(0)   1.00 us ["));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "  back             L -615 ns ? [-700 ns to -500 ns]\n"
					    "    ?: L is not identified: "));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "G 1 ns/B ?\n    ?: G is not identified: it is of"));
	free(text);
}

/* The page's G as well, with the bandwidth and the lines that it would be. */
static void test_the_page_marks_a_byte_that_was_not_told(void)
{
	int told;

	for (told = 0; told < 2; told++) {
		json_t *way = json_pack("{s:[{s:f}], s:[s], s:{s:{s:f, s:f}, s:{s:f, s:f}}}",
					"points", "bytes", 4096.0, "unidentified", told ? "M" : "G",
					"derived", "loggp", "g_s", 1e-6, "G_s_per_byte", 1e-9,
					"hockney", "alpha_s", 1e-6, "beta_s_per_byte", 1e-9);
		json_t *machine =
			json_pack("{s:s, s:s, s:{s:{s:o, s:{}}}}", "name", "toy", "measured_at",
				  "now", "classes", "node", "there", way, "back");
		char *text = written(machine_page, machine);

		CU_ASSERT_EQUAL(strstr(text, "G = 1 ns/B, 1.00 GB/s.") != NULL, told);
		CU_ASSERT_EQUAL(strstr(text, "G = 1 ns/B, not identified.") != NULL, !told);
		CU_ASSERT_EQUAL(strstr(text, "LogGP: g + ") != NULL, told);
		CU_ASSERT_EQUAL(strstr(text, "Hockney, a message") != NULL, told);
		free(text);
	}
}

/* The file of a busy machine is no report's. */
static void test_a_busy_machines_file_is_not_recommended(void)
{
	static const char last[] = "\nmeasured on a busy machine: measure again on an idle one\n";
	static const double shares[] = {0.17, 0.8, 1};
	const char *end;
	int i;

	for (i = 0; i < 3; i++) {
		char *text =
			text_from(json_pack("{s:s, s:f, s:{s:{s:[]}}}", "name", "toy", "core_share",
					    shares[i], "classes", "node", "points"));

		CU_ASSERT_EQUAL(strstr(text, "next: contend report --machine=m.json\n") != NULL &&
					strstr(text, "every report uses it") != NULL,
				i == 2);
		end = strstr(text, last);
		CU_ASSERT_EQUAL(end && !end[strlen(last)], i < 2);
		CU_ASSERT_EQUAL(strstr(text, "--machine") != NULL, i == 2);
		free(text);
	}
}

/* Figures of ranks that were mostly off their cores are none, which comes first. */
static void test_a_busy_machine_is_said_first(void)
{
	static const double shares[] = {0.17, 0.5};
	int i;

	for (i = 0; i < 2; i++) {
		char *text =
			text_from(json_pack("{s:s, s:f, s:{s:{s:[]}}}", "name", "toy", "core_share",
					    shares[i], "classes", "node", "points"));
		const char *busy = strstr(text,
					  "BUSY: ranks had a core for 17 % of the time only."),
			   *figures = strstr(text, "WITHIN A NODE");

		CU_ASSERT_EQUAL(busy && busy < figures, i == 0);
		free(text);
	}
}

/* One line, with single spaces. */
static void join_lines(char *text)
{
	char *to = text, *from;

	for (from = text; *from; from++)
		if (!strchr(" \n", *from))
			*to++ = *from;
		else if (to > text && to[-1] != ' ')
			*to++ = ' ';
	*to = '\0';
}

/* What was assumed is not passed off as measured. */
static void test_what_is_assumed_is_said(void)
{
	char *text = text_from(
		json_pack("{s:s, s:{s:{s:[{s:{s:f, s:f, s:f}}, {s:{s:f, s:f, s:f}}]}}}", "name",
			  "toy", "classes", "node", "points", "between_launches", "share", 0.1,
			  "overheads_share", 0.35, "least_gap_share", 0.16, "between_launches",
			  "share", 0.18, "overheads_share", 0.35, "least_gap_share", 0.16));

	join_lines(text);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "differ by 10 to 18 %, overheads by 35 % and g(0) by "
					    "16 % is assumed, not measured"));
	free(text);
}

/* Which way is faster, how much, and whether the slower one was let finish. */
static void test_check_by_saturation_says_the_ratio_and_what_was_cut(void)
{
	int cut;

	for (cut = 0; cut < 2; cut++) {
		char *text = text_of_way(json_pack("{s:f, s:f, s:i, s:[{}, {}, {}]}",
						   "saturation_s", 60.0, "fast_s", 4.0,
						   "saturation_cut", 2 * cut, "points"));

		CU_ASSERT_PTR_NOT_NULL(strstr(text, "took 60.0 s; from round trips 4.0 s"));
		CU_ASSERT_PTR_NOT_NULL(strstr(text, "    15.0 times the time of round trips"));
		CU_ASSERT_EQUAL(strstr(text, ", cut for time at 2 of 3 sizes\n") != NULL, cut);
		CU_ASSERT_EQUAL(strstr(text, "cut for time") != NULL, cut);
		free(text);
	}
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_unidentified_values_are_marked),
	SUITE_CASE(test_progress_that_is_not_known),
	SUITE_CASE(test_limits_and_what_is_not_known_of_them),
	SUITE_CASE(test_credits_and_what_is_not_known_of_them),
	SUITE_CASE(test_limits_fit_on_a_line),
	SUITE_CASE(test_simpler_models_are_shown),
	SUITE_CASE(test_a_byte_that_nothing_is_known_of),
	SUITE_CASE(test_what_models_do_not_have_is_marked),
	SUITE_CASE(test_many_sizes_are_counted),
	SUITE_CASE(test_check_by_saturation_says_the_ratio_and_what_was_cut),
	SUITE_CASE(test_a_busy_machine_is_said_first),
	SUITE_CASE(test_the_page_marks_a_byte_that_was_not_told),
	SUITE_CASE(test_a_busy_machines_file_is_not_recommended),
	SUITE_CASE(test_a_latency_below_0_is_marked_with_why),
	SUITE_CASE(test_what_is_assumed_is_said),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("machine_text", tests);
}
