/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI that is begun by sessions (MPI 4), where no rank may ever meet all others: nothing is
 * communicated, the logs stay and are made a trace afterwards. Only if a session comes before
 * MPI_Init; in a world that has begun, sessions are calls like any others.
 */
#ifndef INTERPOSE_SESSIONS_H
#define INTERPOSE_SESSIONS_H

#include "interpose/calls/mpi4.h"

/* All processes as the open sessions know them. Returns 0 and a group to free, or -1. */
int sessions_group(MPI_Group *all);

/* In MPI_Session_finalize, before the real one. */
void sessions_closing(const MPI_Session *session);

/* Are there sessions and no world? */
int sessions_alone(void);

/* MPI_Init has returned. */
void sessions_begin_world(void);

/* MPI_Finalize is called: 1 when sessions go on without it. */
int sessions_end_world(void);

#endif
