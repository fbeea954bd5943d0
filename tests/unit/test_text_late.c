/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/rendered.h"

static void put_table(struct layout *l, const json_t *document)
{
	struct err err = {""};

	CU_ASSERT_EQUAL(text_late_table(l, document, &err), 0);
}

/* The table and the budget do not add up where waits are short or for nobody. */
static void test_late_says_what_the_table_lacks(void)
{
	static const struct {
		double budget_s, direct_s;
		int lacks, through;
	} rows[] = {{1.0, 1.0, 0, 0}, {3.0, 0.4, 1, 1}};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *text = rendered(
			80, put_table,
			json_pack("{s:{s:{s:{s:f}}}, s:[{s:f, s:f, s:f, s:i}]}", "budget", "parts",
				  "late_partner", "s", rows[i].budget_s, "late_partners", "s", 1.0,
				  "direct_s", rows[i].direct_s, "share", 0.1, "rank", 3));

		CU_ASSERT_PTR_NOT_NULL(strstr(text, "LATE PARTNERS"));
		CU_ASSERT_PTR_NOT_NULL(strstr(text, "what cannot be told"));
		CU_ASSERT_EQUAL(strstr(text, " of late partner; the rest") != NULL, rows[i].lacks);
		CU_ASSERT_EQUAL(strstr(text, "600 ms of that was waited for ranks that waited") !=
					NULL,
				rows[i].through);
		free(text);
	}
}

/* Who had no core for a time may have been late for that. */
static void test_late_names_the_core(void)
{
	char *text = rendered(80, put_table,
			      json_pack("{s:[{s:f, s:f, s:i, s:s}]}", "late_partners", "s", 1.0,
					"share", 0.1, "rank", 3, "reason", "core"));

	CU_ASSERT_PTR_NOT_NULL(strstr(text, "  perhaps no free core"));
	free(text);
}

/* Of a rank that was left out nothing ends: there is no record. */
static void test_late_tells_who_was_not_recorded(void)
{
	for (int recorded = 0; recorded < 2; recorded++) {
		char *text = rendered(80, put_table,
				      json_pack("{s:[{s:f, s:f, s:i, s:s}], s:[{s:i, s:f}]}",
						"late_partners", "s", 1.0, "share", 0.1, "rank", 3,
						"reason", "unrecorded", "ranks", "rank", 3,
						"recorded_s", 1.0 * recorded));

		CU_ASSERT_PTR_NOT_NULL(strstr(text, recorded ? "not known: its record ends"
							     : "not known: not recorded"));
		free(text);
	}
}

/* What the budget cannot prove is no fact here. */
static void test_late_doubts_what_is_not_proven(void)
{
	for (int proven = 0; proven < 2; proven++) {
		char *text = rendered(80, put_table,
				      json_pack("{s:[{s:f, s:f, s:i, s:s}], s:{s:{s:{s:f, s:f}}}}",
						"late_partners", "s", 1.0, "share", 0.1, "rank", 3,
						"reason", "port", "budget", "parts", "sender_port",
						"s", 1.0, "low_s", 0.9 * proven));

		CU_ASSERT_PTR_NOT_NULL(strstr(text, "a busy port"));
		CU_ASSERT_EQUAL(strstr(text, "perhaps a busy port") == NULL, proven);
		free(text);
	}
}

static void test_late_says_who_works_in_turn(void)
{
	for (int k = 0; k < 4; k++) {
		int by_turns = k % 2;
		char *text = rendered(80, put_table,
				      json_pack("{s:[{s:f, s:f, s:i}], s:{s:f, s:f, s:b}}",
						"late_partners", "s", 1.0, "share", 0.1, "rank", 3,
						"alone", "share", 0.97, "idle_share", k / 2 * 0.4,
						"by_turns", by_turns));

		CU_ASSERT_EQUAL(strstr(text, "ranks work one after the other: 97.0 %") != NULL,
				by_turns);
		CU_ASSERT_EQUAL(strstr(text, "maybe for lack of cores") != NULL, k == 3);
		free(text);
	}
}

/* A table has a place in each row only where they differ. */
static void test_late_says_once_where_all_waited(void)
{
	for (int other = 0; other < 2; other++) {
		json_t *list = json_array();
		char *text;

		for (int k = 0; k < 2; k++)
			json_array_append_new(
				list, json_pack("{s:f, s:f, s:i, s:s, s:{s:s, s:i}}", "s", 1.0,
						"share", 0.1, "rank", k, "reason", "network",
						"callsite", "file", "x.c", "line", k * other + 7));
		text = rendered(80, put_table, json_pack("{s:o}", "late_partners", list));
		CU_ASSERT_EQUAL(strstr(text, "  all waited for in x.c:7\n") != NULL, !other);
		CU_ASSERT_EQUAL(strstr(text, "waited for in       x.c:8") != NULL, other);
		free(text);
	}
}

/* Rows that are no half percent of rank time are for who asks for more rows. */
static void test_late_has_small_rows_if_asked(void)
{
	for (unsigned top = 4; top <= 7; top++) {
		json_t *list = json_array();
		char *text;

		for (int k = 0; k < 6; k++)
			json_array_append_new(list, json_pack("{s:f, s:f, s:i}", "s", 0.1, "share",
							      k ? 0.001 : 0.1, "rank", 100 + k));
		text = rendered_top(80, top, put_table,
				    json_pack("{s:o, s:{s:{s:{s:f}}}}", "late_partners", list,
					      "budget", "parts", "late_partner", "s", 1.0));
		CU_ASSERT_PTR_NOT_NULL(strstr(text, "  100  "));
		CU_ASSERT_EQUAL(strstr(text, "  105  ") != NULL, top > STYLE_TOP);
		CU_ASSERT_EQUAL(strstr(text, "--top=6") != NULL, top <= STYLE_TOP);
		free(text);
	}
}

/* Names of one class begin alike and differ where they end. */
static void test_late_shows_both_ends_of_long_names(void)
{
	static const char *const functions[] = {
		"void halo::exchange_of_values<float, "
		"double>::over_a_grid_of_three_dimensions::begin<3>",
		"halo::exchange_of_values<float, double>::over_a_grid_of_three_dimensions::finish"};
	json_t *list = json_array();
	char *text;

	for (int k = 0; k < 2; k++)
		json_array_append_new(list,
				      json_pack("{s:f, s:f, s:i, s:s, s:{s:s, s:i, s:s}, s:{s:i}}",
						"s", 1.0, "share", 0.1, "rank", k, "reason",
						"computation", "place", "file", "x.cpp", "line", 7,
						"function", functions[k], "callsite", "line", k));
	text = rendered(80, put_table, json_pack("{s:o}", "late_partners", list));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "  x.cpp:7 in halo::exchange_"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "dimensions::begin()\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "mensions::finish()\n"));
	free(text);
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_late_says_what_the_table_lacks),
		SUITE_CASE(test_late_names_the_core),
		SUITE_CASE(test_late_tells_who_was_not_recorded),
		SUITE_CASE(test_late_doubts_what_is_not_proven),
		SUITE_CASE(test_late_says_who_works_in_turn),
		SUITE_CASE(test_late_says_once_where_all_waited),
		SUITE_CASE(test_late_has_small_rows_if_asked),
		SUITE_CASE(test_late_shows_both_ends_of_long_names),
		CU_TEST_INFO_NULL,
	};

	return suite_run("text_late", cases);
}
