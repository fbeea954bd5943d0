/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers put in order without comparing them, in as many passes as they have groups of bits. */
#ifndef ANALYZE_RADIX_H
#define ANALYZE_RADIX_H

#include <stdint.h>
#include <string.h>

#define RADIX_BITS 11 /* of a pass: what it counts fits into the nearest cache */

struct radix {
	uint32_t key;
	uint32_t value; /* goes with it */
};

/*
 * Sort n elements whose keys are below a limit; equal ones stay in their order. spare: room for as
 * many. Returns where they are in the end, v or spare.
 */
static inline struct radix *radix_sort(struct radix *v, struct radix *spare, uint32_t n,
				       uint32_t limit)
{
	for (unsigned shift = 0; shift < 32 && limit >> shift; shift += RADIX_BITS) {
		uint32_t at[1u << RADIX_BITS] = {0}, sum = 0;
		struct radix *sorted = spare;

		for (uint32_t i = 0; i < n; i++)
			at[v[i].key >> shift & ((1u << RADIX_BITS) - 1)]++;
		for (uint32_t k = 0; k < 1u << RADIX_BITS; k++) {
			uint32_t here = at[k];

			at[k] = sum;
			sum += here;
		}
		for (uint32_t i = 0; i < n; i++)
			sorted[at[v[i].key >> shift & ((1u << RADIX_BITS) - 1)]++] = v[i];
		spare = v;
		v = sorted;
	}
	return v;
}

#endif
