/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/cores.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

#define CORES_FIRST 1024
#define CORES_MOST  (1 << 18) /* more than any kernel is built for */

unsigned cores_allowed(void)
{
	for (size_t n = CORES_FIRST; n <= CORES_MOST; n *= 2) {
		size_t bytes = CPU_ALLOC_SIZE(n);
		cpu_set_t *set = CPU_ALLOC(n);
		int ret = set ? sched_getaffinity(0, bytes, set) : -1;
		int too_small = set && ret && errno == EINVAL, count;

		count = ret ? 0 : CPU_COUNT_S(bytes, set);
		CPU_FREE(set);
		if (!too_small)
			return (unsigned)count;
	}
	return 0;
}

void cores_allow_all(void)
{
	size_t bytes = CPU_ALLOC_SIZE(CORES_MOST); /* the kernel takes what it has room for */
	cpu_set_t *set = CPU_ALLOC(CORES_MOST);

	if (!set)
		return;
	memset(set, 0xff, bytes);
	sched_setaffinity(0, bytes, set);
	CPU_FREE(set);
}
