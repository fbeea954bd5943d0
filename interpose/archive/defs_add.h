/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of defs.c share: numbers for keys, arrays that grow. Private to defs*.c. */
#ifndef INTERPOSE_DEFS_ADD_H
#define INTERPOSE_DEFS_ADD_H

#include <uthash.h>

#include "interpose/archive/defs.h"

/* Where a text or a key got its number. */
struct number {
	UT_hash_handle hh;
	uint64_t key;
	uint32_t id;
	char text[];
};

/* An array with room for element n more; grows by doubling from powers of two. */
void *defs_room(void *array, size_t n, size_t size);

/* Returns -1. */
int defs_no_memory(struct err *err);

/* The number that a key of this kind got; UINT32_MAX: none yet. */
uint32_t defs_find(const struct defs *d, enum def_kind kind, uint64_t key);

/* Give it one. Returns 0, or -1 without memory. */
int defs_number(struct defs *d, enum def_kind kind, uint64_t key, uint32_t id);

/*
 * Logs may be damaged: is what a definition says of itself inside of it? One that is not is passed
 * over. And a header's texts end.
 */
int defs_is_sound(const struct record *r);
void defs_end_texts(struct log_header *h);

/* Of one record each: *id is its global number. Return 0, or -1 with *err set. */
int defs_add_group(struct defs *d, const struct record *r, uint32_t *id, struct err *err);
int defs_add_window(struct defs *d, const struct record *r, uint32_t *id, struct err *err);
int defs_add_path(struct defs *d, const struct record *r, uint32_t *id, struct err *err);
int defs_add_file(struct defs *d, const struct record *r, uint32_t *id, struct err *err);
int defs_add_total(struct defs *d, const struct def_rank *rank, const struct record *r,
		   struct err *err);

#endif
