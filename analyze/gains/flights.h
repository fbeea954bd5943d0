/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages in flight over time. A flight begins with the send and ends when the message
 * is known or, where nothing shows it, estimated to be at its receiver.
 */
#ifndef ANALYZE_FLIGHTS_H
#define ANALYZE_FLIGHTS_H

#include "analyze/attribution/attribution.h"

/* When message i's flight ends: the receiver's completion, a synchronous sender's return, or
 * for what left at once the estimated arrival; the earliest of them. */
int64_t flights_end_ns(const struct trace *t, const struct messages *m, const struct attribution *a,
		       uint32_t i);

/* One flight's begin or end. */
struct flight_edge {
	int64_t ns;
	uint32_t flight; /* any number the caller knows it by */
	int change;      /* +1 begin, -1 end */
};

/* In order of time; ends before begins. */
void flights_sort(struct flight_edge *edge, size_t n);

/* How the flights at one time are spread over their destinations. */
struct flights_focus {
	double concentration; /* share of messages in flight to the most popular destination */
	double depth;         /* how many those are, mean over the time when anything flies */
};

/*
 * dst: per flight; counts: room for one number per rank, all 0, and again 0 afterwards;
 * levels: room for flights + 1 numbers, all 0, likewise.
 */
struct flights_focus flights_concentration(const struct flight_edge *edge, size_t n,
					   const uint32_t *dst, uint32_t *counts, uint32_t *levels);

#endif
