/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/channels.h"

#include "analyze/tools/growing.h"
#include "common/schema.h"

struct channel {
	struct channel_key key;
	uint32_t head, tail; /* of the queue of sends */
	uint32_t taken;
	uint32_t send_thread;
	uint32_t recv_thread; /* CHANNELS_NONE: no receive yet */
	int shared;           /* several threads sent, or several received */
	size_t slot;          /* where it is found */
};

#define SLOTS_LEAST 64

/* One multiplication: the few channels of a receiver differ in one or two small numbers. */
static uint32_t hash(const struct channel_key *key)
{
	uint64_t all = (uint64_t)key->src << 32 | (uint32_t)key->tag;

	return (uint32_t)(((all ^ (uint64_t)key->comm << 20) * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}

/* The slot of a key, or the empty one where it would be; there are slots, and one is empty. */
static size_t slot_of(const struct channels *c, const struct channel_key *key)
{
	size_t k = hash(key) & (c->slots - 1);

	while (c->slot[k] && channel_key_order(&c->channel[c->slot[k] - 1].key, key))
		k = (k + 1) & (c->slots - 1);
	return k;
}

static struct channel *find(const struct channels *c, const struct channel_key *key)
{
	uint32_t at = c->slots ? c->slot[slot_of(c, key)] : 0;

	return at ? &c->channel[at - 1] : NULL;
}

/* Where the channel of this number is found from now on. */
static void show(struct channels *c, uint32_t at)
{
	struct channel *channel = &c->channel[at];

	channel->slot = slot_of(c, &channel->key);
	c->slot[channel->slot] = at + 1;
}

/* Twice as many slots. */
static int widen(struct channels *c)
{
	size_t slots = c->slots ? 2 * c->slots : SLOTS_LEAST;
	uint32_t *wider = table_calloc(slots, sizeof(*wider));

	if (!wider)
		return -1;
	table_free(c->slot);
	c->slot = wider;
	c->slots = slots;
	for (uint32_t k = 0; k < c->n; k++)
		show(c, k);
	return 0;
}

static struct channel *add(struct channels *c, const struct channel_key *key, uint32_t thread)
{
	if (GROW(c->channel, c->n, c->room) || (2 * (size_t)c->n >= c->slots && widen(c)))
		return NULL;
	c->channel[c->n] = (struct channel){.key = *key,
					    .head = CHANNELS_NONE,
					    .tail = CHANNELS_NONE,
					    .send_thread = thread,
					    .recv_thread = CHANNELS_NONE};
	show(c, c->n);
	return &c->channel[c->n++];
}

int channels_push(struct channels *c, struct channel_key key, uint32_t send, uint32_t *next,
		  uint32_t thread)
{
	struct channel *channel = find(c, &key);

	if (!channel)
		channel = add(c, &key, thread);
	if (!channel)
		return -1;
	channel->shared |= channel->send_thread != thread;
	next[send] = CHANNELS_NONE;
	if (channel->head == CHANNELS_NONE)
		channel->head = send;
	else
		next[channel->tail] = send;
	channel->tail = send;
	return 0;
}

uint32_t channels_pop(struct channels *c, struct channel_key key, const uint32_t *next,
		      uint32_t *before, uint32_t thread)
{
	struct channel *channel = find(c, &key);
	uint32_t send;

	if (!channel || channel->head == CHANNELS_NONE)
		return CHANNELS_NONE;
	send = channel->head;
	if (before[send]) {
		if (before[send] != SCHEMA_SKIPPED_UNKNOWN)
			before[send]--;
		return CHANNELS_GAP;
	}
	if (channel->recv_thread == CHANNELS_NONE)
		channel->recv_thread = thread;
	channel->shared |= thread != CHANNELS_NONE && channel->recv_thread != thread;
	channel->taken++;
	channel->head = next[send];
	return send;
}

uint32_t channels_skip(struct channels *c, struct channel_key key, const uint32_t *next,
		       uint32_t *before, uint32_t n)
{
	struct channel *channel = find(c, &key);
	uint32_t sends = 0, gap;

	while (channel && channel->head != CHANNELS_NONE && n) {
		uint32_t *missing = &before[channel->head];

		if (n == SCHEMA_SKIPPED_UNKNOWN)
			*missing = SCHEMA_SKIPPED_UNKNOWN;
		if (*missing == SCHEMA_SKIPPED_UNKNOWN)
			break; /* nobody knows any more who is whose */
		gap = *missing < n ? *missing : n;
		*missing -= gap;
		n -= gap;
		if (!n)
			break;
		channel->head = next[channel->head];
		sends++;
		n--;
	}
	return sends;
}

int channels_left(const struct channels *c,
		  int (*visit)(void *user, struct channel_key key, uint32_t send), void *user)
{
	int ret = 0;

	for (uint32_t k = 0; !ret && k < c->n; k++)
		if (c->channel[k].head != CHANNELS_NONE)
			ret = visit(user, c->channel[k].key, c->channel[k].head);
	return ret;
}

void channels_clear(struct channels *c, const uint32_t *next, uint32_t *left, uint32_t *ambiguous)
{
	for (uint32_t k = 0; k < c->n; k++) {
		const struct channel *channel = &c->channel[k];

		for (uint32_t i = channel->head; i != CHANNELS_NONE; i = next[i])
			++*left;
		if (channel->shared)
			*ambiguous += channel->taken;
		c->slot[channel->slot] = 0;
	}
	c->n = 0;
}

void channels_release(struct channels *c)
{
	table_free(c->slot);
	table_free(c->channel);
	*c = (struct channels){0};
}
