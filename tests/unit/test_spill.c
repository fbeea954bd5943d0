/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Large tables, in a file. */
#include "common/spill.h"
#include "common/table.h"

#include "tests/fixtures/in_scratch.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TABLE = 1 << 20 }; /* bytes */

static int is_in_file(const void *table)
{
	return spill_bytes(table) > 0;
}

static void test_table_limit_needs_a_folder(void)
{
	struct err err = {""};

	CU_ASSERT_EQUAL(table_limit(0, scratch_path(dir, "none"), &err), -1);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "none: No such file or directory"));
	CU_ASSERT(spill_map(TABLE) == NULL);
	CU_ASSERT(spill_trouble() == NULL);
}

static void test_table_beyond_the_limit_is_in_a_file(void)
{
	size_t held = table_held();
	char *first, *second, *third;
	struct err err = {""};

	CU_ASSERT_EQUAL_FATAL(table_limit(held + 3 * TABLE / 2, dir, &err), 0);
	CU_ASSERT_EQUAL(rmdir(dir), 0); /* the file has no name: nothing is in there */
	first = table_alloc(TABLE, 1);
	second = table_calloc(TABLE, 1);
	third = table_alloc(100, 1);
	CU_ASSERT_FATAL(first && second && third);
	CU_ASSERT(!is_in_file(first) && is_in_file(second) && !is_in_file(third));
	CU_ASSERT_EQUAL((uintptr_t)second % 4096, 0);
	for (size_t i = 0; i < TABLE; i++)
		CU_ASSERT_FATAL(second[i] == 0);
	table_free(first);
	table_free(second);
	CU_ASSERT(!is_in_file(second));
	first = table_lines(TABLE / 64, 64);
	CU_ASSERT(first && !is_in_file(first));
	table_free(first);
	table_free(third);
	CU_ASSERT_EQUAL(table_held(), held);
}

static void test_table_grows_into_the_file_and_in_it(void)
{
	size_t bytes = TABLE;
	char *table = table_resize(NULL, &bytes), *again;

	CU_ASSERT_FATAL(table && !is_in_file(table));
	memset(table, 1, TABLE);
	for (size_t want = 2 * TABLE; want <= 8 * TABLE; want *= 2) {
		bytes = want;
		table = table_resize(table, &bytes);
		CU_ASSERT_FATAL(table && is_in_file(table) && bytes >= want);
		CU_ASSERT(table[0] == 1 && table[want / 2 - 1] == 1);
		CU_ASSERT_EQUAL(table[want - 1], 0);
		memset(table, 1, want);
	}
	table_free(table);
	again = table_calloc(8 * TABLE, 1);
	CU_ASSERT_FATAL(again && is_in_file(again));
	CU_ASSERT(again[0] == 0 && again[8 * TABLE - 1] == 0);
	table_free(again);
}

/* How large the file is, holes and all: it is the one that is open and has no name. */
static off_t file_end(void)
{
	struct stat st;

	for (int fd = 3; fd < 64; fd++)
		if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_nlink == 0)
			return st.st_size;
	return -1;
}

static void test_table_in_the_file_grows_without_a_copy(void)
{
	struct rlimit was, room;
	size_t bytes = 8 * TABLE;
	char *table = table_alloc(bytes, 1), *other = table_alloc(2 * TABLE, 1);

	CU_ASSERT_FATAL(table && other && is_in_file(table) && is_in_file(other));
	memset(table, 3, bytes);
	memset(other, 4, 2 * TABLE);
	CU_ASSERT_EQUAL_FATAL(getrlimit(RLIMIT_FSIZE, &was), 0);
	room = was;
	room.rlim_cur = (rlim_t)file_end() + 11 * TABLE;
	CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &room), 0);
	bytes = 16 * TABLE;
	table = table_resize(table, &bytes);
	CU_ASSERT_EQUAL(setrlimit(RLIMIT_FSIZE, &was), 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(table);
	CU_ASSERT(bytes >= 16 * TABLE && spill_bytes(table) == bytes);
	CU_ASSERT(table[0] == 3 && table[8 * TABLE - 1] == 3);
	CU_ASSERT(table[8 * TABLE] == 0 && table[bytes - 1] == 0);
	CU_ASSERT(other[0] == 4 && other[2 * TABLE - 1] == 4);
	table_free(table);
	CU_ASSERT(!is_in_file(table));
	table_free(other);
}

/* As a disk that is full, without the signal that ends who goes beyond this limit. */
static void test_table_that_has_no_room_is_a_sentence(void)
{
	struct rlimit was, small;
	size_t bytes = 16 * TABLE;
	char *table = table_alloc(2 * TABLE, 1);

	CU_ASSERT_FATAL(table && is_in_file(table));
	table[0] = 7;
	CU_ASSERT_EQUAL_FATAL(getrlimit(RLIMIT_FSIZE, &was), 0);
	small = was;
	small.rlim_cur = TABLE;
	CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &small), 0);
	CU_ASSERT(table_alloc(16 * TABLE, 1) == NULL);
	CU_ASSERT(table_resize(table, &bytes) == NULL);
	CU_ASSERT_EQUAL(setrlimit(RLIMIT_FSIZE, &was), 0);
	CU_ASSERT_EQUAL(table[0], 7);
	CU_ASSERT_PTR_NOT_NULL_FATAL(spill_trouble());
	CU_ASSERT_PTR_NOT_NULL(strstr(spill_trouble(), "no room for 16.8 MB of tables in "));
	CU_ASSERT_PTR_NOT_NULL(strstr(spill_trouble(), "File too large; set TMPDIR"));
	table_free(table);
}

static void test_spill_knows_what_is_in_memory(void)
{
	CU_ASSERT(!spill_is_in_memory("/none"));
	CU_ASSERT(!spill_is_in_memory("/proc"));
	if (!system("[ \"$(stat -f -c %T /dev/shm)\" = tmpfs ]"))
		CU_ASSERT(spill_is_in_memory("/dev/shm"));
}

static void test_spill_knows_the_most_that_it_had(void)
{
	const char *folder = NULL;
	size_t before = spill_most(&folder);
	char *table = table_alloc(before + TABLE, 1);

	CU_ASSERT(table && is_in_file(table));
	CU_ASSERT_STRING_EQUAL(folder, dir);
	CU_ASSERT(spill_most(&folder) >= before + TABLE);
	table_free(table);
	CU_ASSERT(spill_most(&folder) >= before + TABLE &&
		  spill_most(&folder) < before + 8 * TABLE);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_table_limit_needs_a_folder),
		SUITE_CASE(test_table_beyond_the_limit_is_in_a_file),
		SUITE_CASE(test_table_grows_into_the_file_and_in_it),
		SUITE_CASE(test_table_in_the_file_grows_without_a_copy),
		SUITE_CASE(test_table_that_has_no_room_is_a_sentence),
		SUITE_CASE(test_spill_knows_what_is_in_memory),
		SUITE_CASE(test_spill_knows_the_most_that_it_had),
		CU_TEST_INFO_NULL,
	};

	return in_scratch_run("spill", tests);
}
