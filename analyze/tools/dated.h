/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages, calls or others by their numbers in a table, each at an instant: for sort(). */
#ifndef ANALYZE_DATED_H
#define ANALYZE_DATED_H

#include <stdint.h>

struct dated {
	int64_t ns;
	uint32_t number;
};

/* The earlier first; of the same instant the lower number. */
static inline int dated_order(const void *a, const void *b)
{
	const struct dated *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? 1 : -1;
	return (x->number > y->number) - (x->number < y->number);
}

#endif
