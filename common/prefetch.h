/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is soon read, far from what was read before: have it fetched meanwhile. */
#ifndef COMMON_PREFETCH_H
#define COMMON_PREFETCH_H

/*
 * A prefetch counts as no effect: compilers drop calls of functions that do nothing else. The
 * empty instruction, of which they cannot know that, keeps them.
 */
static inline void prefetch(const void *room)
{
	__builtin_prefetch(room);
	__asm__ volatile("" : : "r"(room));
}

#endif
