/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Search in a table that is in order. */
#ifndef ANALYZE_FIND_FIRST_H
#define ANALYZE_FIND_FIRST_H

/*
 * Sets at, an index, to the first from at on, below end, for which the expression of at holds, as
 * it does for all behind that; or to end.
 */
#define FIND_FIRST(at, end, holds)                         \
	do {                                               \
		__typeof__(at) low_ = (at), high_ = (end); \
		while (low_ < high_) {                     \
			(at) = low_ + (high_ - low_) / 2;  \
			if (holds)                         \
				high_ = (at);              \
			else                               \
				low_ = (at) + 1;           \
		}                                          \
		(at) = low_;                               \
	} while (0)

#endif
