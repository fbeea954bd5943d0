/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One message's way from its send entry to its completion as a chain of legs, each with
 * the part of time it is and the part it may be instead. Ends are clipped, so the legs
 * always cover the interval exactly. For attribution*.c only.
 */
#ifndef ANALYZE_WALK_H
#define ANALYZE_WALK_H

#include "analyze/attribution.h"
#include "analyze/handlings.h"

struct leg {
	int64_t end_ns;
	uint8_t part; /* enum cost */
	uint8_t alt;  /* enum cost: what it may be as well; = part when it is certain */
};

#define WALK_LEGS 32

struct walk {
	struct price price;
	int64_t start_ns;
	int64_t end_ns; /* of the message */
	int64_t at_ns;  /* how far the legs go */
	int n;
	int sender_n;      /* legs that also held the sender: the first sender_n */
	int64_t sender_ns; /* where they end */
	struct leg leg[WALK_LEGS];
};

/* Sums of legs: as they are, and what a part may lose to or win from its alternatives. */
struct tally {
	int64_t ns[COST_COUNT];
	int64_t less_ns[COST_COUNT];
	int64_t more_ns[COST_COUNT];
	int64_t within_ns; /* of that: one kind of contention or another, contention in any case */
};

void walk_message(const struct handlings *h, uint32_t i, struct walk *w);

/* Append the leg up to end, clipped to the message's interval. */
void walk_to(struct walk *w, int64_t end_ns, enum cost part, enum cost alt);

/* Add what the first n legs have in [from, to). Returns the time covered, ns. */
int64_t walk_clip(const struct walk *w, int n, int64_t from_ns, int64_t to_ns, struct tally *t);

void tally_add(struct tally *t, enum cost part, enum cost alt, int64_t ns);
void tally_merge(struct tally *into, const struct tally *from);

/* Take ns off the parts, in their order. */
void tally_cut(struct tally *t, int64_t ns);

/* What of it is contention, ns. */
int64_t tally_contention_ns(const struct tally *t);

#endif
