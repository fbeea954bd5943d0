/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What of the network contention may be handlers. A receiver that is in a call for a message counts as
 * doing nothing but wait for it; but MPI may search its queues meanwhile, for what others sent, and
 * take this message when it is done. Where MPI says how long it searched (trace.h's searched_ns),
 * that bounds how much of what seems the network's time can be such handling. It is contention in
 * any case. Who searched for less than a noticeable part of the contention at it changes nothing. For
 * attribution.c only.
 */
#ifndef ANALYZE_SEARCHED_H
#define ANALYZE_SEARCHED_H

#include "analyze/attribution/attribution.h"

/*
 * Let a's network contention be message handlers as far as its messages' ends searched, after all
 * scenarios: a has the messages' contention and the intervals, not yet bounded. Says how much in
 * a->searched_ns. Returns 0, or -1 with *err set (out of memory).
 */
int searched_doubt(const struct trace *t, const struct messages *m, struct attribution *a,
		   struct err *err);

#endif
