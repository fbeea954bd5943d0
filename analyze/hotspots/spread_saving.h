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

/*
 * Describes n of them, of which rule knows more: all of a finding but what it saves and whom it is
 * about.
 */
typedef void spread_describe(void *rule, const struct spread_part *part, uint32_t n,
			     struct hotspot *h);

/*
 * What is found of n ranks joins the list, with what the run saves: one finding each (if they are
 * more than four, of the three that caused most only), and one of all together. That is there of
 * few only if all together save clearly more than one by one: where many are hit alike, nothing is
 * saved by less for one. without: per place of a send, 1 if its messages stay as they are; or NULL.
 * part comes back in another order. Returns 0, or -1 with *err set (out of memory).
 */
int spread_saving_find(const struct evidence_base *b, struct spread_part *part, uint32_t n,
		       const uint8_t *without, spread_describe *describe, void *rule,
		       struct findings *out, struct err *err);

#endif
