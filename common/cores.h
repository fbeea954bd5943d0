/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which cores the calling thread may run on, however many the machine has: a cpu_set_t has room for
 * 1,024, and the kernel refuses what is too small for its own.
 */
#ifndef COMMON_CORES_H
#define COMMON_CORES_H

#include "common/processor_set.h"

/* How many there are. 0: not told. */
unsigned cores_allowed(void);

/* Which. None: not told, or there are some for which the set has no room. */
void cores_allowed_which(struct processor_set *out);

/* From now on all that the process may have, as far as the kernel agrees. */
void cores_allow_all(void);

#endif
