/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finishing the trace of a killed job before it is read. */
#ifndef CMD_RECOVERY_H
#define CMD_RECOVERY_H

#include "analyze/run/run.h"
#include "analyze/trace.h"
#include "cmd/progress.h"

/*
 * As run_open(), but of a job that runs its end is waited for, saying so, some seconds; when it
 * goes on, that is an error. Caller: run_release.
 */
int recovery_find(const char *path, struct progress *p, struct run *out, struct err *err);

/*
 * As recovery_find(); a run whose trace was never finished is finished first, saying so
 * in one line on standard error, and logs that a kill left beside a finished one are removed.
 * Caller: run_release.
 */
int recovery_open(const char *path, struct progress *p, struct run *out, struct err *err);

/* Is the option about reading right, --memory? Returns 0, or -1 with *err set. */
int recovery_checked(struct err *err);

/*
 * As trace_read() of r's archive; where its tables are to be is settled before, and said if memory
 * may not do, and when it is damaged *err says what there is to be done.
 */
int recovery_read(const struct run *r, struct progress *p, struct trace *out, struct err *err);

/* Finish the trace in r's directory and say what was found. Returns 0, or -1 with *err set. */
int recovery_run(const struct run *r, struct progress *p, struct err *err);

/*
 * Remove logs that are beside r's trace, which is whole, without being meant to, and say so.
 * Returns how many.
 */
int recovery_tidy(const struct run *r, struct progress *p);

#endif
