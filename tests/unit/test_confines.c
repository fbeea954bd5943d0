/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Control groups' quotas, in files as the kernel has them; and the processors of this test. */
#include "interpose/evidence/confines.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/cores.h"
#include "tests/fixtures/in_scratch.h"

static void store(const char *name, const char *text)
{
	scratch_store(scratch_path(dir, name), text, strlen(text));
}

static struct confines read_here(const char *cgroup)
{
	struct confines c;

	store("cgroup", cgroup);
	errno = 0;
	confines_read(dir, dir, &c);
	CU_ASSERT_EQUAL(errno, 0);
	CU_ASSERT_EQUAL(processor_set_count(&c.processors), cores_allowed());
	return c;
}

static uint64_t number_of(const char *folder)
{
	struct stat st;

	CU_ASSERT_FATAL(!stat(scratch_path(dir, folder), &st));
	return st.st_ino;
}

static void test_confines_the_tightest_quota(void)
{
	struct confines c;

	CU_ASSERT_FATAL(!mkdir(scratch_path(dir, "job"), 0755));
	CU_ASSERT_FATAL(!mkdir(scratch_path(dir, "job/task"), 0755));
	store("cpu.max", "max 100000\n");
	store("job/cpu.max", "150000 100000\n");
	store("job/task/cpu.max", "400000 100000\n");
	c = read_here("12:cpu:/elsewhere\n0::/job/task\n");
	CU_ASSERT_EQUAL(c.quota_milli, 1500);
	CU_ASSERT_EQUAL(c.group, number_of("job"));
	store("job/task/cpu.max", "50000 100000\n");
	c = read_here("0::/job/task\n");
	CU_ASSERT_EQUAL(c.quota_milli, 500);
	CU_ASSERT_EQUAL(c.group, number_of("job/task"));
	/* of equal ones the outer one, which is the job's; and so up to where it is mounted */
	store("cpu.max", "50000 100000\n");
	CU_ASSERT_EQUAL(read_here("0::/job/task\n").group, number_of("."));
	CU_ASSERT_EQUAL(read_here("0::/\n").group, number_of("."));
	CU_ASSERT_EQUAL(read_here("0::/\n").quota_milli, 500);
}

static void test_confines_without_a_quota(void)
{
	static const char *const no_quota[] = {"max 100000\n", "",          "x", "100000\n",
					       "-5 100000\n",  "100000 0\n"};

	store("job/cpu.max", "max 100000\n");
	for (size_t k = 0; k < sizeof(no_quota) / sizeof(no_quota[0]); k++) {
		store("cpu.max", no_quota[k]);
		CU_ASSERT_EQUAL(read_here("0::/job\n").quota_milli, 0);
	}
	store("cpu.max", "50000 100000\n");
	CU_ASSERT_EQUAL(read_here("0::/job\n").quota_milli, 500);
	CU_ASSERT_EQUAL(read_here("0::/../job\n").quota_milli, 0); /* not to be seen from here */
	CU_ASSERT_EQUAL(read_here("1:cpu:/job\n").quota_milli, 0);
	CU_ASSERT_EQUAL(read_here("0::/job").quota_milli, 0); /* cut off */
	CU_ASSERT_EQUAL(read_here("").quota_milli, 0);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_confines_the_tightest_quota),
		SUITE_CASE(test_confines_without_a_quota),
		CU_TEST_INFO_NULL,
	};

	return in_scratch_run("confines", tests);
}
