/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/glossary.h"

#include "tests/fixtures/suite.h"

#include <stdlib.h>
#include <string.h>

/* The section of words for a report with this text; caller frees. */
static char *words_of(const char *report)
{
	struct style style = {.width = 80};
	struct layout l = {.style = &style};
	char *text = NULL;
	size_t size;

	l.out = open_memstream(&text, &size);
	CU_ASSERT_EQUAL(glossary_put_used(&l, report), 0);
	fclose(l.out);
	return text;
}

/* Where a line ends in a word, too; in no other word; in colour. */
static void test_glossary_explains_the_words_that_are_used(void)
{
	static const struct {
		const char *report, *word;
		int is_explained;
	} rows[] = {
		{"  inattention  3 %", "inattention", 1},
		{"counts late\n  partner, too", "late partner", 1},
		{"\033[31mGini\033[0m", "Gini", 1},
		{"LoGPC says", "LoGPC", 1},
		{"LoGPC says", "LogGP", 0},
		{"decontention", "contention", 0},
		{"contentions", "contention", 0},
		{"network contention", "contention", 1},
		{"a partner that is late", "late partner", 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *text = words_of(rows[i].report), line[64];

		snprintf(line, sizeof(line), "\n  %s ", rows[i].word);
		CU_ASSERT_EQUAL(strstr(text, line) != NULL, rows[i].is_explained);
		CU_ASSERT_EQUAL(strstr(text, "\nWORDS ") != NULL, *text != '\0');
		free(text);
	}
}

/* What needs no explanation makes no section. */
static void test_glossary_without_words(void)
{
	char *text = words_of("computation, and starting and ending MPI");

	CU_ASSERT_STRING_EQUAL(text, "");
	free(text);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_glossary_explains_the_words_that_are_used),
		SUITE_CASE(test_glossary_without_words),
		CU_TEST_INFO_NULL,
	};

	return suite_run("glossary", tests);
}
