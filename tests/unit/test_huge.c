/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Huge pages for large tables. */
#include "common/huge.h"

#include "tests/unit/suite.h"

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

static void test_huge_pages_are_asked_for_all_of_a_large_room(void)
{
	char *room = huge_pages(calloc(LARGE, 1)), *more;

	CU_ASSERT_FATAL(room != NULL);
	if (!access("/sys/kernel/mm/transparent_hugepage", F_OK)) {
		CU_ASSERT(is_advised(room));
		CU_ASSERT(is_advised(room + LARGE - 1));
	}
	room[LARGE - 1] = 1;
	more = realloc(room, 2 * (size_t)LARGE);
	CU_ASSERT_FATAL(more != NULL);
	CU_ASSERT_EQUAL(more[0], 0);
	CU_ASSERT_EQUAL(more[LARGE - 1], 1);
	free(more);
}

static void test_huge_sizes_are_those_of_whole_pages_to_malloc(void)
{
	const size_t page = 2 << 20, large = LARGE + 12345;
	const size_t sizes[] = {0, SMALL, SIZE_MAX, SIZE_MAX - 1000};

	for (size_t k = 0; k < sizeof(sizes) / sizeof(*sizes); k++)
		CU_ASSERT_EQUAL(huge_size(sizes[k]), sizes[k]);
	CU_ASSERT(huge_size(large) >= large && huge_size(large) < large + page);
	CU_ASSERT((huge_size(large) + 4095) / 4096 * 4096 % page == 0);
	CU_ASSERT((huge_size(large) + 16 + 4095) / 4096 * 4096 % page == 0);
	CU_ASSERT_EQUAL(huge_size(huge_size(large)), huge_size(large));
}

static void test_huge_pages_leave_the_rest_alone(void)
{
	char *room = malloc(SMALL);

	errno = EDOM;
	CU_ASSERT(huge_pages(NULL) == NULL);
	CU_ASSERT(huge_pages(room) == room);
	CU_ASSERT(!is_advised(room));
	CU_ASSERT_EQUAL(errno, EDOM);
	free(room);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_huge_pages_are_asked_for_all_of_a_large_room),
	SUITE_CASE(test_huge_sizes_are_those_of_whole_pages_to_malloc),
	SUITE_CASE(test_huge_pages_leave_the_rest_alone),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("huge", tests);
}
