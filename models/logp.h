/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * LogP (Culler et al. 1996) for a message of several packets of w bytes, as Legrand's lecture
 * on communication models (2008) writes it. A message of 0 bytes is one packet too.
 * Pure: no I/O, no allocation, no globals; safe from any thread. Bytes and any one unit of time.
 */
#ifndef MODELS_LOGP_H
#define MODELS_LOGP_H

#include "common/err.h"

struct logp {
	double L_s; /* latency of the network */
	double o_s; /* overhead of a processor for a packet, at either end */
	double g_s; /* gap: least time between packets of one processor */
	double P;   /* processors, at least 2 */
	double w;   /* bytes of a packet, above 0 */
};

struct logp_message {
	double packets;    /* ceil(m / w), at least 1 */
	double time_s;     /* 2 o + L + packets max(o, g) */
	double occupied_s; /* of a processor: o + (packets - 1) max(o, g) */
};

/* Returns 0, or -1 with *err set and *out unchanged: negative or no number, P < 2. */
int logp_message(struct logp p, double bytes, struct logp_message *out, struct err *err);

#endif
