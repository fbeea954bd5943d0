/* SPDX-License-Identifier: BSD-3-Clause */
/* Hooks of calls_io.def and calls_file.def, see hooks.h. */
#ifndef INTERPOSE_HOOKS_IO_H
#define INTERPOSE_HOOKS_IO_H

#include "interpose/hooks/hooks.h"
#include "interpose/objects/files.h"

/* An access that is asked for; flags: LOG_IO_COLLECTIVE. */
struct io {
	enum log_io what;
	uint64_t bytes;
	uint32_t flags;
};
#define IO_READ(bytes, flags)  ((struct io){LOG_IO_READ, bytes, flags})
#define IO_WRITE(bytes, flags) ((struct io){LOG_IO_WRITE, bytes, flags})
#define IO_FLUSH               ((struct io){LOG_IO_FLUSH, 0, LOG_IO_COLLECTIVE})

struct seek {
	MPI_Offset offset;
	int whence, shared;
};
#define SEEK(offset, whence, shared) ((struct seek){offset, whence, shared})

/* In one call; the status to give to MPI. */
MPI_Status *hook_io(struct scope *s, MPI_File fh, struct io io, MPI_Status *status);
void hook_io_done(struct scope *s, int ret, MPI_Status *status);

/* The same of so many elements. */
static inline void hook_io_sized(struct scope *s, int ret, MPI_Count count, MPI_Datatype type,
				 MPI_Status *status)
{
	if (hook_asks_again(s, ret)) {
		s->r->bytes = hook_bytes(count, type);
		hook_asked(s);
	}
	hook_io_done(s, ret, status);
}

/* With a request. */
void hook_io_started(struct scope *s, int ret, MPI_File fh, struct io io,
		     const MPI_Request *request);

/* In two calls. */
void hook_io_begun(struct scope *s, int ret, MPI_File fh, struct io io);
void hook_io_ended(struct scope *s, int ret, MPI_File fh, MPI_Status *status);

void hook_file_opened(struct scope *s, int ret, MPI_Comm comm, const char *path, int mode,
		      const MPI_File *fh);
void hook_file_close(struct scope *s, const MPI_File *fh);
void hook_file_closed(struct scope *s, int ret);
void hook_file_deleted(struct scope *s, int ret, const char *path);
void hook_file_sought(struct scope *s, int ret, MPI_File fh, struct seek seek);

#endif
