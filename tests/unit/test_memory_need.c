/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/tools/memory_need.h"

#include "tests/fixtures/in_scratch.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
	CU_ASSERT_EQUAL(memory_lacks(scratch_path(dir, "traces.otf2"), 80000000000, NULL,
				     sizeof(text), text),
			0);
	CU_ASSERT_EQUAL(memory_lacks(scratch_path(dir, "traces.otf2"), UINT64_MAX, NULL,
				     sizeof(text), text),
			0);
	CU_ASSERT_STRING_EQUAL(text, "");
	CU_ASSERT_EQUAL(memory_lacks(scratch_path(dir, "traces.otf2"), 50000000000, NULL,
				     sizeof(text), text),
			1);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "10.0 GB of events may take 80.0 GB of memory, and "
					    "50.0 GB are free; if that does not do"));
	CU_ASSERT_EQUAL(memory_lacks(scratch_path(dir, "traces.otf2"), 50000000000, "/disk",
				     sizeof(text), text),
			1);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(text, "50.0 GB are free; the rest will be in a file in /disk"));
}

static void test_memory_of_what_is_no_archive(void)
{
	char text[1024] = "";

	CU_ASSERT_EQUAL(memory_lacks(dir, 0, NULL, sizeof(text), text), 0);
	CU_ASSERT_EQUAL(memory_lacks(scratch_path(dir, "none.otf2"), 0, NULL, sizeof(text), text),
			0);
	CU_ASSERT_STRING_EQUAL(text, "");
}

static void test_memory_free_is_known_here(void)
{
	uint64_t bytes = memory_free_bytes("");

	CU_ASSERT(bytes > 1000000 && bytes < UINT64_MAX);
}

/* A file of the kernel's, in a folder that stands for /. */
static void say(const char *name, const char *text)
{
	char path[256];

	for (const char *end = name; (end = strchr(end, '/')); end++) {
		snprintf(path, sizeof(path), "%.*s", (int)(end - name), name);
		mkdir(scratch_path(dir, path), 0700);
	}
	scratch_store(scratch_path(dir, name), text, strlen(text));
}

static void test_memory_free_is_within_all_limits(void)
{
	CU_ASSERT_EQUAL(memory_free_bytes(dir), UINT64_MAX);
	say("proc/meminfo", "MemTotal: 9000 kB\nMemAvailable: 8000 kB\n");
	CU_ASSERT_EQUAL(memory_free_bytes(dir), 8000 * 1024);
	say("proc/self/cgroup", "3:cpu:/slice\n0::/slice/job\n");
	CU_ASSERT_EQUAL(memory_free_bytes(dir), 8000 * 1024);
	say("sys/fs/cgroup/slice/job/memory.max", "max\n");
	say("sys/fs/cgroup/slice/job/memory.current", "1000\n");
	CU_ASSERT_EQUAL(memory_free_bytes(dir), 8000 * 1024);
	say("sys/fs/cgroup/slice/job/memory.max", "90000\n");
	CU_ASSERT_EQUAL(memory_free_bytes(dir), 89000);
	say("sys/fs/cgroup/slice/memory.max", "70000\n");
	say("sys/fs/cgroup/slice/memory.current", "60000\n");
	CU_ASSERT_EQUAL(memory_free_bytes(dir), 10000);
	say("sys/fs/cgroup/slice/memory.stat",
	    "anon 30000\nfile 30000\nactive_file 5000\ninactive_file 20000\nshmem 5000\n");
	CU_ASSERT_EQUAL(memory_free_bytes(dir), 35000);
	say("sys/fs/cgroup/memory.max", "2000\n");
	say("sys/fs/cgroup/memory.current", "3000\n");
	CU_ASSERT_EQUAL(memory_free_bytes(dir), 0);
}

static void test_memory_free_within_limits_of_the_older_kind(void)
{
	say("proc/meminfo", "MemAvailable: 8000 kB\n");
	say("proc/self/cgroup", "4:memory:/not/seen/from/here\n0::/\n");
	unlink(scratch_path(dir, "sys/fs/cgroup/memory.max"));
	say("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
	say("sys/fs/cgroup/memory/memory.usage_in_bytes", "50000\n");
	CU_ASSERT_EQUAL(memory_free_bytes(dir), 8000 * 1024);
	say("sys/fs/cgroup/memory/memory.limit_in_bytes", "80000\n");
	CU_ASSERT_EQUAL(memory_free_bytes(dir), 30000);
	say("sys/fs/cgroup/memory/memory.stat", "inactive_file 9000\ntotal_inactive_file 7000\n");
	CU_ASSERT_EQUAL(memory_free_bytes(dir), 37000);
}

static void test_memory_free_within_the_processs_own_limit(void)
{
	say("proc/self/status", "VmPeak:\t  900 kB\nVmData:\t   10 kB\n");
	say("proc/self/limits", "Max cpu time  unlimited  unlimited  seconds\n"
				"Max data size  unlimited  unlimited  bytes\n");
	CU_ASSERT_EQUAL(memory_free_bytes(dir), 37000);
	say("proc/self/limits",
	    "Max data size             20240                unlimited  bytes\n");
	CU_ASSERT_EQUAL(memory_free_bytes(dir), 10000);
	say("proc/self/limits",
	    "Max data size             9000                 9000       bytes\n");
	CU_ASSERT_EQUAL(memory_free_bytes(dir), 0);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_memory_lacks_for_all_event_files),
		SUITE_CASE(test_memory_of_what_is_no_archive),
		SUITE_CASE(test_memory_free_is_known_here),
		SUITE_CASE(test_memory_free_is_within_all_limits),
		SUITE_CASE(test_memory_free_within_limits_of_the_older_kind),
		SUITE_CASE(test_memory_free_within_the_processs_own_limit),
		CU_TEST_INFO_NULL,
	};

	return in_scratch_run("memory_need", tests);
}
