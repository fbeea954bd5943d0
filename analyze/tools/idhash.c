/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/tools/idhash.h"

#include "common/table.h"

#include <string.h>

#define SLOTS_LEAST 64

/* Open addressing with linear probing: an id is at its home or in a full slot after it. */
struct idhash_slot {
	uint64_t id;
	uint32_t index; /* IDHASH_NONE: an empty slot */
};

/* One multiplication: ids are counters or addresses, never an attack. */
static size_t home_of(const struct idhash *h, uint64_t id)
{
	return (size_t)(id * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (h->slots - 1);
}

/* The slot of id, or the empty one where it would be; there are slots, and one is empty. */
static size_t slot_of(const struct idhash *h, uint64_t id)
{
	size_t k = home_of(h, id);

	while (h->slot[k].index != IDHASH_NONE && h->slot[k].id != id)
		k = (k + 1) & (h->slots - 1);
	return k;
}

/* Forget the id in a slot; others that stand behind it for want of a better place move up. */
static void empty(struct idhash *h, size_t hole)
{
	size_t mask = h->slots - 1;

	for (size_t k = (hole + 1) & mask; h->slot[k].index != IDHASH_NONE; k = (k + 1) & mask) {
		size_t home = home_of(h, h->slot[k].id);

		if (((k - home) & mask) < ((k - hole) & mask))
			continue;
		h->slot[hole] = h->slot[k];
		hole = k;
	}
	h->slot[hole].index = IDHASH_NONE;
	h->n--;
}

/* Twice as many slots. */
static int grow(struct idhash *h)
{
	struct idhash grown = {.slots = h->slots ? 2 * h->slots : SLOTS_LEAST, .n = h->n};

	grown.slot = table_alloc(grown.slots, sizeof(*grown.slot));
	if (!grown.slot)
		return -1;
	memset(grown.slot, 0xff, grown.slots * sizeof(*grown.slot));
	for (size_t k = 0; k < h->slots; k++)
		if (h->slot[k].index != IDHASH_NONE)
			grown.slot[slot_of(&grown, h->slot[k].id)] = h->slot[k];
	table_free(h->slot);
	*h = grown;
	return 0;
}

int idhash_put(struct idhash *h, uint64_t id, uint32_t index)
{
	size_t k;

	if (2 * h->n >= h->slots && grow(h))
		return -1;
	k = slot_of(h, id);
	h->n += h->slot[k].index == IDHASH_NONE;
	h->slot[k] = (struct idhash_slot){id, index};
	return 0;
}

uint32_t idhash_find(const struct idhash *h, uint64_t id)
{
	return h->n ? h->slot[slot_of(h, id)].index : IDHASH_NONE;
}

uint32_t idhash_take(struct idhash *h, uint64_t id)
{
	size_t k = h->n ? slot_of(h, id) : 0;
	uint32_t index = h->n ? h->slot[k].index : IDHASH_NONE;

	if (index != IDHASH_NONE)
		empty(h, k);
	return index;
}

void idhash_clear(struct idhash *h)
{
	if (h->n)
		memset(h->slot, 0xff, h->slots * sizeof(*h->slot));
	h->n = 0;
}

void idhash_release(struct idhash *h)
{
	table_free(h->slot);
	*h = (struct idhash){0};
}
