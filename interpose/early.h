/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a process that is recorded and has not come to MPI_Finalize: how and when, in the
 * headers of its logs. Signals are not watched: the program would see a handler, the launcher a
 * process in between, and the kernel tells nobody else. So what ends otherwise has been killed, by
 * which signal is not known.
 */
#ifndef INTERPOSE_EARLY_H
#define INTERPOSE_EARLY_H

#include "interpose/log.h"

/* From the beginning of recording until the logs are complete. */
void early_start(void);
void early_stop(void);

/* MPI_Abort was called with code. */
void early_abort(int code);

/* Note how it ends, unless that is noted already or this is a child of the process. */
void early_end(enum log_end how);

#endif
