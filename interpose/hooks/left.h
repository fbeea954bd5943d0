/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that do not return: a callback of the program or a signal handler leaves them by longjmp,
 * an exception or the end of the thread. Then the lane still says that it is inside of a call,
 * and only the stack tells whether it is.
 */
#ifndef INTERPOSE_LEFT_H
#define INTERPOSE_LEFT_H

#include "interpose/job/recorder.h"

struct scope;

/* In lane->inside: the recorder is at work, whatever is called now is not the program's call. */
#define LANE_BUSY ((struct scope *)UINTPTR_MAX)

/*
 * Is the call at s, being entered, its wrapper's frame at frame, one inside of the call at
 * l->inside? If not, that one was left: it is over then. The rare path of scope_enter; errno is
 * kept.
 */
int left_not_yet(struct lane *l, const struct scope *s, const void *frame);

/* The call that l is inside of, if any, ends now and did nothing more than take its time. */
void left_for_good(struct lane *l);

#endif
