/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables that grow while they are filled; table_free() them. */
#ifndef ANALYZE_GROWING_H
#define ANALYZE_GROWING_H

#include "common/table.h"

/* Make room for one more element, or more, in an array of n with room for *cap. Yields 0 or -1. */
#define GROW(array, n, cap)          GROW_BY(array, n, 1, cap)
#define GROW_BY(array, n, more, cap) grow((void **)&(array), (n) + (more), &(cap), sizeof(*(array)))

static inline int grow(void **array, size_t n, size_t *cap, size_t size)
{
	size_t want = *cap ? 2 * *cap : 64, bytes;
	void *grown;

	if (n <= *cap)
		return 0;
	while (want < n)
		want *= 2;
	if (__builtin_mul_overflow(want, size, &bytes))
		return -1;
	grown = table_resize(*array, &bytes);
	if (!grown)
		return -1;
	*array = grown;
	*cap = bytes / size;
	return 0;
}

#endif
