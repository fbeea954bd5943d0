/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pauses of the recording: MPI_Pcontrol(0) begins one and MPI_Pcontrol(1) (or more) ends it;
 * --start-off begins with one, and a rank that --ranks leaves out has nothing else.
 *
 * In a pause recorder.on is 0, so that calls find out as cheaply as with an inert recorder,
 * and recorder.paused is not. Requests and communicators are followed all the same, by the
 * same hooks, on a record that nobody keeps (struct scope, off); messages and collectives
 * are counted (skipped.h). A receive that was posted in the log and completes in a pause is
 * noted in the log then; one that was posted in a pause and is still open at its end is
 * noted there, as is a message that was probed for: their channels count, and their order, not
 * their times.
 */
#ifndef INTERPOSE_PAUSE_H
#define INTERPOSE_PAUSE_H

#include "interpose/hooks/hooks.h"

/* Before MPI_Init: --start-off and --ranks. Returns 0, or -1 with *err set. */
int pause_options(int rank, struct err *err);

/* In a job of so many ranks: rank 0 says when --ranks names others. */
void pause_check_ranks(int ranks);

/* init, the record of MPI_Init, is the last one for now when the options say so. */
void pause_at_start(struct record *init);

/* Has nothing ended that pause before MPI_Finalize? If that is so of all, rank 0 says it. */
int pause_never_ended(void);
void pause_say_never_ended(void);

/* Record again. Returns 0 when there is no pause. */
int pause_end(void);

#endif
