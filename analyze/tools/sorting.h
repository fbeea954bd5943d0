/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * qsort() for tables that are mostly in order already, as those of a trace are: sorted per
 * sender, or but for a few neighbours. A stable merge sort that copies only what is out of
 * order; compiled anew for each comparison, which is then no call. Needs n * size bytes for a
 * while; without them qsort() does the work.
 */
#ifndef ANALYZE_SORTING_H
#define ANALYZE_SORTING_H

#include "common/table.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define SORTING_BLOCK 16  /* elements that are put in order by insertion */
#define SORTING_LARGE 128 /* bytes of an element, at most */

#define SORTING_INLINE static inline __attribute__((always_inline))

typedef int sorting_order(const void *a, const void *b, void *arg);

/* The comparison that there is: like qsort()'s or like qsort_r()'s. */
struct sorting {
	size_t size;
	__compar_fn_t plain;
	sorting_order *order;
	void *arg;
};

SORTING_INLINE int sorting_compare(const struct sorting *s, const void *a, const void *b)
{
	return s->plain ? s->plain(a, b) : s->order(a, b, s->arg);
}

SORTING_INLINE void sorting_insert(const struct sorting *s, char *v, size_t n)
{
	_Alignas(max_align_t) char held[SORTING_LARGE];

	for (size_t i = 1; i < n; i++) {
		size_t k = i;

		if (sorting_compare(s, v + (i - 1) * s->size, v + i * s->size) <= 0)
			continue;
		memcpy(held, v + i * s->size, s->size);
		do {
			memcpy(v + k * s->size, v + (k - 1) * s->size, s->size);
			k--;
		} while (k > 0 && sorting_compare(s, v + (k - 1) * s->size, held) > 0);
		memcpy(v + k * s->size, held, s->size);
	}
}

/* Merge the first left of n elements with the others; each part is in order. */
SORTING_INLINE void sorting_merge(const struct sorting *s, char *v, size_t left, size_t n,
				  char *room)
{
	const size_t size = s->size;
	const char *right = v + left * size, *end = v + n * size, *kept = room, *kept_end;
	size_t low = 0, high = left - 1;

	while (low < high) { /* those that stay */
		size_t mid = low + (high - low) / 2;

		if (sorting_compare(s, v + mid * size, right) <= 0)
			low = mid + 1;
		else
			high = mid;
	}
	v += low * size;
	memcpy(room, v, (left - low) * size);
	kept_end = room + (left - low) * size;
	while (kept < kept_end && right < end) {
		const char **from = sorting_compare(s, kept, right) <= 0 ? &kept : &right;

		memcpy(v, *from, size);
		*from += size;
		v += size;
	}
	memcpy(v, kept, (size_t)(kept_end - kept));
}

SORTING_INLINE void sorting_run(const struct sorting *s, char *v, size_t n)
{
	char *room = NULL;

	assert(s->size <= SORTING_LARGE);
	for (size_t at = 0; at < n; at += SORTING_BLOCK)
		sorting_insert(s, v + at * s->size,
			       n - at < SORTING_BLOCK ? n - at : SORTING_BLOCK);
	for (size_t width = SORTING_BLOCK; width < n; width *= 2)
		for (size_t at = 0; n - at > width; at += 2 * width) {
			char *left = v + at * s->size, *right = left + width * s->size;
			size_t both = n - at < 2 * width ? n - at : 2 * width;

			if (sorting_compare(s, right - s->size, right) > 0) {
				if (!room && !(room = table_alloc(n, s->size)))
					goto out;
				sorting_merge(s, left, width, both, room);
			}
			if (both < 2 * width)
				break;
		}
	table_free(room);
	return;
out:
	if (s->plain)
		qsort(v, n, s->size, s->plain);
	else
		qsort_r(v, n, s->size, s->order, s->arg);
}

/* Like qsort() and qsort_r(), but n may be 0 and equal elements stay in their order. */
SORTING_INLINE void sort(void *v, size_t n, size_t size, __compar_fn_t compare)
{
	sorting_run(&(struct sorting){.size = size, .plain = compare}, v, n);
}

SORTING_INLINE void sort_with(void *v, size_t n, size_t size, sorting_order *compare, void *arg)
{
	sorting_run(&(struct sorting){.size = size, .order = compare, .arg = arg}, v, n);
}

#endif
