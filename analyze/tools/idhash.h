/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From ids that come and go, such as those of open requests, to table indices. Memory follows the
 * number of ids that are known at the same time.
 */
#ifndef ANALYZE_IDHASH_H
#define ANALYZE_IDHASH_H

#include <stddef.h>
#include <stdint.h>

#define IDHASH_NONE UINT32_MAX

struct idhash_slot;

struct idhash {
	struct idhash_slot *slot;
	size_t slots; /* a power of 2, at least twice n; or 0 */
	size_t n;     /* ids that are known */
};

/* Id means index from now on, whatever it meant before. Returns 0, or -1: out of memory. */
int idhash_put(struct idhash *h, uint64_t id, uint32_t index);

/* What id means; IDHASH_NONE when it is not known. */
uint32_t idhash_find(const struct idhash *h, uint64_t id);

/* Same, and forget it. */
uint32_t idhash_take(struct idhash *h, uint64_t id);

/* Forget all. */
void idhash_clear(struct idhash *h);

/* Frees what it holds; a zeroed struct holds nothing. */
void idhash_release(struct idhash *h);

#endif
