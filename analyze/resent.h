/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What readings of TCP's counters say of the network contention. It lies beside what the sender's host
 * sent again, or does not, which is evidence; and part of it is proven. TCP sends again by a time-out
 * after 200 ms at the earliest, in which its connection stands still. A message for which its receiver
 * did nothing but wait, that long and by a call that tells when it came, although the ports of its
 * hosts can have been free of all that is known to have been under way, and whose sender's host had
 * a time-out meanwhile, waited for what was lost: no handler and no port explains that. Each
 * time-out counts once. That its segments were this run's is taken for granted. For
 * attribution.c only.
 */
#ifndef ANALYZE_RESENT_H
#define ANALYZE_RESENT_H

#include "analyze/attribution.h"

/*
 * Raise the least of a's network contention to what is proven, after all scenarios and doubts, before
 * the bounds. Fills a->resent. Returns 0, or -1 with *err set (out of memory).
 */
int resent_prove(const struct trace *t, const struct messages *m, const struct machine *machine,
		 struct attribution *a, struct err *err);

#endif
