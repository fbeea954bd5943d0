/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the run would save if a rank to which too much is sent got less: its messages wait less for
 * each other on their way, its calls handle fewer, and nobody waits for either.
 */
#ifndef ANALYZE_SPREAD_SAVING_H
#define ANALYZE_SPREAD_SAVING_H

#include "analyze/evidence_base.h"

struct spread_saving {
	double mid_s;  /* of each message's contention so much less as others are left away; */
	double high_s; /* none of those that are left, nor what may be contention */
};

/*
 * Of what is sent to dst only the share left, 0 to 1, stays there. without: per place of a send, 1 if
 * its messages stay as they are; or NULL. Returns 0, or -1 with *err set (out of memory).
 */
int spread_saving_find(const struct evidence_base *b, uint32_t dst, double left,
		       const uint8_t *without, struct spread_saving *out, struct err *err);

#endif
