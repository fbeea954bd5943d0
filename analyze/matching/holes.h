/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Receives of one rank that are not recorded, as its recording paused: what they took of their
 * channels is passed over when the next one that is recorded is matched. For messages.c only.
 */
#ifndef ANALYZE_HOLES_H
#define ANALYZE_HOLES_H

#include "analyze/endpoints.h"
#include "analyze/matching/channels.h"

struct holes {
	struct gap *gaps; /* of the rank at work, by channel and window */
	uint32_t n;
	uint32_t lost; /* from this window on nobody knows what the rank took */
};

/* Room for those of any rank. Returns 0, or -1: out of memory. */
int holes_init(struct holes *h, const struct endpoints *e);

/* Those of this rank. */
void holes_order(struct holes *h, const struct endpoints *e, uint32_t rank);

/* Pass over what is missing on recv's channel before it. Returns the sends among that. */
uint32_t holes_pass(struct holes *h, const struct recv *recv, struct channels *c,
		    const uint32_t *next, uint32_t *before);

/* Frees what it holds; a zeroed struct holds nothing. */
void holes_release(struct holes *h);

#endif
