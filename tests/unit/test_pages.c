/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Huge pages, kept for whoever asks next. */
#include "common/pages.h"

#include "tests/fixtures/suite.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 8 << 20, SLACK = 1 << 20 }; /* bytes */

/* Bytes of this process that are in memory. */
static size_t resident(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	size_t kib = 0;

	CU_ASSERT_FATAL(f != NULL);
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "VmRSS: %zu", &kib) == 1)
			break;
	fclose(f);
	return 1024 * kib;
}

/* That many, filled. */
static char *filled(size_t bytes)
{
	char *pages = pages_alloc(bytes);

	CU_ASSERT_FATAL(pages != NULL);
	return memset(pages, 1, bytes);
}

static int is_zero(const char *at, size_t bytes)
{
	for (size_t k = 0; k < bytes; k++)
		if (at[k])
			return 0;
	return 1;
}

static void test_pages_are_whole(void)
{
	char *pages = pages_alloc(LARGE + 1);

	CU_ASSERT_FATAL(pages != NULL);
	CU_ASSERT_EQUAL((uintptr_t)pages % PAGES_HUGE, 0);
	CU_ASSERT_EQUAL(pages_bytes(pages), LARGE + PAGES_HUGE);
	CU_ASSERT(pages_free(pages));
	CU_ASSERT_EQUAL(pages_bytes(pages), 0);
	pages_drop();
}

/* ... by a smaller one, and by one that is larger than all that is kept in a row. */
static void test_pages_are_used_again(void)
{
	char *first = filled(LARGE), *between = filled(PAGES_HUGE), *last = filled(LARGE);
	size_t before = resident();
	char *both;

	pages_free(first);
	first = filled(LARGE / 2);
	CU_ASSERT(resident() < before + SLACK);
	pages_free(first);
	pages_free(last);
	both = filled(2 * LARGE);
	CU_ASSERT(resident() < before + SLACK);
	CU_ASSERT_EQUAL(pages_bytes(both), 2 * LARGE);
	CU_ASSERT_EQUAL(between[PAGES_HUGE - 1], 1);
	pages_free(between);
	pages_free(both);
	pages_drop();
	CU_ASSERT(resident() < before - 2 * LARGE + SLACK);
}

static void test_pages_are_zero_where_asked(void)
{
	char *used = filled(LARGE), *fresh;

	pages_free(used);
	fresh = pages_calloc(2 * LARGE); /* half of them used before */
	CU_ASSERT_FATAL(fresh != NULL);
	CU_ASSERT(is_zero(fresh, 2 * LARGE));
	pages_free(fresh);
	pages_drop();
}

static void test_pages_grow_without_a_copy(void)
{
	char *pages = filled(LARGE), *next = filled(LARGE);
	size_t before = resident();

	CU_ASSERT(pages_grow(pages, LARGE / 2) == pages);
	pages = pages_grow(pages, 3 * LARGE);
	CU_ASSERT_FATAL(pages != NULL);
	CU_ASSERT(resident() < before + SLACK);
	CU_ASSERT_EQUAL(pages_bytes(pages), 3 * LARGE);
	CU_ASSERT(pages[0] == 1 && pages[LARGE - 1] == 1);
	CU_ASSERT(is_zero(pages + LARGE, 2 * LARGE));
	CU_ASSERT(pages_grow(pages, SIZE_MAX) == NULL);
	CU_ASSERT_EQUAL(pages_bytes(pages), 3 * LARGE);
	pages = pages_grow(pages, 4 * LARGE);
	CU_ASSERT_FATAL(pages != NULL);
	CU_ASSERT(resident() < before + 2 * LARGE + SLACK);
	CU_ASSERT(pages[0] == 1 && pages[LARGE - 1] == 1);
	pages_free(next);
	pages_free(pages);
	pages_drop();
}

/* ... where they are of several: what is in them goes along. */
static void test_pages_grow_when_they_were_put_together(void)
{
	char *first = filled(LARGE), *between = filled(PAGES_HUGE), *last = filled(LARGE), *both;

	pages_free(first);
	pages_free(last);
	both = filled(2 * LARGE);
	both = pages_grow(both, 3 * LARGE);
	CU_ASSERT_FATAL(both != NULL);
	CU_ASSERT_EQUAL(pages_bytes(both), 3 * LARGE);
	CU_ASSERT(both[0] == 1 && both[LARGE] == 1 && both[2 * LARGE - 1] == 1);
	CU_ASSERT_EQUAL(between[0], 1);
	pages_free(both);
	pages_free(between);
	pages_drop();
}

/* A table that doubles again and again: each time it takes in what it gave back the time before. */
static void test_pages_double_without_a_copy(void)
{
	size_t before = resident(), bytes = 600 * 1000;
	char *pages = filled(bytes);

	while (bytes < 4 * LARGE) {
		pages = pages_grow(pages, 2 * bytes);
		CU_ASSERT_FATAL(pages != NULL);
		CU_ASSERT(pages[0] == 1 && pages[bytes - 1] == 1);
		memset(pages + bytes, 1, bytes);
		bytes *= 2;
	}
	CU_ASSERT(resident() < before + bytes + 3 * PAGES_HUGE + SLACK);
	pages_free(pages);
	pages_drop();
}

/* Those who ask for little are in the same pages, and whole ones again once all have given back. */
static void test_pages_are_shared_by_small_ones(void)
{
	enum { SMALL = 1000 * 1000, N = 8 };
	size_t before = resident();
	char *small[N], *large;

	for (int k = 0; k < N; k++) {
		small[k] = filled(SMALL);
		CU_ASSERT_EQUAL((uintptr_t)small[k] % PAGES_LINE, 0);
		CU_ASSERT_EQUAL(pages_bytes(small[k]), SMALL);
		memset(small[k], k, SMALL);
	}
	CU_ASSERT(resident() < before + N * SMALL + PAGES_HUGE + SLACK);
	CU_ASSERT_EQUAL((uintptr_t)small[1] / PAGES_HUGE, (uintptr_t)small[0] / PAGES_HUGE);
	for (int k = 0; k < N; k += 2)
		pages_free(small[k]);
	pages_drop();
	small[0] = pages_calloc(SMALL / 2);
	CU_ASSERT_FATAL(small[0] != NULL);
	CU_ASSERT(is_zero(small[0], SMALL / 2));
	pages_free(small[0]);
	small[1] = pages_grow(small[1], 2 * SMALL);
	CU_ASSERT_FATAL(small[1] != NULL);
	for (int k = 1; k < N; k += 2) {
		CU_ASSERT(small[k][0] == k && small[k][SMALL - 1] == k);
		pages_free(small[k]);
	}
	before = resident();
	large = filled(3 * PAGES_HUGE);
	CU_ASSERT(resident() < before + SLACK);
	pages_free(large);
	pages_drop();
}

static void test_pages_leaves_others_alone(void)
{
	char *other = malloc(LARGE);

	CU_ASSERT_EQUAL(pages_bytes(other), 0);
	CU_ASSERT_EQUAL(pages_bytes(NULL), 0);
	CU_ASSERT(!pages_free(other));
	CU_ASSERT(!pages_free(NULL));
	CU_ASSERT(pages_alloc(SIZE_MAX) == NULL);
	CU_ASSERT(pages_calloc(SIZE_MAX / 2) == NULL);
	free(other);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_pages_are_whole),
	SUITE_CASE(test_pages_are_used_again),
	SUITE_CASE(test_pages_are_zero_where_asked),
	SUITE_CASE(test_pages_grow_without_a_copy),
	SUITE_CASE(test_pages_grow_when_they_were_put_together),
	SUITE_CASE(test_pages_double_without_a_copy),
	SUITE_CASE(test_pages_are_shared_by_small_ones),
	SUITE_CASE(test_pages_leaves_others_alone),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("pages", tests);
}
