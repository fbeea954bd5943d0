/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of a time as pieces of a bar. */
#include "report/stacked.h"

#include "tests/fixtures/suite.h"

#include <stdlib.h>
#include <string.h>

/* Parts of 1 and 3 s, as a budget has them and as a rank has. */
static struct stacked two_parts(void)
{
	json_t *parts = json_pack("{s:f, s:{s:f}, s:{s:f}, s:f}", "compute", 1.0, "wire", "s", 3.0,
				  "late_partner", "s", 0.0, "no_part", 7.0);
	struct stacked x = {{0}};

	stacked_add(&x, parts);
	json_decref(parts);
	return x;
}

/* Caller: free. */
static char *drawn(const struct stacked *x, double all_s)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	stacked_put(out, x, &(struct stacked_box){100, 5, 800, 14, all_s, 2 * all_s});
	fclose(out);
	return text;
}

/* Where the n-th piece is; 0: there is none. */
static int piece(const char *text, int n, double *x, double *width)
{
	for (; n-- > 0 && text; text = strstr(text + 1, "<rect "))
		;
	return text && sscanf(text, "<rect x=\"%lf\" y=\"5.0\" width=\"%lf\"", x, width) == 2;
}

static void test_stacked_has_a_piece_of_each_part(void)
{
	struct stacked x = two_parts();
	char *text = drawn(&x, 8);
	double at, width;

	CU_ASSERT_DOUBLE_EQUAL(stacked_sum_s(&x), 4, 1e-12);
	CU_ASSERT(piece(text, 0, &at, &width));
	CU_ASSERT_DOUBLE_EQUAL(at, 100, 0.01);
	CU_ASSERT_DOUBLE_EQUAL(width, 100, 0.01);
	CU_ASSERT(piece(text, 1, &at, &width));
	CU_ASSERT_DOUBLE_EQUAL(at, 200, 0.01);
	CU_ASSERT_DOUBLE_EQUAL(width, 300, 0.01);
	CU_ASSERT(!piece(text, 2, &at, &width));
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "<title>computation: 1.00 s, 6.2 %</title>"));
	free(text);
}

/* A damaged document's parts may be longer than all, or nothing. */
static void test_stacked_stays_inside(void)
{
	struct stacked x = two_parts();
	char *text = drawn(&x, 2);
	double at, width;

	CU_ASSERT(piece(text, 1, &at, &width));
	CU_ASSERT_DOUBLE_EQUAL(at + width, 900, 0.01);
	free(text);
	text = drawn(&x, 0);
	CU_ASSERT_STRING_EQUAL(text, "");
	free(text);
}

static void test_stacked_key_has_what_is_worth_it(void)
{
	struct stacked x = two_parts();
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	stacked_key(out, &x, 300);
	fclose(out);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "wire (L, G)</span>"));
	CU_ASSERT_PTR_NULL(strstr(text, "computation"));
	free(text);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_stacked_has_a_piece_of_each_part),
		SUITE_CASE(test_stacked_stays_inside),
		SUITE_CASE(test_stacked_key_has_what_is_worth_it),
		CU_TEST_INFO_NULL,
	};

	return suite_run("stacked", tests);
}
