/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Of a table with very many rows, or of a part of it, those that a statistic looks at: some in a
 * row, of every so many. Neighbours stay together, as a burst's messages have to, and all parts
 * of the table are seen.
 */
#ifndef ANALYZE_EXCERPTS_H
#define ANALYZE_EXCERPTS_H

#include <stdint.h>

#define EXCERPT_ROWS 256

struct excerpts {
	uint32_t every; /* of so many excerpts one; 1: all rows, as one excerpt */
};

/* Rows from .. to - 1. */
struct excerpt {
	uint32_t from, to;
};

/* About so many of n rows are enough. */
static inline struct excerpts excerpts_of(uint32_t n, uint32_t enough)
{
	return (struct excerpts){n / enough + 1};
}

static inline int excerpts_has(struct excerpts x, uint32_t row)
{
	return x.every == 1 || row % ((uint64_t)EXCERPT_ROWS * x.every) < EXCERPT_ROWS;
}

/*
 * The next excerpt at or after a row, of those before end; from == to: there is none. To go over
 * a part of the table begin with its first row, and go on with each one's to.
 */
static inline struct excerpt excerpts_next(struct excerpts x, uint32_t row, uint32_t end)
{
	uint64_t period = (uint64_t)EXCERPT_ROWS * x.every;
	uint64_t from = row, to = end;

	if (x.every > 1) {
		if (from % period >= EXCERPT_ROWS)
			from += period - from % period;
		to = from - from % period + EXCERPT_ROWS;
	}
	return (struct excerpt){from < end ? (uint32_t)from : end, to < end ? (uint32_t)to : end};
}

#endif
