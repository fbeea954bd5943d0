/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run directories as the recorder leaves them when a job is killed: nothing but logs. */
#ifndef TESTS_UNIT_RUNLOGS_H
#define TESTS_UNIT_RUNLOGS_H

#include "interpose/log/log.h"

struct runlogs {
	unsigned ranks, threads; /* threads: of each rank */
	unsigned calls;          /* of each thread */
	unsigned hung_ns; /* then it was in one more call until SIGTERM came; 0: it was not */
};

/*
 * Make the directory dir and the logs in it: messages around a ring, polls, collectives, files
 * and whatever else a record can say, the same every time. Returns 0, or -1.
 */
int runlogs_make(const char *dir, const struct runlogs *l);

/* Path of a log. */
void runlogs_path(char *path, size_t n, const char *dir, unsigned rank, unsigned thread);

#endif
