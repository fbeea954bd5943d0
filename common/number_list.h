/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of whole numbers, "0-3,8": of ranks, of processors. */
#ifndef COMMON_NUMBER_LIST_H
#define COMMON_NUMBER_LIST_H

#include <stdint.h>
#include <stdio.h>

/* The next numbers of a list; *list goes behind them. Returns 1, 0: that was all, -1: no list. */
int number_list_next(const char **list, long *low, long *high);

/* A list of n numbers, each larger than the one before. */
void number_list_put(FILE *f, size_t n, const uint32_t numbers[]);

/* The same as a text that the caller frees; NULL: out of memory. */
char *number_list_text(size_t n, const uint32_t numbers[]);

#endif
