/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The channels of one receiver, one after another, for takers.c only. */
#ifndef ANALYZE_TAKERS_LINES_H
#define ANALYZE_TAKERS_LINES_H

#include "analyze/matching/channels.h"
#include "analyze/matching/takers.h"

/* A send or a receive on its channel. */
struct end {
	struct channel_key key;
	uint32_t i; /* of takers.sends, of t->ends.recvs */
};

/* A channel: its sends, and its receives and takers in the order of their posts. */
struct line {
	const struct end *sends;
	const struct end *recvs;
	uint32_t n_sends, n_recvs;
	uint32_t *items; /* of t->ends.recvs */
	uint32_t n_items, n_takers;
};

struct takers_lines {
	const struct takers *of;
	struct end *sends, *recvs;
	uint32_t *takers; /* of t->ends.recvs */
	uint32_t n_sends, n_recvs, n_takers;
	uint32_t at_send, at_recv; /* of the next line */
	uint32_t *items;
};

/* Of the receiver that k names. Returns 0, or -1: out of memory. Release it in any case. */
int takers_lines_init(struct takers_lines *w, const struct takers *k);
void takers_lines_release(struct takers_lines *w);

/* The next channel that has sends; 0: there is none, and the first one is the next. */
int takers_lines_next(struct takers_lines *w, struct line *l);

/* The receive or taker i of t->ends. */
const struct recv *takers_lines_recv(const struct takers_lines *w, uint32_t i);

/* Can r have the line's nth message, which is not beyond its sends? */
int takers_lines_can_be(const struct takers_lines *w, const struct line *l, const struct recv *r,
			uint32_t nth);

/* Does the line have as many receives as sends, and some nth of both is no message? */
int takers_lines_are_torn(const struct takers_lines *w, const struct line *l);

/* Are sends or receives of a line missing because a recording paused? */
int takers_lines_have_gaps(const struct takers_lines *w, const struct line *l);

/* Of a line whose sender or receiver paused: */
struct line_pauses {
	uint32_t sender, receiver; /* how often */
	uint32_t first, last;      /* so many of both begin, end the line together: stretches.h */
	int are_alike;             /* both have as many in each stretch: none that is not of both */
};

struct line_pauses takers_lines_pauses(const struct takers_lines *w, const struct line *l);

#endif
