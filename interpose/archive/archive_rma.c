/* SPDX-License-Identifier: BSD-3-Clause */
/* One-sided communication in OTF2's words. */
#include "interpose/archive/archive_writer.h"

#include "interpose/archive/archive_defs.h"
#include "interpose/archive/archive_names.h"

#define SYNC_LEVEL ((OTF2_RmaSyncLevel)(OTF2_RMA_SYNC_LEVEL_PROCESS | OTF2_RMA_SYNC_LEVEL_MEMORY))
#define LOCK_ID    0 /* a window has one lock for each target */

static const OTF2_RmaAtomicType atomics[] = {
	[LOG_ATOMIC_ACCUMULATE] = OTF2_RMA_ATOMIC_TYPE_ACCUMULATE,
	[LOG_ATOMIC_COMPARE_AND_SWAP] = OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP,
	[LOG_ATOMIC_SWAP] = OTF2_RMA_ATOMIC_TYPE_SWAP,
	[LOG_ATOMIC_FETCH_AND_ADD] = OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ADD,
	[LOG_ATOMIC_FETCH_AND_ACCUMULATE] = OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE,
};
#define ATOMICS ((int32_t)(sizeof(atomics) / sizeof(atomics[0])))

static OTF2_LockType lock_type(const struct record *r)
{
	return r->tag ? OTF2_LOCK_SHARED : OTF2_LOCK_EXCLUSIVE;
}

void write_rma_post(struct writer *w, const struct record *r, OTF2_TimeStamp t)
{
	OTF2_RmaWinRef win = def_global(w->rank, DEF_WINDOW, r->comm);
	uint32_t peer = (uint32_t)r->peer; /* -1 is OTF2_UNDEFINED_UINT32: all */

	switch (r->kind) {
	case RECORD_RMA_PUT:
		WRITER_PUT(w,
			   OTF2_EvtWriter_RmaPut(w->evt, NULL, t, win, peer, r->bytes, r->request));
		break;
	case RECORD_RMA_GET:
		WRITER_PUT(w, OTF2_EvtWriter_RmaGet(w->evt, NULL, t, win, peer, r->bytes_in,
						    r->request));
		break;
	case RECORD_RMA_ATOMIC:
		if (r->tag >= 0 && r->tag < ATOMICS)
			WRITER_PUT(w, OTF2_EvtWriter_RmaAtomic(w->evt, NULL, t, win, peer,
							       atomics[r->tag], r->bytes,
							       r->bytes_in, r->request));
		break;
	case RECORD_RMA_LOCK:
		WRITER_PUT(w, OTF2_EvtWriter_RmaRequestLock(w->evt, NULL, t, win, peer, LOCK_ID,
							    lock_type(r)));
		break;
	case RECORD_RMA_COLL:
		WRITER_PUT(w, OTF2_EvtWriter_RmaCollectiveBegin(w->evt, NULL, t));
		break;
	default:
		break;
	}
}

/* The end of a collective call on a window, which may make it or do away with it. */
static void write_collective(struct writer *w, const struct record *r, OTF2_TimeStamp t,
			     OTF2_RmaWinRef win)
{
	OTF2_CollectiveOp op = archive_call_op(r->call);

	if (op == OTF2_COLLECTIVE_OP_CREATE_HANDLE) {
		WRITER_PUT(w, OTF2_EvtWriter_RmaWinCreate(w->evt, NULL, t, win));
		if (r->tag)
			op = OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE;
	} else if (op == OTF2_COLLECTIVE_OP_DESTROY_HANDLE) {
		WRITER_PUT(w, OTF2_EvtWriter_RmaWinDestroy(w->evt, NULL, t, win));
		if (r->tag)
			op = OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE;
	}
	WRITER_PUT(w, OTF2_EvtWriter_RmaCollectiveEnd(w->evt, around_pause(w, r), t, op, SYNC_LEVEL,
						      win, OTF2_COLLECTIVE_ROOT_NONE, 0, 0));
}

void write_rma_completion(struct writer *w, const struct record *r, OTF2_TimeStamp t)
{
	OTF2_RmaWinRef win = def_global(w->rank, DEF_WINDOW, r->comm);
	uint32_t peer = (uint32_t)r->peer, group;

	switch (r->kind) {
	case RECORD_RMA_DONE:
		if (r->aux & LOG_RMA_LOCAL)
			WRITER_PUT(w, OTF2_EvtWriter_RmaOpCompleteNonBlocking(w->evt, NULL, t, win,
									      r->request));
		if (r->aux & LOG_RMA_REMOTE)
			WRITER_PUT(w, OTF2_EvtWriter_RmaOpCompleteRemote(w->evt, NULL, t, win,
									 r->request));
		break;
	case RECORD_RMA_GROUP:
		group = def_global(w->rank, DEF_GROUP, peer);
		WRITER_PUT(w, OTF2_EvtWriter_RmaGroupSync(w->evt, NULL, t, SYNC_LEVEL, win,
							  ARCHIVE_GROUP(group)));
		break;
	case RECORD_RMA_SYNC:
		WRITER_PUT(w, OTF2_EvtWriter_RmaSync(w->evt, NULL, t, win, peer,
						     OTF2_RMA_SYNC_TYPE_MEMORY));
		break;
	case RECORD_RMA_LOCKED:
		WRITER_PUT(w, OTF2_EvtWriter_RmaAcquireLock(w->evt, NULL, t, win, peer, LOCK_ID,
							    lock_type(r)));
		break;
	case RECORD_RMA_UNLOCK:
		WRITER_PUT(w, OTF2_EvtWriter_RmaReleaseLock(w->evt, NULL, t, win, peer, LOCK_ID));
		break;
	case RECORD_RMA_COLL:
		write_collective(w, r, t, win);
		break;
	default:
		break;
	}
}
