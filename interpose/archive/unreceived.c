/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/archive/unreceived.h"

#include <stdlib.h>
#include <string.h>

/* Ids count up from 1: a rank with more requests is not followed. */
#define IDS_MOST (UINT64_C(1) << 30)

/* Room for a word more at least. Returns 0, or -1. */
static int grow(struct unreceived *u, size_t word)
{
	size_t words = u->words ? u->words : 64;
	uint64_t *bits;

	if (word < u->words)
		return 0;
	while (words <= word)
		words *= 2;
	bits = reallocarray(u->bits, words, sizeof(*bits));
	if (!bits)
		return -1;
	memset(bits + u->words, 0, (words - u->words) * sizeof(*bits));
	u->bits = bits;
	u->words = words;
	return 0;
}

/* It begins or ends, whichever is read first: both are no more than nothing. */
static void turn(struct unreceived *u, uint64_t id)
{
	if (id >= IDS_MOST || grow(u, (size_t)(id / 64)))
		u->is_unknown = 1;
	else
		u->bits[id / 64] ^= UINT64_C(1) << id % 64;
}

static int is_of_receive(const struct record *r)
{
	return r->kind == RECORD_IRECV || r->kind == RECORD_RECV_DONE;
}

void unreceived_add(struct unreceived *u, const struct log_view *v)
{
	const struct record *r;
	size_t i = 0;

	u->is_unknown |= v->header->full || v->lack;
	while (!u->is_unknown && (r = log_view_next(v, &i)))
		if (is_of_receive(r))
			turn(u, r->request);
}

int unreceived_has(const struct unreceived *u, uint64_t request)
{
	size_t word = (size_t)(request / 64);

	return u && !u->is_unknown && request < IDS_MOST && word < u->words &&
	       u->bits[word] >> request % 64 & 1;
}

void unreceived_release(struct unreceived *u)
{
	free(u->bits);
	*u = (struct unreceived){0};
}
