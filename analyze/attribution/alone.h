/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Do ranks work one after the other? At how many instants exactly one of them computes while all
 * others are in MPI, of those between the last rank's start of MPI and the first one's end of it;
 * which are a sample, spread evenly.
 */
#ifndef ANALYZE_ALONE_H
#define ANALYZE_ALONE_H

#include "analyze/trace.h"

struct alone {
	double share;  /* of these instants; 0: at none, or it is not known */
	double most;   /* of the instants at which one computes alone it is this rank: */
	uint32_t rank; /* or TRACE_NONE */
};

/* Most of the time only one computes, and it is not always the same one. */
int alone_is_by_turns(const struct alone *x);

/* Returns 0, or -1 with *err set (out of memory). */
int alone_find(const struct trace *t, struct alone *out, struct err *err);

#endif
