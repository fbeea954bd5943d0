/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What most requests are, in the one thread of a program: begun and ended where they lie in the
 * table, without a call.
 */
#ifndef INTERPOSE_REQUESTS_PLAIN_H
#define INTERPOSE_REQUESTS_PLAIN_H

#include "interpose/objects/requests_table.h"

/*
 * request_add() without a copy: a new entry to be filled in altogether, then request_ready().
 * Between the two nothing else is to be done, least of all with MPI. NULL when the handle is null
 * or without memory; then there is no entry, and no request_ready() either.
 */
struct request *request_new_anyhow(MPI_Request handle);

static inline struct request *request_new(MPI_Request handle)
{
	struct shard *t = table_shard(handle);
	struct node *b;

	if (!USUAL(!recorder.multiple)) /* others may be at the table */
		return request_new_anyhow(handle);
	b = table_bucket(t, handle);
	if (USUAL(handle != MPI_REQUEST_NULL && b->r.kind == REQUEST_NONE &&
		  t->n_entries < t->n_buckets))
		return &table_occupy(t, b, handle)->r;
	return request_new_anyhow(handle);
}

static inline void request_ready(MPI_Request handle)
{
	if (!USUAL(!recorder.multiple))
		table_leave(table_shard(handle));
}

/*
 * The handle's entry where it lies, if it is a plain one that nothing else shares the bucket with
 * and there is one thread; it is taken out by table_empty(). Else NULL: see request_take().
 */
static inline struct node *request_plain(const struct shard *t, MPI_Request handle)
{
	struct node *b;

	if (!USUAL(!recorder.multiple))
		return NULL;
	b = table_bucket(t, handle);
	return USUAL(b->handle == handle && b->r.plain && !b->same && !b->next) ? b : NULL;
}

/* What request_plain() has found is at its end: a persistent one until it starts again. */
static inline void request_plain_ends(struct shard *t, struct node *n)
{
	if (USUAL(!n->r.persistent))
		table_empty(t, n);
	else
		n->r.active = n->r.plain = 0;
}

/*
 * request_start() of a persistent one that shares its bucket with nothing, where it lies; or NULL.
 */
static inline struct request *request_start_plain(MPI_Request handle)
{
	struct node *b;

	if (!USUAL(!recorder.multiple))
		return NULL;
	b = table_bucket(table_shard(handle), handle);
	if (!USUAL(b->handle == handle && b->r.kind != REQUEST_NONE && b->r.persistent &&
		   !b->same && !b->next))
		return NULL;
	request_started(&b->r, recorder_request(), 0);
	return &b->r;
}

/* request_active(), mostly of a plain one. */
static inline struct polled request_active_plain(MPI_Request handle)
{
	const struct node *n = request_plain(table_shard(handle), handle);

	return USUAL(n) ? request_polled(&n->r) : request_active(handle);
}

#endif
