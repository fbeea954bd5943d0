/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums of few parts, kept close: of each item's SLICES_MOST possible parts only those that are not
 * 0 take room, 4 bytes each, or 8 from 34 ms on. Calls and messages have one to four parts, and
 * there are tens of millions of them. Room comes in blocks, so that nothing moves when it grows and
 * each of several threads can put the parts of other items, with a pen of its own.
 */
#ifndef ANALYZE_SLICES_H
#define ANALYZE_SLICES_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

#define SLICES_MOST 32 /* parts */

#define SLICES_NS_BITS 25

/* A word of a slice: the first, and of one that is longer or less than 0 a second. */
union slice {
	struct {
		uint32_t ns : SLICES_NS_BITS; /* the lower part */
		uint32_t part : 5;
		uint32_t is_long : 1;
		uint32_t last : 1; /* of its item */
	};
	int32_t above; /* the rest: two years */
};

#define SLICES_BLOCK  (1u << 20) /* words: whole huge pages */
#define SLICES_BLOCKS (1u << 12) /* at most */

struct slices {
	uint32_t *first;     /* per item: number of its first word; 0: all parts are 0 */
	union slice **block; /* word number n is block[n / SLICES_BLOCK][n % SLICES_BLOCK] */
	uint32_t blocks;
	uint32_t parts;
};

/* Where a thread writes next; {0} at first. */
struct slices_pen {
	uint32_t next, end;
};

/*
 * Room for items whose parts are all 0. parts: at most SLICES_MOST. Returns 0, or -1 with *err set.
 */
int slices_init(struct slices *s, size_t items, unsigned parts, struct err *err);

/*
 * What an item's parts are, ns[parts], in place of what they were; those without their bit in has
 * are 0. Returns 0, or -1 with *err set.
 */
int slices_put(struct slices *s, struct slices_pen *pen, uint32_t item, uint32_t has,
	       const int64_t *ns, struct err *err);

/* Those of an item's parts together that have their bit in parts; one part; ns. */
int64_t slices_sum(const struct slices *s, uint32_t item, uint32_t parts);
int64_t slices_part(const struct slices *s, uint32_t item, unsigned part);

/* Add an item's parts to sums[parts]. Returns which it has, a bit each. */
uint32_t slices_add(const struct slices *s, uint32_t item, int64_t *sums);

void slices_release(struct slices *s);

#endif
