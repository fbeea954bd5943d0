/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the front asks of a backend, found by name with dlsym. The rows of
 * calls.def, in order, are the indices of both.
 */
#ifndef INTERPOSE_BACKEND_H
#define INTERPOSE_BACKEND_H

#include <signal.h>
#include <stddef.h>

/*
 * mpi: dlopen handle of the job's MPI. Fills in wrappers (NULL where this MPI has no such
 * function) and the real functions. name: the backend that was asked for. Returns 0, or
 * -1 when the backend is another one, or does not fit this front or this MPI.
 */
int contend_backend_open(void *mpi, const char *name, size_t n, void *wrappers[n],
			 void *originals[n]) __attribute__((visibility("default")));

/* The process, or a child that shares its memory, ends by _exit. Safe in a signal handler. */
void contend_backend_left(int status) __attribute__((visibility("default")));

/* The same of a process that becomes another program; 0: that has failed. */
void contend_backend_becomes(int now) __attribute__((visibility("default")));

/*
 * The program asks what is done at a signal: what it is to see is put in the place of what was
 * found. And: it may just have changed that. Safe in a signal handler.
 */
void contend_backend_asked(int number, struct sigaction *found)
	__attribute__((visibility("default")));
void contend_backend_given(int number) __attribute__((visibility("default")));

#endif
