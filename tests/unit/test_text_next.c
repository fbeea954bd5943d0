/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command at the end of the report. */
#include "tests/fixtures/rendered.h"

/* Of a run in that directory, with something to change. */
static char *next(const char *directory)
{
	return rendered(80, text_next,
			json_pack("{s:{s:s}, s:[{}]}", "run", "directory", directory, "hotspots"));
}

/* The link is where the next run will be, beside this one. */
static void test_text_next_compares_with_the_latest_beside_the_run(void)
{
	static const struct {
		const char *directory, *command;
	} rows[] = {{"app.contend", "contend diff app.contend contend.latest"},
		    {"r/app", "contend diff r/app r/contend.latest"},
		    {"/r/app//", "contend diff /r/app// /r/contend.latest"},
		    {"my runs/app", "contend diff 'my runs/app' 'my runs/contend.latest'"}};

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		char *text = next(rows[k].directory);

		CU_ASSERT_PTR_NOT_NULL(strstr(text, rows[k].command));
		free(text);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_text_next_compares_with_the_latest_beside_the_run),
		CU_TEST_INFO_NULL,
	};

	return suite_run("text_next", tests);
}
