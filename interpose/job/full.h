/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is left when no more events can be kept: the logs have the size of --max-trace, or the
 * disk is full. The first call after that is the last in the log, and a pause begins with it
 * (pause.h) that lasts to the end of the program. Calls and messages are counted then, by
 * function and call site, in a table of the lane's log (log_total_of); what the analysis needs
 * of receives that were open, new call sites and MPI_Finalize go into the log's tail while
 * there is room.
 */
#ifndef INTERPOSE_FULL_H
#define INTERPOSE_FULL_H

#include "interpose/hooks/hooks.h"

/* Before MPI_Init: --max-trace. Returns 0, or -1 with *err set. */
int full_options(struct err *err);

/* Before the first log is limited: rank 0 says when --max-trace asks for less than there can be. */
void full_check(void);

/* A log of this process is there: its size counts. */
void full_limit(struct log *log);

/*
 * l's log cannot grow, for the reason why: events end, which is said once. Returns 0 when units
 * more fit into its tail, else -1.
 */
int full_room(struct lane *l, size_t units, const char *why);

/* In MPI_Finalize: back to recording for its record. Returns 1 when a pause ends with that. */
int full_end(void);

/* A call that is only counted begins, and has returned. */
void full_enter(struct scope *s, void *ra, void *frame);
void full_returned(struct scope *s);

#endif
