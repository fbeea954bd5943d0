/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/objects/skipped.h"

#include "common/schema.h"

#define BUCKETS 4096

struct skipped {
	struct skipped_channel channel;
	uint32_t n;
	struct skipped *next;
};

static struct skipped **buckets, *spare;
static uint32_t n_entries;
static int lost; /* there were more channels than entries */

static struct skipped **bucket_of(const struct skipped_channel *c)
{
	uint64_t x = (uint64_t)c->comm << 32 | (uint32_t)c->tag;

	x = (x ^ (uint64_t)(uint32_t)c->peer << 20 ^ (uint64_t)c->way << 56) *
	    UINT64_C(0x9e3779b97f4a7c15);
	return &buckets[x >> 52];
}

/* Where the channel's entry hangs, or where one would. NULL: nothing was ever skipped. */
static struct skipped **find(const struct skipped_channel *c)
{
	struct skipped **at = buckets ? bucket_of(c) : NULL;

	while (at && *at &&
	       ((*at)->channel.comm != c->comm || (*at)->channel.tag != c->tag ||
		(*at)->channel.peer != c->peer || (*at)->channel.way != c->way))
		at = &(*at)->next;
	return at;
}

static struct skipped *new_entry(void)
{
	struct skipped *s = spare;

	if (s)
		spare = s->next;
	else if (n_entries < SKIPPED_CHANNELS)
		s = arena_alloc(sizeof(*s));
	if (s)
		n_entries++;
	return s;
}

static void remove_at(struct skipped **at)
{
	struct skipped *s = *at;

	*at = s->next;
	s->next = spare;
	spare = s;
	n_entries--;
}

static void add(const struct skipped_channel *channel, uint32_t n)
{
	struct skipped **at;

	if (!buckets)
		buckets = arena_alloc(BUCKETS * sizeof(struct skipped *));
	recorder.skipped = 1;
	at = find(channel);
	if (at && !*at) {
		*at = new_entry();
		if (*at)
			**at = (struct skipped){.channel = *channel};
	}
	if (at && *at)
		(*at)->n = (*at)->n < SCHEMA_SKIPPED_UNKNOWN - n ? (*at)->n + n
								 : SCHEMA_SKIPPED_UNKNOWN;
	else
		lost = 1;
}

void skipped_add(const struct skipped_channel *channel, uint32_t n)
{
	recorder_lock();
	add(channel, n);
	recorder_unlock();
}

void skipped_remove(const struct skipped_channel *channel)
{
	struct skipped **at;

	recorder_lock();
	at = find(channel);
	if (at && *at && (*at)->n && (*at)->n < SCHEMA_SKIPPED_UNKNOWN)
		(*at)->n--;
	recorder_unlock();
}

uint32_t skipped_take(const struct skipped_channel *channel)
{
	struct skipped **at;
	uint32_t n = 0;

	recorder_lock();
	at = find(channel);
	if (at && *at) {
		n = (*at)->n;
		remove_at(at);
	} else if (lost) {
		n = SCHEMA_SKIPPED_UNKNOWN;
	}
	recorder.skipped = lost || n_entries;
	recorder_unlock();
	return n;
}

static void write_one(struct lane *l, const struct skipped *s)
{
	struct record *r = lane_part(l);

	if (!r)
		return;
	r->comm = s->channel.comm;
	r->peer = s->channel.peer;
	r->tag = s->channel.tag;
	r->aux = s->n;
	r->kind = RECORD_SKIPPED;
}

void skipped_write_receives(struct lane *l)
{
	static const struct skipped all = {.channel = {.comm = UINT32_MAX},
					   .n = SCHEMA_SKIPPED_UNKNOWN};
	size_t i;

	recorder_lock();
	for (i = 0; n_entries && i < BUCKETS; i++) {
		struct skipped **at = &buckets[i];

		while (*at) {
			if ((*at)->channel.way != SKIPPED_RECVS) {
				at = &(*at)->next;
				continue;
			}
			if ((*at)->n)
				write_one(l, *at);
			remove_at(at);
		}
	}
	if (lost)
		write_one(l, &all);
	recorder.skipped = lost || n_entries;
	recorder_unlock();
}

void skipped_forget(uint32_t comm)
{
	size_t i;

	for (i = 0; n_entries && i < BUCKETS; i++) {
		struct skipped **at = &buckets[i];

		while (*at) {
			if ((*at)->channel.comm == comm)
				remove_at(at);
			else
				at = &(*at)->next;
		}
	}
}
