/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/requests.h"

#include <string.h>

/*
 * A chained hash table of our own: this is the hot path of every non-blocking call, and
 * uthash, which serves the other tables, costs twice as much here.
 */
struct node {
	MPI_Request handle;
	struct request r;
	struct node *same; /* the next request with this handle */
	struct node *last; /* of that queue; valid in its head */
	struct node *next; /* in the bucket */
};

#define BUCKETS_FIRST 1024

static struct node **buckets;
static size_t n_buckets; /* a power of two */
static size_t n_entries;
static struct node *spare;

/* Handles are pointers or small integers: one multiplication spreads them. */
static struct node **bucket_of(MPI_Request handle)
{
	uint64_t x = 0;

	memcpy(&x, &handle, sizeof(handle));
	x *= UINT64_C(0x9e3779b97f4a7c15);
	return &buckets[(x >> 32) & (n_buckets - 1)];
}

static struct node *find(MPI_Request handle)
{
	struct node *n = n_buckets ? *bucket_of(handle) : NULL;

	while (n && n->handle != handle)
		n = n->next;
	return n;
}

/* Twice the buckets, when there is memory for them. */
static void grow(void)
{
	size_t before = n_buckets, i;
	struct node **old = buckets, **more;

	more = arena_alloc((before ? 2 * before : BUCKETS_FIRST) * sizeof(*more));
	if (!more)
		return;
	buckets = more;
	n_buckets = before ? 2 * before : BUCKETS_FIRST;
	for (i = 0; i < before; i++) {
		struct node *n = old[i], *next;

		for (; n; n = next) {
			struct node **b = bucket_of(n->handle);

			next = n->next;
			n->next = *b;
			*b = n;
		}
	}
}

static struct node *new_node(void)
{
	struct node *n = spare;

	if (n)
		spare = n->same;
	else
		n = arena_alloc(sizeof(*n));
	return n;
}

static void free_node(struct node *n)
{
	n->same = spare;
	spare = n;
}

/* Append r to the handle's queue. Caller holds the lock. */
static void append(MPI_Request handle, const struct request *r)
{
	struct node *head = find(handle), *n = new_node(), **b;

	if (n_entries >= n_buckets)
		grow();
	if (!n || !n_buckets)
		return;
	n->r = *r;
	n->same = NULL;
	if (head) {
		head->last->same = n;
		head->last = n;
		return;
	}
	n->handle = handle;
	n->last = n;
	b = bucket_of(handle);
	n->next = *b;
	*b = n;
	n_entries++;
}

/* Remove one that is not the head of its queue. */
static void remove_behind(struct node *head, struct node *gone)
{
	struct node *before = head;

	while (before->same != gone)
		before = before->same;
	before->same = gone->same;
	if (head->last == gone)
		head->last = before;
	free_node(gone);
}

/* Remove the head of a queue; the second, if any, moves into its place. */
static void remove_head(struct node *head)
{
	struct node *second = head->same, **at;

	if (second) {
		head->r = second->r;
		head->same = second->same;
		if (head->last == second)
			head->last = head;
		free_node(second);
		return;
	}
	for (at = bucket_of(head->handle); *at != head; at = &(*at)->next)
		;
	*at = head->next;
	n_entries--;
	free_node(head);
}

void request_add(MPI_Request handle, const struct request *r)
{
	struct request mine = *r;

	if (handle == MPI_REQUEST_NULL)
		return;
	mine.thread = lane_self->thread;
	recorder_lock();
	append(handle, &mine);
	recorder_unlock();
}

static void remove_node(struct node *head, struct node *n)
{
	if (n == head)
		remove_head(n);
	else
		remove_behind(head, n);
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

struct request request_take(MPI_Request handle)
{
	struct request r = {.kind = REQUEST_NONE};
	struct node *head, *n;

	if (handle == MPI_REQUEST_NULL)
		return r;
	recorder_lock();
	head = find(handle);
	n = choose(head);
	if (n && n->r.active) {
		r = n->r;
		if (r.persistent) {
			n->r.active = 0;
			n->r.cancelled = 0;
		} else {
			remove_node(head, n);
		}
	}
	recorder_unlock();
	return r;
}

struct request request_remove(MPI_Request handle)
{
	struct request r = {.kind = REQUEST_NONE};
	struct node *head, *n;

	if (handle == MPI_REQUEST_NULL)
		return r;
	recorder_lock();
	head = find(handle);
	n = choose(head);
	if (n) {
		r = n->r;
		remove_node(head, n);
	}
	recorder_unlock();
	return r;
}

void request_put_back(MPI_Request handle, const struct request *r)
{
	struct node *head;

	if (r->kind == REQUEST_NONE)
		return;
	recorder_lock();
	head = find(handle);
	if (r->persistent && head)
		head->r.active = r->active;
	else
		append(handle, r);
	recorder_unlock();
}

uint64_t request_active(MPI_Request handle)
{
	const struct node *head;
	uint64_t id = 0;

	if (handle == MPI_REQUEST_NULL)
		return 0;
	recorder_lock();
	head = find(handle);
	if (head && head->r.active)
		id = head->r.id;
	recorder_unlock();
	return id;
}

struct request request_start(MPI_Request handle)
{
	struct request r = {.kind = REQUEST_NONE};
	struct node *head;

	recorder_lock();
	head = find(handle);
	if (head && head->r.persistent) {
		head->r.id = recorder_request();
		head->r.active = 1;
		head->r.cancelled = 0;
		r = head->r;
	}
	recorder_unlock();
	return r;
}

void request_cancel(MPI_Request handle)
{
	struct node *head;

	recorder_lock();
	head = find(handle);
	if (head)
		head->r.cancelled = 1;
	recorder_unlock();
}

void request_rekey(MPI_Request from, MPI_Request to)
{
	struct node *head;
	struct request r;

	if (from == to)
		return;
	recorder_lock();
	head = find(from);
	if (head) {
		r = head->r;
		remove_head(head);
		append(to, &r);
	}
	recorder_unlock();
}
