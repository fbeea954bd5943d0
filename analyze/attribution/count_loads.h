/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How unevenly ranks share the bytes of collectives with counts of each rank (MPI_Alltoallv and w,
 * MPI_Allgatherv, blocking or not, of neighbours, too) and of the one-sided operations that a fence
 * completes. Each of them takes what its heaviest rank does, so each is judged by that one, which
 * may be another every time; what is said of a place is summed over them. Those that lack ranks are
 * left out, as nobody knows what these had. Rooted ones are not here: they have their root on
 * purpose.
 */
#ifndef ANALYZE_COUNT_LOADS_H
#define ANALYZE_COUNT_LOADS_H

#include "analyze/attribution/onesided.h"
#include "analyze/matching/collectives.h"
#include "analyze/tools/slices.h"

enum count_kind {
	COUNT_NONE,
	COUNT_COUNTS,     /* to and from each rank */
	COUNT_NEIGHBOURS, /* to and from some, and which is not known */
	COUNT_GATHERED,   /* all get what each gives */
	COUNT_TARGETS     /* of one-sided operations of others, both ways: got */
};

enum count_way { COUNT_GIVEN, COUNT_GOT, COUNT_WAYS };

/* Bytes in one direction. */
struct count_column {
	double bytes;      /* of all ranks */
	double most;       /* of each operation's heaviest rank */
	double excess;     /* of these: beyond an even share */
	uint32_t rank;     /* most of the excess is of operations in which it is the heaviest: */
	double rank_share; /* so much of it; 0: all is even */
	double rank_bytes; /* this rank's, of all operations */
	uint32_t ranks;    /* so many are heaviest once */
	uint32_t comm;     /* of an operation in which rank is heaviest */
	double longest_s;  /* those longest at work were after the last rank came, each time */
	double longest_excess_s; /* of that: beyond what an even share of the bytes takes */
	double excess_s; /* likewise of the heaviest, who may leave before others have all */
};

/* All of one function from one place in communicators of one size. */
struct count_load {
	uint32_t region, site, ranks;
	uint32_t count; /* that move something; the rest is of these */
	enum count_kind kind;
	double moved_s; /* of all ranks */
	struct count_column load[COUNT_WAYS];
};

struct count_loads {
	struct count_load *l; /* by region, site and ranks */
	uint32_t n;
};

/*
 * call: the parts of each call. Returns 0, or -1 with *err set (out of memory). Without such
 * functions it costs nothing. Caller: count_loads_release.
 */
int count_loads_find(struct count_loads *out, const struct trace *t, const struct collectives *c,
		     const struct slices *call, struct err *err);
void count_loads_release(struct count_loads *x);

/* NULL: it has no counts of each rank, or no collective there has calls of all its ranks. */
const struct count_load *count_loads_at(const struct count_loads *x, uint32_t region, uint32_t site,
					uint32_t ranks);

/* The direction in which the heaviest ranks have more of the bytes. */
enum count_way count_way(const struct count_load *u);

/* How many times an even share the heaviest have; 0: no bytes. */
double count_times(const struct count_load *u, enum count_way way);

#endif
