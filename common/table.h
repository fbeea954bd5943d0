/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Large tables: of calls, of messages. In memory as malloc() or, from some size on, common/pages.h
 * gives it.
 *
 * Beyond table_limit() they are pages of a file without a name, as common/spill.h has them: the
 * kernel can write these to the disk and take their memory back, which it cannot do with other
 * memory. Reading and writing them is the same, but slower.
 *
 * What one of these functions gave only table_free() and table_resize() may take; these two also
 * take what malloc() gave. What is freed is kept for the next tables, unless there is a limit. Safe
 * from any thread, but for table_limit().
 */
#ifndef COMMON_TABLE_H
#define COMMON_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/* Smaller ones are always in memory, and not counted. Bytes. */
#define TABLE_COUNTED (64u << 10)

/* A table of n elements of so many bytes, of any content or all zero. NULL: there is no room. */
void *table_alloc(size_t n, size_t size);
void *table_calloc(size_t n, size_t size);

/* Of any content, and each element lies within one line of size bytes, a power of two. */
void *table_lines(size_t n, size_t size);

/*
 * The same table, which may be NULL, with room for *bytes or more; *bytes becomes what there is.
 * NULL: there is no room, and nothing has changed.
 */
void *table_resize(void *table, size_t *bytes);

void table_free(void *table);

/* The bytes of tables that are in memory now. */
size_t table_held(void);

/*
 * From now on keep at most so many bytes of tables in memory, and what would be more in a file in
 * this folder. Those that are there stay where they are. Not while threads use tables. Returns 0,
 * or
 * -1 with *err set if there can be no file, and nothing has changed.
 */
int table_limit(uint64_t bytes, const char *folder, struct err *err);

/* Give the kernel back what is kept for the next tables. */
void table_keep_none(void);

#endif
