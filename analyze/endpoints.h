/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sends and receives of one rank, each joined from the records of its request:
 * what messages.c matches. In the order in which they were posted.
 */
#ifndef ANALYZE_ENDPOINTS_H
#define ANALYZE_ENDPOINTS_H

#include "analyze/open_requests.h"
#include "analyze/oporder.h"

struct send {
	uint64_t bytes;
	uint32_t src;
	uint32_t dst; /* TRACE_NONE: not known */
	uint32_t comm;
	int32_t tag;
	uint32_t call;
	uint32_t done; /* TRACE_NONE: not seen */
	int64_t done_ns;
};

struct recv {
	int64_t not_here_ns;
	int64_t done_ns;
	uint32_t src; /* TRACE_NONE: not known, or not completed */
	uint32_t comm;
	int32_t tag;
	uint32_t call; /* TRACE_NONE: not recorded */
	uint32_t done; /* TRACE_NONE: not seen */
};

/* Room to work in, for any rank of a trace. */
struct endpoints {
	const struct trace *t;
	struct open_requests open;
	struct oporder order;
	uint8_t *cancelled;   /* of the sends or receives at work */
	uint32_t n_cancelled; /* so far, of all ranks */
};

/* Room for the rank of t with the most records. Returns 0, or -1: out of memory. */
int endpoints_init(struct endpoints *e, const struct trace *t);

/* Write the sends of a rank to out, *n of them. out needs room for each record. 0, or -1. */
int endpoints_sends(struct endpoints *e, uint32_t rank, struct send *out, uint32_t *n);

/* Write its receives to out, *n of them. */
int endpoints_recvs(struct endpoints *e, uint32_t rank, struct recv *out, uint32_t *n);

void endpoints_release(struct endpoints *e);

#endif
