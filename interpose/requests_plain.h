/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What most requests are, in the one thread of a program: begun and ended where they lie in the
 * table, without a call.
 */
#ifndef INTERPOSE_REQUESTS_PLAIN_H
#define INTERPOSE_REQUESTS_PLAIN_H

#include "interpose/requests_table.h"

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

#endif
