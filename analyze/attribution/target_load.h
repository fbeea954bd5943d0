/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whose memory one-sided operations go to: per target their number and bytes, and how long ranks
 * waited for locks on it. Waits for locks of all targets at once are nobody's.
 */
#ifndef ANALYZE_TARGET_LOAD_H
#define ANALYZE_TARGET_LOAD_H

#include "analyze/attribution/onesided.h"

struct target_load {
	double *operations; /* per world rank: puts, gets and atomic ones of others */
	double *bytes;      /* likewise, both ways */
	double *lock_s;     /* all ranks' waits for locks on it, s */
	double all_operations, all_bytes, all_lock_s; /* sums; the last: of those with a target */
	uint32_t most; /* most operations go there; of as many, most is waited for locks on it */
};

/*
 * Returns 0, or -1 with *err set (out of memory). Of a trace without windows all is 0, and at no
 * cost worth mentioning. Caller: target_load_release.
 */
int target_load_find(struct target_load *out, const struct trace *t, const struct onesided *o,
		     struct err *err);
void target_load_release(struct target_load *l);

#endif
