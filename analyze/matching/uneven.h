/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An uneven channel: it has fewer receives than sends, or the other way round, though both ranks
 * were recorded to their end. Other recorders leave out calls, or lose records where they rewind:
 * each end that is missing moves those after it to another's place. Messages do not overtake, so
 * an end has the partner at its own place or one that is later by at most as many as are missing,
 * and never by less than the end before it. Where only one such partner can be its own it is
 * known; where there are several nobody knows.
 */
#ifndef ANALYZE_UNEVEN_H
#define ANALYZE_UNEVEN_H

#include <stdint.h>

#define UNEVEN_UNKNOWN UINT32_MAX
#define UNEVEN_NONE    (UINT32_MAX - 1) /* its send is missing */

struct uneven {
	uint32_t n_sends, n_recvs; /* in the order of the channel */
	const void *user;
	int (*can_be)(const void *user, uint32_t send, uint32_t recv); /* are they one message? */
	uint32_t first, last; /* so many of both sides begin, or end, the channel together */
};

/* For each receive its send. */
void uneven_place(const struct uneven *u, uint32_t *send_of);

/* The same where both sides lack some: of what neither begins nor ends the channel nobody knows. */
void uneven_place_ends(const struct uneven *u, uint32_t *send_of);

#endif
