/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/without_hotspots.h"

static void put_first(struct layout *l, const json_t *hotspot)
{
	text_hotspot(l, hotspot, 1);
}

/* A hotspot in solve(), which these functions called on so many paths, as text. */
static char *hotspot_from(const char *const *callers, int paths)
{
	json_t *list = json_array();

	for (; *callers; callers++)
		json_array_append_new(list, json_string(*callers));
	return rendered(80, put_first,
			json_pack("{s:s, s:{s:s, s:s, s:o, s:i, s:f}, s:[f, f, f], s:[f, f, f]}",
				  "kind", "order", "callsite", "function", "solve", "mpi",
				  "MPI_Send", "callers", list, "paths", paths, "path_share", 0.25,
				  "saves_s", 0.1, 0.2, 0.3, "saves_share", 0.1, 0.2, 0.3));
}

static void test_says_where_they_called(void)
{
	json_t *hotspot = json_pack("{s:s, s:{s:[s, s], s:[s, n], s:i}, s:[f, f, f], s:[f, f, f]}",
				    "kind", "order", "callsite", "callers", "step", "main",
				    "caller_lines", "/src/step.c:31", "paths", 1, "saves_s", 0.1,
				    0.2, 0.3, "saves_share", 0.1, 0.2, 0.3);
	char *text = rendered(80, put_first, hotspot);

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "  from  step() step.c:31 < main()\n"));
	free(text);
}

/* One of many paths, of which each has little of the time, is not named. */
static void test_says_that_many_called(void)
{
	json_t *hotspot = json_pack("{s:s, s:{s:[s, s], s:i, s:f}, s:[f, f, f], s:[f, f, f]}",
				    "kind", "order", "callsite", "callers", "step", "main", "paths",
				    102, "path_share", 0.035, "saves_s", 0.1, 0.2, 0.3,
				    "saves_share", 0.1, 0.2, 0.3);
	char *text = rendered(80, put_first, hotspot);

	CU_ASSERT_PTR_NOT_NULL(
		strstr(text, "  from  102 call paths, none with more than 3.5 % of its time\n"));
	free(text);
}

static void check_from(const char *const *callers, int paths, const char *expected)
{
	char *text = hotspot_from(callers, paths);

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "MPI_Send"));
	CU_ASSERT(!expected || strstr(text, expected));
	CU_ASSERT(expected || !strstr(text, "  from"));
	free(text);
}

static void test_says_who_called(void)
{
	static const char *const by_solver[] = {"step", "main", NULL};
	static const char *const *by_main = by_solver + 1, *const *by_nobody = by_solver + 2;

	check_from(by_solver, 1, "  from  step() < main()\n");
	check_from(by_solver, 3, "  from  step() < main(), the one of 3 call paths with most of");
	check_from(by_main, 2,
		   "  from  main(), the one of 2 call paths with most of its time, 25.0 %\n");
	check_from(by_main, 1, NULL); /* says nothing */
	check_from(by_nobody, 3, NULL);
}

static void test_says_what_has_the_same_sends(void)
{
	static const char words[] =
		"  with  number 3, of the same sends: each as if alone, both may "
		"save less than\n";
	json_t *hotspot =
		json_pack("{s:s, s:i, s:[f, f, f], s:[f, f, f]}", "kind", "order", "same_sends_as",
			  2, "saves_s", 0.1, 0.2, 0.3, "saves_share", 0.1, 0.2, 0.3);
	char *text = rendered(80, put_first, json_incref(hotspot));

	CU_ASSERT_PTR_NOT_NULL(strstr(text, words));
	free(text);
	json_object_del(hotspot, "same_sends_as");
	text = rendered(80, put_first, hotspot);
	CU_ASSERT_PTR_NULL(strstr(text, "  with"));
	free(text);
}

/* Of several hotspots savings may be of the same waits; of one that is no question. */
static void test_says_that_savings_need_not_add_up(void)
{
	json_t *document = document_without(1.0, 10, 0, 0, 0.1);
	json_t *list = json_object_get(document, "hotspots");

	for (int k = 0; k < 2; k++) {
		char *text;

		json_array_append_new(list, json_pack("{s:s, s:[f, f, f], s:[f, f, f]}", "kind",
						      "order", "saves_s", 0.1, 0.2, 0.3,
						      "saves_share", 0.1, 0.2, 0.3));
		text = words_of(document);
		CU_ASSERT_EQUAL(strstr(text, "they need not add up") != NULL, k > 0);
		free(text);
	}
	json_decref(document);
}

static void check_none_of(double total_s, int messages, int torn, double low_s, double high_s,
			  const char *expected)
{
	json_t *document = document_without(total_s, messages, torn, low_s, high_s);
	char *text = words_of(document);

	CU_ASSERT_PTR_NOT_NULL(strstr(text, expected));
	json_decref(document);
	free(text);
}

static void check_none(int messages, int torn, double low_s, double high_s, const char *expected)
{
	check_none_of(1.0, messages, torn, low_s, high_s, expected);
}

static void test_says_why_there_is_none(void)
{
	check_none_of(0.0, 0, 0, 0, 0, "none  can be found where nothing was recorded");
	check_none(10, 0, 0, 0, "where contention costs time worth saving");
	check_none(10, 0, 0, 0.1, "where contention provably costs time");
	check_none(10, 0, 0.05, 0.1, "there is contention, but no single place");
	check_none(10, 11, 0, 0, "most messages have no other end in the trace");
	check_none(10, 10, 0, 0, "where contention costs time worth saving");
}

/* What collectives take alone nobody measured. */
static void test_says_what_is_not_known_of_collectives(void)
{
	json_t *document = document_without(1.0, 10, 0, 0, 0);
	char *text;

	json_object_set_new(json_object_get(document, "budget"), "parts",
			    json_pack("{s:{s:f}}", "collective_transfer", "share", 0.4));
	text = words_of(document);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "at work is contention is not known"));
	CU_ASSERT_PTR_NULL(strstr(text, "where contention costs time worth saving"));
	json_decref(document);
	free(text);
}

static void test_says_what_is_not_judged(void)
{
	json_t *document = document_without(1.0, 10, 0, 0, 0);
	char *text = words_of(document);

	CU_ASSERT_PTR_NULL(strstr(text, "not judged"));
	free(text);
	json_object_set_new(document, "unjudged",
			    json_pack("[{s:s, s:s}, {s:s, s:s}]", "kind", "aggregation", "unknown",
				      "what longer messages take", "kind", "overlap", "unknown",
				      "whether they move"));
	text = words_of(document);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "open  not judged, contend calibrate would tell: what "
					    "longer messages take (aggregation); whether they "
					    "move (overlap)\n"));
	free(text);
	json_decref(document);
}

/* Where the largest part has a table of its own, that is named. */
static void test_says_where_lateness_is(void)
{
	static const char *const parts[] = {"late_partner", "late_partner", "wire",
					    "collective_wait"};
	static const double shares[] = {0.19, 0.001, 0.19, 0.19};
	static const char *const tables[] = {": LATE PARTNERS below", NULL, NULL,
					     ": COLLECTIVES below"};

	for (int k = 0; k < 4; k++) {
		json_t *document = document_without(1.0, 10, 0, 0, 0.1);
		json_t *rows = json_pack("[{s:f}]", "share", shares[k]);
		char *text;

		json_object_set_new(json_object_get(document, "summary"), "largest",
				    json_string(parts[k]));
		json_object_set_new(document, "late_partners", json_incref(rows));
		json_object_set_new(document, "collectives",
				    json_pack("{s:o}", "operations", rows));
		text = words_of(document);
		CU_ASSERT_PTR_NOT_NULL(strstr(text, "where contention provably costs time"));
		CU_ASSERT_EQUAL(strstr(text, "nor is it sure that some rank has more work") != NULL,
				tables[k] != NULL);
		CU_ASSERT(!tables[k] || strstr(text, tables[k]));
		json_decref(document);
		free(text);
	}
}

/* What has no table of its own is named where it is worth that. */
static void test_says_what_is_lost_instead(void)
{
	static const struct {
		const char *part;
		double share, low;
		const char *words;
		int torn;
	} rows[] = {{"send_overhead", 0.103, 0.103,
		     "saving; the largest part of the communication, 10.3 % of rank time, is send "
		     "overhead (o_s): CALL SITES below",
		     0},
		    {"late_partner", 0.2, 0.05,
		     "20.0 % [5.0-20.0] of rank time, is late partner: CALL SITES below", 0},
		    {"collective_transfer", 0.35, 0.35,
		     "found, nor could be; the largest part of the communication, 35.0 % of rank "
		     "time, is collective transfer: CALL SITES below",
		     12},
		    {"wire", 0.009, 0.009, NULL, 0}};

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		json_t *document = document_without(2.0, 10, rows[k].torn, 0, 0);
		json_t *parts;
		char *text;

		json_object_set_new(json_object_get(document, "summary"), "largest",
				    json_string(rows[k].part));
		parts = json_pack("{s:{s:f, s:f, s:f}}", rows[k].part, "share", rows[k].share,
				  "low_s", 2.0 * rows[k].low, "high_s", 2.0 * rows[k].share);
		json_object_set_new(json_object_get(document, "budget"), "parts", parts);
		text = words_of(document);
		CU_ASSERT_EQUAL(strstr(text, "the largest part") != NULL, rows[k].words != NULL);
		CU_ASSERT(!rows[k].words || strstr(text, rows[k].words));
		json_decref(document);
		free(text);
	}
}

/* Of a job that hung the reader is sent to who waited for whom, and not to what that is called. */
static void test_points_to_the_standstill(void)
{
	static const struct {
		double share; /* of the wall time; negative: not known */
		const char *words;
		int is_all;
	} rows[] = {
		{0.8, "the job did not end by itself and stood still for 8.00 s: where its ", 1},
		{0.2, "the job did not end by itself and stood still for 2.00 s: where its ", 0},
		{-1, "the job did not end by itself: where its ranks stood, and who waited", 0}};

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		json_t *document = document_without(1.0, 10, 0, 0, 0);
		json_t *summary = json_object_get(document, "summary");
		json_t *standstill = rows[k].share < 0
					     ? json_pack("{s:n, s:n}", "s", "share")
					     : json_pack("{s:f, s:f}", "s", 10 * rows[k].share,
							 "share", rows[k].share);
		char *text;

		json_object_set_new(summary, "largest", json_string("not_identifiable"));
		json_object_set_new(summary, "standstill", standstill);
		json_object_set_new(json_object_get(document, "budget"), "parts",
				    json_pack("{s:{s:f}}", "not_identifiable", "share", 0.5));
		text = words_of(document);
		CU_ASSERT_PTR_NOT_NULL(strstr(text, rows[k].words));
		CU_ASSERT_EQUAL(strstr(text, "CALL SITES below") == NULL, rows[k].is_all);
		json_decref(document);
		free(text);
	}
}

/* Of what each time is a share: the title's most, what is likely, and the sums in a why. */
static void test_says_of_what_each_is_a_share(void)
{
	static const struct {
		double likely;
		const char *words; /* NULL: the most says it */
	} rows[] = {{0.02, " likely saves 200 ms, 2.0 % of wall time\n"},
		    {0.0, " likely saves next to nothing\n"},
		    {0.35, NULL}};

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		json_t *hotspot = json_pack("{s:s, s:[f, f, f], s:[f, f, f], s:s}", "kind",
					    "aggregation", "saves_s", 0.0, 10 * rows[k].likely, 4.0,
					    "saves_share", 0.0, rows[k].likely, 0.4, "why", "w");
		json_t *document = json_pack("{s:[o], s:{s:f}, s:{s:f}, s:{s:f}}", "hotspots",
					     hotspot, "budget", "total_s", 40.0, "blame", "total_s",
					     50.0, "run", "wall_s", 10.0);
		char *text = words_of(document);

		CU_ASSERT_EQUAL(strstr(text, "likely") != NULL, rows[k].words != NULL);
		CU_ASSERT(!rows[k].words || strstr(text, rows[k].words));
		CU_ASSERT_PTR_NOT_NULL(strstr(
			text, "all ranks (together 40.0 s) or all messages (together 50.0 s); "
			      "savings are of the run's wall time (10.0 s)"));
		json_decref(document);
		free(text);
	}
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_says_of_what_each_is_a_share),
	SUITE_CASE(test_points_to_the_standstill),
	SUITE_CASE(test_says_what_is_lost_instead),
	SUITE_CASE(test_says_where_lateness_is),
	SUITE_CASE(test_says_why_there_is_none),
	SUITE_CASE(test_says_what_is_not_judged),
	SUITE_CASE(test_says_what_is_not_known_of_collectives),
	SUITE_CASE(test_says_who_called),
	SUITE_CASE(test_says_where_they_called),
	SUITE_CASE(test_says_that_many_called),
	SUITE_CASE(test_says_what_has_the_same_sends),
	SUITE_CASE(test_says_that_savings_need_not_add_up),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("text_hotspots", tests);
}
