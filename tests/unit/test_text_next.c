/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command at the end of the report. */
#include "tests/fixtures/rendered.h"

/* Of a run in that directory, with something to change, and the link to the newest; NULL: none. */
static char *next(const char *directory, const char *latest)
{
	return rendered(80, text_next,
			json_pack("{s:{s:s, s:s?}, s:[{}]}", "run", "directory", directory,
				  "latest", latest, "hotspots"));
}

static void test_text_next_compares_with_the_latest_beside_the_run(void)
{
	static const struct {
		const char *directory, *latest, *command;
	} rows[] = {{"app.contend", "contend.latest", "contend diff app.contend contend.latest\n"},
		    {"my runs/app", "my runs/contend.latest",
		     "contend diff 'my runs/app' 'my runs/contend.latest'\n"},
		    {"app.contend", NULL,
		     "compare with the NEW run:\n  contend diff app.contend NEW\n"}};

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		char *text = next(rows[k].directory, rows[k].latest);

		CU_ASSERT_PTR_NOT_NULL(strstr(text, rows[k].command));
		free(text);
	}
}

/* Who waits in a call for another's work does not have to change the call. */
static void test_text_next_changes_what_is_before_it(void)
{
	static const char *const kinds[] = {"imbalance", "order"};

	for (int k = 0; k < 4; k++) {
		char *text = rendered(80, text_next,
				      json_pack("{s:{s:s}, s:[{s:s, s:{s:s, s:i}, s:{s:i}}]}",
						"run", "directory", "app.contend", "hotspots",
						"kind", kinds[k % 2], "callsite", "file", "a.c",
						"line", 7, "evidence", "by_files", k / 2));

		CU_ASSERT_EQUAL(k == 0, strstr(text, "Change what is computed before a.c:7") != 0);
		CU_ASSERT_EQUAL(k != 0, strstr(text, "Change a.c:7") != 0);
		free(text);
	}
}

/* With nothing to change: another machine, if there are messages. */
static void test_text_next_asks_for_another_machine(void)
{
	char *text;

	text = rendered(80, text_next,
			json_pack("{s:{s:s}, s:{s:i}}", "run", "directory", "app.contend",
				  "messages", "count", 1));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "better machine:\n  contend predict app.contend\n"));
	free(text);
	text = rendered(80, text_next,
			json_pack("{s:{s:s}, s:{s:i}}", "run", "directory", "app.contend",
				  "messages", "count", 0));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "contend info app.contend\n"));
	free(text);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_text_next_compares_with_the_latest_beside_the_run),
		SUITE_CASE(test_text_next_changes_what_is_before_it),
		SUITE_CASE(test_text_next_asks_for_another_machine),
		CU_TEST_INFO_NULL,
	};

	return suite_run("text_next", tests);
}
