/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cores of machines that have more than a cpu_set_t holds: the kernel is played here. */
#include "common/cores.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fixtures/suite.h"

static size_t machine = 128; /* cores, a multiple of 64 */
static size_t allowed;       /* of them, the last ones */
static int refusal;          /* errno of any call; 0: none */

/* As the kernel does: no set that is too small for its own, and nothing behind that. */
int sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set)
{
	(void)pid;
	if (refusal || 8 * bytes < machine) {
		errno = refusal ? refusal : EINVAL;
		return -1;
	}
	memset(set, 0, bytes);
	for (size_t k = machine - allowed; k < machine; k++)
		CPU_SET_S(k, bytes, set);
	return 0;
}

static size_t taken; /* by the last sched_setaffinity() */

int sched_setaffinity(pid_t pid, size_t bytes, const cpu_set_t *set)
{
	(void)pid;
	taken = (size_t)CPU_COUNT_S(bytes, set);
	return 0;
}

static void test_cores_of_machines_of_any_size(void)
{
	for (machine = 64; machine <= 16384; machine *= 2) {
		allowed = 3;
		CU_ASSERT_EQUAL(cores_allowed(), 3);
		allowed = machine;
		CU_ASSERT_EQUAL(cores_allowed(), machine);
		cores_allow_all();
		CU_ASSERT(taken >= machine);
	}
}

static void test_cores_that_are_not_told(void)
{
	machine = 128;
	refusal = EPERM;
	CU_ASSERT_EQUAL(cores_allowed(), 0);
	refusal = EINVAL; /* whatever the size */
	CU_ASSERT_EQUAL(cores_allowed(), 0);
	refusal = 0;
}

/* Which they are, where there is room for all of them. */
static void test_cores_by_their_numbers(void)
{
	struct processor_set which;

	for (machine = 64; machine <= 1024; machine *= 4) {
		allowed = 3;
		cores_allowed_which(&which);
		CU_ASSERT_EQUAL(processor_set_count(&which), 3);
		CU_ASSERT(processor_set_has(&which, (unsigned)machine - 3));
		CU_ASSERT(!processor_set_has(&which, (unsigned)machine - 4));
	}
	machine = 2048;
	cores_allowed_which(&which);
	CU_ASSERT_EQUAL(processor_set_count(&which), 0);
	allowed = 1025;
	cores_allowed_which(&which);
	CU_ASSERT_EQUAL(processor_set_count(&which), 0);
	refusal = EPERM;
	cores_allowed_which(&which);
	CU_ASSERT_EQUAL(processor_set_count(&which), 0);
	refusal = 0;
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_cores_of_machines_of_any_size),
	SUITE_CASE(test_cores_that_are_not_told),
	SUITE_CASE(test_cores_by_their_numbers),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("cores", tests);
}
