/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loose ends: sends that no receive took, and receives that no send was for, though everything was
 * recorded where the other end would be. A row for all of a rank to or from one other with one tag.
 * A receive that never completed takes the oldest send that it could have: its message was on its
 * way.
 */
#ifndef ANALYZE_LOOSE_H
#define ANALYZE_LOOSE_H

#include "analyze/matching/channels.h"
#include "analyze/trace.h"

struct loose {
	uint32_t rank; /* whose they are */
	uint32_t peer; /* TRACE_NONE: a receive from anybody */
	uint32_t comm;
	int32_t tag;   /* negative: a receive with any */
	uint32_t n;    /* how many, 1 at least */
	uint32_t open; /* of them, those whose requests did not complete; of receives all */
	uint32_t call; /* that began the first of these, or if there are none the first of all */
	uint32_t is_send : 1;
	uint32_t has_end : 1; /* a request by itself, whose other end may be there */
};

struct loose_ends {
	struct loose *row; /* by rank and call once they are sorted */
	size_t n, cap;
};

/* A receive of rank, as a row of its own. */
struct loose loose_receive(uint32_t rank, const struct recv *recv);

/* What is left of one receiver's sends and receives. */
struct loose_search {
	const struct trace *t;
	uint32_t rank;
	const struct channels *left;
	const uint32_t *sends,
		*next;         /* by element of the channels' queues: of t->ends, and the next */
	const uint8_t *pauses; /* per rank: is something of it not recorded? */
};

/* Adds what it finds to l. Returns 0, or -1: out of memory. */
int loose_find(struct loose_ends *l, const struct loose_search *s);

/* Those of another list are appended. Returns 0, or -1: out of memory. */
int loose_append(struct loose_ends *l, const struct loose_ends *more);
void loose_sort(struct loose_ends *l);

/* Frees what it holds; a zeroed struct holds nothing. */
void loose_release(struct loose_ends *l);

#endif
