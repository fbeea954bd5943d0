/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * LoGPC: contention for the channels of a network with wormhole routing (Moritz and Frank,
 * IEEE TPDS 12(4), 2001, section 3). Messages travel k_d hops on average in each of n
 * dimensions, destinations spread evenly, channels in pairs, one for each direction.
 * Equations (3) to (13) only have the right dimensions when their B is the time that a message
 * holds a channel: here that is bytes x channel_per_byte, apart from G, which also
 * has the cost of the interfaces.
 * k_d <= 1: messages do not meet, C_n = 0. The model is low against simulations of such networks
 * (slowdown 2.22 where they give 2.6 to 3.1).
 * Pure: no I/O, no allocation, no globals; safe from any thread. Any one unit of time.
 */
#ifndef MODELS_LOGPC_NETWORK_H
#define MODELS_LOGPC_NETWORK_H

#include "common/err.h"

struct logpc_network {
	double n;                /* dimensions */
	double k_d;              /* mean hops in each; leave out messages to oneself */
	double channel_per_byte; /* time that a byte holds a channel */
};

struct logpc_contention {
	double C_n; /* delay of a message by others, eq. (6) */
	double m;   /* messages per node and time, with contention */
	double rho; /* share of time that a channel is held, eq. (4); below 1 if k_d > 1 */
};

/* How a closed machine sends: messages per T + delays x C_n. */
struct logpc_cycle {
	double T;        /* time of a cycle without contention */
	double messages; /* that a node sends in it */
	double delays;   /* how many of the C_n the cycle waits for */
};

/*
 * Eq. (6) for m messages of a size per node and time, whatever happens to them. Returns 0,
 * or -1 with *err set and *out unchanged: an input is negative or not finite, or rho >= 1.
 */
int logpc_open(const struct logpc_network *net, double bytes, double m,
	       struct logpc_contention *out, struct err *err);

/*
 * Eq. (7): senders wait, so m = messages / (T + delays C_n), with rho < 1. For k_d <= 1 the
 * rate is that of T, or of the full channel if that is lower. Returns as logpc_open.
 */
int logpc_closed(const struct logpc_network *net, double bytes, const struct logpc_cycle *cycle,
		 struct logpc_contention *out, struct err *err);

struct logpc_bound {
	double F;        /* time between messages per byte, 1/(m_c B), above k_d c/2 */
	double slowdown; /* F/(2G), eq. (14) */
};

/*
 * Eq. (13)(14): nodes that do nothing but send, 2 G B apart. Returns as logpc_open; G is
 * above 0.
 */
int logpc_bound(const struct logpc_network *net, double G, struct logpc_bound *out,
		struct err *err);

#endif
