/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What collectives prove of clocks: nobody leaves, or completes, one that lets no rank go before
 * all have come until the last has entered, or started, it; likewise members and the root of those
 * that have one. Of each, what its last member and the others prove of one another, as that tells
 * most.
 */
#ifndef ANALYZE_CLOCK_PROOFS_H
#define ANALYZE_CLOCK_PROOFS_H

#include "analyze/matching/collectives.h"

/* The one call was not left before the other was entered. */
struct clock_proof {
	uint32_t entered, left;
};

struct clock_proofs {
	struct clock_proof *p; /* between ranks of different clocks */
	uint32_t n;
};

/* c: or NULL. Returns 0, or -1: out of memory. Release it in any case. */
int clock_proofs_find(const struct trace *t, const struct collectives *c, struct clock_proofs *out);
void clock_proofs_release(struct clock_proofs *x);

#endif
