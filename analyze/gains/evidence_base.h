/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What rules and models' opinions start from: the tables, and what many of them ask of each
 * message, found once. Const from then on, so that they may look side by side; what only replays
 * need is found when the first of them asks for it.
 */
#ifndef ANALYZE_EVIDENCE_BASE_H
#define ANALYZE_EVIDENCE_BASE_H

#include "analyze/attribution/attribution.h"
#include "analyze/gains/episodes.h"

/* What a message of so many bytes costs between two ranks when nobody is in the way. */
struct idle_price {
	struct plogp_point at; /* bytes, o_s, o_r, g */
	double L_s;
	enum locality class;
	int known;        /* 0: nothing is known of this class; all but the bytes is 0 */
	int is_held_back; /* its sender waits for the receive: rendezvous */
};

struct evidence_base {
	const struct trace *t;
	const struct messages *m;
	const struct collectives *c;
	const struct machine *machine;
	const struct attribution *a;
	struct senders senders;
	struct idle_price *prices; /* of each of the attribution's sizes */
	uint32_t n_prices;
	struct retime_orderer *orderer; /* of the calls, for replays: retime_order.h */
	double rank_time_s;             /* ranks * wall */
	double wall_s;
};

/*
 * Find the rest of b, whose tables t to a are given and must outlive it. Returns 0, or -1 with *err
 * set (out of memory). Caller: evidence_release.
 */
int evidence_find(struct evidence_base *b, struct err *err);
void evidence_release(struct evidence_base *b);

/* The price of message i. */
static inline const struct idle_price *evidence_price(const struct evidence_base *b, uint32_t i)
{
	return &b->prices[b->a->sizes.of[i]];
}

/* Does the sender of message i wait for its receive: rendezvous, or a synchronous send? */
static inline int evidence_is_held(const struct evidence_base *b, uint32_t i)
{
	return evidence_price(b, i)->is_held_back ||
	       machine_is_synchronous(&b->t->regions[b->t->calls[b->m->m[i].send_call].region]);
}

/* When its receiver began to wait for message i, as far as it had not come by then. */
static inline int64_t evidence_asked_ns(const struct evidence_base *b, uint32_t i)
{
	return b->t->calls[message_asked(b->t, &b->m->m[i])].enter_ns;
}

/* The rank's own time between a call and its next one; 0 when there is none. */
int64_t evidence_own_after_ns(const struct trace *t, uint32_t call);

/* LogP's L: what is left of L + g(m) of an idle message between its overheads. */
double evidence_way_s(const struct idle_price *p);

/* The price of any message. */
struct idle_price evidence_price_of(const struct evidence_base *b, uint32_t src, uint32_t dst,
				    double bytes);

#endif
