/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for the recorder's tables, taken from mmap and never given back: the
 * application's malloc may be what is being interrupted. Nothing here fails
 * loudly; NULL means no memory. Callers hold the recorder's lock.
 */
#ifndef INTERPOSE_ARENA_H
#define INTERPOSE_ARENA_H

#include <stddef.h>

/* bytes of zeroed memory, 16-aligned, for good. */
void *arena_alloc(size_t bytes);

/* A buffer that only grows; contents are lost when it does. */
struct scratch {
	void *p;
	size_t bytes;
};

void *scratch_grow(struct scratch *s, size_t bytes);

/* At least bytes of it, or NULL. */
static inline void *scratch_at_least(struct scratch *s, size_t bytes)
{
	return bytes <= s->bytes ? s->p : scratch_grow(s, bytes);
}

/* uthash on the arena: buckets that are outgrown are left behind, at most as many again. */
#define HASH_NONFATAL_OOM     1
#define uthash_malloc(bytes)  arena_alloc(bytes)
#define uthash_free(p, bytes) ((void)(p), (void)(bytes))
#include <uthash.h>

#endif
