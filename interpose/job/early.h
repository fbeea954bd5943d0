/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a process that is recorded and has not come to MPI_Finalize: how and when, in the
 * headers of its logs. What leaves no word there has been killed by a signal that cannot be noted
 * (deadly.h), which is SIGKILL as a rule.
 */
#ifndef INTERPOSE_EARLY_H
#define INTERPOSE_EARLY_H

#include "interpose/log/log.h"

/* From the beginning of recording until the logs are complete, or in a child of fork(). */
void early_start(void);
void early_stop(void);

/* MPI_Abort was called with code. */
void early_abort(int code);

/* The signal of that number ends it, sent by a process of that name. Safe in a signal handler. */
void early_killed(int number, enum log_sender from, const char by[16]);

#endif
