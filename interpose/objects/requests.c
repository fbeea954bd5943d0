/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/objects/requests.h"

#include "interpose/objects/requests_plain.h"

struct request *request_new_anyhow(MPI_Request handle)
{
	struct shard *t;
	struct node *n;

	if (handle == MPI_REQUEST_NULL)
		return NULL;
	t = table_enter(handle);
	n = table_append(t, handle);
	if (!n)
		table_leave(t);
	return n ? &n->r : NULL;
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

static int is_alone(const struct node *n)
{
	return n->r.kind == REQUEST_RECV || n->r.kind == REQUEST_MESSAGE;
}

/*
 * The requests of a handle, NULL when there are none. A receive shares its handle with nobody, as
 * that has its status, nor does a message: what was there before it, or it if others came behind,
 * was completed where nobody saw it, within another call.
 */
static struct node *find(struct shard *t, MPI_Request handle)
{
	struct node *head = table_find(t, handle);

	while (head && head->same && (is_alone(head) || is_alone(head->last)))
		table_remove(t, head, head);
	return head;
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
	t = table_enter(handle);
	head = find(t, handle);
	n = choose(head);
	if (n && (n->r.active || which == ANY)) {
		*r = n->r;
		if (n->r.persistent && which == ACTIVE) {
			n->r.active = n->r.plain = 0;
			n->r.cancelled = 0;
		} else {
			table_remove(t, head, n);
		}
	}
	table_leave(t);
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
	t = table_enter(handle);
	n = r->persistent ? find(t, handle) : NULL;
	if (n) {
		n->r.active = r->active;
		n->r.cancelled = r->cancelled;
		n->r.plain = r->plain;
	} else if ((n = table_append(t, handle))) {
		n->r = *r;
	}
	table_leave(t);
}

struct polled request_active(MPI_Request handle)
{
	struct shard *t;
	const struct node *head;
	struct polled polled = {.id = 0};

	if (handle == MPI_REQUEST_NULL)
		return polled;
	t = table_enter(handle);
	head = find(t, handle);
	if (head && head->r.active)
		polled = request_polled(&head->r);
	table_leave(t);
	return polled;
}

uint64_t request_awaited(MPI_Request handle)
{
	const struct node *n = NULL;

	if (handle != MPI_REQUEST_NULL)
		n = table_find(table_shard(handle), handle);
	if (n && n->same)
		n = is_alone(n->last) ? n->last : NULL;
	return n && n->r.active ? request_awaited_taken(&n->r) : 0;
}

struct request request_start(MPI_Request handle, int off)
{
	struct shard *t;
	struct request r = {.kind = REQUEST_NONE};
	struct node *head;

	t = table_enter(handle);
	head = find(t, handle);
	if (head && head->r.persistent) {
		request_started(&head->r,
				off && head->r.kind != REQUEST_RECV ? 0 : recorder_request(), off);
		r = head->r;
	}
	table_leave(t);
	return r;
}

void request_cancel(MPI_Request handle)
{
	struct shard *t;
	struct node *head;

	t = table_enter(handle);
	head = find(t, handle);
	if (head) {
		head->r.cancelled = 1;
		head->r.plain = 0;
	}
	table_leave(t);
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
		table_leave(&shards[i]);
	}
}

void request_rekey(MPI_Request from, MPI_Request to)
{
	struct shard *t;
	struct node *head;
	struct request r = {.kind = REQUEST_NONE};

	if (from == to)
		return;
	t = table_enter(from);
	head = find(t, from);
	if (head) {
		r = head->r;
		table_remove(t, head, head);
	}
	table_leave(t);
	if (r.kind == REQUEST_NONE)
		return;
	t = table_enter(to);
	head = table_append(t, to);
	if (head)
		head->r = r;
	table_leave(t);
}
