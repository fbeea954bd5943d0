/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Huge pages for large tables, where the kernel gives them to those who ask: filling a table
 * then takes a page fault for every 2 MiB in place of every 4 KiB, and reading it out of order
 * misses fewer translations of addresses.
 */
#ifndef COMMON_HUGE_H
#define COMMON_HUGE_H

/*
 * Ask for room that malloc(), calloc() or realloc() just gave, if it is large. Returns room,
 * which may be NULL; free() it as ever. A refusal changes nothing.
 */
void *huge_pages(void *room);

#endif
