/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/table.h"

#include "common/spill.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LARGE (4u << 20) /* bytes; of smaller ones most may lie outside whole huge pages */

#define PAGE 4096u /* the smallest: where pages are larger, madvise() may refuse */

#define HUGE (2u << 20) /* bytes of a huge page, on most machines */

#define MALLOCS 64u /* at most so many bytes of a mapping malloc() keeps for itself */

/* A process has one memory, so there is one of these: as of malloc()'s own books. */
static struct {
	_Atomic ptrdiff_t held; /* bytes of counted tables, less those that only malloc() knew */
	size_t limit;
} memory = {.limit = SIZE_MAX};

/*
 * So many bytes to ask realloc() for instead: no fewer, and of a large table such that its mapping
 * is whole huge pages. Linux lets it begin with one then, and moves it in whole ones when it grows;
 * others are taken apart.
 */
static size_t whole_pages(size_t bytes)
{
	if (bytes < LARGE || bytes > SIZE_MAX - HUGE - MALLOCS)
		return bytes;
	return (bytes + MALLOCS + HUGE - 1) / HUGE * HUGE - MALLOCS;
}

static size_t counted_bytes(void *room)
{
	size_t bytes = room ? malloc_usable_size(room) : 0;

	return bytes < TABLE_COUNTED ? 0 : bytes;
}

/* Count what malloc() just gave and, if it is large, ask for huge pages; a refusal changes nothing. */
static void *keep(void *room)
{
	size_t bytes = counted_bytes(room);
	uintptr_t begin = (uintptr_t)room / PAGE * PAGE;
	uintptr_t end = ((uintptr_t)room + bytes + PAGE - 1) / PAGE * PAGE;
	int kept = errno;

	if (bytes)
		atomic_fetch_add_explicit(&memory.held, (ptrdiff_t)bytes, memory_order_relaxed);
	/* all of a mapping, as one that is split up can no longer be moved when it grows */
	if (bytes >= LARGE)
		madvise((void *)begin, end - begin, MADV_HUGEPAGE);
	errno = kept;
	return room;
}

static void give_up(size_t counted)
{
	if (counted)
		atomic_fetch_sub_explicit(&memory.held, (ptrdiff_t)counted, memory_order_relaxed);
}

/* May so many bytes more be in memory? */
static int has_room(size_t more)
{
	size_t held = table_held();

	return more < TABLE_COUNTED || memory.limit == SIZE_MAX ||
	       (held <= memory.limit && more <= memory.limit - held);
}

/* What one of malloc()'s functions gave, else so many bytes of the file. */
static void *placed(size_t bytes, void *room)
{
	return room ? keep(room) : spill_map(bytes);
}

void *table_alloc(size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		return NULL;
	return placed(bytes, has_room(bytes) ? malloc(bytes) : NULL);
}

void *table_calloc(size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		return NULL;
	return placed(bytes, has_room(bytes) ? calloc(bytes, 1) : NULL);
}

void *table_lines(size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		return NULL;
	return placed(bytes, has_room(bytes) ? aligned_alloc(size, bytes) : NULL);
}

/* One that is in memory. */
static void *enlarge(void *table, size_t *bytes)
{
	size_t wanted = whole_pages(*bytes), counted = counted_bytes(table);
	void *grown = NULL;

	if (has_room(*bytes > counted ? *bytes - counted : 0))
		grown = realloc(table, wanted);
	if (grown) {
		give_up(counted);
		*bytes = wanted;
		return keep(grown);
	}
	grown = spill_map(*bytes);
	if (grown && table) {
		size_t had = malloc_usable_size(table);

		memcpy(grown, table, had < *bytes ? had : *bytes);
		table_free(table);
	}
	return grown;
}

void *table_resize(void *table, size_t *bytes)
{
	void *grown;

	if (!spill_bytes(table))
		return enlarge(table, bytes);
	grown = spill_grow(table, *bytes);
	if (grown)
		*bytes = spill_bytes(grown);
	return grown;
}

void table_free(void *table)
{
	int kept = errno;

	if (!spill_unmap(table)) {
		give_up(counted_bytes(table));
		free(table);
	}
	errno = kept;
}

size_t table_held(void)
{
	ptrdiff_t held = atomic_load_explicit(&memory.held, memory_order_relaxed);

	return held > 0 ? (size_t)held : 0;
}

int table_limit(uint64_t bytes, const char *folder, struct err *err)
{
	if (spill_open(folder, err))
		return -1;
	memory.limit = bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX;
	return 0;
}
