/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Takers: receives of which nobody was told which messages they took: from anybody or with any tag
 * whose requests were freed, and all whose completion another recorder left out. A receive of the
 * same channels that was posted later then has a message by so many places later as takers took
 * theirs from its channel, and how many did is found from what cannot have been otherwise: a
 * message is as long for its receiver as for its sender; each taker takes one message at most; and
 * where the whole job was recorded to its end, a message that is left over was taken. Where that
 * leaves several possibilities the receive's message is not known. What was cut because its receive
 * had too little room is taken for what it is not. So are channels of another recorder's trace
 * that lack sends or receives: uneven.h. Where they lack as many of both, that shows only in
 * messages that cannot be, or where it paused (stretches.h): then nobody knows which of the
 * channel's ends belong together, but for those before the first and after the last pause.
 */
#ifndef ANALYZE_TAKERS_H
#define ANALYZE_TAKERS_H

#include "analyze/matching/stretches.h"
#include "analyze/trace.h"

#define TAKERS_UNKNOWN UINT32_MAX
#define TAKERS_NONE    (UINT32_MAX - 1) /* the message's send is missing */

/* A receiver and what is sent to it; from is_uneven on, what is found out of that. */
struct takers {
	const struct trace *t;
	uint32_t rank;
	uint32_t n_sends;
	const uint32_t *sends; /* indices of t->ends.sends, in the senders' order */
	int is_whole;          /* takers_see_all() */
	const struct stretches *stretches;
	uint64_t marks;     /* of the channels of all sends: channel_key_mark() */
	int is_torn;        /* a message of it cannot be: takers_cannot_be() */
	int is_uneven;      /* some channel of it: uneven.h, or torn */
	int are_placed;     /* else each receive has the next message of its channel */
	uint32_t *passed;   /* per receive of the rank: takers_passed() */
	uint32_t n_unknown; /* receives that have a message of these, but nobody knows which */
	uint32_t n_without; /* receives and takers whose message is not in the trace */
	uint32_t n_paused;  /* receives whose message is not, as its sender paused */
};

/* Does it take the next message of a channel that is known? */
static inline int recv_takes_next(const struct recv *r)
{
	return r->src != TRACE_NONE && (r->done != TRACE_NONE || r->matched);
}

/* Did every rank record all, to its MPI_Finalize? */
int takers_see_all(const struct trace *t);

/*
 * How many messages of its channel went to takers between the receive before and this one, or
 * TAKERS_UNKNOWN or TAKERS_NONE. Of the rank that was placed.
 */
uint32_t takers_passed(const struct takers *k, const struct recv *recv);

/*
 * In another recorder's trace: was more sent than was received? Then they are no message, and their
 * channel lacks some before. Less may be: some say of a receive what room it had. Times tell
 * nothing: EZTrace's processes have each their own clock.
 */
int takers_cannot_be(const struct trace *t, const struct send *send, const struct recv *recv);

/* Find all that is found, for the next rank in the same struct. Returns 0, or -1: out of memory. */
int takers_place(struct takers *k);

/* Frees what was found. */
void takers_release(struct takers *k);

#endif
