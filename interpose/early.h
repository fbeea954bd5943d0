/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a process that is recorded and has not come to MPI_Finalize: how and when, in the
 * headers of its logs. Signals are not watched: their handlers are the program's. So what ends
 * otherwise has been killed.
 */
#ifndef INTERPOSE_EARLY_H
#define INTERPOSE_EARLY_H

#include "interpose/log.h"

/* From the beginning of recording until the logs are complete. */
void early_start(void);
void early_stop(void);

/* Note how it ends, unless that is noted already or this is a child of the process. */
void early_end(enum log_end how);

#endif
