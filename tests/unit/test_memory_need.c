/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/memory_need.h"

#include "tests/scratch.h"
#include "tests/unit/suite.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *dir;

/* A file of so many bytes that occupies nothing. */
static void make_large(const char *name, off_t bytes)
{
	scratch_store(scratch_path(dir, name), "", 0);
	CU_ASSERT_EQUAL(truncate(scratch_path(dir, name), bytes), 0);
}

static void test_memory_lacks_for_all_event_files(void)
{
	char text[1024] = "";

	CU_ASSERT_EQUAL_FATAL(mkdir(scratch_path(dir, "traces"), 0700), 0);
	make_large("traces/0.evt", 6000000000);
	make_large("traces/1.evt", 4000000000);
	make_large("traces/0.def", 9000000000);
	CU_ASSERT_EQUAL(
		memory_lacks(scratch_path(dir, "traces.otf2"), 70000000000, sizeof(text), text), 0);
	CU_ASSERT_EQUAL(
		memory_lacks(scratch_path(dir, "traces.otf2"), UINT64_MAX, sizeof(text), text), 0);
	CU_ASSERT_STRING_EQUAL(text, "");
	CU_ASSERT_EQUAL(
		memory_lacks(scratch_path(dir, "traces.otf2"), 50000000000, sizeof(text), text), 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "10.0 GB of events may take 60 GB of memory, and "
					    "50.0 GB are free"));
}

static void test_memory_of_what_is_no_archive(void)
{
	char text[1024] = "";

	CU_ASSERT_EQUAL(memory_lacks(dir, 0, sizeof(text), text), 0);
	CU_ASSERT_EQUAL(memory_lacks(scratch_path(dir, "none.otf2"), 0, sizeof(text), text), 0);
	CU_ASSERT_STRING_EQUAL(text, "");
}

static void test_memory_free_is_known_here(void)
{
	uint64_t bytes = memory_free_bytes();

	CU_ASSERT(bytes > 1000000 && bytes < UINT64_MAX);
}

static int begin(void)
{
	dir = scratch_new();
	return 0;
}

static int end(void)
{
	scratch_free(dir);
	return 0;
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_memory_lacks_for_all_event_files),
		SUITE_CASE(test_memory_of_what_is_no_archive),
		SUITE_CASE(test_memory_free_is_known_here),
		CU_TEST_INFO_NULL,
	};

	return suite_run_between("memory_need", begin, end, tests);
}
