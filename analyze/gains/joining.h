/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the run would save if small messages that a place sends to one destination, one right after
 * the other, were one. Joined, k messages cost one overhead at each end instead of k, and the ports
 * g(sum of the sizes) instead of the sum of the g (LogGP: g is much more than G for small ones).
 * burst.h says which. The last one of a burst is all of them then, as joining must not need what is
 * not known yet; across receives the first one is.
 */
#ifndef ANALYZE_JOINING_H
#define ANALYZE_JOINING_H

#include "analyze/gains/evidence_base.h"

struct joining;

/* Of the bursts of one place that are worth joining. */
struct joining_sums {
	double messages, bytes;
	double joined;     /* messages that could replace them */
	double across;     /* of the messages, those of bursts with receives in between */
	double overhead_s; /* of all ranks, that would not be, */
	double port_s;     /* and time of their ports */
	/* Of bursts for which it is not known what a longer message takes: */
	double open_messages, open_bursts;
	double open_s; /* at most that would be saved of overheads and ports */
};

struct joining_saving {
	/* of the run: at least an average rank's overheads, less waiting for the last one */
	double likely_s;
	double most_s; /* its calls do as little as for one message, and ports what they must */
};

/* Works on b, which must outlive it; with NULL *err is set (out of memory). */
struct joining *joining_new(const struct evidence_base *b, struct err *err);
void joining_free(struct joining *j);

/* key: a place of b's senders. */
struct joining_sums joining_sum(struct joining *j, uint32_t key);

/* With what waits for ranks that this holds up (retime.h). Returns 0, or -1 with *err set. */
int joining_save(struct joining *j, uint32_t key, struct joining_saving *out, struct err *err);

#endif
