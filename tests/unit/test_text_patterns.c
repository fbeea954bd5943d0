/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/rendered.h"

/* What is said of these patterns, and of phases if there are any; releases them. Caller frees. */
static char *said_of(json_t *patterns, json_t *phases)
{
	return rendered(80, text_patterns,
			json_pack("{s:o, s:o*}", "patterns", patterns, "phases", phases));
}

/* Names of C++ are long; two lines are better than one too wide. */
static void test_text_patterns_break_long_places(void)
{
	char *text = said_of(
		json_pack("[{s:i, s:s, s:s, s:f, s:i, s:{s:s, s:s}}, {s:s}]", "phase", 1, "scope",
			  "phase", "name", "ring", "share", 1.0, "messages", 40, "callsite", "mpi",
			  "MPI_Send", "function",
			  "LAMMPS_NS::CommBrick::reverse_comm() in liblammps.so.0 for all that "
			  "is near",
			  "scope", "run"),
		NULL);

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "MPI_Send LAMMPS_NS::CommBrick"));
	for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
		CU_ASSERT(end - line <= 80);
	free(text);
}

static void test_text_patterns_say_which_names_are_unsure(void)
{
	for (int sure = 0; sure < 2; sure++) {
		char *text =
			said_of(json_pack("[{s:i, s:s, s:s, s:b, s:f}]", "phase", 1, "scope",
					  "phase", "name", "ring", "confident", sure, "share", 1.0),
				NULL);

		CU_ASSERT_PTR_NOT_NULL(
			strstr(text, sure ? "phase 1    ring" : "phase 1    perhaps ring"));
		free(text);
	}
}

static void test_text_patterns_say_what_one_lacks(void)
{
	char *text = said_of(json_pack("[{s:i, s:s, s:s, s:s, s:f, s:i}]", "phase", 1, "scope",
				       "phase", "name", "insufficient data", "why_none",
				       "3 ranks send or receive here; a pattern needs 4", "share",
				       1.0, "messages", 40),
			     json_pack("[{s:i, s:f, s:f, s:f}, {s:i}]", "phase", 1, "share", 0.25,
				       "begin_s", 0.5, "end_s", 1.5, "phase", 2));

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "phase 1    insufficient data\n           3 ranks"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\n           25.0 % of rank time   first at 500 ms, "
					    "last until 1.50 s of the run\n"));
	free(text);
}

/*
 * Main are phases with a tenth of the bytes or of the time, those that take longest first; one that
 * takes no time only where there is no other, and what has no name for the same reason once.
 */
static void test_text_patterns_of_what_takes_time(void)
{
	const char *few = "2 ranks send or receive here; a pattern needs 4";
	char *text =
		said_of(json_pack("[{s:i, s:s, s:s, s:f, s:i}, {s:i, s:s, s:s, s:f, s:i}, "
				  "{s:i, s:s, s:s, s:f, s:i}, {s:i, s:s, s:s, s:f, s:i}]",
				  "phase", 1, "scope", "phase", "name", "ring", "share", 0.7,
				  "messages", 6, "phase", 2, "scope", "phase", "name", "star",
				  "share", 0.2, "messages", 7, "phase", 3, "scope", "phase", "name",
				  "mesh", "share", 0.05, "messages", 8, "phase", 4, "scope",
				  "phase", "name", "tree", "share", 0.05, "messages", 9),
			json_pack("[{s:i, s:f}, {s:i, s:f}, {s:i, s:f}, {s:i, s:f}]", "phase", 1,
				  "share", 0.001, "phase", 2, "share", 0.1, "phase", 3, "share",
				  0.4, "phase", 4, "share", 0.05));
	const char *mesh = strstr(text, "phase 3    mesh"), *star = strstr(text, "phase 2    star");

	CU_ASSERT(mesh && star && mesh < star);
	CU_ASSERT_PTR_NULL(strstr(text, "ring"));
	CU_ASSERT_PTR_NULL(strstr(text, "tree"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\n  2 more phases, with 15 messages: --top=6\n"));
	free(text);
	text = said_of(json_pack("[{s:i, s:s, s:s, s:f, s:i}, {s:i, s:s, s:s, s:s, s:f, s:i}, "
				 "{s:i, s:s, s:s, s:s, s:f, s:i}]",
				 "phase", 1, "scope", "phase", "name", "ring", "share", 0.2,
				 "messages", 3, "phase", 2, "scope", "phase", "name",
				 "insufficient data", "why_none", few, "share", 0.4, "messages", 6,
				 "phase", 3, "scope", "phase", "name", "insufficient data",
				 "why_none", few, "share", 0.4, "messages", 1),
		       json_pack("[{s:i, s:f}, {s:i, s:f}, {s:i, s:f}]", "phase", 1, "share", 0.5,
				 "phase", 2, "share", 0.25, "phase", 3, "share", 0.2));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "phase 2    insufficient data"));
	CU_ASSERT_PTR_NULL(strstr(text, "phase 3"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "\n  1 more phase, with 1 message: --top=6\n"));
	free(text);
}

/* So many phases: with each of the time one hundredth more than the one before it. */
static json_t *many_phases(size_t n)
{
	json_t *patterns = json_array(), *phases = json_array(), *models = json_array();

	for (size_t k = 1; k <= n; k++) {
		json_array_append_new(patterns,
				      json_pack("{s:i, s:s, s:s, s:i}", "phase", (int)k, "scope",
						"phase", "name", "ring", "messages", 10));
		json_array_append_new(phases, json_pack("{s:i, s:f}", "phase", (int)k, "share",
							0.01 * (double)(k + 4)));
		json_array_append_new(models,
				      json_pack("{s:s, s:i, s:b, s:{s:f}, s:{s:f}}", "name", "M",
						"phase", (int)k, "valid", 1, "predicted", "R_s",
						1e-6, "measured", "R_s", 3e-6));
	}
	return json_pack("{s:o, s:o, s:o}", "patterns", patterns, "phases", phases, "models",
			 models);
}

/* With --top all are to be had; models tell of those that are, and how many more there are. */
static void test_text_patterns_and_models_of_all(void)
{
	static const struct {
		unsigned top;
		const char *has, *has_not, *patterns_left, *models_left;
	} rows[] = {
		{1, "phase 8 ", "phase 7 ", "  7 more phases, with 70 messages: --top=8\n",
		 "  and of 7 smaller phases: --top=8\n"},
		{STYLE_TOP, "phase 6 ", "phase 5 ", "  5 more phases, with 50 messages: --top=8\n",
		 "  and of 5 smaller phases: --top=8\n"},
		{7, "phase 2 ", "phase 1 ", "  1 more phase, with 10 messages: --top=8\n",
		 "  and of 1 smaller phase: --top=8\n"},
		{8, "phase 1 ", "phase 9 ", NULL, NULL},
	};

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		char *patterns = rendered_top(80, rows[k].top, text_patterns, many_phases(8));
		char *models = rendered_top(80, rows[k].top, text_models, many_phases(8));
		char has[20], has_not[20];

		CU_ASSERT_PTR_NOT_NULL(strstr(patterns, rows[k].has));
		CU_ASSERT_PTR_NULL(strstr(patterns, rows[k].has_not));
		snprintf(has, sizeof(has), "%.7s:", rows[k].has);
		snprintf(has_not, sizeof(has_not), "%.7s:", rows[k].has_not);
		CU_ASSERT_PTR_NOT_NULL(strstr(models, has));
		CU_ASSERT_PTR_NULL(strstr(models, has_not));
		CU_ASSERT_EQUAL(strstr(patterns, " more phase") == NULL, !rows[k].patterns_left);
		CU_ASSERT_EQUAL(strstr(models, " smaller phase") == NULL, !rows[k].models_left);
		if (rows[k].patterns_left) {
			CU_ASSERT_PTR_NOT_NULL(strstr(patterns, rows[k].patterns_left));
			CU_ASSERT_PTR_NOT_NULL(strstr(models, rows[k].models_left));
		}
		free(patterns);
		free(models);
	}
}

/*
 * Where no phase is large enough the run's pattern is said, or the collectives' if they alone move.
 */
static void test_text_patterns_of_a_run(void)
{
	static const struct {
		double phase, run, collective; /* the first: its share; else its bytes */
		const char *says;
	} rows[] = {
		{0.1, 4e6, 9e6, "phase 7    mesh"},
		{0.09, 4e6, 9e6, "run        ring"},
		{0.0, 0.0, 9e6, "collective broadcast"},
		{0.0, 0.0, 0.0, "run        ring"},
	};

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		char *text = said_of(
			json_pack("[{s:s, s:s, s:f, s:f}, {s:s, s:s, s:i, s:f}, {s:s, s:s, s:f}]",
				  "scope", "run", "name", "ring", "bytes", rows[k].run, "share",
				  rows[k].run > 0 ? 1.0 : 0.0, "scope", "phase", "name", "mesh",
				  "phase", 7, "share", rows[k].phase, "scope", "collective", "name",
				  "broadcast", "bytes", rows[k].collective),
			NULL);

		CU_ASSERT_PTR_NOT_NULL(strstr(text, "PATTERN"));
		CU_ASSERT_PTR_NOT_NULL(strstr(text, rows[k].says));
		free(text);
	}
}

/* Few messages do not matter where collectives move all and take the time: then these are said. */
static void test_text_patterns_of_collectives(void)
{
	for (int in = 0; in < 2; in++) { /* is the communication's time in collectives? */
		json_t *patterns = json_pack(
			"[{s:s, s:s, s:f}, {s:s, s:s, s:i, s:f, s:f}, {s:s, s:s, s:f, s:{s:s}}, "
			"{s:s, s:s, s:f, s:{s:s}}, {s:s, s:s, s:f, s:{s:s}}, {s:s, s:s, s:f, "
			"s:{s:s}}]",
			"scope", "run", "name", "ring", "bytes", 1e3, "scope", "phase", "name",
			"mesh", "phase", 7, "share", 1.0, "bytes", 1e3, "scope", "collective",
			"name", "transpose", "bytes", 8e6, "callsite", "mpi", "MPI_Alltoall",
			"scope", "collective", "name", "once more", "bytes", 7e6, "callsite", "mpi",
			"MPI_Alltoall", "scope", "collective", "name", "broadcast tree", "bytes",
			6e6, "callsite", "mpi", "MPI_Bcast", "scope", "collective", "name",
			"all-reduce", "bytes", 2e3, "callsite", "mpi", "MPI_Allreduce");
		char *text = rendered(80, text_patterns,
				      json_pack("{s:o, s:{s:{s:f}}, s:{s:{s:{s:f}}}}", "patterns",
						patterns, "summary", "communication", "share", 0.5,
						"budget", "parts", "collective_wait", "share",
						in ? 0.49 : 0.3));

		CU_ASSERT_EQUAL(strstr(text, "phase 7    mesh") == NULL, in);
		CU_ASSERT_EQUAL(strstr(text, "collective transpose") != NULL, in);
		CU_ASSERT_EQUAL(strstr(text, "collective broadcast tree") != NULL, in);
		CU_ASSERT_EQUAL(strstr(text, "14.3 MiB sent") != NULL, in); /* of both phases */
		CU_ASSERT_PTR_NULL(strstr(text, "once more"));
		CU_ASSERT_PTR_NULL(strstr(text, "all-reduce"));
		free(text);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_text_patterns_break_long_places),
		SUITE_CASE(test_text_patterns_say_which_names_are_unsure),
		SUITE_CASE(test_text_patterns_say_what_one_lacks),
		SUITE_CASE(test_text_patterns_of_a_run),
		SUITE_CASE(test_text_patterns_of_collectives),
		SUITE_CASE(test_text_patterns_of_what_takes_time),
		SUITE_CASE(test_text_patterns_and_models_of_all),
		CU_TEST_INFO_NULL,
	};

	return suite_run("text_patterns", tests);
}
