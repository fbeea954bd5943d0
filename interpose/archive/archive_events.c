/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/archive/archive_writer.h"

#include "common/schema.h"
#include "interpose/archive/archive_defs.h"
#include "interpose/archive/archive_names.h"

void writer_count(struct writer *w, OTF2_ErrorCode rc)
{
	if (rc != OTF2_SUCCESS)
		w->failed = 1;
	else
		w->out->events++;
}

void writer_number(struct writer *w, OTF2_AttributeRef attribute, uint64_t n)
{
	OTF2_AttributeList_AddAttribute(w->attributes, attribute, OTF2_TYPE_UINT64,
					(OTF2_AttributeValue){.uint64 = n});
}

OTF2_AttributeList *around_pause(struct writer *w, const struct record *r)
{
	int unseen = r->flags & RECORD_FLAG_UNSEEN;

	if (!unseen && !r->aux)
		return NULL;
	if (unseen)
		writer_number(w, ARCHIVE_ATTR_UNSEEN, 1);
	if (r->aux)
		writer_number(w, ARCHIVE_ATTR_SKIPPED, r->aux);
	return w->attributes;
}

static OTF2_CommRef comm_ref(const struct writer *w, uint32_t local)
{
	return def_global(w->rank, DEF_COMM, local);
}

static uint32_t root_ref(int32_t root)
{
	switch (root) {
	case LOG_ROOT_NONE:
		return OTF2_COLLECTIVE_ROOT_NONE;
	case LOG_ROOT_SELF:
		return OTF2_COLLECTIVE_ROOT_SELF;
	case LOG_ROOT_THIS_GROUP:
		return OTF2_COLLECTIVE_ROOT_THIS_GROUP;
	default:
		return (uint32_t)root;
	}
}

/* The attributes of a receive's beginning: also what it is for, if it is never completed. */
static OTF2_AttributeList *begun_receive(struct writer *w, const struct record *r)
{
	OTF2_AttributeList *list = around_pause(w, r);
	OTF2_CommRef comm = comm_ref(w, r->comm);

	if (comm == OTF2_UNDEFINED_COMM || !unreceived_has(w->open, r->request))
		return list;
	writer_number(w, ARCHIVE_ATTR_COMM, comm);
	writer_number(w, ARCHIVE_ATTR_PEER, r->peer < 0 ? SCHEMA_ANY : (uint32_t)r->peer);
	writer_number(w, ARCHIVE_ATTR_TAG, r->tag < 0 ? SCHEMA_ANY : (uint32_t)r->tag);
	return w->attributes;
}

/* Receives that a pause has left out. */
static void write_skipped(struct writer *w, const struct record *r, OTF2_TimeStamp t)
{
	OTF2_CommRef comm = comm_ref(w, r->comm);

	writer_number(w, ARCHIVE_ATTR_SKIPPED, r->aux);
	if (comm != OTF2_UNDEFINED_COMM) {
		writer_number(w, ARCHIVE_ATTR_COMM, comm);
		writer_number(w, ARCHIVE_ATTR_PEER, (uint32_t)r->peer);
		writer_number(w, ARCHIVE_ATTR_TAG, (uint32_t)r->tag);
	}
	WRITER_PUT(w,
		   OTF2_EvtWriter_MeasurementOnOff(w->evt, w->attributes, t, OTF2_MEASUREMENT_ON));
}

/* What happens at the beginning of a call: posts. */
void write_post(struct writer *w, const struct record *r, OTF2_TimeStamp t)
{
	OTF2_CommRef comm = comm_ref(w, r->comm);
	uint32_t peer = (uint32_t)r->peer, tag = (uint32_t)r->tag;

	switch (r->kind) {
	case RECORD_SEND:
		WRITER_PUT(w, OTF2_EvtWriter_MpiSend(w->evt, around_pause(w, r), t, peer, comm, tag,
						     r->bytes));
		break;
	case RECORD_ISEND:
		w->out->requests++;
		WRITER_PUT(w, OTF2_EvtWriter_MpiIsend(w->evt, around_pause(w, r), t, peer, comm,
						      tag, r->bytes, r->request));
		break;
	case RECORD_IRECV:
		w->out->requests++;
		WRITER_PUT(w, OTF2_EvtWriter_MpiIrecvRequest(w->evt, begun_receive(w, r), t,
							     r->request));
		break;
	case RECORD_COLL:
		WRITER_PUT(w, OTF2_EvtWriter_MpiCollectiveBegin(w->evt, NULL, t));
		break;
	case RECORD_NBC:
		w->out->requests++;
		WRITER_PUT(w, OTF2_EvtWriter_NonBlockingCollectiveRequest(w->evt, NULL, t,
									  r->request));
		break;
	case RECORD_SKIPPED:
		write_skipped(w, r, t);
		break;
	case RECORD_MATCHED:
		if (r->flags & RECORD_FLAG_UNSEEN)
			write_matched(w, r, t);
		break;
	default:
		if (RECORD_IS_RMA(r->kind))
			write_rma_post(w, r, t);
		else if (RECORD_IS_IO(r->kind))
			write_io_post(w, r, t);
		break;
	}
}

/* What happens at its end: completions. */
void write_failed_test(struct writer *w, const struct record *r, OTF2_AttributeList *more,
		       OTF2_TimeStamp t)
{
	uint32_t global;

	switch (r->tag) {
	case LOG_TESTED_RMA:
		global = def_global(w->rank, DEF_WINDOW, r->comm);
		WRITER_PUT(w, OTF2_EvtWriter_RmaOpTest(w->evt, more, t, global, r->request));
		break;
	case LOG_TESTED_IO:
		global = def_global(w->rank, DEF_FILE, r->comm);
		WRITER_PUT(w, OTF2_EvtWriter_IoOperationTest(w->evt, more, t, global, r->request));
		break;
	default:
		WRITER_PUT(w, OTF2_EvtWriter_MpiRequestTest(w->evt, more, t, r->request));
		break;
	}
}

void write_given(struct writer *w, const struct log_given *given, const struct record *r,
		 OTF2_TimeStamp t)
{
	uint32_t i;

	if (r->leave || given->enter != r->enter || given->n > LOG_GIVEN)
		return;
	for (i = 0; i < given->n; i++)
		WRITER_PUT(w, OTF2_EvtWriter_MpiRequestTest(w->evt, NULL, t, given->id[i]));
}

void write_completion(struct writer *w, const struct record *r, OTF2_TimeStamp t)
{
	OTF2_CommRef comm = comm_ref(w, r->comm);
	uint32_t peer = (uint32_t)r->peer, tag = (uint32_t)r->tag;

	switch (r->kind) {
	case RECORD_RECV:
		WRITER_PUT(w, OTF2_EvtWriter_MpiRecv(w->evt, matched_receive(w, r), t, peer, comm,
						     tag, r->bytes));
		break;
	case RECORD_SEND_DONE:
		WRITER_PUT(w, OTF2_EvtWriter_MpiIsendComplete(w->evt, NULL, t, r->request));
		break;
	case RECORD_RECV_DONE:
		WRITER_PUT(w, OTF2_EvtWriter_MpiIrecv(w->evt, around_pause(w, r), t, peer, comm,
						      tag, r->bytes, r->request));
		break;
	case RECORD_TEST_FAILED:
		if (r->request)
			write_failed_test(w, r, NULL, t);
		break;
	case RECORD_CANCELLED:
		WRITER_PUT(w, OTF2_EvtWriter_MpiRequestCancelled(w->evt, matched_unseen(w, r), t,
								 r->request));
		break;
	case RECORD_COLL:
		WRITER_PUT(w, OTF2_EvtWriter_MpiCollectiveEnd(
				      w->evt, around_pause(w, r), t, archive_call_op(r->call), comm,
				      root_ref(r->peer), r->bytes, r->bytes_in));
		break;
	case RECORD_NBC_DONE:
		WRITER_PUT(w, OTF2_EvtWriter_NonBlockingCollectiveComplete(
				      w->evt, NULL, t, archive_call_op(r->aux), comm,
				      root_ref(r->peer), r->bytes, r->bytes_in, r->request));
		break;
	default:
		if (RECORD_IS_RMA(r->kind))
			write_rma_completion(w, r, t);
		else if (RECORD_IS_IO(r->kind))
			write_io_completion(w, r, t);
		break;
	}
}
