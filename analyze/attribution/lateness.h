/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who is waited for because he calls MPI late, and what kept him: at each instant of a wait for a
 * late partner, what did that partner do instead? If he waited himself for somebody late, what did
 * that one do then, and so on: who waits in a chain waits for whoever does something at its end.
 * That is a computation, or a message handler, the network, ... or the trace does not tell.
 */
#ifndef ANALYZE_LATENESS_H
#define ANALYZE_LATENESS_H

#include "analyze/attribution/alone.h"
#include "analyze/attribution/attribution.h"

enum lateness_reason {
	LATENESS_COMPUTATION, /* outside MPI */
	LATENESS_HANDLER,     /* its messages queued for a receiver */
	LATENESS_NETWORK,     /* its messages were held up by others' on their way, */
	LATENESS_PORT,        /* in its or the receiver's port, */
	LATENESS_BUFFERS,     /* or before they left: back-pressure */
	LATENESS_COLLECTIVE,  /* it was in a collective, at work or waiting for nobody known */
	LATENESS_MESSAGES,    /* it was in MPI for other messages, unhindered */
	LATENESS_SLEEP,       /* it slept between polls, though what it polled for was under way */
	LATENESS_LOCK,        /* it waited for a window's lock */
	LATENESS_FILES,       /* it was in calls that open, read or write files */
	LATENESS_CIRCLE,      /* it waited for ranks of which one waited for it: to the end */
	LATENESS_GONE,        /* no sign of life of it any more */
	LATENESS_CORE,        /* cannot be told, but it was without a core at times */
	LATENESS_UNRECORDED,  /* what it did is not in the trace, whose record of it is not whole */
	LATENESS_UNKNOWN,
};

/* What waits of one call site were for: one rank's doing, of one kind. */
struct late_partner {
	uint32_t call; /* one of the waits: its site and function are meant */
	uint32_t rank; /* at the end of the chain: waited for by itself, or by who was */
	uint32_t at;   /* a call of it: where it was held up, or the first after its computation */
	enum lateness_reason reason;
	uint64_t waits;    /* in which it did that, */
	int64_t ns;        /* for so long; */
	int64_t direct_ns; /* of that it was the rank that the call waits for */
};

struct lateness {
	struct late_partner *rows; /* most time first */
	size_t n;
	int64_t ns; /* of all rows */
	/* Where that is much of the run: do they work one after the other? Else zeros. */
	struct alone alone;
};

/* Returns 0, or -1 with *err set (out of memory). Caller: lateness_release. */
int lateness_find(struct lateness *out, const struct trace *t, const struct messages *m,
		  const struct attribution *a, struct err *err);
void lateness_release(struct lateness *l);

/* In the document: "computation" ... */
const char *lateness_reason_name(enum lateness_reason reason);

#endif
