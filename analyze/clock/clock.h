/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Are the nodes' clocks good enough for what is to be said? Ranks of one node
 * share a clock. Between nodes messages and collectives themselves are the audit: a message
 * that arrives before it was sent proves an error; the fastest each way bound the skew by
 * (f - b) / 2 +- (f + b) / 2 then, and by more some time before and after (clock_tube.h). Times
 * count from the least that a machine file says a message takes.
 */
#ifndef ANALYZE_CLOCK_H
#define ANALYZE_CLOCK_H

#include "analyze/clock/clock_parts.h"
#include "analyze/machine/machine.h"
#include "analyze/matching/collectives.h"
#include "analyze/matching/messages.h"
#include "analyze/tools/clock_error.h"

struct clock_quality {
	int64_t error_ns; /* largest bound over node pairs with traffic; 0 on a single node */
	int64_t drift_ns; /* largest of a pair over the run, if nothing else bounds it */
	int jumped;       /* 1: between two messages, so that it is no drift */
	int64_t skew_ns; /* largest |f - b| / 2: the likely error if the fastest are equally fast */
	uint32_t violations;   /* messages received before sent, before correction */
	uint32_t early_leaves; /* the same of collectives left before all had entered */
	uint32_t moved_nodes;  /* clocks whose times were shifted to mend that */
	uint32_t windows;      /* in so many shifts of their own, as clocks drift; 0: one for all */
	struct clock_parts parts; /* that nothing compares: 1 if all clocks can be compared */
};

/* Were any times changed? */
static inline int clock_is_corrected(const struct clock_quality *q)
{
	return q->violations || q->early_leaves || q->parts.moved;
}

/*
 * How far the clock of rank b may be off that of rank a, by the messages from a to b, ns;
 * clock_is_moved: one of them was shifted.
 */
int64_t clock_pair_error_ns(const struct trace *t, const struct clock_quality *q, uint32_t a,
			    uint32_t b);

/*
 * Audit, and where messages prove a skew shift whole nodes (never single events) by the least
 * amount that restores causality, always the same or, if clocks drift, changing with time; and
 * parts of the run that nothing compares, where they cannot have run when they say.
 * c, machine (a file's): or NULL. Changes the times in t and m; c is no longer theirs where
 * clock_is_corrected.
 */
int clock_align(struct trace *t, struct messages *m, const struct collectives *c,
		const struct machine *machine, struct clock_quality *out, struct err *err);

#endif
