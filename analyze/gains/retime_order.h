/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every replay of retime.c begins with: all calls in the order in which they ended, and what
 * each may have waited for. Made when the first replay asks for it, for all that follow.
 */
#ifndef ANALYZE_RETIME_ORDER_H
#define ANALYZE_RETIME_ORDER_H

#include "analyze/gains/evidence_base.h"

struct retime_order {
	uint32_t *call; /* n calls in the order in which they ended, each rank's in its own */
	uint32_t n;
	uint32_t *first; /* per call of these, and one more: where its messages' ends begin, in */
	uint32_t *end;   /* all ends, and */
	int64_t *was_ns; /* until when each was waited for, as recorded */
	uint8_t *
		of_wait; /* per call: polls of a wait that a later call of the rank ends; or NULL */
};

/*
 * An end is its message's number twice, + 1 if that could not set out before its receive was
 * posted.
 */
static inline uint32_t retime_message(uint32_t end)
{
	return end / 2;
}

static inline int retime_is_posted(uint32_t end)
{
	return end % 2;
}

/* Where an order will be. NULL: out of memory. */
struct retime_orderer *retime_order_new(void);
void retime_order_free(struct retime_orderer *o); /* or NULL */

/* The order of b's calls, which is b's. From any thread. NULL with *err set: out of memory. */
const struct retime_order *retime_order(const struct evidence_base *b, struct err *err);

/* Does message i not set out before its receive is posted? */
int retime_waits_for_post(const struct evidence_base *b, uint32_t i);

/* When message i could set out, as recorded. */
int64_t retime_begun_ns(const struct evidence_base *b, uint32_t i);

/* And when each call is entered so much sooner than that. */
int64_t retime_begins_ns(const struct evidence_base *b, uint32_t i, const int64_t *sooner_ns);

#endif
