/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that the kernel can write to a disk and take back when it is short: pages of one file that
 * has no name, and is gone with the process. Its bytes are asked of the disk before they are used,
 * so a full one is known in time and not by a signal. Safe from any thread, but for spill_open().
 */
#ifndef COMMON_SPILL_H
#define COMMON_SPILL_H

#include <stddef.h>

#include "common/err.h"

/* Is this folder in memory itself, as a tmpfs is? */
int spill_is_in_memory(const char *folder);

/* Make the file, unless there is one. Returns 0, or -1 with *err set. */
int spill_open(const char *folder, struct err *err);

/* So many bytes, zero, from the beginning of a page on. NULL without a file or room for them. */
void *spill_map(size_t bytes);

/*
 * The same with room for so many, what is new zero: at another address, but not copied. NULL: there
 * is no room, and nothing has changed. room: what spill_map() gave.
 */
void *spill_grow(void *room, size_t bytes);

/* How many there are, if spill_map() or spill_grow() gave these; else 0. */
size_t spill_bytes(const void *room);

/*
 * Give them back, and their room on the disk. Returns 0, and nothing happened, if they are others.
 */
int spill_unmap(void *room);

/* Why spill_map() had no room, and what to do; NULL if it always had. */
const char *spill_trouble(void);

/* The most bytes that there were at a time; 0: the file was not needed. folder: where it is. */
size_t spill_most(const char **folder);

#endif
