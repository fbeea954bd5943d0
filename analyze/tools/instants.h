/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instants of the trace, ns: the later and the earlier of two, and how many of a row are past. */
#ifndef ANALYZE_INSTANTS_H
#define ANALYZE_INSTANTS_H

#include <stddef.h>
#include <stdint.h>

static inline int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Instants in order: one in each element of a table, stride bytes from the one before. */
struct instants {
	const int64_t *first_ns;
	size_t stride;
	uint32_t n;
};

static inline int64_t instants_at(struct instants x, uint32_t k)
{
	return *(const int64_t *)((const char *)x.first_ns + k * x.stride);
}

/*
 * How many of them are no later than when. near: about so many, as the table is in the order of
 * what is asked; found in as many steps as that has digits by which it is wrong.
 */
static inline uint32_t instants_until(struct instants x, uint32_t near, int64_t when_ns)
{
	uint32_t low = near < x.n ? near : x.n, high = low, step = 1;

	while (low > 0 && instants_at(x, low - 1) > when_ns) {
		high = low - 1;
		low = high > step ? high - step : 0;
		step *= 2;
	}
	while (high < x.n && instants_at(x, high) <= when_ns) {
		low = high + 1;
		high = x.n - low > step ? low + step : x.n;
		step *= 2;
	}
	for (uint32_t left = high - low, half; left > 0; left -= half) {
		half = left - left / 2;
		low += half * (instants_at(x, low + half - 1) <= when_ns); /* no branch to guess */
	}
	return low;
}

#endif
