/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When could a receiver have begun with a message, had its receive been posted before? In its own
 * calls of MPI, or in calls that it would make in its computation. Times of the trace, ns.
 */
#ifndef ANALYZE_COULD_BEGIN_H
#define ANALYZE_COULD_BEGIN_H

#include "analyze/gains/evidence_base.h"

struct could_begin {
	const struct evidence_base *b;
	uint32_t *to;   /* per call: to whom it sends and waits for that, or TRACE_NONE; */
	uint32_t *past; /* the next MPI call that does not send there; */
	int has_to;     /* both are filled in when they are first needed, which they may never be */
};

/* Returns 0, or -1 with *err set (out of memory); released in either case. */
int could_begin_init(struct could_begin *c, const struct evidence_base *b, struct err *err);
void could_begin_release(struct could_begin *c);

/*
 * The first moment since from_ns, when message i could come, in which its receiver is in MPI with
 * nothing else to do; that of the posting, if there is none.
 */
int64_t could_begin_ns(struct could_begin *c, uint32_t i, int64_t from_ns);

/*
 * From then on the receiver computes, for as long as the message needs, and its sender is in MPI
 * and waits for it; that of the posting, if it does not.
 */
int64_t could_begin_computing_ns(const struct could_begin *c, uint32_t i, int64_t from_ns);

#endif
