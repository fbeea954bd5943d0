/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clocks of other recorders: some count from where each process began (EZTrace), so that ranks of
 * one host do not share a clock. Messages that are received before they are sent show it.
 */
#ifndef ANALYZE_CLOCK_SPLIT_H
#define ANALYZE_CLOCK_SPLIT_H

#include "analyze/matching/messages.h"

/*
 * Before clock_align: each rank gets a clock of its own where ranks of one clock, of which the
 * recorder says nothing, have such messages. Returns 0, or -1 with *err set (out of memory).
 */
int clock_split(struct trace *t, const struct messages *m, struct err *err);

#endif
