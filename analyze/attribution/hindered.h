/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What of the contention may be something else that kept the ends of messages from handling these,
 * when all that is known is for how long it kept each rank. That bounds how much of it can be:
 *
 * - Waiting for a core. A rank that other processes took off its core (trace.h's core_awaited_ns)
 *   is late with its messages, and looks like a busy port or a busy network to both ends.
 * - Handlers, of what seems the network's time. A receiver that is in a call for a message counts
 *   as doing nothing but wait for it; but MPI may search its queues meanwhile (searched_ns), for
 *   what others sent, and take this message when it is done. That is contention in any case.
 *
 * Whom it kept for less than a noticeable part of the contention at it changes nothing. For
 * attribution.c only.
 */
#ifndef ANALYZE_HINDERED_H
#define ANALYZE_HINDERED_H

#include "analyze/attribution/attribution.h"

/*
 * After all scenarios: a has the messages' contention and the intervals, not yet bounded. Take from
 * the least of its contention what its messages' ends may have waited for cores, and let its
 * network contention be handlers as far as they searched. Says how much in a->awaited_ns and
 * a->searched_ns. Returns 0, or -1 with *err set (out of memory).
 */
int hindered_doubt(const struct trace *t, const struct messages *m, struct attribution *a,
		   struct err *err);

#endif
