/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one message takes that replaces several, though the machine be known by small ones only. */
#ifndef ANALYZE_JOINED_PRICE_H
#define ANALYZE_JOINED_PRICE_H

#include "analyze/gains/evidence_base.h"

/* What one message of all these bytes costs. */
struct idle_price joined_price(const struct evidence_base *b, uint32_t src, uint32_t dst,
			       double bytes);

/* Is it known how much more a longer one takes, or only that of one size? */
int joined_price_is_sure(const struct evidence_base *b, const struct idle_price *one);

/* How much later message i was there than that one would be if it takes g_s in an idle port, s. */
double joined_price_waited_s(const struct evidence_base *b, uint32_t i,
			     const struct idle_price *one, double g_s);

/* What several messages to one destination cost. */
struct joined_costs {
	uint32_t n;
	double bytes;
	double g_s;       /* sum of their gaps, */
	double pace_s;    /* and of these or their overheads, what is longer */
	double send_s;    /* their calls' overheads: at the sender, */
	double receive_s; /* at the receiver */
};

/* Message i is one more of them. */
void joined_costs_add(struct joined_costs *all, const struct evidence_base *b, uint32_t i);

/*
 * Long ones take as long in one piece: on their way, each after the other's if they are across
 * receives, or if calls do what they do when all are there with all that those did.
 */
int joined_is_worth_it(const struct joined_costs *all, const struct idle_price *one, int across);

/* How long it has a port to the network for itself, at least, s; 0 where that is not known. */
double joined_price_port_s(const struct evidence_base *b, const struct idle_price *one);

/* A sender's port to the network, which messages pass one after the other. */
struct joined_port {
	int64_t free_ns, free_least_ns; /* from then on: likely, and if each had it for the least */
	double behind_s, behind_least_s; /* so much the last one to pass waited for it */
};

static inline struct joined_port joined_port_free(void)
{
	return (struct joined_port){INT64_MIN, INT64_MIN, 0, 0};
}

/* One for several passes it, which is sent as message i is: after those that were sent before. */
void joined_port_pass(struct joined_port *port, const struct evidence_base *b, uint32_t i,
		      const struct idle_price *one);

#endif
