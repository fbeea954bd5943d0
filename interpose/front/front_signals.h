/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sigaction(), signal(), siginterrupt() and their kind, exported beside MPI's functions: the
 * recorder notes by which signal a process ends (deadly.h), and who asks what is done at a signal
 * is told what would be without it. What follows is the next one of that name in the search order.
 * As safe in signal handlers and vfork()ed children as those are.
 */
#ifndef INTERPOSE_FRONT_SIGNALS_H
#define INTERPOSE_FRONT_SIGNALS_H

#include <signal.h>

/*
 * From now on asked is called with what was found to be done at a signal, to put in its place what
 * the program is to see, and given after the program may have changed it.
 */
void front_signals_tell(void (*asked)(int number, struct sigaction *found),
			void (*given)(int number));

#endif
