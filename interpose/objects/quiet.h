/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Asking MPI about something that may be in error, without the program's error handler
 * hearing of it: errors without a communicator go to the world's handler, or to that of
 * MPI_COMM_SELF. Another thread's errors would be lost meanwhile, so keep it short, or
 * do without under MPI_THREAD_MULTIPLE.
 */
#ifndef INTERPOSE_QUIET_H
#define INTERPOSE_QUIET_H

#include <mpi.h>

struct quiet {
	MPI_Errhandler world, self; /* the program's own */
};

void quiet_begin(struct quiet *q);
void quiet_end(struct quiet *q);

#endif
