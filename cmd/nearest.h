/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "Did you mean": the valid word nearest to one that is not. */
#ifndef CMD_NEAREST_H
#define CMD_NEAREST_H

#include <stddef.h>

/*
 * The nearest of n > 0 words, the first of equals. Borrowed. NULL: none is near, all differ in more
 * than a third of the letters.
 */
const char *nearest(const char *word, size_t n, const char *const words[n]);

/*
 * "the nearest is PREFIXNEAR" or, when near is NULL, "HELP lists them" into text, which it returns.
 */
const char *nearest_advice(const char *near, const char *prefix, const char *help, size_t room,
			   char text[room]);

#endif
