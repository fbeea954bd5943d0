/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Open files by number. MPI keeps no attributes on files, so they are found by handle. A
 * handle's identity over all who opened it together needs no message: (communicator, how
 * many-th file on it, path) is the same everywhere. Paths are as the program gave them.
 */
#ifndef INTERPOSE_FILES_H
#define INTERPOSE_FILES_H

#include "interpose/job/recorder.h"
#include "interpose/objects/comms.h"

struct file {
	MPI_File handle;
	uint32_t id;    /* in this process's log */
	uint64_t split; /* id of the access that was begun and not ended; 0: none */
	struct file *spare;
	UT_hash_handle hh;
};

/* What is known of an open file; NULL when nothing is. */
struct file *file_of(MPI_File handle);

/* handle was opened on comm. NULL when that is not known, or without memory. */
struct file *file_opened(struct lane *l, MPI_Comm comm, const char *path, MPI_File handle);

/* handle is about to be closed, and may be another file's at once; NULL: not known. */
struct file *file_take(MPI_File handle);

/* It was not closed, or it was. */
void file_put_back(struct file *f);
void file_closed(struct file *f);

/* The number of a path in this process's log, defined when new; UINT32_MAX without memory. */
uint32_t file_path(struct lane *l, const char *path, uint64_t *key);

#endif
