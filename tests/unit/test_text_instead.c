/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is lost where there is no hotspot. */
#include "tests/fixtures/without_hotspots.h"

/* Who computes longest by more than 1 % of the run, and what that may be where it lacked a core. */
static void test_says_who_computes_longest(void)
{
	static const struct {
		double most_s, away_ns, rank; /* who waited for a core */
		int is_said, is_of_cores, is_by_turns;
		double total_s; /* how long the run is */
	} rows[] = {{1.5, 2e8, 1, 1, 1, 0, 4.0},  {1.5, 2e8, 0, 1, 0, 0, 4.0},
		    {1.5, 1e6, 1, 1, 0, 0, 4.0},  {1.2, 2e8, 1, 0, 0, 0, 4.0},
		    {1.5, 2e8, 1, 0, 0, 1, 4.0},  {1.5, 2e8, 1, 1, 1, 0, 49.0},
		    {1.5, 2e8, 1, 0, 0, 0, 51.0}, {1.02, 2e8, 1, 0, 0, 0, 4.0}};

	for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
		json_t *document = document_without(2.0, 10, 0, 0, 0.1);
		char *text;

		json_object_set_new(json_object_get(document, "summary"), "largest",
				    json_string("late_partner"));
		json_object_set_new(document, "late_partners", json_pack("[{s:f}]", "share", 0.2));
		json_object_set_new(json_object_get(document, "budget"), "total_s",
				    json_real(rows[k].total_s));
		json_object_set_new(document, "ranks",
				    json_pack("[{s:f, s:{s:f}}, {s:f, s:{s:f}}, {s:f}]", "rank",
					      0.0, "parts", "compute", 1.0, "rank", 1.0, "parts",
					      "compute", rows[k].most_s, "recorded_s", 0.0));
		json_object_set_new(document, "evidence",
				    json_pack("{s:[{s:f, s:f}]}", "processes", "rank", rows[k].rank,
					      "core_awaited_ns", rows[k].away_ns));
		json_object_set_new(document, "alone",
				    json_pack("{s:b}", "by_turns", rows[k].is_by_turns));
		text = words_of(document);
		CU_ASSERT_EQUAL(strstr(text,
				       "; rank 1 computes 1.20 times the mean: imbalance, or "
				       "waiting for a core (it waited 200 ms for its own); the "
				       "largest part") != NULL,
				rows[k].is_of_cores);
		CU_ASSERT_EQUAL(strstr(text, "; rank 1 computes 1.20 times the mean; the largest "
					     "part") != NULL,
				rows[k].is_said && !rows[k].is_of_cores);
		CU_ASSERT_EQUAL(strstr(text, "; ranks work one after the other, by turns, and the "
					     "largest part") != NULL,
				rows[k].is_by_turns);
		CU_ASSERT_EQUAL(strstr(text, "nor is it sure") != NULL,
				!rows[k].is_said && !rows[k].is_by_turns && rows[k].most_s > 1.1);
		CU_ASSERT_EQUAL(strstr(text, "; all ranks compute for about as long (at most 1.01 "
					     "times the mean), but the largest part") != NULL,
				rows[k].most_s < 1.1);
		json_decref(document);
		free(text);
	}
}

/* One rank with little to do does not make the others' work uneven. */
static void test_says_who_has_little_to_do(void)
{
	static const double least_s[] = {0.1, 0.9};

	for (size_t k = 0; k < 2; k++) {
		json_t *document = document_without(2.0, 10, 0, 0, 0.1);
		char *text;

		json_object_set_new(json_object_get(document, "summary"), "largest",
				    json_string("late_partner"));
		json_object_set_new(document, "late_partners", json_pack("[{s:f}]", "share", 0.2));
		json_object_set_new(json_object_get(document, "budget"), "total_s", json_real(4.0));
		json_object_set_new(document, "ranks",
				    json_pack("[{s:f, s:{s:f}}, {s:f, s:{s:f}}, {s:f, s:{s:f}}]",
					      "rank", 0.0, "parts", "compute", least_s[k], "rank",
					      1.0, "parts", "compute", 1.0, "rank", 2.0, "parts",
					      "compute", least_s[k] < 0.5 ? 1.0 : 2.0));
		text = words_of(document);
		CU_ASSERT_EQUAL(strstr(text,
				       "; rank 0 computes 0.10 times the mean of the others;") !=
					NULL,
				k == 0);
		CU_ASSERT_EQUAL(strstr(text, "; rank 2 computes 1.54 times the mean;") != NULL,
				k == 1);
		json_decref(document);
		free(text);
	}
}

/* Waits for a target that was not in MPI are said to be among one-sided communication. */
static void test_says_where_one_sided_waits_are(void)
{
	static const double waits_s[] = {0.3, 0.01};

	for (size_t k = 0; k < 2; k++) {
		json_t *document = document_without(2.0, 10, 0, 0, 0.1);
		char *text;

		json_object_set_new(json_object_get(document, "summary"), "largest",
				    json_string("inattention"));
		json_object_set_new(json_object_get(document, "budget"), "parts",
				    json_pack("{s:{s:f, s:f}}", "inattention", "s", 0.4, "share",
					      0.2));
		json_object_set_new(document, "one_sided",
				    json_pack("{s:[{s:f}]}", "waits", "s", waits_s[k]));
		text = words_of(document);
		CU_ASSERT_EQUAL(strstr(text, "ONE-SIDED below says who") != NULL, k == 0);
		CU_ASSERT_EQUAL(strstr(text, "CALL SITES below says in") != NULL, k == 1);
		json_decref(document);
		free(text);
	}
}

/* What collectives take when all are there is in their table, if there is one. */
static void test_says_where_collectives_take_it(void)
{
	for (int has = 0; has < 2; has++) {
		json_t *document = document_without(2.0, 10, 0, 0, 0.1);
		char *text;

		json_object_set_new(json_object_get(document, "summary"), "largest",
				    json_string("collective_transfer"));
		json_object_set_new(json_object_get(document, "budget"), "parts",
				    json_pack("{s:{s:f, s:f}}", "collective_transfer", "s", 0.4,
					      "share", 0.2));
		json_object_set_new(document, "collectives",
				    has ? json_pack("{s:[{}]}", "operations")
					: json_pack("{s:[]}", "operations"));
		text = words_of(document);
		CU_ASSERT_EQUAL(strstr(text, "COLLECTIVES below says in which") != NULL, has);
		CU_ASSERT_EQUAL(strstr(text, "CALL SITES below says in") != NULL, !has);
		json_decref(document);
		free(text);
	}
}

/* Access to files is named where no part of the communication takes as long. */
static void test_says_what_files_take(void)
{
	static const double files[] = {0.3, 0.1, 0.005};

	for (size_t k = 0; k < 3; k++) {
		json_t *document = document_without(2.0, 10, 0, 0, 0);
		char *text;

		if (k != 2)
			json_object_set_new(json_object_get(document, "summary"), "largest",
					    json_string("inattention"));
		json_object_set_new(json_object_get(document, "budget"), "parts",
				    json_pack("{s:{s:f, s:f}, s:{s:f}}", "inattention", "s", 0.4,
					      "share", 0.2, "file_access", "share", files[k]));
		text = words_of(document);
		CU_ASSERT_EQUAL(strstr(text, "; access to files takes 30.0 % of rank time: CALL "
					     "SITES below") != NULL,
				k == 0);
		CU_ASSERT_EQUAL(strstr(text, "largest part of the communication") != NULL, k == 1);
		CU_ASSERT_EQUAL(strstr(text, "CALL SITES") != NULL, k < 2);
		json_decref(document);
		free(text);
	}
}

/* Where a rank was gone nobody is sure who would have had more work. */
/* Also beside hotspots, if none of them is likely worth a change. */
static void test_says_what_is_lost_beside_small_hotspots(void)
{
	static const struct {
		const char *kind;
		double likely;
		int is_said;
	} rows[] = {{"synchronous", 0.001, 1}, {"synchronous", 0.02, 0}, {"imbalance", 0.001, 0}};

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		json_t *document = document_without(4.0, 9, 0, 0.0, 0.0);
		char *text;

		json_object_set_new(document, "hotspots",
				    json_pack("[{s:s, s:[f, f, f]}]", "kind", rows[k].kind,
					      "saves_share", 0.0, rows[k].likely, 0.2));
		json_object_set_new(document, "budget",
				    json_pack("{s:f, s:{s:{s:f, s:f, s:f, s:f}}}", "total_s", 4.0,
					      "parts", "wire", "s", 1.0, "share", 0.25, "low_s",
					      1.0, "high_s", 1.0));
		json_object_set_new(json_object_get(document, "summary"), "largest",
				    json_string("wire"));
		text = words_of(document);
		CU_ASSERT_EQUAL(strstr(text,
				       "rest  none of these likely saves 1 % of wall time; "
				       "the largest part of the communication, 25.0 % of rank "
				       "time, is wire") != NULL,
				rows[k].is_said);
		free(text);
		json_decref(document);
	}
}

static void test_says_who_was_gone(void)
{
	json_t *document = document_without(2.0, 10, 0, 0, 0);
	json_t *summary = json_object_get(document, "summary");
	char *text;

	json_object_set_new(summary, "largest", json_string("collective_wait"));
	json_object_set_new(document, "collectives",
			    json_pack("{s:[{s:f}]}", "operations", "share", 0.2));
	json_object_set_new(summary, "gone", json_pack("{s:i, s:f}", "rank", 2, "share", 0.66));
	text = words_of(document);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "; rank 2 was gone for the last 66.0 % of the run, in "
					    "which others may have waited for it; the largest part "
					    "of the communication is waiting in collectives"));
	free(text);
	json_object_set_new(json_object_get(summary, "gone"), "silent", json_true());
	text = words_of(document);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(text, "; rank 2 gave no sign of life for the last 66.0 % of"));
	free(text);
	json_object_set_new(summary, "gone", json_null());
	text = words_of(document);
	CU_ASSERT_PTR_NULL(strstr(text, "gone"));
	json_decref(document);
	free(text);
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_says_who_computes_longest),
		SUITE_CASE(test_says_who_has_little_to_do),
		SUITE_CASE(test_says_where_one_sided_waits_are),
		SUITE_CASE(test_says_where_collectives_take_it),
		SUITE_CASE(test_says_what_files_take),
		SUITE_CASE(test_says_what_is_lost_beside_small_hotspots),
		SUITE_CASE(test_says_who_was_gone),
		CU_TEST_INFO_NULL,
	};

	return suite_run("text_instead", cases);
}
