/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Clocks compared while the job runs (offsets.h), without a thread and without a message on
 * the user's communicators: the nodes' leaders meet after a collective of the program's that
 * lets no rank go before all have come, on a communicator of all ranks. Which one is known
 * to all without asking, by count; rank 0 says at each meeting when the next will be. Most
 * meetings only pass that on; about every --clock-interval clocks are compared.
 *
 * Every wait ends: whoever does not come in time is not waited for, and after a few times
 * not met again.
 *
 * Threads: with MPI_THREAD_MULTIPLE collectives on different communicators return in another order
 * on each rank, so those on MPI_COMM_WORLD alone are counted, which MPI lets one thread call at a
 * time: that one meets, the others go on.
 */
#ifndef INTERPOSE_MEETINGS_H
#define INTERPOSE_MEETINGS_H

#include "interpose/job/recorder.h"

extern atomic_int meetings_on; /* on a leader of several that has somebody to meet */

/* Once recording has started. */
void meetings_start(void);

/* A collective on comm has returned. */
void meetings_count(struct lane *l, enum call_id call, MPI_Comm comm);

#endif
