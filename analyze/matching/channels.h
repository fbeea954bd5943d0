/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The channels into one receiver: per (communicator, source, tag) the sends that no
 * receive has taken yet, first in first out. Where recording paused messages are missing:
 * before[] says for each send how many are, and counts down.
 */
#ifndef ANALYZE_CHANNELS_H
#define ANALYZE_CHANNELS_H

#include <stddef.h>
#include <stdint.h>

#define CHANNELS_NONE UINT32_MAX
#define CHANNELS_GAP  (UINT32_MAX - 1)

struct channel_key {
	uint32_t comm;
	uint32_t src;
	int32_t tag;
};

/* qsort()'s, of keys. */
static inline int channel_key_order(const struct channel_key *x, const struct channel_key *y)
{
	if (x->comm != y->comm)
		return x->comm < y->comm ? -1 : 1;
	if (x->src != y->src)
		return x->src < y->src ? -1 : 1;
	return x->tag < y->tag ? -1 : x->tag > y->tag;
}

/* Sums of these, of as many keys or not, tell which keys they are of, in any order. Never 0. */
static inline uint64_t channel_key_mark(struct channel_key x)
{
	uint64_t n = ((uint64_t)x.src << 32 | (uint32_t)x.tag) * UINT64_C(0x9e3779b97f4a7c15);

	n = (n ^ n >> 32 ^ (x.comm + UINT64_C(1))) * UINT64_C(0xd6e8feb86659fd93);
	return n ^ n >> 32;
}

struct channel;

struct channels {
	struct channel *channel; /* in the order in which they came */
	uint32_t n;
	size_t room;
	uint32_t *slot; /* hash table: 1 + a channel's number, or 0 */
	size_t slots;   /* a power of 2, at least twice n; or 0 */
};

/*
 * Append send to its channel. next[] is the caller's, one element per send, and holds
 * the queues. thread: of the sender. Returns 0, or -1: out of memory.
 */
int channels_push(struct channels *c, struct channel_key key, uint32_t send, uint32_t *next,
		  uint32_t thread);

/*
 * Take the oldest send for a receive of this thread, if any is known; CHANNELS_NONE when there is
 * none, CHANNELS_GAP when the oldest one was not recorded.
 */
uint32_t channels_pop(struct channels *c, struct channel_key key, const uint32_t *next,
		      uint32_t *before, uint32_t thread);

/* n messages of a channel went to receives that were not recorded. Returns the sends among them. */
uint32_t channels_skip(struct channels *c, struct channel_key key, const uint32_t *next,
		       uint32_t *before, uint32_t n);

/*
 * Calls visit for each channel on which sends are left, with the oldest of them; stops where it
 * returns another number than 0, and returns that.
 */
int channels_left(const struct channels *c,
		  int (*visit)(void *user, struct channel_key key, uint32_t send), void *user);

/* Empty all channels. Adds the sends left over and the messages on channels of several threads. */
void channels_clear(struct channels *c, const uint32_t *next, uint32_t *left, uint32_t *ambiguous);

void channels_release(struct channels *c);

#endif
