/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Large tables, in memory. */
#include "common/table.h"

#include "tests/fixtures/suite.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SMALL = 1 << 12, LARGE = 64 << 20 }; /* bytes */

/* Does the kernel know that this address is to be in huge pages? */
static int is_advised(const void *room)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	int here = 0, advised = 0;
	char line[512];

	CU_ASSERT_FATAL(f != NULL);
	while (fgets(line, sizeof(line), f)) {
		uintptr_t begin, end;

		if (sscanf(line, "%lx-%lx ", &begin, &end) == 2)
			here = begin <= (uintptr_t)room && (uintptr_t)room < end;
		else if (here && !strncmp(line, "VmFlags:", 8))
			advised = strstr(line, " hg") != NULL;
	}
	fclose(f);
	return advised;
}

static void test_table_asks_for_huge_pages_for_all_of_a_large_one(void)
{
	char *table = table_calloc(LARGE, 1);
	size_t bytes = 2 * (size_t)LARGE;

	CU_ASSERT_FATAL(table != NULL);
	if (!access("/sys/kernel/mm/transparent_hugepage", F_OK)) {
		CU_ASSERT(is_advised(table));
		CU_ASSERT(is_advised(table + LARGE - 1));
	}
	table[LARGE - 1] = 1;
	table = table_resize(table, &bytes);
	CU_ASSERT_FATAL(table != NULL);
	CU_ASSERT_EQUAL(table[0], 0);
	CU_ASSERT_EQUAL(table[LARGE - 1], 1);
	table_free(table);
}

static void test_table_grows_by_whole_pages(void)
{
	const size_t page = 2 << 20, large = LARGE + 12345;
	const size_t sizes[] = {1, SMALL, large};
	char *table = NULL;

	for (size_t k = 0; k < sizeof(sizes) / sizeof(*sizes); k++) {
		size_t bytes = sizes[k];

		table = table_resize(table, &bytes);
		CU_ASSERT_FATAL(table != NULL);
		CU_ASSERT(sizes[k] == large || bytes == sizes[k]);
		CU_ASSERT(bytes >= sizes[k] && bytes < sizes[k] + page);
		CU_ASSERT(bytes < large || bytes % page == 0);
		CU_ASSERT(k == 0 || table[0] == 'x');
		table[0] = 'x';
	}
	table_free(table);
}

static void test_table_leaves_small_ones_alone(void)
{
	size_t held = table_held();
	char *table = table_alloc(SMALL, 1);

	CU_ASSERT_FATAL(table != NULL);
	CU_ASSERT(!is_advised(table));
	CU_ASSERT_EQUAL(table_held(), held);
	errno = EDOM;
	table_free(table);
	table_free(NULL);
	CU_ASSERT_EQUAL(errno, EDOM);
}

static void test_table_refuses_what_overflows(void)
{
	size_t bytes = SIZE_MAX;

	CU_ASSERT(table_alloc(SIZE_MAX / 2, 3) == NULL);
	CU_ASSERT(table_calloc(SIZE_MAX / 2, 3) == NULL);
	CU_ASSERT(table_lines(SIZE_MAX / 2, 64) == NULL);
	CU_ASSERT(table_resize(NULL, &bytes) == NULL);
}

static void test_table_lines_begin_with_one(void)
{
	char *table = table_lines(100, 64);

	CU_ASSERT_FATAL(table != NULL);
	CU_ASSERT_EQUAL((uintptr_t)table % 64, 0);
	table_free(table);
}

static void test_table_counts_what_it_holds(void)
{
	size_t held = table_held(), bytes = 2 * (size_t)LARGE;
	char *table = table_alloc(LARGE, 1);

	CU_ASSERT_FATAL(table != NULL);
	CU_ASSERT(table_held() >= held + LARGE && table_held() < held + LARGE + (64 << 10));
	table = table_resize(table, &bytes);
	CU_ASSERT(table_held() >= held + bytes && table_held() < held + bytes + (64 << 10));
	table_free(table);
	CU_ASSERT_EQUAL(table_held(), held);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_table_asks_for_huge_pages_for_all_of_a_large_one),
	SUITE_CASE(test_table_grows_by_whole_pages),
	SUITE_CASE(test_table_leaves_small_ones_alone),
	SUITE_CASE(test_table_refuses_what_overflows),
	SUITE_CASE(test_table_lines_begin_with_one),
	SUITE_CASE(test_table_counts_what_it_holds),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("table", tests);
}
