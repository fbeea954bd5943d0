/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sends and receives of a trace, each joined from the records of its request: what
 * messages.c matches. By rank, in the order in which they were posted, or matched by a probe
 * before. Each rank's are joined when it was read, so that the records themselves need not be kept:
 * they are most of an archive.
 */
#ifndef ANALYZE_ENDPOINTS_H
#define ANALYZE_ENDPOINTS_H

#include "analyze/tools/idhash.h"

#include <stddef.h>

struct trace;

struct send {
	uint64_t bytes : 63;
	uint64_t given : 1; /* a wait that never returned was given its request */
	int64_t done_ns;
	uint32_t dst; /* TRACE_NONE: not known */
	uint32_t comm;
	int32_t tag;
	uint32_t call;    /* whose rank sends */
	uint32_t done;    /* TRACE_NONE: not seen */
	uint32_t skipped; /* before it on its channel, not recorded */
};

struct recv {
	uint64_t bytes; /* as its completion says */
	int64_t not_here_ns;
	int64_t done_ns;
	uint32_t src;  /* TRACE_NONE: not known; or from anybody, where comm is known */
	uint32_t comm; /* of one that never completed it may be known, and so what it asked for */
	int32_t tag;   /* -1: any */
	uint32_t call; /* TRACE_NONE: not recorded */
	uint32_t done; /* TRACE_NONE: not seen */
	uint32_t window : 27; /* of recording, between pauses: 0, 1 ... */
	/* By a probe, or unseen: with a place and channel, though it may never complete. */
	uint32_t matched : 1;
	uint32_t taker : 1;   /* src TRACE_NONE: from anybody, tag -1: with any, comm TRACE_NONE: of
			       * any; takers.h */
	uint32_t given : 1;   /* a wait that never returned was given its request */
	uint32_t unseen : 1;  /* it began or ended in a pause: its message cannot be timed */
	uint32_t is_void : 1; /* while joining: there is no such receive */
};

/* Receives from a channel that are not recorded, before those posted in a window. */
struct gap {
	uint32_t src;
	uint32_t comm; /* TRACE_NONE: nobody knows on which channels */
	int32_t tag;
	uint32_t window;
	uint32_t n; /* or SCHEMA_SKIPPED_UNKNOWN */
};

/* Where those of a rank begin in each table. */
struct endpoints_of {
	uint32_t send, recv, gap;
};

struct endpoints {
	struct send *sends;
	struct recv *recvs;
	struct gap *gaps;
	struct endpoints_of *of; /* ranks + 1 */
	size_t n_sends, n_recvs, n_gaps, cap_sends, cap_recvs, cap_gaps;
	uint32_t n_cancelled;
	uint32_t n_takers;
	uint32_t window; /* of recording, of the rank at work */
	struct idhash open_sends, open_recvs;
};

/* Room for the ranks of t. Returns 0, or -1: out of memory. */
int endpoints_init(struct endpoints *e, const struct trace *t);

/* Join the records of a rank, one rank after the other. Returns 0, or -1: out of memory. */
int endpoints_add(struct endpoints *e, const struct trace *t, uint32_t rank);

/* Empty again; rank was the only one whose records were joined. */
void endpoints_clear(struct endpoints *e, uint32_t rank);

/* Did it never complete, nor the call that sends it return? */
int send_is_open(const struct trace *t, const struct send *send);

/*
 * Keeps no more than the sends and receives that are open at the end. Returns 0, or -1: no memory.
 */
int endpoints_keep_open(struct endpoints *e, const struct trace *t);

/* Let all times count from origin_ns. */
void endpoints_shift(struct endpoints *e, int64_t origin_ns);

/* Frees what it holds; a zeroed struct holds nothing. */
void endpoints_release(struct endpoints *e);

#endif
