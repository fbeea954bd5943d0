/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whose cores were wanted by others: by other ranks (run.json's "processors", which each may use,
 * or, without that, the "cores" of their nodes), or by any process (its evidence's waits for a
 * core, or its switches where the kernel tells of no waits).
 */
#ifndef ANALYZE_RUN_CORES_H
#define ANALYZE_RUN_CORES_H

#include "analyze/run/run.h"
#include "analyze/trace.h"

/*
 * How long the threads of a process of the evidence waited for a core, all together, as a share of
 * the run: more than 1 only of several threads. -1: not known.
 */
double run_cores_awaited_share(const struct run *r, const json_t *process);

/* Was its core wanted by others, again and again; of several threads those that these wanted? */
int run_cores_is_taken(const struct run *r, const json_t *process);

/*
 * Set what t's ranks say about their cores: crowd, taken_off, core_awaited_ns, core_used_ns,
 * core_left; and t's core_groups. Of several threads each was without a core for at most what all
 * were together, and for the run. Returns 0, or -1 with *err set (out of memory).
 */
int run_cores_mark(const struct run *r, struct trace *t, struct err *err);

/* The rank, of t's one or more, that was longest without its core though it could run. */
const struct rank *run_cores_longest_without(const struct trace *t);

#endif
