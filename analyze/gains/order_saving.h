/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What another destination order at a call site would save, by replay of all its exchanges one
 * after the other: who comes late to one was late in those before. With the ports that come closer
 * to what was measured. For rule_order.c.
 */
#ifndef ANALYZE_ORDER_SAVING_H
#define ANALYZE_ORDER_SAVING_H

#include "analyze/gains/evidence_base.h"

struct order_saving {
	double low_s, mid_s, high_s; /* of the run's wall time */
	double closure; /* relative error of the replay in the recorded order; < 0: no replay */
	int fitted;     /* 1: with a port's time by which it is that near, as it is not known */
};

/* Returns 0, or -1 with *err set (out of memory). even: 1: stagger is the advice, else shuffle. */
int order_saving_find(const struct evidence_base *b, const struct episodes *e, int even,
		      struct order_saving *out, struct err *err);

#endif
