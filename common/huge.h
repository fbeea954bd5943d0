/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Huge pages for large tables, where the kernel gives them to those who ask: filling a table
 * then takes a page fault for every 2 MiB in place of every 4 KiB, and reading it out of order
 * misses fewer translations of addresses.
 */
#ifndef COMMON_HUGE_H
#define COMMON_HUGE_H

#include <stddef.h>

/*
 * So many bytes to ask malloc() for, or realloc(), instead: no fewer, and of a large table such that
 * its mapping is whole huge pages. Linux lets it begin with one then, and moves it in whole ones
 * when it grows; others are taken apart.
 */
size_t huge_size(size_t bytes);

/*
 * Ask for room that malloc(), calloc() or realloc() just gave, if it is large. Returns room,
 * which may be NULL; free() it as ever. A refusal changes nothing.
 */
void *huge_pages(void *room);

#endif
