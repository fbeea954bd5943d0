/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory that reading a trace will take, before it is read: the kernel ends who takes more. */
#ifndef ANALYZE_MEMORY_NEED_H
#define ANALYZE_MEMORY_NEED_H

#include <stddef.h>
#include <stdint.h>

/*
 * What can still be had without moving others out, bytes: of the machine's memory, of the limits of
 * the control groups that this process is in and of its own (ulimit -d). UINT64_MAX: not known.
 * root: where /proc and /sys are, "" but for tests.
 */
uint64_t memory_free_bytes(const char *root);

/*
 * Would reading the archive of this anchor file take more than free_bytes? Then a sentence in text
 * says so, and that the rest will be in a file in this folder; NULL: that it will not. An estimate:
 * its events' bytes are known, and what they become depends on what they are.
 */
int memory_lacks(const char *anchor, uint64_t free_bytes, const char *folder, size_t n,
		 char text[n]);

#endif
