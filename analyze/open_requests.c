/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/open_requests.h"

/* One multiplication: request ids are counters or addresses, never an attack. */
#define HASH_FUNCTION(key, length, value) \
	((value) = (unsigned)((*(const uint64_t *)(key)*UINT64_C(0x9e3779b97f4a7c15)) >> 32))
#include <uthash.h>

#include <stdlib.h>

struct open_request {
	uint64_t id;
	uint32_t index;
	struct open_request *next; /* in the spare list */
	UT_hash_handle hh;
};

static struct open_request *find(const struct open_requests *r, uint64_t id)
{
	struct open_request *found = NULL;

	HASH_FIND(hh, r->open, &id, sizeof(id), found);
	return found;
}

static void close_request(struct open_requests *r, struct open_request *request)
{
	HASH_DEL(r->open, request);
	request->next = r->spare;
	r->spare = request;
}

int open_requests_put(struct open_requests *r, uint64_t id, uint32_t index)
{
	struct open_request *request = find(r, id);

	if (request) {
		request->index = index;
		return 0;
	}
	request = r->spare;
	if (request)
		r->spare = request->next;
	else
		request = malloc(sizeof(*request));
	if (!request)
		return -1;
	request->id = id;
	request->index = index;
	HASH_ADD(hh, r->open, id, sizeof(request->id), request);
	return 0;
}

uint32_t open_requests_find(const struct open_requests *r, uint64_t id)
{
	const struct open_request *request = find(r, id);

	return request ? request->index : OPEN_REQUESTS_NONE;
}

uint32_t open_requests_take(struct open_requests *r, uint64_t id)
{
	struct open_request *request = find(r, id);

	if (!request)
		return OPEN_REQUESTS_NONE;
	close_request(r, request);
	return request->index;
}

void open_requests_clear(struct open_requests *r)
{
	struct open_request *request, *next;

	HASH_ITER(hh, r->open, request, next)
		close_request(r, request);
}

void open_requests_release(struct open_requests *r)
{
	struct open_request *request;

	open_requests_clear(r);
	while ((request = r->spare)) {
		r->spare = request->next;
		free(request);
	}
}
