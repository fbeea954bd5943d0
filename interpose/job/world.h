/* SPDX-License-Identifier: BSD-3-Clause */
/* What only MPI_Init tells of the job: who its ranks are and which of them are recorded. */
#ifndef INTERPOSE_WORLD_H
#define INTERPOSE_WORLD_H

#include "interpose/job/launch.h"

/*
 * Find out whether all ranks are recorded and make the tool's communicator. Every rank that
 * claimed a log goes through this whatever else fails on it: the others count on it.
 */
void world_join(const struct launch *l);

/*
 * Does MPI say what the launcher said? Then the log's header has what MPI knows. Returns 0,
 * or -1 with *err set.
 */
int world_check(const struct launch *l, struct err *err);

/* Was this world started by another? That is the one to be looked at first. */
int world_was_spawned(void);

#endif
