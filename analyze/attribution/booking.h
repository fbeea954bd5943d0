/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The messages of one receiver after the other, in each scenario of a sweep: what its handler does
 * and when they arrive, each message's walk, and its legs booked for the message and for the calls
 * that it ended. Several threads do so for different receivers, each with its own hand. For
 * attribution.c only.
 */
#ifndef ANALYZE_BOOKING_H
#define ANALYZE_BOOKING_H

#include "analyze/attribution/pollers.h"
#include "analyze/flow/gathering.h"

/* Sums of one scenario. */
struct sums {
	struct tally blame;
	struct tally_pairs legs; /* of the blame's messages of which no more is to be said */
	struct tally *rank;      /* per rank, MPI calls only */
};

/*
 * Each scenario has two: where an end of a message shares its core, nothing more is to be said but
 * that what looks like contention may be none, which is as well said of the sum.
 */
enum { SUMS_SAID, SUMS_CROWDED, SUMS };

/* What all hands read, and the tables, in which each writes the places of its receivers alone. */
struct booking {
	struct scene scene;
	struct gathering gathering;
	struct pollers polls;
	struct flow flow;
	struct flow lane[SCENARIO_COUNT]; /* the scenarios of this sweep over the receivers */
	unsigned lanes;
	int is_crowded; /* some rank shares its core */
	struct tally
		*other; /* per rank: calls that no message released; the same in all scenarios */
	struct attribution *out;
};

/* What a thread works with. */
struct hand {
	struct booking *b;
	struct flow flow;        /* the lane at work, of this piece: */
	struct passage *passage; /* if it has none of all messages */
	struct handler handler;
	struct arrivals arrivals;
	struct handlings handlings;
	struct sums sum[SCENARIO_COUNT][SUMS]; /* of what this hand booked, of each lane */
	struct sums *sums;                     /* those of the lane at work */
	struct tally own; /* of the call or message at work; clear in between */
	struct slices_pen call, message;
	int failed; /* *err is set */
	struct err *err;
};

/*
 * Make a hand for b's flow. Returns 0, or -1 with *err set (out of memory). Caller:
 * booking_release.
 */
int booking_init(struct hand *h, struct booking *b, struct err *err);
void booking_release(struct hand *h);

/* Clear the sums of all lanes. Returns 0, or -1 with *err set (out of memory). */
int booking_begin(struct hand *h, struct err *err);

/* All receivers are booked: make the sums of a lane what they say, once. */
void booking_end(struct hand *h, unsigned lane);

/*
 * Book all that messages to this receiver cost, in all lanes. Returns 0, or -1 with *err set (out
 * of memory).
 */
int booking_receiver(struct hand *h, uint32_t rank, struct err *err);

/* Book a rank's calls that no message released. Returns 0, or -1 with *err set (out of memory). */
int booking_others(struct hand *h, uint32_t rank, struct err *err);

#endif
