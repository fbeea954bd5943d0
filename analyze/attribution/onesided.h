/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One-sided communication: who waits for whom in the calls that synchronize it, from the
 * records of windows (ours, Score-P's). Fences are collectives, see collectives.h.
 *
 *   late post       an access epoch begins or ends before its target exposed the window
 *   late complete   an exposure epoch ends before its last origin completed its access
 *   lock            another rank gave the window's lock back while this one was in a call that
 *                   needs it; two that share do not wait for each other
 *   progress        the call ended soon after its target called MPI at last
 *
 * A wait counts only when its call ended after what it waited for: MPI may let calls return
 * at once and wait in later ones. Limits: in which call an operation was done is not known
 * but by the call that waits for it.
 */
#ifndef ANALYZE_ONESIDED_H
#define ANALYZE_ONESIDED_H

#include "analyze/machine/machine.h"
#include "analyze/matching/presence.h"

enum onesided_sync {
	ONESIDED_OTHER,
	ONESIDED_START,
	ONESIDED_POST,
	ONESIDED_COMPLETE,
	ONESIDED_WAIT, /* and Test */
	ONESIDED_TAKE, /* Win_lock, Win_lock_all */
	ONESIDED_FLUSH,
	ONESIDED_FENCE,
	ONESIDED_GIVE, /* Win_unlock, Win_unlock_all */
};

enum onesided_cause {
	ONESIDED_NOBODY,
	ONESIDED_LATE_POST,
	ONESIDED_LATE_COMPLETE,
	ONESIDED_LOCKED,
	ONESIDED_PROGRESS,
	ONESIDED_CAUSES
};

/* One call that synchronizes. */
struct onesided_call {
	int64_t until_ns; /* it waited since its entry; else the entry */
	int64_t idle_ns;  /* its operations on an idle machine; 0: none, or not known */
	int64_t idle_least_ns, idle_most_ns; /* as far as that is known */
	uint32_t call;
	uint32_t rank;   /* waited for; TRACE_NONE: nobody */
	uint32_t target; /* of a lock: whose memory, world rank; TRACE_NONE: all, or no lock */
	uint8_t sync;    /* enum onesided_sync */
	uint8_t cause;   /* enum onesided_cause */
	uint8_t far;     /* an operation of it went to another host */
};

struct onesided {
	struct onesided_call *calls; /* in the order of the trace's calls */
	uint32_t n;
};

/* Returns 0, or -1 with *err set (out of memory). */
int onesided_find(struct onesided *out, const struct trace *t, const struct presence *presence,
		  const struct machine *machine, struct err *err);
void onesided_release(struct onesided *o);

/* The entry of a call of the trace; NULL: it does not synchronize one-sided communication. */
struct onesided_call *onesided_at(const struct onesided *o, uint32_t call);

/* In the document: "late_post" ... */
const char *onesided_cause_name(enum onesided_cause cause);

/* The parts, for onesided.c only. Return 0, or -1: out of memory. */
int onesided_epochs(struct onesided *o, const struct trace *t);
int onesided_locks(struct onesided *o, const struct trace *t);
void onesided_targets(struct onesided *o, const struct trace *t, const struct presence *presence,
		      const struct machine *machine);

/* Entry x may have waited for rank until then; the latest counts. For onesided*.c only. */
int onesided_offer(const struct trace *t, struct onesided_call *x, enum onesided_cause cause,
		   uint32_t rank, int64_t until_ns);

#endif
