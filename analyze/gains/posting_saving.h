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

/* What is not known is as the machine has it, or such that most is saved. */
enum posting_doubt { POSTING_LIKELY, POSTING_AT_MOST };

struct posting_changes {
	enum posting_doubt doubt;
	/*
	 * per message: 0 or so much sooner its receive is of use; comes back as so much sooner it
	 * is there
	 */
	int64_t *gain_ns;
	int64_t *rest_ns; /* per call: so much less it copies; used up */
	double *waits_s;  /* per rank: has added what its own calls wait less */
};

/* Returns 0, or -1 with *err set (out of memory). */
int posting_saving_find(const struct evidence_base *b, const struct posting_changes *x,
			struct posting_saving *out, struct err *err);

#endif
