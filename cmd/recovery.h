/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finishing the trace of a killed job before it is read. */
#ifndef CMD_RECOVERY_H
#define CMD_RECOVERY_H

#include "analyze/run.h"

/*
 * As run_open(); a run whose trace was never finished is finished first, saying so
 * in one line on standard error. Caller: run_release.
 */
int recovery_open(const char *path, struct run *out, struct err *err);

/* Finish the trace in r's directory and say what was found. Returns 0, or -1 with *err set. */
int recovery_run(const struct run *r, struct err *err);

#endif
