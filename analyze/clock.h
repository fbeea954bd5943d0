/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Are the nodes' clocks good enough for what is to be said? Ranks of one node
 * share a clock. Between nodes the messages themselves are the audit: a message
 * that arrives before it was sent proves an error; the fastest messages each
 * way bound the skew by (f - b) / 2 +- (f + b) / 2. Times count from the least that a machine
 * file says a message takes.
 */
#ifndef ANALYZE_CLOCK_H
#define ANALYZE_CLOCK_H

#include "analyze/machine.h"
#include "analyze/messages.h"

struct clock_quality {
	int64_t error_ns; /* largest bound over node pairs with traffic; 0 on a single node */
	int64_t skew_ns; /* largest |f - b| / 2: the likely error, if the fastest were equally fast */
	uint32_t violations;  /* messages received before sent, before correction */
	uint32_t moved_nodes; /* clocks whose times were shifted to mend that */
	uint32_t windows;     /* in so many shifts of their own, as clocks drift; 0: one for all */
};

#define CLOCK_MOVED (-1)

/*
 * How far the clock of rank b may be off that of rank a, by the messages from a to b, ns; or
 * CLOCK_MOVED: one of them was shifted against the other, so their difference proves nothing.
 */
int64_t clock_pair_error_ns(const struct trace *t, const struct clock_quality *q, uint32_t a,
			    uint32_t b);

/*
 * Audit, and where messages prove a skew shift whole nodes (never single events) by the least
 * amount that restores causality, always the same or, if clocks drift, changing with time.
 * machine: a file's, or NULL. Changes the times in t and m.
 */
int clock_align(struct trace *t, struct messages *m, const struct machine *machine,
		struct clock_quality *out, struct err *err);

#endif
