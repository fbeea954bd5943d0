/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order of ranks along a line, chain or ring, that they are not numbered along: the strongest
 * pairs are joined to paths, and the paths put behind each other. A pair without a message is a gap
 * between two of them, which of all lines only says nothing about where it is.
 */
#ifndef ANALYZE_LINE_ORDER_H
#define ANALYZE_LINE_ORDER_H

#include "analyze/patterns/traffic.h"

/*
 * label[v]: the rank at place v. typical: messages of a pair that lacks none, at least 1. Returns
 * 1, and *misfits is how many pairs do not fit, no more than chance makes (but for that of the
 * ends); 0 if it is no line, -1 with *err set (out of memory).
 */
int line_order_find(const struct traffic *t, double typical, uint32_t *label, double *misfits,
		    struct err *err);

#endif
