/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One communication record in OTF2's words. */
#include "tests/traces/mkarchive.h"

void mkarchive_number(const struct mktrace *m, OTF2_AttributeRef attribute, uint64_t n)
{
	if (n)
		OTF2_AttributeList_AddUint64(m->attributes, attribute, n);
}

static OTF2_ErrorCode write_rma(OTF2_EvtWriter *w, uint64_t ticks, const struct mkop *op)
{
	static const OTF2_RmaSyncLevel level = OTF2_RMA_SYNC_LEVEL_PROCESS;
	OTF2_LockType type = op->tag ? OTF2_LOCK_SHARED : OTF2_LOCK_EXCLUSIVE;
	uint32_t peer = (uint32_t)op->peer;

	switch (op->kind) {
	case OP_COLL:
		return OTF2_EvtWriter_RmaCollectiveEnd(w, NULL, ticks, op->coll_op, level, op->comm,
						       OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
	case OP_PUT:
		return OTF2_EvtWriter_RmaPut(w, NULL, ticks, op->comm, peer, op->bytes,
					     op->request);
	case OP_GET:
		return OTF2_EvtWriter_RmaGet(w, NULL, ticks, op->comm, peer, op->bytes_in,
					     op->request);
	case OP_ATOMIC:
		return OTF2_EvtWriter_RmaAtomic(w, NULL, ticks, op->comm, peer,
						OTF2_RMA_ATOMIC_TYPE_ACCUMULATE, op->bytes,
						op->bytes_in, op->request);
	case OP_EPOCH:
		return OTF2_EvtWriter_RmaGroupSync(w, NULL, ticks, level, op->comm,
						   (uint32_t)op->request + 1);
	case OP_LOCK:
		return OTF2_EvtWriter_RmaAcquireLock(w, NULL, ticks, op->comm, peer, 0, type);
	case OP_UNLOCK:
		return OTF2_EvtWriter_RmaReleaseLock(w, NULL, ticks, op->comm, peer, 0);
	case OP_ASIDE_DONE:
		return OTF2_EvtWriter_RmaOpCompleteNonBlocking(w, NULL, ticks, op->comm,
							       op->request);
	default:
		return OTF2_ERROR_INVALID_ARGUMENT;
	}
}

/* Of a file; the request of a window begins with what it does there. */
static OTF2_ErrorCode write_io(OTF2_EvtWriter *w, uint64_t ticks, const struct mkop *op)
{
	OTF2_IoOperationFlag flags =
		op->tag ? OTF2_IO_OPERATION_FLAG_NON_BLOCKING : OTF2_IO_OPERATION_FLAG_NONE;

	if (op->kind == OP_ASIDE)
		return OTF2_EvtWriter_IoOperationBegin(w, NULL, ticks, 0,
						       OTF2_IO_OPERATION_MODE_READ, flags,
						       op->bytes, op->request);
	if (op->tag < 0)
		return OTF2_EvtWriter_IoOperationCancelled(w, NULL, ticks, 0, op->request);
	return OTF2_EvtWriter_IoOperationComplete(w, NULL, ticks, 0, op->bytes, op->request);
}

/* Recording goes on, and with it may be said which receive is meant. */
static OTF2_ErrorCode write_channel(const struct mktrace *m, OTF2_EvtWriter *w, uint64_t ticks,
				    const struct mkop *op)
{
	mkarchive_number(m, MATCHED_ATTRIBUTE, op->request);
	OTF2_AttributeList_AddUint64(m->attributes, COMM_ATTRIBUTE, mkarchive_id(m, op->comm));
	OTF2_AttributeList_AddUint64(m->attributes, PEER_ATTRIBUTE, (uint32_t)op->peer);
	OTF2_AttributeList_AddUint64(m->attributes, TAG_ATTRIBUTE, (uint32_t)op->tag);
	if (op->kind == OP_FREED)
		return OTF2_EvtWriter_MpiRequestCancelled(w, m->attributes, ticks, op->request);
	return OTF2_EvtWriter_MeasurementOnOff(w, m->attributes, ticks, OTF2_MEASUREMENT_ON);
}

OTF2_ErrorCode mkarchive_op(const struct mktrace *m, OTF2_EvtWriter *w, uint64_t ticks,
			    const struct mkop *op)
{
	uint32_t comm = mkarchive_id(m, op->comm), tag = (uint32_t)op->tag;
	/* -1, -2, -3 are OTF2_COLLECTIVE_ROOT_NONE, _SELF, _THIS_GROUP */
	uint32_t peer = (uint32_t)op->peer;
	uint64_t request = op->request;

	mkarchive_number(m, SKIPPED_ATTRIBUTE, op->skipped);
	mkarchive_number(m, UNSEEN_ATTRIBUTE, op->unseen);
	mkarchive_number(m, POLLS_ATTRIBUTE, op->polls);
	switch (op->kind) {
	case OP_SEND:
		return OTF2_EvtWriter_MpiSend(w, m->attributes, ticks, peer, comm, tag, op->bytes);
	case OP_RECV:
		mkarchive_number(m, MATCHED_ATTRIBUTE, request);
		return OTF2_EvtWriter_MpiRecv(w, m->attributes, ticks, peer, comm, tag, op->bytes);
	case OP_ISEND:
		return OTF2_EvtWriter_MpiIsend(w, m->attributes, ticks, peer, comm, tag, op->bytes,
					       request);
	case OP_ISEND_DONE:
		return OTF2_EvtWriter_MpiIsendComplete(w, m->attributes, ticks, request);
	case OP_IRECV:
		return OTF2_EvtWriter_MpiIrecvRequest(w, m->attributes, ticks, request);
	case OP_IRECV_DONE:
		return OTF2_EvtWriter_MpiIrecv(w, m->attributes, ticks, peer, comm, tag, op->bytes,
					       request);
	case OP_TEST_FAILED:
		return OTF2_EvtWriter_MpiRequestTest(w, m->attributes, ticks, request);
	case OP_CANCELLED:
		return OTF2_EvtWriter_MpiRequestCancelled(w, m->attributes, ticks, request);
	case OP_COLL:
		if (op->of_window)
			return write_rma(w, ticks, op);
		return OTF2_EvtWriter_MpiCollectiveEnd(w, m->attributes, ticks, op->coll_op, comm,
						       peer, op->bytes, op->bytes_in);
	case OP_NBC_POST:
		return OTF2_EvtWriter_NonBlockingCollectiveRequest(w, m->attributes, ticks,
								   request);
	case OP_NBC_DONE:
		return OTF2_EvtWriter_NonBlockingCollectiveComplete(
			w, NULL, ticks, op->coll_op, comm, peer, op->bytes, op->bytes_in, request);
	case OP_PAUSE:
		return OTF2_EvtWriter_MeasurementOnOff(w, NULL, ticks, OTF2_MEASUREMENT_OFF);
	case OP_FREED:
	case OP_MATCHED:
	case OP_SKIPPED:
		return write_channel(m, w, ticks, op);
	case OP_RESUME:
		return OTF2_EvtWriter_MeasurementOnOff(w, NULL, ticks, OTF2_MEASUREMENT_ON);
	case OP_ASIDE:
		return write_io(w, ticks, op);
	case OP_ASIDE_DONE:
		return op->of_window ? write_rma(w, ticks, op) : write_io(w, ticks, op);
	default:
		return write_rma(w, ticks, op);
	}
}
