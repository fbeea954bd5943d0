/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A rank's sends from one call site, cut into episodes: maximal runs that no collective, no
 * completed receive and no return to an earlier destination interrupts. Consecutive messages
 * to one destination are one step of an episode. The k-th episodes of all ranks are taken
 * together as phase k: they are the same exchange of an SPMD program.
 */
#ifndef ANALYZE_EPISODES_H
#define ANALYZE_EPISODES_H

#include "analyze/matching/messages.h"

/* All messages by the site that sent them. Sends without a site go by their function. */
struct senders {
	const struct trace *t;
	const struct messages *m;
	uint32_t keys;     /* sites, then regions */
	uint32_t *at;      /* keys + 1 offsets into message[] */
	uint32_t *kinds;   /* per key: the calls there, a bit 1 << enum region_kind for each kind */
	uint32_t *message; /* indices, per key in order of rank and send entry */
	uint32_t *of_rank; /* ranks + 1 offsets into by_call[] */
	const uint32_t *by_call; /* the same of all keys together; the caller's */
	uint32_t *breaks;        /* per call: calls up to here, of all ranks, that end an episode */
};

/* by_call: the messages in order of their send calls. Returns 0, or -1 with *err set. */
int senders_init(struct senders *s, const struct trace *t, const struct messages *m,
		 const uint32_t *by_call, struct err *err);
void senders_release(struct senders *s);

/* Is a call of that kind made anywhere? */
int senders_have(const struct senders *s, enum region_kind kind);

/* Does a call of that kind send, or begin to send, messages to one rank? */
static inline int senders_is_send(enum region_kind kind)
{
	return kind == REGION_SEND || kind == REGION_SSEND || kind == REGION_ISEND ||
	       kind == REGION_SENDRECV;
}

/* Does a call of that kind wait for others? */
static inline int senders_waits(enum region_kind kind)
{
	unsigned goes_on = 1u << REGION_OTHER | 1u << REGION_MPI_LOCAL | 1u << REGION_ISEND |
			   1u << REGION_IRECV | 1u << REGION_TEST | 1u << REGION_IPROBE |
			   1u << REGION_IO;

	return !(goes_on >> kind & 1);
}

/* The site of a key, or TRACE_NONE; and the region it called first. */
uint32_t senders_site(const struct senders *s, uint32_t key);
uint32_t senders_region(const struct senders *s, uint32_t key);

struct episode {
	uint32_t rank;
	uint32_t phase;
	uint32_t first; /* its messages: senders.message[first .. first + n - 1] */
	uint32_t n;
	uint32_t steps;   /* runs of one destination */
	int64_t begin_ns; /* entry of the first send */
	int64_t end_ns;   /* end of the wait that closes the exchange, or of the last send */
};

struct episodes {
	struct episode *e; /* by rank, then time */
	uint32_t n;
	uint32_t phases;
};

/* Cut the sends of key. Returns 0, or -1 with *err set (out of memory). */
int episodes_cut(struct episodes *out, const struct senders *s, uint32_t key, struct err *err);
void episodes_release(struct episodes *e);

#endif
