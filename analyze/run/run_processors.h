/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which processors each rank may use, and what quota of them (run.json's "processors"): who has
 * to share them with whom.
 */
#ifndef ANALYZE_RUN_PROCESSORS_H
#define ANALYZE_RUN_PROCESSORS_H

#include "analyze/run/run.h"
#include "analyze/trace.h"

/*
 * Add the groups of all nodes of whose ranks each one's processors are known, and those of quotas;
 * and the crowds of their ranks. A rank's is the larger one where both are: that who waits for its
 * quota leaves processors to others is not counted. Returns 0, or -1 with *err set (out of memory).
 */
int run_processors_mark(const struct run *r, struct trace *t, struct err *err);

#endif
