/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which messages of a trace are looked at for what the idle machine does, when those had certainly
 * arrived, and the fastest of each size. For machine_samples.c only.
 */
#ifndef ANALYZE_MACHINE_DATING_H
#define ANALYZE_MACHINE_DATING_H

#include "analyze/machine/sample_table.h"
#include "analyze/tools/excerpts.h"

/* A transit, 0: none is known, and how large that message was. */
struct fastest {
	int64_t ns;
	uint64_t bytes;
};

struct dating {
	const struct trace *t;
	const struct messages *m;
	/* Of these: what is sent without a handshake, and what may be. */
	const struct machine_class *classes;
	uint8_t *synchronous;      /* per region: machine_is_synchronous() */
	struct excerpts looked_at; /* of very many messages */
	int has_returns;           /* of eager synchronous sends */
	struct fastest fastest[LOCALITY_COUNT][SAMPLE_BINS]; /* of any dated arrival */
	int64_t least_ns[LOCALITY_COUNT][SAMPLE_BINS]; /* of any message, however it was taken */
	int64_t taken_ns[LOCALITY_COUNT][SAMPLE_BINS]; /* the shortest call that took one message */
};

/* Returns 0, or -1: out of memory. Caller: dating_release in both cases. */
int dating_init(struct dating *d, const struct trace *t, const struct messages *m,
		const struct machine_class classes[LOCALITY_COUNT]);
void dating_release(struct dating *d);

/* The messages of a receiver that are looked at; from == to: no more. */
struct excerpt dating_first(const struct dating *d, uint32_t dst);
struct excerpt dating_next(const struct dating *d, uint32_t dst, struct excerpt x);

/* When a message had certainly arrived. */
struct arrival {
	int64_t sent_ns;
	int64_t ns;
	uint64_t bytes;
	uint8_t class;
	uint8_t waited_for; /* by a call that took longer than one that finds its message there */
};

/* Whose return says when a message arrived. */
enum dated { DATED_NOT, DATED_BY_SENDER, DATED_BY_RECEIVER };

enum dated dating_of(const struct dating *d, const struct message *x, struct arrival *a);

static inline int dating_is_blocking(enum region_kind send)
{
	return send == REGION_SEND || send == REGION_SSEND;
}

/* Did its receiver wait in a call that began before the send, and that this message ended alone? */
int dating_receiver_waited(const struct trace *t, const struct message *x);

#endif
