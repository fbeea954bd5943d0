/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What run.json's evidence says of MPI's own queues: how long they were, how long ranks searched
 * them.
 */
#ifndef ANALYZE_RUN_QUEUES_H
#define ANALYZE_RUN_QUEUES_H

#include "analyze/run/run.h"
#include "analyze/trace.h"

/* Set what t's ranks say about their queues: searched_ns and unexpected. */
void run_queues_mark(const struct run *r, struct trace *t);

#endif
