/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "Did you mean": the valid word nearest to one that is not. */
#ifndef CMD_NEAREST_H
#define CMD_NEAREST_H

#include <stddef.h>

/* Changes, insertions, deletions and swaps of neighbours that make b of a. */
unsigned nearest_distance(const char *a, const char *b);

/* The nearest of n > 0 words, the first of equals. Borrowed. */
const char *nearest(const char *word, size_t n, const char *const words[n]);

#endif
