/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/reader/reader_callback.h"

#include <inttypes.h>
#include <string.h>

/* Append op, and what its attributes say of a pause. */
static OTF2_CallbackCode add_op(struct load *l, OTF2_TimeStamp time, OTF2_AttributeList *list,
				uint32_t peer, struct op *op)
{
	load_around_pause(l, list, op);
	return went_on(load_op(l, time, peer, op));
}

static OTF2_CallbackCode on_enter(EVENT, OTF2_RegionRef region)
{
	struct load *l = data;

	UNUSED;
	return went_on(load_enter(l, load_time(l, time), region, list));
}

/* Append op, whose channel is in its attributes. */
static OTF2_CallbackCode add_on_channel(struct load *l, OTF2_TimeStamp time,
					OTF2_AttributeList *list, struct op *op)
{
	op->comm = OTF2_UNDEFINED_COMM;
	if (load_says(l, list, LOAD_COMM))
		op->comm = (uint32_t)load_number(l, list, LOAD_COMM);
	op->tag = (int32_t)load_number(l, list, LOAD_TAG);
	if (!op->request)
		op->request = load_number(l, list, LOAD_MATCHED);
	return add_op(l, time, list, (uint32_t)load_number(l, list, LOAD_PEER), op);
}

static OTF2_CallbackCode on_leave(EVENT, OTF2_RegionRef region)
{
	struct load *l = data;

	UNUSED;
	if (load_says(l, list, LOAD_MATCHED) &&
	    add_on_channel(l, time, list, &(struct op){.kind = OP_MATCHED}) !=
		    OTF2_CALLBACK_SUCCESS)
		return OTF2_CALLBACK_INTERRUPT;
	return went_on(load_leave(l, load_time(l, time), region));
}

static OTF2_CallbackCode on_context_enter(EVENT, OTF2_CallingContextRef context, uint32_t unwind)
{
	struct load *l = data;
	uint32_t i = idmap_find(&l->defs.context_ids, context);

	UNUSED, (void)unwind;
	return went_on(load_enter(l, load_time(l, time),
				  i == IDMAP_NONE ? OTF2_UNDEFINED_REGION : l->defs.contexts[i],
				  list));
}

static OTF2_CallbackCode on_context_leave(EVENT, OTF2_CallingContextRef context)
{
	struct load *l = data;
	uint32_t i = idmap_find(&l->defs.context_ids, context);

	UNUSED;
	return went_on(load_leave(l, load_time(l, time),
				  i == IDMAP_NONE ? OTF2_UNDEFINED_REGION : l->defs.contexts[i]));
}

static OTF2_CallbackCode on_send(EVENT, uint32_t peer, OTF2_CommRef comm, uint32_t tag,
				 uint64_t bytes)
{
	UNUSED;
	return add_op(
		data, time, list, peer,
		&(struct op){.kind = OP_SEND, .comm = comm, .tag = (int32_t)tag, .bytes = bytes});
}

static OTF2_CallbackCode on_recv(EVENT, uint32_t peer, OTF2_CommRef comm, uint32_t tag,
				 uint64_t bytes)
{
	UNUSED;
	return add_op(data, time, list, peer,
		      &(struct op){.kind = OP_RECV,
				   .comm = comm,
				   .tag = (int32_t)tag,
				   .bytes = bytes,
				   .request = load_number(data, list, LOAD_MATCHED)});
}

static OTF2_CallbackCode on_isend(EVENT, uint32_t peer, OTF2_CommRef comm, uint32_t tag,
				  uint64_t bytes, uint64_t request)
{
	UNUSED;
	return add_op(data, time, list, peer,
		      &(struct op){.kind = OP_ISEND,
				   .comm = comm,
				   .tag = (int32_t)tag,
				   .bytes = bytes,
				   .request = request});
}

static OTF2_CallbackCode on_irecv(EVENT, uint32_t peer, OTF2_CommRef comm, uint32_t tag,
				  uint64_t bytes, uint64_t request)
{
	UNUSED;
	return add_op(data, time, list, peer,
		      &(struct op){.kind = OP_IRECV_DONE,
				   .comm = comm,
				   .tag = (int32_t)tag,
				   .bytes = bytes,
				   .request = request});
}

static OTF2_CallbackCode on_isend_done(EVENT, uint64_t request)
{
	UNUSED;
	return went_on(
		load_request(data, time, &(struct op){.kind = OP_ISEND_DONE, .request = request}));
}

static OTF2_CallbackCode on_irecv_post(EVENT, uint64_t request)
{
	struct op op = {.kind = OP_IRECV, .request = request};

	UNUSED;
	if (load_says(data, list, LOAD_PEER)) /* it is never completed */
		return add_on_channel(data, time, list, &op);
	load_around_pause(data, list, &op);
	return went_on(load_request(data, time, &op));
}

static OTF2_CallbackCode on_test(EVENT, uint64_t request)
{
	UNUSED;
	return went_on(load_request(data, time,
				    &(struct op){.kind = OP_TEST_FAILED,
						 .request = request,
						 .bytes = load_number(data, list, LOAD_POLLS)}));
}

static OTF2_CallbackCode on_cancel(EVENT, uint64_t request)
{
	struct load *l = data;

	UNUSED;
	if (load_says(l, list, LOAD_MATCHED))
		return add_on_channel(l, time, list, &(struct op){.kind = OP_FREED});
	return went_on(
		load_request(l, time, &(struct op){.kind = OP_CANCELLED, .request = request}));
}

static OTF2_CallbackCode on_nbc_post(EVENT, uint64_t request)
{
	UNUSED;
	return went_on(
		load_request(data, time, &(struct op){.kind = OP_NBC_POST, .request = request}));
}

static OTF2_CallbackCode on_measurement(EVENT, OTF2_MeasurementMode mode)
{
	struct load *l = data;
	struct op op = {.kind = mode == OTF2_MEASUREMENT_ON ? OP_RESUME : OP_PAUSE};

	UNUSED;
	if (load_says(l, list, LOAD_SKIPPED))
		op.kind = OP_SKIPPED;
	else if (load_says(l, list, LOAD_MATCHED))
		op.kind = OP_MATCHED;
	else
		return went_on(load_request(data, time, &op));
	return add_on_channel(data, time, list, &op);
}

static OTF2_CallbackCode on_coll_begin(EVENT)
{
	UNUSED;
	load_time(data, time);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_coll(EVENT, OTF2_CollectiveOp what, OTF2_CommRef comm, uint32_t root,
				 uint64_t sent, uint64_t received)
{
	UNUSED;
	return add_op(data, time, list, root,
		      &(struct op){.kind = OP_COLL,
				   .comm = comm,
				   .bytes = sent,
				   .bytes_in = received,
				   .coll_op = what});
}

static OTF2_CallbackCode on_nbc(EVENT, OTF2_CollectiveOp what, OTF2_CommRef comm, uint32_t root,
				uint64_t sent, uint64_t received, uint64_t request)
{
	UNUSED;
	return went_on(load_op(data, time, root,
			       &(struct op){.kind = OP_NBC_DONE,
					    .comm = comm,
					    .bytes = sent,
					    .bytes_in = received,
					    .request = request,
					    .coll_op = what}));
}

static OTF2_EvtReaderCallbacks *callbacks_new(const struct load *l)
{
	OTF2_EvtReaderCallbacks *c = OTF2_EvtReaderCallbacks_New();

	if (!c)
		return NULL;
	OTF2_EvtReaderCallbacks_SetEnterCallback(c, on_enter);
	OTF2_EvtReaderCallbacks_SetLeaveCallback(c, on_leave);
	OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(c, on_context_enter);
	OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(c, on_context_leave);
	OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(c, on_measurement);
	OTF2_EvtReaderCallbacks_SetMpiSendCallback(c, on_send);
	OTF2_EvtReaderCallbacks_SetMpiRecvCallback(c, on_recv);
	OTF2_EvtReaderCallbacks_SetMpiIsendCallback(c, on_isend);
	OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(c, on_isend_done);
	OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(c, on_irecv_post);
	OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(c, on_irecv);
	OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback(c, on_test);
	OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(c, on_cancel);
	OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(c, on_coll_begin);
	OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(c, on_coll);
	OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(c, on_nbc_post);
	OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(c, on_nbc);
	load_rma_callbacks(c);
	load_io_callbacks(c);
	load_metric_callbacks(l, c);
	return c;
}

int load_events(struct load *l, const struct def_location *location, struct evtcheck *whole)
{
	OTF2_EvtReaderCallbacks *callbacks = callbacks_new(l);
	OTF2_EvtReader *reader = OTF2_Reader_GetEvtReader(l->otf2, location->id);
	OTF2_ErrorCode code = OTF2_ERROR_INVALID;
	uint64_t n = 0;

	l->at = (struct cursor){.rank = location->rank,
				.thread = location->thread,
				.call = TRACE_NONE,
				.closed = TRACE_NONE,
				.first_op = l->trace.n_ops,
				.stack = l->at.stack,
				.cap_stack = l->at.cap_stack,
				.site = l->at.site};
	memset(l->at.site, 0xff, l->trace.n_regions * sizeof(*l->at.site));
	if (reader && callbacks) {
		code = OTF2_Reader_RegisterEvtCallbacks(l->otf2, reader, callbacks, l);
		if (code == OTF2_SUCCESS)
			code = OTF2_Reader_ReadLocalEvents(l->otf2, reader, whole->records, &n);
		OTF2_Reader_CloseEvtReader(l->otf2, reader);
	}
	if (callbacks)
		OTF2_EvtReaderCallbacks_Delete(callbacks);
	l->trace.events += n;
	l->at.is_wild = 0;
	if (l->failed)
		return -1;
	if (code != OTF2_SUCCESS && l->at.events)
		*whole = (struct evtcheck){.records = l->at.events, .end = EVTCHECK_DAMAGED};
	else if (code != OTF2_SUCCESS)
		return err_set(l->err,
			       "%s: the events of location %" PRIu64
			       " cannot be read (%s): damaged archive",
			       l->anchor, location->id, l->otf2_said);
	return 0;
}
