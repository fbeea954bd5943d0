/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/hooks/hooks_io.h"

static void fill(struct record *r, enum record_kind kind, const struct file *f, struct io io)
{
	r->comm = f->id;
	r->request = recorder_request();
	r->bytes = io.bytes;
	r->tag = (int32_t)io.what;
	r->aux = io.flags;
	scope_become(r, kind);
}

MPI_Status *hook_io(struct scope *s, MPI_File fh, struct io io, MPI_Status *status)
{
	const struct file *f = file_of(fh);

	if (!f)
		return status;
	fill(s->r, RECORD_IO, f, io);
	return hook_status(s, status);
}

/* What status says was done; without one, what was asked for. */
static uint64_t done(MPI_Status *status, uint64_t asked)
{
	return status == MPI_STATUS_IGNORE ? asked : hook_status_bytes(status);
}

void hook_io_done(struct scope *s, int ret, MPI_Status *status)
{
	hook_result(s, ret);
	if (s->r->kind == RECORD_IO)
		s->r->bytes_in = done(status, s->r->bytes);
}

void hook_io_started(struct scope *s, int ret, MPI_File fh, struct io io,
		     const MPI_Request *request)
{
	const struct file *f = ret == MPI_SUCCESS && !s->off ? file_of(fh) : NULL;
	struct request q = {.kind = REQUEST_IO, .active = 1, .bytes = io.bytes};

	if (!f)
		return;
	fill(s->r, RECORD_IO_START, f, io);
	q.id = s->r->request;
	q.comm = f->id;
	request_add(*request, &q);
}

void hook_io_begun(struct scope *s, int ret, MPI_File fh, struct io io)
{
	struct file *f = ret == MPI_SUCCESS && !s->off ? file_of(fh) : NULL;

	if (!f)
		return;
	fill(s->r, RECORD_IO_START, f, io);
	f->split = s->r->request;
}

void hook_io_ended(struct scope *s, int ret, MPI_File fh, MPI_Status *status)
{
	struct file *f = file_of(fh);

	if (!f || !f->split)
		return;
	s->r->comm = f->id;
	s->r->request = f->split;
	s->r->bytes_in = done(status, 0);
	scope_become(s->r, ret == MPI_SUCCESS ? RECORD_IO_DONE : RECORD_IO_FAILED);
	f->split = 0;
}

static uint32_t mode_flags(int mode)
{
	static const struct {
		int mpi;
		uint32_t log;
	} all[] = {
		{MPI_MODE_RDONLY, LOG_IO_MAY_READ},
		{MPI_MODE_WRONLY, LOG_IO_MAY_WRITE},
		{MPI_MODE_RDWR, LOG_IO_MAY_READ | LOG_IO_MAY_WRITE},
		{MPI_MODE_CREATE, LOG_IO_CREATE},
		{MPI_MODE_EXCL, LOG_IO_EXCLUSIVE},
		{MPI_MODE_APPEND, LOG_IO_APPEND},
		{MPI_MODE_UNIQUE_OPEN, LOG_IO_UNIQUE},
		{MPI_MODE_SEQUENTIAL, LOG_IO_NO_SEEK},
		{MPI_MODE_DELETE_ON_CLOSE, LOG_IO_TEMPORARY},
	};
	uint32_t flags = 0;
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (mode & all[i].mpi)
			flags |= all[i].log;
	return flags;
}

void hook_file_opened(struct scope *s, int ret, MPI_Comm comm, const char *path, int mode,
		      const MPI_File *fh)
{
	const struct file *f = ret == MPI_SUCCESS ? file_opened(s->lane, comm, path, *fh) : NULL;

	if (!f)
		return;
	s->r->comm = f->id;
	s->r->aux = mode_flags(mode);
	scope_become(s->r, RECORD_IO_OPEN);
}

void hook_file_close(struct scope *s, const MPI_File *fh)
{
	s->file = fh ? file_take(*fh) : NULL;
}

void hook_file_closed(struct scope *s, int ret)
{
	if (!s->file)
		return;
	if (ret != MPI_SUCCESS) {
		file_put_back(s->file);
		return;
	}
	s->r->comm = s->file->id;
	scope_become(s->r, RECORD_IO_CLOSE);
	file_closed(s->file);
}

void hook_file_deleted(struct scope *s, int ret, const char *path)
{
	uint64_t key;
	uint32_t id = ret == MPI_SUCCESS && path ? file_path(s->lane, path, &key) : UINT32_MAX;

	if (id == UINT32_MAX)
		return;
	s->r->comm = id;
	scope_become(s->r, RECORD_IO_DELETE);
}

void hook_file_sought(struct scope *s, int ret, MPI_File fh, struct seek seek)
{
	const struct file *f = ret == MPI_SUCCESS && !s->off ? file_of(fh) : NULL;
	MPI_Offset now = -1;

	if (!f)
		return;
	/* The shared position lies in a file of MPI's own: it is not asked for. */
	if (!seek.shared && real.File_get_position(fh, &now))
		now = -1;
	else if (seek.shared && seek.whence == MPI_SEEK_SET)
		now = seek.offset;
	s->r->comm = f->id;
	s->r->bytes = (uint64_t)seek.offset;
	s->r->bytes_in = (uint64_t)now;
	s->r->tag = seek.whence == MPI_SEEK_SET   ? LOG_FROM_START
		    : seek.whence == MPI_SEEK_CUR ? LOG_FROM_CURRENT
						  : LOG_FROM_END;
	scope_become(s->r, RECORD_IO_SEEK);
}
