/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signals that end the process: which one it was, and who sent it, goes into the logs' headers. The
 * recorder's handler stands where the program has the default action of such a signal, and nowhere
 * else. It puts the default back and sends the same signal again, with all that the kernel said of
 * it, so that the process ends as it does without: with the same status, registers and core file.
 * Whoever asks by a function of libc sees the default (front_signals.h).
 *
 * Not noted: SIGKILL, a fault where no stack is left or while its signal is blocked, and what the
 * program itself handles.
 */
#ifndef INTERPOSE_DEADLY_H
#define INTERPOSE_DEADLY_H

/* From now on, in this process only, until deadly_leave(), which a child of fork() calls too. */
void deadly_watch(void);
void deadly_leave(void);

#endif
