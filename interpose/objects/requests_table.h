/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hash table under requests.c, of our own: this is the hot path of every non-blocking call.
 * The first entry of a bucket lies in it, so that mostly one line of the cache is touched. It is
 * in parts, each with a lock, because the threads of a program mostly use handles of their own.
 * Caller has entered the part, unless there is one thread.
 */
#ifndef INTERPOSE_REQUESTS_TABLE_H
#define INTERPOSE_REQUESTS_TABLE_H

#include <stddef.h>
#include <string.h>

#include "interpose/objects/requests.h"

struct node {
	MPI_Request handle;
	struct node *same; /* the next request with this handle */
	struct node *last; /* of that queue; valid in its head while there is a next */
	struct node *next; /* in the bucket; not valid in those behind a head */
	struct request r;  /* kind REQUEST_NONE: the bucket is empty */
};

#define SHARDS 16 /* a power of two */

struct shard {
	atomic_flag lock;
	struct node *buckets;
	size_t n_buckets; /* a power of two; at first 0, and one that stays empty */
	size_t mask;      /* of their numbers */
	size_t n_entries;
	struct node *spare; /* linked through same */
} __attribute__((aligned(64)));

extern struct shard shards[SHARDS] __attribute__((visibility("hidden")));

/* Handles are pointers or small integers: one multiplication spreads them. */
static inline uint64_t table_hash(MPI_Request handle)
{
	uint64_t x = 0;

	memcpy(&x, &handle, sizeof(handle));
	return x * UINT64_C(0x9e3779b97f4a7c15);
}

static inline struct shard *table_shard(MPI_Request handle)
{
	return &shards[table_hash(handle) >> 60 & (SHARDS - 1)];
}

/* The handle's part of the table, locked. */
static inline struct shard *table_enter(MPI_Request handle)
{
	struct shard *t = table_shard(handle);

	if (recorder.multiple)
		spin_lock(&t->lock);
	return t;
}

static inline void table_leave(struct shard *t)
{
	if (recorder.multiple)
		spin_unlock(&t->lock);
}

static inline struct node *table_bucket(const struct shard *t, MPI_Request handle)
{
	return &t->buckets[table_hash(handle) >> 32 & t->mask];
}

static inline struct node *table_find(const struct shard *t, MPI_Request handle)
{
	struct node *n = table_bucket(t, handle);

	if (n->r.kind == REQUEST_NONE)
		return NULL;
	while (n && n->handle != handle)
		n = n->next;
	return n;
}

/* An entry in the empty bucket b. */
static inline struct node *table_occupy(struct shard *t, struct node *b, MPI_Request handle)
{
	b->handle = handle;
	t->n_entries++;
	return b;
}

/* The only entry of its bucket is gone. */
static inline void table_empty(struct shard *t, struct node *b)
{
	b->r.kind = REQUEST_NONE;
	b->r.plain = 0;
	t->n_entries--;
}

/* A new entry at the end of the handle's queue, its request not yet filled in; or NULL. */
struct node *table_append(struct shard *t, MPI_Request handle);

/* Remove n from the queue of head, or all that is its head from the table. */
void table_remove(struct shard *t, struct node *head, struct node *n);

#endif
