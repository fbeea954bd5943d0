/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What if each rank sent a place's messages one by one, each when the one before it is there?
 * Those of one rank that were under way together, a burst, shared its port, so that all of them
 * were there late; one by one the first ones are there sooner. A receiver's port still has all who
 * send to it side by side. The last one of a burst is there no sooner than it was: a port that had
 * work all the time has as much.
 */
#ifndef ANALYZE_PACING_H
#define ANALYZE_PACING_H

#include "analyze/gains/evidence_base.h"

/* A send then: ns of the trace. */
struct pace {
	int64_t begun_ns; /* its turn begins, */
	int64_t there_ns; /* its message is there, */
	int64_t ended_ns; /* and its sender knows */
	uint32_t first;   /* of its burst; the first one is its own */
};

/*
 * The bursts of the key's sends, b->senders.message[at[key] + k]: sets pace[k].first. Returns how
 * many were under way with others.
 */
uint32_t pacing_cut(const struct evidence_base *b, uint32_t key, struct pace *pace);

/* The rest of pace, which is cut. Returns 0, or -1 with *err set (out of memory). */
int pacing_find(const struct evidence_base *b, uint32_t key, struct pace *pace, struct err *err);

#endif
