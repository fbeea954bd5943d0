/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is being done, on standard error: on a terminal once it has taken a second,
 * with --verbose every step as a line with its time, and at the end whether tables were in a file
 * and where; else nothing.
 *
 * Life cycle: progress_start(), progress_step() before each step, progress_stop(). In between
 * whatever else is to be said there goes through progress_say().
 */
#ifndef CMD_PROGRESS_H
#define CMD_PROGRESS_H

#include <pthread.h>
#include <time.h>

struct progress {
	const char *step; /* NULL before the first and after the last */
	struct timespec since;
	int verbose;
	int running; /* the thread below is there */
	int shown;   /* there is text on the terminal's line */
	int percent; /* of the step; negative: not known */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
};

void progress_start(struct progress *p);
void progress_step(struct progress *p, const char *step); /* a literal */

/* How much of the step is done, 0 to 1. As a function with user data: p is the user's. */
void progress_share(void *p, double done);

/* A line of standard error that stays. */
void progress_say(struct progress *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

void progress_stop(struct progress *p);

#endif
