/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the recorder's library is. */
#ifndef CMD_LIBRARY_H
#define CMD_LIBRARY_H

#include <stddef.h>

#include "common/err.h"

/*
 * The path of libcontend.so: of --libdir when given, else beside the program in its build tree,
 * else in ../lib/contend, else where it was installed. Returns 0, or -1 with *err set.
 */
int library_find(size_t size, char path[size], struct err *err);

/* Is there beside that library a recorder for this MPI? Returns 0, or -1 with *err set. */
int library_records(const char *library, const char *mpi, struct err *err);

/* The path of a program of ours that is kept beside it. Likewise. */
int library_program(const char *name, size_t size, char path[size], struct err *err);

#endif
