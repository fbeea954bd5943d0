/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/cores.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

#define CORES_FIRST 1024
#define CORES_MOST  (1 << 18) /* more than any kernel is built for */

/* The set of those it may run on, of *bytes, for CPU_FREE(); NULL: not told. */
static cpu_set_t *ask(size_t *bytes)
{
	for (size_t n = CORES_FIRST; n <= CORES_MOST; n *= 2) {
		cpu_set_t *set = CPU_ALLOC(n);
		int too_small;

		*bytes = CPU_ALLOC_SIZE(n);
		if (set && !sched_getaffinity(0, *bytes, set))
			return set;
		too_small = set && errno == EINVAL;
		CPU_FREE(set);
		if (!too_small)
			return NULL;
	}
	return NULL;
}

unsigned cores_allowed(void)
{
	size_t bytes;
	cpu_set_t *set = ask(&bytes);
	int count = set ? CPU_COUNT_S(bytes, set) : 0;

	CPU_FREE(set);
	return (unsigned)count;
}

void cores_allowed_which(struct processor_set *out)
{
	size_t bytes, words;
	cpu_set_t *set = ask(&bytes);
	struct processor_set which = {{0}};

	words = set ? bytes / sizeof(which.word[0]) : 0;
	if (words > PROCESSOR_SET_WORDS)
		words = PROCESSOR_SET_WORDS;
	for (unsigned k = 0; k < 64 * words; k++)
		if (CPU_ISSET_S(k, bytes, set))
			processor_set_add(&which, k);
	if (set && processor_set_count(&which) != (unsigned)CPU_COUNT_S(bytes, set))
		which = (struct processor_set){{0}};
	CPU_FREE(set);
	*out = which;
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
