/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the run would save if some receives were posted sooner: their messages begin sooner, share
 * their receiver's port then, and nobody waits for ranks that they held up.
 */
#ifndef ANALYZE_POSTING_SAVING_H
#define ANALYZE_POSTING_SAVING_H

#include "analyze/gains/evidence_base.h"

struct posting_saving {
	double mid_s;
	double high_s; /* what calls do with such messages is done by the machine meanwhile */
};

/*
 * gain_ns: per message, 0 or so much sooner its receive is of use; comes back as so much sooner it
 * is there. rest_ns: per call, so much less it copies; used up. waits_s: per rank, has added what
 * its own calls wait less. Returns 0, or -1 with *err set (out of memory).
 */
int posting_saving_find(const struct evidence_base *b, int64_t *gain_ns, int64_t *rest_ns,
			double *waits_s, struct posting_saving *out, struct err *err);

#endif
