/* SPDX-License-Identifier: BSD-3-Clause */
/* Files in OTF2's words. */
#include "interpose/archive/archive_writer.h"

#include "interpose/archive/archive_defs.h"

static const OTF2_IoOperationMode modes[] = {
	[LOG_IO_READ] = OTF2_IO_OPERATION_MODE_READ,
	[LOG_IO_WRITE] = OTF2_IO_OPERATION_MODE_WRITE,
	[LOG_IO_FLUSH] = OTF2_IO_OPERATION_MODE_FLUSH,
};
static const OTF2_IoSeekOption whence[] = {
	[LOG_FROM_START] = OTF2_IO_SEEK_FROM_START,
	[LOG_FROM_CURRENT] = OTF2_IO_SEEK_FROM_CURRENT,
	[LOG_FROM_END] = OTF2_IO_SEEK_FROM_END,
};
#define ONE_OF(table, i) table[(uint32_t)(i) % (sizeof(table) / sizeof(table[0]))]

void write_io_post(struct writer *w, const struct record *r, OTF2_TimeStamp t)
{
	OTF2_IoHandleRef handle = def_global(w->rank, DEF_FILE, r->comm);
	OTF2_IoOperationFlag flags = OTF2_IO_OPERATION_FLAG_NONE;

	if (r->kind != RECORD_IO && r->kind != RECORD_IO_START)
		return;
	if (r->kind == RECORD_IO_START)
		flags |= OTF2_IO_OPERATION_FLAG_NON_BLOCKING;
	if (r->aux & LOG_IO_COLLECTIVE)
		flags |= OTF2_IO_OPERATION_FLAG_COLLECTIVE;
	WRITER_PUT(w,
		   OTF2_EvtWriter_IoOperationBegin(w->evt, NULL, t, handle, ONE_OF(modes, r->tag),
						   flags, r->bytes, r->request));
}

static void write_open(struct writer *w, const struct record *r, OTF2_TimeStamp t,
		       OTF2_IoHandleRef handle)
{
	OTF2_IoAccessMode mode = OTF2_IO_ACCESS_MODE_READ_WRITE;
	OTF2_IoCreationFlag creation = OTF2_IO_CREATION_FLAG_NONE;
	OTF2_IoStatusFlag status = OTF2_IO_STATUS_FLAG_NONE;

	if (!(r->aux & LOG_IO_MAY_WRITE))
		mode = OTF2_IO_ACCESS_MODE_READ_ONLY;
	else if (!(r->aux & LOG_IO_MAY_READ))
		mode = OTF2_IO_ACCESS_MODE_WRITE_ONLY;
	if (r->aux & LOG_IO_CREATE)
		creation |= OTF2_IO_CREATION_FLAG_CREATE;
	if (r->aux & LOG_IO_EXCLUSIVE)
		creation |= OTF2_IO_CREATION_FLAG_EXCLUSIVE;
	if (r->aux & LOG_IO_UNIQUE)
		creation |= OTF2_IO_CREATION_FLAG_UNIQUE;
	if (r->aux & LOG_IO_NO_SEEK)
		creation |= OTF2_IO_CREATION_FLAG_NO_SEEK;
	if (r->aux & LOG_IO_APPEND)
		status |= OTF2_IO_STATUS_FLAG_APPEND;
	if (r->aux & LOG_IO_TEMPORARY)
		status |= OTF2_IO_STATUS_FLAG_DELETE_ON_CLOSE;
	WRITER_PUT(w,
		   OTF2_EvtWriter_IoCreateHandle(w->evt, NULL, t, handle, mode, creation, status));
}

void write_io_completion(struct writer *w, const struct record *r, OTF2_TimeStamp t)
{
	OTF2_IoHandleRef handle = def_global(w->rank, DEF_FILE, r->comm);

	switch (r->kind) {
	case RECORD_IO_OPEN:
		write_open(w, r, t, handle);
		break;
	case RECORD_IO_CLOSE:
		WRITER_PUT(w, OTF2_EvtWriter_IoDestroyHandle(w->evt, NULL, t, handle));
		break;
	case RECORD_IO_DELETE:
		WRITER_PUT(w, OTF2_EvtWriter_IoDeleteFile(w->evt, NULL, t, ARCHIVE_PARADIGM_IO,
							  def_global(w->rank, DEF_PATH, r->comm)));
		break;
	case RECORD_IO_SEEK:
		WRITER_PUT(w, OTF2_EvtWriter_IoSeek(w->evt, NULL, t, handle, (int64_t)r->bytes,
						    ONE_OF(whence, r->tag), r->bytes_in));
		break;
	case RECORD_IO_START:
		WRITER_PUT(w,
			   OTF2_EvtWriter_IoOperationIssued(w->evt, NULL, t, handle, r->request));
		break;
	case RECORD_IO:
	case RECORD_IO_DONE:
		WRITER_PUT(w, OTF2_EvtWriter_IoOperationComplete(w->evt, NULL, t, handle,
								 r->bytes_in, r->request));
		break;
	case RECORD_IO_FAILED:
		WRITER_PUT(w, OTF2_EvtWriter_IoOperationCancelled(w->evt, NULL, t, handle,
								  r->request));
		break;
	default:
		break;
	}
}
