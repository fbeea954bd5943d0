/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What of the contention may be waiting for a core. A rank that other processes took off its core
 * (trace.h's core_awaited_ns) is late with its messages, and looks like a busy port or a busy
 * network to both ends; how long it was without one bounds how much of that it can be. Who waited
 * less than a noticeable part of the contention at it changes nothing. For attribution.c only.
 */
#ifndef ANALYZE_AWAITED_H
#define ANALYZE_AWAITED_H

#include "analyze/attribution/attribution.h"

/*
 * Take from the least of a's contention what its messages' ends may have waited for cores, after
 * all scenarios: a has the messages' contention and the intervals, not yet bounded. Says how much
 * in a->awaited_ns. Returns 0, or -1 with *err set (out of memory).
 */
int awaited_doubt(const struct trace *t, const struct messages *m, struct attribution *a,
		  struct err *err);

#endif
