/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For the report of a job that hung: which requests the thread was given to wait for when its
 * process ends. Found out then, so that calls cost no more for it.
 */
#ifndef INTERPOSE_GIVEN_H
#define INTERPOSE_GIVEN_H

/*
 * Into the log of this thread, if it is in MPI_Wait and the like. Safe in a signal handler: of
 * another thread, which may go on meanwhile, nothing is read.
 */
void given_note(void);

#endif
