/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One message's way from its send entry to its completion as a chain of legs, each with
 * the part of time it is and the part it may be instead. Ends are clipped, so the legs
 * always cover the interval exactly. For attribution*.c only.
 */
#ifndef ANALYZE_WALK_H
#define ANALYZE_WALK_H

#include "analyze/attribution/attribution.h"
#include "analyze/attribution/handlings.h"
#include "analyze/attribution/tally.h"

struct leg {
	int64_t end_ns;
	uint8_t part; /* enum cost */
	uint8_t alt;  /* enum cost: what it may be as well; = part when it is certain */
};

#define WALK_LEGS 32

struct walk {
	const struct price *price; /* the flow's */
	int64_t start_ns;
	int64_t end_ns;         /* of the message */
	int64_t at_ns;          /* how far the legs go */
	int64_t clock_error_ns; /* see scene.h */
	int n;
	int sender_n;      /* legs that also held the sender: the first sender_n */
	int64_t sender_ns; /* where they end */
	/* Of the receiver's messages so far, what was asked last: to be found sooner. */
	struct presence_near held, unasked;
	struct handlings_near handled;
	struct leg leg[WALK_LEGS];
};

/* Message i's. w: {0}, or that of a message of its receiver before. */
void walk_message(const struct handlings *h, uint32_t i, struct walk *w);

/* The legs of a rank's message to itself, which is on no way and nobody else's. */
void walk_own(const struct scene *s, uint32_t i, struct walk *w);

/* Append the leg up to end, clipped to the message's interval. */
void walk_to(struct walk *w, int64_t end_ns, enum cost part, enum cost alt);

/* When it was through the network, ns. */
int64_t walk_arrival_ns(const struct walk *w);

/* Take back what message i's legs claim and nothing supports. */
void walk_judge(const struct scene *s, uint32_t i, struct walk *w);

/*
 * While the recording of src or dst paused, u, what was inferred of the message becomes not
 * identifiable, perhaps what it was. walk_judge() does so, too.
 */
void walk_judge_unseen(const struct unseen *u, uint32_t src, uint32_t dst, struct walk *w);

/* All legs that are of a part, ns. */
int64_t walk_part_ns(const struct walk *w, enum cost part);

/* Add all legs. */
void walk_add(const struct walk *w, struct tally_pairs *p);

/* Add what the first n legs have in [from, to). Returns the time covered, ns. */
int64_t walk_clip(const struct walk *w, int n, int64_t from_ns, int64_t to_ns, struct tally *t);

#endif
