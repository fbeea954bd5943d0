/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/archive_writer.h"

#include "interpose/archive_names.h"

void writer_check(struct writer *w, OTF2_ErrorCode rc)
{
	if (rc != OTF2_SUCCESS)
		w->failed = 1;
	else
		w->out->events++;
}

static OTF2_CommRef comm_ref(const struct writer *w, uint32_t local)
{
	return def_global(w->rank, DEF_COMM, local);
}

static uint32_t root_ref(int32_t root)
{
	/* MPI_ROOT and MPI_PROC_NULL differ between MPIs; both are negative. */
	return root < 0 ? OTF2_COLLECTIVE_ROOT_NONE : (uint32_t)root;
}

/* What happens at the beginning of a call: posts. */
void write_post(struct writer *w, const struct record *r, OTF2_TimeStamp t)
{
	OTF2_CommRef comm = comm_ref(w, r->comm);
	uint32_t peer = (uint32_t)r->peer, tag = (uint32_t)r->tag;

	switch (r->kind) {
	case RECORD_SEND:
		writer_check(w, OTF2_EvtWriter_MpiSend(w->evt, NULL, t, peer, comm, tag, r->bytes));
		break;
	case RECORD_ISEND:
		w->out->requests++;
		writer_check(w, OTF2_EvtWriter_MpiIsend(w->evt, NULL, t, peer, comm, tag, r->bytes,
							r->request));
		break;
	case RECORD_IRECV:
		w->out->requests++;
		writer_check(w, OTF2_EvtWriter_MpiIrecvRequest(w->evt, NULL, t, r->request));
		break;
	case RECORD_COLL:
		writer_check(w, OTF2_EvtWriter_MpiCollectiveBegin(w->evt, NULL, t));
		break;
	case RECORD_NBC:
		w->out->requests++;
		writer_check(w, OTF2_EvtWriter_NonBlockingCollectiveRequest(w->evt, NULL, t,
									    r->request));
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
void write_completion(struct writer *w, const struct record *r, OTF2_TimeStamp t)
{
	OTF2_CommRef comm = comm_ref(w, r->comm);
	uint32_t peer = (uint32_t)r->peer, tag = (uint32_t)r->tag;

	switch (r->kind) {
	case RECORD_RECV:
		writer_check(w, OTF2_EvtWriter_MpiRecv(w->evt, NULL, t, peer, comm, tag, r->bytes));
		break;
	case RECORD_SEND_DONE:
		writer_check(w, OTF2_EvtWriter_MpiIsendComplete(w->evt, NULL, t, r->request));
		break;
	case RECORD_RECV_DONE:
		writer_check(w, OTF2_EvtWriter_MpiIrecv(w->evt, NULL, t, peer, comm, tag, r->bytes,
							r->request));
		break;
	case RECORD_TEST_FAILED:
		if (r->request)
			writer_check(w, OTF2_EvtWriter_MpiRequestTest(w->evt, NULL, t, r->request));
		break;
	case RECORD_CANCELLED:
		writer_check(w, OTF2_EvtWriter_MpiRequestCancelled(w->evt, NULL, t, r->request));
		break;
	case RECORD_COLL:
		writer_check(w, OTF2_EvtWriter_MpiCollectiveEnd(
					w->evt, NULL, t, archive_call_op(r->call), comm,
					root_ref(r->peer), r->bytes, r->bytes_in));
		break;
	case RECORD_NBC_DONE:
		writer_check(w, OTF2_EvtWriter_NonBlockingCollectiveComplete(
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
