/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of the system that go on where a signal's handler without SA_RESTART ends them early:
 * a program's timer does that to everything in its process that waits.
 */
#ifndef COMMON_STEADY_H
#define COMMON_STEADY_H

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static inline int steady_open(const char *path, int flags, mode_t mode)
{
	int fd;

	do
		fd = open(path, flags, mode);
	while (fd < 0 && errno == EINTR);
	return fd;
}

static inline FILE *steady_fopen(const char *path, const char *mode)
{
	FILE *f;

	do
		f = fopen(path, mode);
	while (!f && errno == EINTR);
	return f;
}

/* As much as there is, n at most. Returns how much, or -1. */
static inline ssize_t steady_read(int fd, void *to, size_t n)
{
	size_t done = 0;
	ssize_t got;

	do {
		got = read(fd, (char *)to + done, n - done);
		done += got > 0 ? (size_t)got : 0;
	} while ((got > 0 && done < n) || (got < 0 && errno == EINTR));
	return got < 0 && !done ? -1 : (ssize_t)done;
}

/* Not a moment less. */
static inline void steady_sleep_us(unsigned us)
{
	struct timespec left = {us / 1000000, us % 1000000 * 1000L};

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

#endif
