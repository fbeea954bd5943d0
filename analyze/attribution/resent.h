/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What readings of TCP's counters say of the network contention: how much of it lies beside what
 * the sender's host sent again, and which messages waited for what was lost, if the time-outs were
 * those of this run's connections. TCP sends again by a time-out after 200 ms at the earliest
 * (Linux, unless a route says less), in which its connection stands still. Such a message is one
 * for which its receiver did nothing but wait, that long and by a call that tells when it came,
 * although the ports of its hosts can have been free of all that is known to have been under way,
 * and whose sender's host had a time-out meanwhile. Each time-out counts once. No number of the
 * views is moved: whose segments were lost the counters do not say. For attribution.c only.
 */
#ifndef ANALYZE_RESENT_H
#define ANALYZE_RESENT_H

#include "analyze/attribution/attribution.h"

/* Fills a->resent, after all scenarios. Returns 0, or -1 with *err set (out of memory). */
int resent_find(const struct trace *t, const struct messages *m, const struct machine *machine,
		struct attribution *a, struct err *err);

#endif
