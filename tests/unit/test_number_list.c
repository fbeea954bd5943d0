/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/number_list.h"

#include <stdlib.h>

#include "tests/fixtures/suite.h"

static void check_written(size_t n, const uint32_t numbers[], const char *expected)
{
	char *text = number_list_text(n, numbers);

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	CU_ASSERT_STRING_EQUAL(text, expected);
	free(text);
}

static void test_number_list_written(void)
{
	check_written(0, NULL, "");
	check_written(1, (uint32_t[]){7}, "7");
	check_written(5, (uint32_t[]){0, 1, 2, 3, 8}, "0-3,8");
	check_written(4, (uint32_t[]){0, 2, 4, 5}, "0,2,4-5");
}

/* How many numbers a list has; -1: it is none. */
static long count(const char *list)
{
	long low, high, n = 0;
	int more;

	while ((more = number_list_next(&list, &low, &high)) > 0)
		n += high - low + 1;
	return more < 0 ? -1 : n;
}

static void test_number_list_read(void)
{
	static const char *const none[] = {"x", "-1", "3-", "3-1", "1,", "1,,2", "1 ", "0-3,x"};

	CU_ASSERT_EQUAL(count(""), 0);
	CU_ASSERT_EQUAL(count("5"), 1);
	CU_ASSERT_EQUAL(count("0-3,8"), 5);
	for (size_t k = 0; k < sizeof(none) / sizeof(none[0]); k++)
		CU_ASSERT_EQUAL(count(none[k]), -1);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_number_list_written),
		SUITE_CASE(test_number_list_read),
		CU_TEST_INFO_NULL,
	};

	return suite_run("number_list", tests);
}
