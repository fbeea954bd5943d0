/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/rendered.h"

static void put_budget(struct layout *l, const json_t *document)
{
	struct err err;

	CU_ASSERT_EQUAL(text_budget_table(l, document, &err), 0);
}

/* Of 2 ranks and 10 s; the budget is of so many s, and so many ranks did not finish. */
static char *budget_of(double total_s, int unfinished)
{
	json_t *d = json_pack("{s:{s:i, s:f, s:[]}, s:{s:f, s:{s:{s:f, s:f}}}}", "run", "ranks", 2,
			      "wall_s", 10.0, "unfinished", "budget", "total_s", total_s, "parts",
			      "compute", "s", total_s, "share", 1.0);

	while (unfinished--)
		json_array_append_new(json_object_get(json_object_get(d, "run"), "unfinished"),
				      json_object());
	return rendered(80, put_budget, d);
}

/* What ranks that ended early have missed of the run is not among the shares, and that is said. */
static void test_text_tables_say_that_ranks_were_gone(void)
{
	static const struct {
		double total_s;
		int unfinished;
		const char *what;
	} cases[] = {
		{20.0, 0, " ranks' time 20.0 s\n"},
		{19.995, 1, " ranks' time 20.0 s\n"},
		{13.0, 1, " ranks' time until each ended 13.0 s\n"},
		{13.0, 2, " ranks' time until each ended 13.0 s\n"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = budget_of(cases[i].total_s, cases[i].unfinished);

		CU_ASSERT_PTR_NOT_NULL(strstr(text, cases[i].what));
		free(text);
	}
}

static void put_patterns(struct layout *l, const json_t *document)
{
	text_patterns(l, document);
}

/* Messages to oneself are among those that take time, and in no pattern. */
static void test_text_tables_tell_messages_to_self(void)
{
	for (int to_self = 0; to_self < 300; to_self += 240) {
		json_t *d =
			json_pack("{s:{s:i}, s:{s:f, s:{}}, s:{s:i, s:f}, s:[{s:s, s:i, s:s, s:i,"
				  " s:f}]}",
				  "messages", "to_self", to_self, "budget", "total_s", 1.0, "parts",
				  "blame", "messages", 960, "mean_s", 1e-3, "patterns", "scope",
				  "phase", "phase", 1, "name", "ring", "messages", 720, "share",
				  1.0);
		char *text = rendered(80, put_patterns, json_incref(d));

		CU_ASSERT_EQUAL(strstr(text, "720 messages to other ranks") != NULL, to_self > 0);
		free(text);
		text = rendered(80, put_budget, d);
		CU_ASSERT_PTR_NOT_NULL(
			strstr(text, to_self ? "; 960 messages (240 to self), 1.00 ms"
					     : "; 960 messages, 1.00 ms"));
		free(text);
	}
}

/* Where events are missing a pattern is that of what is left. */
static void test_text_tables_tell_what_a_score_is_of(void)
{
	for (int whole = 0; whole < 2; whole++) {
		char *text = rendered(80, put_patterns,
				      json_pack("{s:{s:f}, s:[{s:s, s:i, s:s, s:i, s:f}]}", "run",
						"recorded_share", whole ? 1.0 : 0.8, "patterns",
						"scope", "phase", "phase", 1, "name", "ring",
						"messages", 720, "share", 1.0));

		CU_ASSERT_EQUAL(strstr(text, "scores are of what was recorded") == NULL, whole);
		free(text);
	}
}

static void put_onesided(struct layout *l, const json_t *document)
{
	struct err err = {""};

	CU_ASSERT_EQUAL(text_onesided_table(l, document, &err), 0);
}

/* Of four ranks. */
static void test_text_tables_name_the_target(void)
{
	for (int hot = 0; hot < 2; hot++) {
		char *text =
			rendered(80, put_onesided,
				 json_pack("{s:{s:i}, s:{s:{s:i, s:f, s:f}, s:[]}}", "run", "ranks",
					   4, "one_sided", "target", "rank", 3, "operations_share",
					   hot ? 0.9 : 0.3, "lock_s", 1.5, "waits"));

		CU_ASSERT_EQUAL(strstr(text, "rank 3, of 90.0 % of the operations") != NULL, hot);
		CU_ASSERT_EQUAL(strstr(text, "locks on it are waited for 1.50 s") != NULL, hot);
		free(text);
	}
}

/* Calls that synchronize for few operations each are dear. */
static void test_text_tables_tell_what_synchronizing_takes(void)
{
	char *text =
		rendered(80, put_onesided,
			 json_pack("{s:{s:f}, s:{s:{s:i, s:i}, s:{s:i, s:i}, s:i, s:f, s:[]}}",
				   "budget", "total_s", 8.0, "one_sided", "put", "count", 300,
				   "bytes", 2400, "atomic", "count", 200, "bytes", 1600,
				   "synchronizing_calls", 1000, "synchronizing_s", 2.0, "waits"));

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "synchronized: 1000 calls, 2 for an operation: "
					    "2.00 s, 25.0 % of rank time\n"));
	CU_ASSERT_PTR_NULL(strstr(text, "who is waited for"));
	free(text);
}

/* Of a window in shared memory nothing is moved by operations. */
static void test_text_tables_tell_what_was_moved_if_anything(void)
{
	for (int moved = 0; moved < 2; moved++) {
		char *text = rendered(
			80, put_onesided,
			json_pack("{s:{s:f}, s:{s:{s:i, s:i}, s:i, s:f, s:[]}}", "budget",
				  "total_s", 8.0, "one_sided", "put", "count", 3 * moved, "bytes",
				  24, "synchronizing_calls", 10, "synchronizing_s", 2.0, "waits"));

		CU_ASSERT_EQUAL(strstr(text, "moved:") != NULL, moved);
		CU_ASSERT_PTR_NOT_NULL(strstr(text, "synchronized: 10 calls"));
		free(text);
	}
}

static void put_callsites(struct layout *l, const json_t *document)
{
	struct err err;

	CU_ASSERT_EQUAL(text_callsites_table(l, document, &err), 0);
}

/* Where several threads of a rank call at once, calls have more than the ranks, which is said. */
static void test_text_tables_count_threads_calls(void)
{
	static const double overlap_s[] = {1.24, 0.01};

	for (size_t k = 0; k < 2; k++) {
		char *text = rendered(200, put_callsites,
				      json_pack("{s:{s:f, s:f}, s:{s:{s:f, s:f, s:f}}, "
						"s:[{s:f, s:f, s:f, s:i, s:{s:s}}]}",
						"budget", "total_s", 2.0, "overlap_s", overlap_s[k],
						"summary", "contention", "s", 0.5, "low_s", 0.1,
						"high_s", 0.6, "callsites", "s", 3.0, "share", 1.5,
						"contention_s", 0.55, "calls", 7, "callsite", "mpi",
						"MPI_Send"));

		CU_ASSERT_PTR_NOT_NULL(strstr(text, "all places together 500 ms"));
		CU_ASSERT_EQUAL(strstr(text, "at most 600 ms of ranks' time, which counts once") !=
					NULL,
				k == 0);
		CU_ASSERT_EQUAL(strstr(text, "several threads of a rank make at once each counts "
					     "here; WHERE TIME GOES counts a rank's time once, "
					     "1.24 s less") != NULL,
				k == 0);
		free(text);
	}
}

/* Of the places that take long the largest parts, none of MPI's start and of what has no parts. */
static void test_text_tables_tell_what_places_time_is(void)
{
	char *text =
		rendered(80, put_callsites,
			 json_pack("{s:[{s:{s:s, s:s}, s:f, s:f, s:{s:f, s:f, s:f, s:f}}, "
				   "{s:{s:s, s:s}, s:f, s:f, s:{s:f}}, {s:{s:s, s:s}, s:f, s:f}, "
				   "{s:{s:s, s:s}, s:f, s:f, s:{s:f}}]}",
				   "callsites", "callsite", "mpi", "MPI_Wait", "file", "a.c", "s",
				   10.0, "share", 0.5, "parts", "wire", 1.0, "inattention", 0.5,
				   "not_identifiable", 5.0, "late_partner", 3.5, "callsite", "mpi",
				   "MPI_Init", "file", "a.c", "s", 4.0, "share", 0.2, "parts",
				   "start_end", 4.0, "callsite", "mpi", "MPI_Send", "file", "a.c",
				   "s", 4.0, "share", 0.2, "callsite", "mpi", "MPI_Recv", "file",
				   "a.c", "s", 0.9, "share", 0.045, "parts", "wire", 0.9));

	CU_ASSERT_PTR_NOT_NULL(strstr(text,
				      "\n  MPI_Wait a.c: of its time 50.0 % not identifiable, "
				      "35.0 % late partner, 10.0 %\n  wire (L, G)\n"));
	CU_ASSERT_PTR_NULL(strstr(text, "MPI_Init a.c"));
	CU_ASSERT_PTR_NULL(strstr(text, "MPI_Send a.c"));
	CU_ASSERT_PTR_NULL(strstr(text, "MPI_Recv a.c"));
	free(text);
}

/* Two calls in one function of a library are told apart by where they are. */
static void test_text_tables_tell_places_of_one_function_apart(void)
{
	for (int same = 0; same < 2; same++) {
		char *text = rendered(
			100, put_callsites,
			json_pack("{s:[{s:{s:s, s:s, s:s}, s:f, s:f}, {s:{s:s, s:s, s:s}, s:f, "
				  "s:f}]}",
				  "callsites", "callsite", "mpi", "MPI_Recv", "function", "run_one",
				  "address", "/lib/libx.so.7:0a1b+0x484f8", "s", 10.0, "share",
				  0.04, "callsite", "mpi", same ? "MPI_Recv" : "MPI_Send",
				  "function", "run_one", "address", "/lib/libx.so.7:0a1b+0x4877b",
				  "s", 9.0, "share", 0.03));

		CU_ASSERT_EQUAL(strstr(text, "run_one() in libx.so.7+0x484f8\n") != NULL, same);
		CU_ASSERT_EQUAL(strstr(text, "run_one() in libx.so.7+0x4877b\n") != NULL, same);
		free(text);
	}
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_text_tables_say_that_ranks_were_gone),
		SUITE_CASE(test_text_tables_tell_messages_to_self),
		SUITE_CASE(test_text_tables_tell_what_a_score_is_of),
		SUITE_CASE(test_text_tables_name_the_target),
		SUITE_CASE(test_text_tables_tell_what_synchronizing_takes),
		SUITE_CASE(test_text_tables_tell_what_was_moved_if_anything),
		SUITE_CASE(test_text_tables_count_threads_calls),
		SUITE_CASE(test_text_tables_tell_what_places_time_is),
		SUITE_CASE(test_text_tables_tell_places_of_one_function_apart),
		CU_TEST_INFO_NULL,
	};

	return suite_run("text_tables", cases);
}
