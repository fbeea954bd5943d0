/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exec() and its kind, by which a process becomes another program without an end of its own:
 * exported beside MPI's functions so that it can be told from a kill. What follows is the next one
 * of that name in the search order, or the one that takes the environment too: of a process that
 * was recorded it goes on without the recorder's mark. As safe in signal handlers and vfork()ed
 * children as those are.
 */
#ifndef INTERPOSE_FRONT_EXEC_H
#define INTERPOSE_FRONT_EXEC_H

/* From now on becomes is called with 1 before each of them, and with 0 when it has failed. */
void front_exec_tell(void (*becomes)(int now));

#endif
