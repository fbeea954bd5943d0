/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When the run would have ended if some messages' ways were shorter: every rank's calls again, one
 * after the other, with the program's own time between them as it was. What waited for a message,
 * for its receive or for those of a collective that it needs (its root, or the last rank; of
 * partial ones the last) waits until they are there now, so that what one rank gains counts as far
 * as others had waited for it. With nothing shorter all is as recorded; and in any case a rank of
 * which several threads call is, as what one of them does when another gains is not known. Polls
 * take as long as they did, unless their rank does nothing else until a message is there.
 */
#ifndef ANALYZE_RETIME_H
#define ANALYZE_RETIME_H

#include "analyze/gains/evidence_base.h"

/*
 * A call returns so much sooner, beside what another one, of any rank, that was entered before it
 * returned is entered sooner; TRACE_NONE: it waits for what it did.
 */
struct retime_return {
	int64_t sooner_ns;
	uint32_t base;
};

struct retime {
	const int64_t *less_ns; /* per message: its way is so much shorter; < 0: longer; or NULL */
	/* per call: at most so much shorter where it waits for nobody, or < 0: longer; or NULL */
	const int64_t *rest_ns;
	/* per call: the program's own time before it is so much shorter, or < 0: longer; or NULL */
	const int64_t *own_ns;
	/*
	 * per message: its receive is posted before this call then, which less_ns is with; or NULL
	 */
	const uint32_t *posted;
	const uint32_t *sent; /* per message: sent at the entry of this earlier call; or NULL */
	/*
	 * Per call: what it waited for is waited for in this later call of its rank then, or in
	 * itself; or NULL; its own time is its rest. Those of one rank are in order. With
	 * until_entry before that one does anything else.
	 */
	const uint32_t *until;
	int until_entry;
	const struct retime_return *to; /* per call; or NULL */
	int64_t *sooner_ns; /* per call, filled in: it is entered so much sooner; or NULL */
};

/*
 * *saved_s: how much sooner the last rank ends; < 0: later. Returns 0, or -1 with *err set (out of
 * memory).
 */
int retime_change(const struct evidence_base *b, const struct retime *x, double *saved_s,
		  struct err *err);

/* The same where nothing is saved if it ends later. */
int retime_run(const struct evidence_base *b, const struct retime *x, double *saved_s,
	       struct err *err);

/* What message i's way takes, from when both ends are ready as far as it needs them, ns. */
int64_t retime_way_ns(const struct evidence_base *b, uint32_t i);

#endif
