/* SPDX-License-Identifier: BSD-3-Clause */
/* qsort()'s comparison of doubles, none of them a NaN. */
#ifndef COMMON_ASCENDING_H
#define COMMON_ASCENDING_H

static inline int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

#endif
