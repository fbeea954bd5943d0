/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/huge.h"

#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>

#define LARGE (4u << 20) /* bytes; of smaller ones most may lie outside whole huge pages */

#define PAGE 4096u /* the smallest: where pages are larger, madvise() may refuse */

#define HUGE (2u << 20) /* bytes of a huge page, on most machines */

#define MALLOCS 64u /* at most so many bytes of a mapping malloc() keeps for itself */

size_t huge_size(size_t bytes)
{
	if (bytes < LARGE || bytes > SIZE_MAX - HUGE - MALLOCS)
		return bytes;
	return (bytes + MALLOCS + HUGE - 1) / HUGE * HUGE - MALLOCS;
}

void *huge_pages(void *room)
{
	size_t bytes = room ? malloc_usable_size(room) : 0;
	uintptr_t begin = (uintptr_t)room / PAGE * PAGE;
	uintptr_t end = ((uintptr_t)room + bytes + PAGE - 1) / PAGE * PAGE;
	int kept = errno;

	/* all of a mapping, as one that is split up can no longer be moved when it grows */
	if (bytes >= LARGE)
		madvise((void *)begin, end - begin, MADV_HUGEPAGE);
	errno = kept;
	return room;
}
