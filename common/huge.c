/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/huge.h"

#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>

#define LARGE (4u << 20) /* bytes; of smaller ones most may lie outside whole huge pages */

#define PAGE 4096u /* the smallest: where pages are larger, madvise() may refuse */

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
