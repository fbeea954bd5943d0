/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/requests.h"

#include <string.h>

/*
 * A hash table of our own: this is the hot path of every non-blocking call. The first entry
 * of a bucket lies in it, so that mostly one line of the cache is touched. It is in parts,
 * each with a lock, because the threads of a program mostly use handles of their own.
 */
struct node {
	MPI_Request handle;
	struct node *same; /* the next request with this handle */
	struct node *last; /* of that queue; valid in its head while there is a next */
	struct node *next; /* in the bucket; not valid in those behind a head */
	struct request r;  /* kind REQUEST_NONE: the bucket is empty */
};

#define SHARDS        16 /* a power of two */
#define BUCKETS_FIRST 64

struct shard {
	atomic_flag lock;
	struct node *buckets;
	size_t n_buckets; /* a power of two */
	size_t n_entries;
	struct node *spare; /* linked through same */
} __attribute__((aligned(64)));

static struct shard shards[SHARDS];

/* Handles are pointers or small integers: one multiplication spreads them. */
static uint64_t hash(MPI_Request handle)
{
	uint64_t x = 0;

	memcpy(&x, &handle, sizeof(handle));
	return x * UINT64_C(0x9e3779b97f4a7c15);
}

/* The handle's part of the table, locked. */
static struct shard *enter(MPI_Request handle)
{
	struct shard *t = &shards[hash(handle) >> 60 & (SHARDS - 1)];

	if (recorder.multiple)
		spin_lock(&t->lock);
	return t;
}

static void leave(struct shard *t)
{
	if (recorder.multiple)
		spin_unlock(&t->lock);
}

static struct node *bucket_of(const struct shard *t, MPI_Request handle)
{
	return &t->buckets[hash(handle) >> 32 & (t->n_buckets - 1)];
}

static struct node *find(const struct shard *t, MPI_Request handle)
{
	struct node *n = t->n_buckets ? bucket_of(t, handle) : NULL;

	if (n && n->r.kind == REQUEST_NONE)
		return NULL;
	while (n && n->handle != handle)
		n = n->next;
	return n;
}

static void free_node(struct shard *t, struct node *n)
{
	n->same = t->spare;
	t->spare = n;
}

/* An entry of the table before goes where it belongs now; n is memory that stays. */
static void move(struct shard *t, struct node *n)
{
	struct node *b = bucket_of(t, n->handle);

	if (b->r.kind == REQUEST_NONE) {
		*b = *n;
		b->next = NULL;
		free_node(t, n);
	} else {
		n->next = b->next;
		b->next = n;
	}
}

/* Twice the buckets, when there is memory for them. */
static void grow(struct shard *t)
{
	size_t before = t->n_buckets, n = before ? 2 * before : BUCKETS_FIRST, i;
	struct node *old = t->buckets, *more, *next;

	recorder_lock();
	more = arena_alloc(n * sizeof(*more));
	recorder_unlock();
	if (!more)
		return;
	t->buckets = more;
	t->n_buckets = n;
	for (i = 0; i < before; i++) {
		struct node *at = &old[i];

		if (at->r.kind == REQUEST_NONE) {
			free_node(t, at);
			continue;
		}
		for (; at; at = next) {
			next = at->next;
			move(t, at);
		}
	}
}

static struct node *new_node(struct shard *t)
{
	struct node *n = t->spare;

	if (n) {
		t->spare = n->same;
	} else {
		recorder_lock();
		n = arena_alloc(sizeof(*n));
		recorder_unlock();
	}
	return n;
}

/* A new entry at the end of the handle's queue, its request not yet filled in; or NULL. */
static struct node *append(struct shard *t, MPI_Request handle)
{
	struct node *b, *n, *head;

	if (t->n_entries >= t->n_buckets)
		grow(t);
	if (!t->n_buckets)
		return NULL;
	b = n = bucket_of(t, handle);
	if (b->r.kind != REQUEST_NONE) {
		head = find(t, handle);
		n = new_node(t);
		if (!n)
			return NULL;
		if (head) {
			n->same = NULL;
			(head->same ? head->last : head)->same = n;
			head->last = n;
			return n;
		}
		n->next = b->next;
		b->next = n;
	} else {
		n->next = NULL;
	}
	n->handle = handle;
	n->same = NULL;
	t->n_entries++;
	return n;
}

/* Remove one that is not the head of its queue. */
static void remove_behind(struct shard *t, struct node *head, struct node *gone)
{
	struct node *before = head;

	while (before->same != gone)
		before = before->same;
	before->same = gone->same;
	if (head->last == gone)
		head->last = before;
	free_node(t, gone);
}

/* Remove the head of a queue; the second, or the next in the bucket, moves into its place. */
static void remove_head(struct shard *t, struct node *head)
{
	struct node *second = head->same, *b, *before;

	if (second) {
		head->r = second->r;
		head->same = second->same;
		free_node(t, second);
		return;
	}
	t->n_entries--;
	b = bucket_of(t, head->handle);
	if (head != b) {
		for (before = b; before->next != head; before = before->next)
			;
		before->next = head->next;
		free_node(t, head);
	} else if (b->next) {
		struct node *next = b->next;

		*b = *next;
		free_node(t, next);
	} else {
		b->r.kind = REQUEST_NONE;
	}
}

struct request *request_new(MPI_Request handle)
{
	struct shard *t;
	struct node *n;

	if (handle == MPI_REQUEST_NULL)
		return NULL;
	t = enter(handle);
	n = append(t, handle);
	if (!n)
		leave(t);
	return n ? &n->r : NULL;
}

void request_ready(MPI_Request handle)
{
	leave(&shards[hash(handle) >> 60 & (SHARDS - 1)]);
}

void request_add(MPI_Request handle, const struct request *r)
{
	struct request *q = request_new(handle);

	if (!q)
		return;
	*q = *r;
	q->thread = lane_self->thread;
	request_ready(handle);
}

static void remove_node(struct shard *t, struct node *head, struct node *n)
{
	if (n == head)
		remove_head(t, n);
	else
		remove_behind(t, head, n);
}

/* Which of those with one handle this thread means: its own first, as it started them. */
static struct node *choose(struct node *head)
{
	struct node *n;

	for (n = head && head->same ? head : NULL; n; n = n->same)
		if (n->r.thread == lane_self->thread)
			return n;
	return head;
}

enum which { ACTIVE, ANY };

static void take(MPI_Request handle, enum which which, struct request *r)
{
	struct shard *t;
	struct node *head, *n;

	r->kind = REQUEST_NONE;
	if (handle == MPI_REQUEST_NULL)
		return;
	t = enter(handle);
	head = find(t, handle);
	n = choose(head);
	if (n && (n->r.active || which == ANY)) {
		*r = n->r;
		if (n->r.persistent && which == ACTIVE) {
			n->r.active = 0;
			n->r.cancelled = 0;
		} else {
			remove_node(t, head, n);
		}
	}
	leave(t);
}

void request_take(MPI_Request handle, struct request *r)
{
	take(handle, ACTIVE, r);
}

void request_remove(MPI_Request handle, struct request *r)
{
	take(handle, ANY, r);
}

void request_put_back(MPI_Request handle, const struct request *r)
{
	struct shard *t;
	struct node *n;

	if (r->kind == REQUEST_NONE)
		return;
	t = enter(handle);
	n = r->persistent ? find(t, handle) : NULL;
	if (n)
		n->r.active = r->active;
	else if ((n = append(t, handle)))
		n->r = *r;
	leave(t);
}

struct polled request_active(MPI_Request handle)
{
	struct shard *t;
	const struct node *head;
	struct polled polled = {.id = 0};

	if (handle == MPI_REQUEST_NULL)
		return polled;
	t = enter(handle);
	head = find(t, handle);
	if (head && head->r.active)
		polled = request_polled(&head->r);
	leave(t);
	return polled;
}

struct request request_start(MPI_Request handle, int off)
{
	struct shard *t;
	struct request r = {.kind = REQUEST_NONE};
	struct node *head;

	t = enter(handle);
	head = find(t, handle);
	if (head && head->r.persistent) {
		head->r.id = off && head->r.kind != REQUEST_RECV ? 0 : recorder_request();
		head->r.off = (uint8_t)off;
		head->r.active = 1;
		head->r.cancelled = 0;
		r = head->r;
	}
	leave(t);
	return r;
}

void request_cancel(MPI_Request handle)
{
	struct shard *t;
	struct node *head;

	t = enter(handle);
	head = find(t, handle);
	if (head)
		head->r.cancelled = 1;
	leave(t);
}

static void visit_all(struct shard *t, void (*visit)(struct request *, void *), void *data)
{
	struct node *n, *same;
	size_t i;

	for (i = 0; i < t->n_buckets; i++)
		for (n = &t->buckets[i]; n && n->r.kind != REQUEST_NONE; n = n->next)
			for (same = n; same; same = same->same)
				visit(&same->r, data);
}

void requests_each(void (*visit)(struct request *, void *), void *data)
{
	size_t i;

	for (i = 0; i < SHARDS; i++) {
		if (recorder.multiple)
			spin_lock(&shards[i].lock);
		visit_all(&shards[i], visit, data);
		leave(&shards[i]);
	}
}

void request_rekey(MPI_Request from, MPI_Request to)
{
	struct shard *t;
	struct node *head;
	struct request r = {.kind = REQUEST_NONE};

	if (from == to)
		return;
	t = enter(from);
	head = find(t, from);
	if (head) {
		r = head->r;
		remove_head(t, head);
	}
	leave(t);
	if (r.kind == REQUEST_NONE)
		return;
	t = enter(to);
	head = append(t, to);
	if (head)
		head->r = r;
	leave(t);
}
