/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory in huge pages, where the kernel gives these to those who ask: filling it then takes
 * a page fault for every 2 MiB in place of every 4 KiB, and reading it out of order misses fewer
 * translations of addresses. What is given back is kept for whoever asks next: a page from the
 * kernel has to be cleared first. Who asks for less than PAGES_WHOLE shares pages with others, and
 * begins somewhere in one: tables that are read side by side do not compete for the same lines of
 * the cache. Safe from any thread.
 */
#ifndef COMMON_PAGES_H
#define COMMON_PAGES_H

#include <stddef.h>

#define PAGES_HUGE  (2u << 20) /* bytes of one, on most machines */
#define PAGES_WHOLE (2 * PAGES_HUGE)
#define PAGES_LINE  64u /* all begin with one of the cache's */

/* Room for so many bytes, of any content or all zero. NULL: there is no room. */
void *pages_alloc(size_t bytes);
void *pages_calloc(size_t bytes);

/*
 * The same with room for so many bytes, perhaps at another address. NULL: there is no room, and
 * nothing has changed. pages: what one of these functions gave.
 */
void *pages_grow(void *pages, size_t bytes);

/* How many bytes there are, if one of these functions gave them; else 0. */
size_t pages_bytes(const void *pages);

/* Keep them for others. Returns 0, and nothing happened, if they are none of these. */
int pages_free(void *pages);

/* Give the kernel what is kept. */
void pages_drop(void);

#endif
