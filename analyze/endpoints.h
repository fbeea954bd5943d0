/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sends and receives of one rank, each joined from the records of its request:
 * what messages.c matches. In the order in which they were posted.
 */
#ifndef ANALYZE_ENDPOINTS_H
#define ANALYZE_ENDPOINTS_H

#include "analyze/open_requests.h"
#include "analyze/trace.h"

struct send {
	uint64_t bytes;
	uint32_t src;
	uint32_t dst; /* TRACE_NONE: not known */
	uint32_t comm;
	int32_t tag;
	uint32_t call;
	uint32_t done; /* TRACE_NONE: not seen */
	int64_t done_ns;
	uint32_t skipped; /* before it on its channel, not recorded */
};

struct recv {
	int64_t not_here_ns;
	int64_t done_ns;
	uint32_t src; /* TRACE_NONE: not known, or not completed */
	uint32_t comm;
	int32_t tag;
	uint32_t call;   /* TRACE_NONE: not recorded */
	uint32_t done;   /* TRACE_NONE: not seen */
	uint32_t window; /* of recording, between pauses: 0, 1 ... */
	int unseen;      /* it began or ended in a pause: its message cannot be timed */
};

/* Receives from a channel that are not recorded, before those posted in a window. */
struct gap {
	uint32_t src;
	uint32_t comm; /* TRACE_NONE: nobody knows on which channels */
	int32_t tag;
	uint32_t window;
	uint32_t n; /* or SCHEMA_SKIPPED_UNKNOWN */
};

/* Room to work in, for any rank of a trace. */
struct endpoints {
	const struct trace *t;
	struct open_requests open;
	uint8_t *cancelled;   /* of the sends or receives at work */
	uint32_t n_cancelled; /* so far, of all ranks */
	uint32_t window;      /* of recording, of the rank at work ... */
	struct gap *gaps;     /* ... and what is missing in it, for endpoints_recvs */
	size_t n_gaps, cap_gaps;
};

/* Room for the rank of t with the most records. Returns 0, or -1: out of memory. */
int endpoints_init(struct endpoints *e, const struct trace *t);

/* Write the sends of a rank to out, *n of them. out needs room for each record. 0, or -1. */
int endpoints_sends(struct endpoints *e, uint32_t rank, struct send *out, uint32_t *n);

/* Write its receives to out, *n of them, and what is missing to e->gaps. */
int endpoints_recvs(struct endpoints *e, uint32_t rank, struct recv *out, uint32_t *n);

void endpoints_release(struct endpoints *e);

#endif
