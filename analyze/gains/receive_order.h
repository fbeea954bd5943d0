/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks that take messages of several others one after the other, at one place of the program and
 * in an order of its own, while one whose turn comes later is there: what KOJAK and Scalasca call
 * messages in wrong order. A turn is such a receive and what belongs to it: receives of the same
 * rank's messages that follow, and answers. Turns in a row, with nothing between that
 * waits for others or lets them go on, are a stretch; receives that are posted before are so before
 * all of it, or in the rank's turn before.
 */
#ifndef ANALYZE_RECEIVE_ORDER_H
#define ANALYZE_RECEIVE_ORDER_H

#include "analyze/gains/retime.h"

struct receive_order {
	struct retime_return *to; /* per call: retime.h, if they had their turns as they come */
	int64_t *waited_ns;       /* per call, and one more: what those before waited for others */
	/*
	 * per rank: what it waited while a message of a later turn was there; where nobody gets an
	 * answer no more than what it did between turns
	 */
	double *lost_s;
	uint32_t call;   /* one of the place */
	uint32_t turns;  /* at the place, in stretches with several ranks; */
	uint32_t waited; /* so many of them waited while another's message was there, */
	double waited_s; /* so long in all */
	int is_answered; /* some get an answer */
	/* So many turns came after one of a rank with others before; so many, the same as then. */
	uint32_t followed, as_before;
};

/*
 * Room for all of b in *o, which is zero. Returns 0, or -1 with *err set (out of memory). Caller:
 * release.
 */
int receive_order_init(struct receive_order *o, const struct evidence_base *b, struct err *err);
void receive_order_release(struct receive_order *o);

/*
 * Some of what ranks wait for a message while the next one at the same place is there: added to
 * key_s, per place, s.
 */
void receive_order_weigh(const struct evidence_base *b, double *key_s);

/* What there is at that place. Returns 0, or -1 with *err set (out of memory). */
int receive_order_find(struct receive_order *o, const struct evidence_base *b, uint32_t key,
		       struct err *err);

#endif
