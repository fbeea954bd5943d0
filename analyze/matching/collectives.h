/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collective instances: the k-th blocking collective of a communicator on each of
 * its members belongs together (numbering.h). The non-blocking ones follow them, by
 * nonblocking.c.
 */
#ifndef ANALYZE_COLLECTIVES_H
#define ANALYZE_COLLECTIVES_H

#include "analyze/trace.h"

struct collective {
	uint32_t comm;
	uint32_t region;   /* of the first member seen */
	int32_t root;      /* world rank, or -1 */
	uint64_t bytes;    /* largest sent + received of a member */
	uint64_t sent;     /* largest handed in by a member, */
	uint64_t received; /* and got out */
	int64_t first_enter_ns;
	int64_t last_enter_ns;
	int64_t last_leave_ns;
	int64_t seen_ns;    /* non-blocking: most of a completing call, from the last start on */
	uint32_t last_rank; /* entered last, or never: the others waited for it */
	int is_nonblocking; /* entered when started, left when completed */
	int is_short; /* it never was: not all entered it, for certain, and calls never returned */
	int is_mixed; /* members called different functions; of short ones: and none is missing */
	uint32_t members; /* how many calls of it are in the trace (may be short after a kill) */
};

/* Of a non-blocking one: a member's calls that started and completed it. */
struct collective_start {
	uint32_t start, done;
	uint32_t collective;
	uint8_t is_first;        /* of those that done completes: what that takes is this one's */
	uint64_t sent, received; /* bytes that the member handed in and got out */
};

struct collectives {
	struct collective *c; /* grouped by communicator, in their order on it */
	uint32_t n;
	struct collective_start *starts; /* by collective */
	uint32_t n_starts;
	uint32_t unplaced; /* blocking calls of which nobody knows their collective: numbering.h */
};

/* Fills out and, of blocking ones, the part of each call in t. Returns 0, or -1 with *err set. */
int collectives_match(struct trace *t, struct collectives *out, struct err *err);
void collectives_release(struct collectives *c);

/* Did all its ranks call it, as far as the trace has them? Others may never have come to it. */
static inline int collective_is_whole(const struct trace *t, const struct collective *c)
{
	return c->members >= t->comms[c->comm].size && !t->comms[c->comm].outside;
}

#endif
