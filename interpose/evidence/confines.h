/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which processors this process may use, and how much of them: where the launcher, the batch
 * system or taskset have bound it to, and its control groups' quota. Read once, when MPI has begun:
 * what the program binds itself to later is not seen. What cannot be read is not known.
 */
#ifndef INTERPOSE_CONFINES_H
#define INTERPOSE_CONFINES_H

#include "common/processor_set.h"

struct confines {
	struct processor_set processors; /* none: not known */
	uint64_t group; /* the control group of that quota, by a number that no other one has */
	uint32_t quota_milli; /* thousandths of processors that it may use; 0: any, or not known */
	uint32_t pad;
};

/* Of the calling thread. proc: "/proc/self", cgroups: where cgroup 2 is mounted. Keeps errno. */
void confines_read(const char *proc, const char *cgroups, struct confines *out);

/* The same of this machine's. */
void confines_mine(struct confines *out);

#endif
