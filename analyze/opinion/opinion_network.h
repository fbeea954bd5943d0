/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a phase asks of the network between hosts, for LoGPC: how far its bytes travel in the
 * topology of the machine file, how often messages come, how evenly they are spread.
 */
#ifndef ANALYZE_OPINION_NETWORK_H
#define ANALYZE_OPINION_NETWORK_H

#include "analyze/gains/evidence_base.h"
#include "analyze/patterns/phases.h"

struct network_load {
	char why_not[200]; /* a sentence: the rest is not known; "" */
	double messages;   /* between hosts */
	double bytes;      /* of one, mean */
	double dimensions;
	double k_d;          /* mean hops of a byte in each dimension */
	double hot;          /* bytes into the host that gets most, by those into an average one */
	double per_s;        /* messages of a host */
	double contention_s; /* of a message, by the attribution */
};

/* Of b: the tables; phase: from 1. Returns 0, or -1 with *err set (out of memory). */
int network_load_find(const struct evidence_base *b, const struct phases *phases, uint32_t phase,
		      struct network_load *out, struct err *err);

#endif
