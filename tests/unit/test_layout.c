/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of report/layout: lines that wrap, and lists. */
#include "report/layout.h"

#include "tests/fixtures/suite.h"

#include <stdlib.h>

/* Text as it is laid out in 24 columns, and what follows it; caller frees. */
static char *laid_out(const char *text)
{
	const struct style style = {.width = 24};
	char *p = NULL;
	size_t size;
	struct layout l = {.out = open_memstream(&p, &size), .style = &style};

	layout_begin(&l, "", 0);
	layout_words(&l, text);
	layout_words(&l, "that follows");
	layout_end(&l);
	fclose(l.out);
	return p;
}

static void expect(const char *text, const char *lines)
{
	char *p = laid_out(text);

	CU_ASSERT_STRING_EQUAL(p, lines);
	free(p);
}

/* A word that ends a line takes nothing over to the next; a number stays with its unit. */
static void test_words(void)
{
	expect("All of it goes on one", "All of it goes on one\nthat follows\n");
	expect("This one ends after 12 ms,", "This one ends after\n12 ms, that follows\n");
	expect("in Foam::functionObject::add::New()",
	       "in\nFoam::functionObject::\nadd::New() that follows\n");
	expect("a_name_of_more_columns_than_lines",
	       "a_name_of_more_columns_than_lines\nthat follows\n");
}

/* Each item begins a line, and its further lines are set in. */
static void test_list(void)
{
	expect("Two of them:\nrank 0 was ended by SIGTERM from somebody\nrank 1 took 1\ns",
	       "Two of them:\n"
	       "  rank 0 was ended by\n"
	       "    SIGTERM from\n"
	       "    somebody\n"
	       "  rank 1 took 1\n"
	       "  s that follows\n");
}

/* Items are whole, but for one that no line has room for. */
static void test_items(void)
{
	const struct style style = {.width = 24};
	char *p = NULL;
	size_t size;
	struct layout l = {.out = open_memstream(&p, &size), .style = &style};

	layout_begin(&l, "", 0);
	layout_item(&l, INK_PLAIN, "8 ranks, 2 nodes");
	layout_item(&l, INK_PLAIN, "20.6 s of it");
	layout_item(&l, INK_PLAIN, "recording cost 0.1 %% of it, and 1 s after");
	layout_end(&l);
	fclose(l.out);
	CU_ASSERT_STRING_EQUAL(p, "8 ranks, 2 nodes\n"
				  "20.6 s of it\n"
				  "recording cost 0.1 % of\n"
				  "it, and 1 s after\n");
	free(p);
}

int main(void)
{
	CU_TestInfo tests[] = {SUITE_CASE(test_words), SUITE_CASE(test_list),
			       SUITE_CASE(test_items), CU_TEST_INFO_NULL};

	return suite_run("layout", tests);
}
