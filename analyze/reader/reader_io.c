/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Access to files: when requests begin and end, and in which calls. What they read and write is not
 * kept.
 */
#include "analyze/reader/reader_callback.h"

/* Only MPI's: a program's own access, which other recorders know, has no requests to wait for. */
static OTF2_CallbackCode note(struct load *l, OTF2_TimeStamp time, enum op_kind kind, uint64_t id)
{
	if (l->at.call == TRACE_NONE)
		return OTF2_CALLBACK_SUCCESS;
	l->trace.calls[l->at.call].is_of_files = 1;
	return went_on(load_request(l, time, &(struct op){.kind = kind, .request = id}));
}

static OTF2_CallbackCode on_begin(EVENT, OTF2_IoHandleRef handle, OTF2_IoOperationMode mode,
				  OTF2_IoOperationFlag flags, uint64_t bytes, uint64_t id)
{
	UNUSED, (void)handle, (void)mode, (void)bytes;
	if (!(flags & OTF2_IO_OPERATION_FLAG_NON_BLOCKING))
		return OTF2_CALLBACK_SUCCESS;
	return note(data, time, OP_ASIDE, id);
}

static OTF2_CallbackCode on_done(EVENT, OTF2_IoHandleRef handle, uint64_t bytes, uint64_t id)
{
	UNUSED, (void)handle, (void)bytes;
	return note(data, time, OP_ASIDE_DONE, id);
}

static OTF2_CallbackCode on_failed(EVENT, OTF2_IoHandleRef handle, uint64_t id)
{
	UNUSED, (void)handle;
	return note(data, time, OP_ASIDE_DONE, id);
}

void load_io_callbacks(OTF2_EvtReaderCallbacks *c)
{
	OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback(c, on_begin);
	OTF2_EvtReaderCallbacks_SetIoOperationCompleteCallback(c, on_done);
	OTF2_EvtReaderCallbacks_SetIoOperationCancelledCallback(c, on_failed);
}
