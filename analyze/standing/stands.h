/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where each rank of a job stood when somebody ended it, since when, and for whom it waited. Of the
 * trace and run.json, which have to live as long.
 */
#ifndef ANALYZE_STANDS_H
#define ANALYZE_STANDS_H

#include <stdint.h>

#include "analyze/matching/collectives.h"
#include "analyze/matching/messages.h"
#include "analyze/run/run.h"

/* What is known of a rank at the end. */
struct stand {
	int unfinished;
	int is_noted;   /* it said itself when it ended */
	int is_divided; /* one of its threads was in a call, another in none or gone */
	int is_polling; /* it tested or probed again and again, and nothing completed */
	int is_unseen;  /* it may have called MPI unrecorded since the others stood still */
	int is_any;     /* any rank's message would have done */
	int is_swap;    /* in MPI_Sendrecv, of which it is known what was to come: from source */
	int is_one_of;  /* it waits for peer, or for another one too, or instead */
	int is_given;   /* which requests its call has is known, and all of a message are here */
	int is_of_all;  /* and it waits for all of them */
	const struct loose *request;  /* that it waits for peer with; NULL: with no request */
	const struct loose *requests; /* that it may wait with, request among them ... */
	uint32_t n_requests;          /* ... if they are known: stand_open.h */
	const char *inside;           /* borrowed; "": outside MPI */
	uint32_t call;                /* that one in the trace, or TRACE_NONE */
	uint32_t peer;                /* whom it waits for, or TRACE_NONE */
	uint32_t source;              /* TRACE_NONE: any or nobody */
	uint32_t comm;                /* of the message, or TRACE_NONE: not known */
	long long tag;                /* negative: any, or of no message */
	int64_t since_ns;             /* it has called no other function of MPI */
};

struct stands {
	const struct trace *t;
	const struct messages *m;
	const struct collectives *c;
	struct stand *at;          /* of each rank */
	struct loose_ends awaited; /* stand_open.h; the requests of at are rows of it */
	int is_own_end; /* a rank ended by itself, and the others perhaps because of it */
	uint32_t unfinished, noted;
	int is_dismissed;   /* a launcher ended those that noted it */
	const char *signal; /* borrowed: that came to the first of those that noted it; "" none */
};

/* Returns 0, or -1: out of memory, or there is no rank that did not finish. r may be NULL. */
int stands_init(struct stands *s, const struct run *r, const struct trace *t,
		const struct messages *m, const struct collectives *c);

/* Is it in a call that waits for several things or ranks, without requests? */
static inline int stand_is_own(const struct stand *at)
{
	return at->is_swap || at->is_any;
}

/* Does it stand in MPI, in one call or in polls? */
int stand_is_in_mpi(const struct stand *s);

void stands_release(struct stands *s);

#endif
