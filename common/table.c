/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/table.h"

#include "common/pages.h"
#include "common/spill.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define LARGE (512u << 10) /* bytes; smaller ones are mostly of small traces */

/* A process has one memory, so there is one of these. */
static struct {
	_Atomic ptrdiff_t held; /* bytes of counted tables, less those that only malloc() knew */
	size_t limit;
} memory = {.limit = SIZE_MAX};

/* What a table in memory has, whoever gave it. */
static size_t bytes_of(void *room)
{
	size_t bytes = pages_bytes(room);

	return bytes ? bytes : malloc_usable_size(room);
}

static size_t counted_bytes(void *room)
{
	size_t bytes = room ? bytes_of(room) : 0;

	return bytes < TABLE_COUNTED ? 0 : bytes;
}

/* Count what was just given. */
static void *count(void *room)
{
	size_t bytes = counted_bytes(room);

	if (bytes)
		atomic_fetch_add_explicit(&memory.held, (ptrdiff_t)bytes, memory_order_relaxed);
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

enum content { ANY, ZERO };

/* In memory or, if there may not be so much, in the file. line: 0, or as table_lines(). */
static void *place(size_t n, size_t size, size_t line, enum content content)
{
	void *room = NULL;
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		return NULL;
	if (has_room(bytes)) {
		if (bytes >= LARGE)
			room = content == ZERO ? pages_calloc(bytes) : pages_alloc(bytes);
		else if (line)
			room = aligned_alloc(line, bytes);
		else
			room = content == ZERO ? calloc(bytes, 1) : malloc(bytes);
	}
	return room ? count(room) : spill_map(bytes);
}

void *table_alloc(size_t n, size_t size)
{
	return place(n, size, 0, ANY);
}

void *table_calloc(size_t n, size_t size)
{
	return place(n, size, 0, ZERO);
}

void *table_lines(size_t n, size_t size)
{
	return place(n, size, size, ANY);
}

/* One that is in memory. */
static void *enlarge(void *table, size_t *bytes)
{
	size_t counted = counted_bytes(table), had = table ? bytes_of(table) : 0;
	int has_pages = pages_bytes(table) > 0;
	void *grown = NULL;

	if (has_room(*bytes > counted ? *bytes - counted : 0)) {
		if (has_pages)
			grown = pages_grow(table, *bytes);
		else if (*bytes < LARGE)
			grown = realloc(table, *bytes);
	}
	if (grown) {
		give_up(counted);
		count(grown);
	} else {
		grown = table_alloc(*bytes, 1);
		if (!grown)
			return NULL;
		if (table)
			memcpy(grown, table, had < *bytes ? had : *bytes);
		table_free(table);
	}
	if (pages_bytes(grown))
		*bytes = pages_bytes(grown);
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
		if (!pages_free(table))
			free(table);
		else if (memory.limit != SIZE_MAX)
			pages_drop();
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
	table_keep_none();
	memory.limit = bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX;
	return 0;
}

void table_keep_none(void)
{
	pages_drop();
}
