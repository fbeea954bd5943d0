/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the run would save if ranks to which too much is sent got less: their messages wait less for
 * each other on their way, their calls handle fewer, and nobody waits for either.
 */
#ifndef ANALYZE_SPREAD_SAVING_H
#define ANALYZE_SPREAD_SAVING_H

#include "analyze/hotspots/rules.h"

/* A rank to which too much is sent. */
struct spread_part {
	uint32_t dst;
	double left;     /* of what it is sent only this share, 0 to 1, stays there */
	double caused_s; /* what its messages queue */
};

/* Each finding takes two passes over all calls: so many, and one of all ranks, whatever their number. */
#define SPREAD_ALONE_MOST 3

/*
 * How many of n ranks are a finding each, which are the first then, most caused first. If not all
 * are, all n together are one more: where many are hit alike, nothing is saved by less for one.
 */
uint32_t spread_alone(struct spread_part *part, uint32_t n);

/*
 * A finding that is about n ranks joins the list, with what the run saves if all of them get less.
 * without: per place of a send, 1 if its messages stay as they are; or NULL. Returns 0, or -1 with
 * *err set (out of memory).
 */
int spread_saving_add(const struct evidence_base *b, const struct spread_part *part, uint32_t n,
		      const uint8_t *without, struct hotspot *h, struct findings *out,
		      struct err *err);

#endif
