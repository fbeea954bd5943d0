/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/requests.h"

#include <string.h>

struct node {
	MPI_Request handle;
	struct request r;
	struct node *same; /* the next request with this handle */
	struct node *last; /* of the queue; valid in its head */
	UT_hash_handle hh;
};

static struct node *table;
static struct node *spare;

/* Handles are pointers or small integers: one multiplication spreads them. */
static unsigned hash_of(MPI_Request handle)
{
	uint64_t x = 0;

	memcpy(&x, &handle, sizeof(handle));
	x *= UINT64_C(0x9e3779b97f4a7c15);
	return (unsigned)(x >> 32);
}

static struct node *find(MPI_Request handle)
{
	struct node *n;

	HASH_FIND_BYHASHVALUE(hh, table, &handle, sizeof(handle), hash_of(handle), n);
	return n;
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

static void insert(MPI_Request handle, struct node *n)
{
	n->handle = handle;
	n->last = n;
	HASH_ADD_BYHASHVALUE(hh, table, handle, sizeof(n->handle), hash_of(handle), n);
}

/*
 * uthash gives up its table with the last entry and makes a new one with the next, which
 * the arena would not survive: one entry, of the null request, stays for good.
 */
static void keep_table(void)
{
	struct node *n = table ? NULL : new_node();

	if (n)
		insert(MPI_REQUEST_NULL, n);
}

/* Append r to the handle's queue. Caller holds the lock. */
static void append(MPI_Request handle, const struct request *r)
{
	struct node *head, *n;

	keep_table();
	head = find(handle);
	n = new_node();
	if (!n)
		return;
	n->r = *r;
	n->same = NULL;
	if (head) {
		head->last->same = n;
		head->last = n;
		return;
	}
	insert(handle, n);
}

/* Remove the head of a queue; the second, if any, moves into its place. */
static void remove_head(struct node *head)
{
	struct node *second = head->same;

	if (second) {
		head->r = second->r;
		head->same = second->same;
		if (head->last == second)
			head->last = head;
		free_node(second);
		return;
	}
	HASH_DELETE(hh, table, head);
	free_node(head);
}

void request_add(MPI_Request handle, const struct request *r)
{
	if (handle == MPI_REQUEST_NULL)
		return;
	recorder_lock();
	append(handle, r);
	recorder_unlock();
}

struct request request_take(MPI_Request handle)
{
	struct request r = {.kind = REQUEST_NONE};
	struct node *head;

	if (handle == MPI_REQUEST_NULL)
		return r;
	recorder_lock();
	head = find(handle);
	if (head && head->r.active) {
		r = head->r;
		if (r.persistent) {
			head->r.active = 0;
			head->r.cancelled = 0;
		} else {
			remove_head(head);
		}
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
		head->r.active = 1;
	else
		append(handle, r);
	recorder_unlock();
}

struct request *request_peek(MPI_Request handle)
{
	struct node *head = NULL;

	if (handle != MPI_REQUEST_NULL) {
		recorder_lock();
		head = find(handle);
		recorder_unlock();
	}
	return head ? &head->r : NULL;
}

void request_drop(MPI_Request handle)
{
	struct node *head;

	recorder_lock();
	head = find(handle);
	if (head)
		remove_head(head);
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
