/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whose cores were wanted by others: by other ranks (run.json's "cores"), or by any process (its
 * evidence's switches).
 */
#ifndef ANALYZE_RUN_CORES_H
#define ANALYZE_RUN_CORES_H

#include "analyze/run.h"
#include "analyze/trace.h"

/* Has a process with so many involuntary switches been in others' way? */
int run_cores_is_switched(const struct run *r, double switches);

/* Set what t's ranks say about their cores: crowd and taken_off. */
void run_cores_mark(const struct run *r, struct trace *t);

#endif
