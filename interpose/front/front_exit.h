/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * _exit() and _Exit(), the end that no handler sees: exported beside MPI's functions so that
 * it can be told from a kill. What follows is the next _exit in the search order.
 */
#ifndef INTERPOSE_FRONT_EXIT_H
#define INTERPOSE_FRONT_EXIT_H

/* From now on left is called with the exit status; it notes it and returns. */
void front_exit_tell(void (*left)(int status));

#endif
