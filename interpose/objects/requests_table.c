/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/objects/requests_table.h"

#define BUCKETS_FIRST 64

static struct node no_entry;
struct shard shards[SHARDS] = {[0 ... SHARDS - 1] = {.buckets = &no_entry}};

static void free_node(struct shard *t, struct node *n)
{
	n->same = t->spare;
	t->spare = n;
}

/* An entry of the table before goes where it belongs now; n is memory that stays. */
static void move(struct shard *t, struct node *n)
{
	struct node *b = table_bucket(t, n->handle);

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
	t->mask = n - 1;
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

struct node *table_append(struct shard *t, MPI_Request handle)
{
	struct node *b, *n, *head;

	if (t->n_entries >= t->n_buckets)
		grow(t);
	if (!t->n_buckets)
		return NULL;
	b = table_bucket(t, handle);
	if (b->r.kind == REQUEST_NONE)
		return table_occupy(t, b, handle);
	head = table_find(t, handle);
	n = new_node(t);
	if (!n)
		return NULL;
	n->same = NULL;
	if (head) {
		(head->same ? head->last : head)->same = n;
		head->last = n;
		return n;
	}
	n->next = b->next;
	b->next = n;
	return table_occupy(t, n, handle);
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
	b = table_bucket(t, head->handle);
	if (head == b && !b->next) {
		table_empty(t, b);
		return;
	}
	t->n_entries--;
	if (head != b) {
		for (before = b; before->next != head; before = before->next)
			;
		before->next = head->next;
		free_node(t, head);
	} else {
		struct node *next = b->next;

		*b = *next;
		free_node(t, next);
	}
}

void table_remove(struct shard *t, struct node *head, struct node *n)
{
	if (n == head)
		remove_head(t, n);
	else
		remove_behind(t, head, n);
}
