/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/tools/open_requests.h"

#include "common/table.h"

#include <string.h>

#define SLOTS_LEAST 64

/* Open addressing with linear probing: a request is at its home or in a full slot after it. */
struct open_request {
	uint64_t id;
	uint32_t index; /* OPEN_REQUESTS_NONE: an empty slot */
};

/* One multiplication: request ids are counters or addresses, never an attack. */
static size_t home_of(const struct open_requests *r, uint64_t id)
{
	return (size_t)(id * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (r->slots - 1);
}

/* The slot of id, or the empty one where it would be; there are slots, and one is empty. */
static size_t slot_of(const struct open_requests *r, uint64_t id)
{
	size_t k = home_of(r, id);

	while (r->slot[k].index != OPEN_REQUESTS_NONE && r->slot[k].id != id)
		k = (k + 1) & (r->slots - 1);
	return k;
}

/* Close the request in a slot; others that stand behind it for want of a better place move up. */
static void empty(struct open_requests *r, size_t hole)
{
	size_t mask = r->slots - 1;

	for (size_t k = (hole + 1) & mask; r->slot[k].index != OPEN_REQUESTS_NONE;
	     k = (k + 1) & mask) {
		size_t home = home_of(r, r->slot[k].id);

		if (((k - home) & mask) < ((k - hole) & mask))
			continue;
		r->slot[hole] = r->slot[k];
		hole = k;
	}
	r->slot[hole].index = OPEN_REQUESTS_NONE;
	r->n--;
}

/* Twice as many slots. */
static int grow(struct open_requests *r)
{
	struct open_requests grown = {.slots = r->slots ? 2 * r->slots : SLOTS_LEAST, .n = r->n};

	grown.slot = table_alloc(grown.slots, sizeof(*grown.slot));
	if (!grown.slot)
		return -1;
	memset(grown.slot, 0xff, grown.slots * sizeof(*grown.slot));
	for (size_t k = 0; k < r->slots; k++)
		if (r->slot[k].index != OPEN_REQUESTS_NONE)
			grown.slot[slot_of(&grown, r->slot[k].id)] = r->slot[k];
	table_free(r->slot);
	*r = grown;
	return 0;
}

int open_requests_put(struct open_requests *r, uint64_t id, uint32_t index)
{
	size_t k;

	if (2 * r->n >= r->slots && grow(r))
		return -1;
	k = slot_of(r, id);
	r->n += r->slot[k].index == OPEN_REQUESTS_NONE;
	r->slot[k] = (struct open_request){id, index};
	return 0;
}

uint32_t open_requests_find(const struct open_requests *r, uint64_t id)
{
	return r->n ? r->slot[slot_of(r, id)].index : OPEN_REQUESTS_NONE;
}

uint32_t open_requests_take(struct open_requests *r, uint64_t id)
{
	size_t k = r->n ? slot_of(r, id) : 0;
	uint32_t index = r->n ? r->slot[k].index : OPEN_REQUESTS_NONE;

	if (index != OPEN_REQUESTS_NONE)
		empty(r, k);
	return index;
}

void open_requests_clear(struct open_requests *r)
{
	if (r->n)
		memset(r->slot, 0xff, r->slots * sizeof(*r->slot));
	r->n = 0;
}

void open_requests_release(struct open_requests *r)
{
	table_free(r->slot);
	*r = (struct open_requests){0};
}
