/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Takers: receives of which nobody was told which messages they took: from anybody or with any tag
 * whose requests were freed, and all whose completion another recorder left out. A receive of the
 * same channels that was posted later then has a message by so many places later as takers took
 * theirs from its channel, and how many did is found from what cannot have been otherwise: a
 * message is as long for its receiver as for its sender; each taker takes one message at most; and
 * where the whole job was recorded to its end, a message that is left over was taken. Where that
 * leaves several possibilities the receive's message is not known. What was cut because its receive
 * had too little room is taken for what it is not.
 */
#ifndef ANALYZE_TAKERS_H
#define ANALYZE_TAKERS_H

#include "analyze/trace.h"

#define TAKERS_UNKNOWN UINT32_MAX

/* A receiver, and what is sent to it. */
struct takers {
	const struct trace *t;
	uint32_t rank;
	uint32_t n_sends;
	const uint32_t *sends; /* indices of t->ends.sends, in the senders' order */
	int is_whole;          /* takers_see_all() */
};

/* Did every rank record all, to its MPI_Finalize? */
int takers_see_all(const struct trace *t);

/*
 * For each receive of the rank, from its first: how many messages of its channel went to takers
 * since the receive before, or TAKERS_UNKNOWN. Returns 0, or -1: out of memory.
 */
int takers_place(const struct takers *k, uint32_t *passed);

#endif
