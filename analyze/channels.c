/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/channels.h"

#include "common/schema.h"

/* One multiplication: the few channels of a receiver differ in one or two small numbers. */
static unsigned hash(const struct channel_key *key)
{
	uint64_t all = (uint64_t)key->src << 32 | (uint32_t)key->tag;

	return (unsigned)(((all ^ (uint64_t)key->comm << 20) * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}
#define HASH_FUNCTION(key, length, value) ((value) = hash((const struct channel_key *)(key)))
#include <uthash.h>

#include <stdlib.h>

struct channel {
	struct channel_key key;
	uint32_t head, tail; /* of the queue of sends */
	uint32_t taken;
	uint32_t send_thread;
	uint32_t recv_thread; /* CHANNELS_NONE: no receive yet */
	int shared;           /* several threads sent, or several received */
	struct channel *next; /* in the spare list */
	UT_hash_handle hh;
};

static struct channel *find(const struct channels *c, const struct channel_key *key)
{
	struct channel *found = NULL;

	HASH_FIND(hh, c->table, key, sizeof(*key), found);
	return found;
}

static struct channel *add(struct channels *c, const struct channel_key *key, uint32_t thread)
{
	struct channel *channel = c->spare;

	if (channel)
		c->spare = channel->next;
	else
		channel = malloc(sizeof(*channel));
	if (!channel)
		return NULL;
	*channel = (struct channel){.key = *key,
				    .head = CHANNELS_NONE,
				    .tail = CHANNELS_NONE,
				    .send_thread = thread,
				    .recv_thread = CHANNELS_NONE};
	HASH_ADD(hh, c->table, key, sizeof(channel->key), channel);
	return channel;
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
	struct channel *channel, *following;
	int ret = 0;

	HASH_ITER(hh, c->table, channel, following) {
		if (!ret && channel->head != CHANNELS_NONE)
			ret = visit(user, channel->key, channel->head);
	}
	return ret;
}

void channels_clear(struct channels *c, const uint32_t *next, uint32_t *left, uint32_t *ambiguous)
{
	struct channel *channel, *following;
	uint32_t send;

	HASH_ITER(hh, c->table, channel, following) {
		for (send = channel->head; send != CHANNELS_NONE; send = next[send])
			++*left;
		if (channel->shared)
			*ambiguous += channel->taken;
		HASH_DEL(c->table, channel);
		channel->next = c->spare;
		c->spare = channel;
	}
}

void channels_release(struct channels *c)
{
	struct channel *channel, *following;

	HASH_ITER(hh, c->table, channel, following) {
		HASH_DEL(c->table, channel);
		free(channel);
	}
	while ((channel = c->spare)) {
		c->spare = channel->next;
		free(channel);
	}
}
