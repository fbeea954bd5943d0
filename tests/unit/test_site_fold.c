/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/reader/site_fold.h"

#include "tests/fixtures/suite.h"

#include <stdlib.h>
#include <string.h>

enum { SEND, RECV };

struct row {
	const char *path;
	uint32_t frame;
	const char *file;
	const char *function;
	unsigned line;
	uint32_t region; /* of its one call */
};

static char *copy(const char *text)
{
	return text ? strdup(text) : NULL;
}

/* A trace with one call from each site. */
static struct trace trace_of(const struct row *row, uint32_t n)
{
	struct trace t = {.n_sites = n, .n_calls = n};

	t.sites = calloc(n, sizeof(*t.sites));
	t.calls = calloc(n, sizeof(*t.calls));
	for (uint32_t i = 0; i < n; i++) {
		t.sites[i] = (struct site){.path = copy(row[i].path),
					   .file = copy(row[i].file),
					   .function = copy(row[i].function),
					   .line = row[i].line,
					   .frame = row[i].frame};
		t.calls[i].site = i;
		t.calls[i].region = row[i].region;
	}
	return t;
}

static void check(const struct row *row, uint32_t n, const uint32_t *site, uint32_t left)
{
	struct trace t = trace_of(row, n);
	struct err err = {0};

	CU_ASSERT_EQUAL_FATAL(sites_fold(&t, &err), 0);
	CU_ASSERT_EQUAL(t.n_sites, left);
	for (uint32_t i = 0; i < n; i++)
		CU_ASSERT_EQUAL(t.calls[i].site, site[i]);
	for (uint32_t i = 0; i < n; i++)
		if (!i || site[i] > site[i - 1]) /* new: its path is the first one's */
			CU_ASSERT_STRING_EQUAL(t.sites[site[i]].path, row[i].path);
	trace_release(&t);
}

static void test_lines(void)
{
	static const struct row row[] = {
		{"a:-+0x1;a:-+0x9", 0, "x.c", "exchange", 7, SEND},
		{"a:-+0x2;a:-+0x9", 0, "x.c", "exchange", 8, SEND},
		{"a:-+0x1;a:-+0x8", 0, "x.c", "exchange", 7, SEND}, /* another path */
		{"a:-+0x3;a:-+0x9", 0, "x.c", "exchange", 7, RECV}, /* one line, two functions */
		{"a:-+0x4;a:-+0x9", 0, "x.c", "exchange", 7, SEND}, /* twice in it */
		{"b:-+0x1;b:-+0x9", 0, "y.c", "exchange", 7, SEND},
	};

	check(row, 6, (const uint32_t[]){0, 1, 0, 2, 0, 3}, 4);
}

static void test_addresses(void)
{
	static const struct row row[] = {
		{"a:-+0x1;a:-+0x9", 0, NULL, NULL, 0, SEND},
		{"a:-+0x1;a:-+0x8", 0, NULL, NULL, 0, SEND},
		{"a:-+0x10;a:-+0x8", 0, NULL, NULL, 0, SEND}, /* not 0x1 */
		/* The library's frame is passed over: */
		{"m:-+0x5;l:-+0x7;a:-+0x9", 8, NULL, "reduce", 0, SEND},
		{"m:-+0x6;l:-+0x7;a:-+0x8", 8, NULL, "reduce", 0, SEND},
		{"m:-+0x6;l:-+0x6;a:-+0x8", 8, NULL, "reduce", 0, SEND}, /* another call in it */
		{"m:-+0x6;l:-+0x7;a:-+0x8", 8, "l.c", "reduce", 0, SEND},
	};

	check(row, 7, (const uint32_t[]){0, 0, 1, 2, 2, 3, 4}, 5);
}

/* The path that most time was spent on stands for the others. */
static void test_longest_path(void)
{
	static const struct row row[] = {
		{"m:-+0x5;a:-+0x1", 0, "x.c", "exchange", 7, SEND},
		{"m:-+0x5;a:-+0x2", 0, "x.c", "exchange", 7, SEND},
		{"l:-+0x5;m:-+0x6;a:-+0x3", 8, "x.c", "exchange", 7, SEND},
		{"m:-+0x9;a:-+0x4", 0, "x.c", "exchange", 9, SEND},
	};
	struct trace t = trace_of(row, 4);
	struct err err = {0};

	for (uint32_t i = 0; i < 4; i++)
		t.calls[i].leave_ns = (const int64_t[]){20, 30, 50, 0}[i];
	CU_ASSERT_EQUAL_FATAL(sites_fold(&t, &err), 0);
	CU_ASSERT_EQUAL_FATAL(t.n_sites, 2);
	CU_ASSERT_STRING_EQUAL(t.sites[0].path, row[2].path);
	CU_ASSERT_EQUAL(t.sites[0].frame, 8);
	CU_ASSERT_EQUAL(t.sites[0].paths, 3);
	CU_ASSERT_DOUBLE_EQUAL(t.sites[0].share, 0.5, 1e-12);
	CU_ASSERT_STRING_EQUAL(t.sites[1].path, row[3].path);
	CU_ASSERT_EQUAL(t.sites[1].paths, 1);
	trace_release(&t);
}

static void test_none(void)
{
	struct trace t = {.n_sites = 0};
	struct err err = {0};

	CU_ASSERT_EQUAL(sites_fold(&t, &err), 0);
	CU_ASSERT_EQUAL(t.n_sites, 0);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_lines), SUITE_CASE(test_addresses), SUITE_CASE(test_longest_path),
	SUITE_CASE(test_none),  CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("site_fold", tests);
}
