/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Do ranks work one after the other? At how many instants exactly one of them computes while all
 * others are in MPI, of those between the last rank's start of MPI and the first one's end of it;
 * which are a sample, spread evenly.
 *
 * Where ranks lack cores the next one may have to wait for one: nobody computes, for as long as all
 * of them waited for cores at most. Such instants do not count if fewer than half as many ranks
 * compute at once as would by chance.
 */
#ifndef ANALYZE_ALONE_H
#define ANALYZE_ALONE_H

#include "analyze/trace.h"

struct alone {
	double share;  /* of these instants; 0: at none, or it is not known */
	double idle;   /* nobody computes, maybe for lack of cores: the share is of the others */
	double most;   /* of the instants at which one computes alone it is this rank: */
	uint32_t rank; /* or TRACE_NONE */
};

/* Most of the time only one computes, and it is not always the same one. */
int alone_is_by_turns(const struct alone *x);

/* Returns 0, or -1 with *err set (out of memory). */
int alone_find(const struct trace *t, struct alone *out, struct err *err);

#endif
