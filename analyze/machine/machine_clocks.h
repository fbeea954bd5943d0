/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the clocks' error leaves of a size's time. The time of a message from one node to another
 * is known only up to the difference of their clocks; that of a round trip, two messages one after
 * the other there and back, is free of it, and half of that is the time of one. For
 * machine_known.c only.
 */
#ifndef ANALYZE_MACHINE_CLOCKS_H
#define ANALYZE_MACHINE_CLOCKS_H

#include "analyze/machine/machine_known.h"

/*
 * k->time is the p-quantile of a kind's samples of this bin. Where the clocks matter that becomes
 * the one of its round trips, if there are any; less_s and more_s are set to what the clocks leave
 * open. Returns 0, or -1 with *err set (out of memory).
 */
int machine_clocks_judge(struct known *k, const struct samples *all, enum locality class,
			 enum sample_kind kind, int bin, double p, struct err *err);

#endif
