/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The messages in several lines: of each port, of each receiver, of each call. Within its line
 * a message keeps its place. For attribution*.c only.
 */
#ifndef ANALYZE_LINES_H
#define ANALYZE_LINES_H

#include <stdint.h>

#include "common/err.h"

struct scene;

struct lines {
	uint32_t *message; /* all of them, line by line */
	uint32_t *first;   /* of each line, and the end: n + 1 */
	uint32_t n;
};

/* In which line message i is, below n. */
typedef uint32_t line_of(const struct scene *s, uint32_t i);

/*
 * Line up s's messages in the order from, or, NULL, in that of their table. Returns 0, or -1 with
 * *err set (out of memory). Caller: lines_release.
 */
int lines_init(struct lines *q, uint32_t n, line_of *of, const struct scene *s,
	       const uint32_t *from, struct err *err);
void lines_release(struct lines *q);

/* Messages in the longest line. */
uint32_t lines_most(const struct lines *q);

#endif
