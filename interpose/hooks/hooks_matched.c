/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matched probes. The message is off its channel from the probe on, whenever and in whatever order
 * it is received: the probe's record says which it is, and has a number that the receive's repeats.
 */
#include "interpose/hooks/completions.h"
#include "interpose/hooks/hooks.h"

#include <string.h>

/* A matched message is followed like a request: both are small handles. */
static MPI_Request as_request(const MPI_Message *message)
{
	MPI_Request handle;

	_Static_assert(sizeof(handle) == sizeof(*message), "handles of one size");
	memcpy(&handle, message, sizeof(handle));
	return handle;
}

static int is_message(const MPI_Message *message)
{
	return message && *message != MPI_MESSAGE_NULL && *message != MPI_MESSAGE_NO_PROC;
}

MPI_Status *hook_mprobe(struct scope *s, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
	hook_probe(s, source, tag, comm);
	return hook_status(s, status);
}

void hook_matched(struct scope *s, int ret, int flag, const MPI_Message *message,
		  const MPI_Status *status)
{
	struct request q = {.kind = REQUEST_MESSAGE, .active = 1, .off = (uint8_t)s->off};
	struct record *r = s->r;

	if (ret != MPI_SUCCESS)
		return;
	if (!flag) {
		hook_poll_failed(s, NOT_A_REQUEST);
		return;
	}
	if (!is_message(message) || r->comm == NO_COMM || status == MPI_STATUS_IGNORE)
		return;
	q.id = recorder_request();
	q.comm = r->comm;
	q.peer = r->peer = status->MPI_SOURCE;
	q.tag = r->tag = status->MPI_TAG;
	r->request = q.id;
	r->aux = recorder.multiple;
	scope_become(r, RECORD_MATCHED);
	request_add(as_request(message), &q);
}

void hook_take_message(struct scope *s, const MPI_Message *message)
{
	s->request.kind = REQUEST_NONE;
	if (!is_message(message))
		return;
	s->handle = as_request(message);
	request_take(s->handle, &s->request);
}

MPI_Status *hook_mrecv(struct scope *s, const MPI_Message *message, MPI_Status *status)
{
	hook_take_message(s, message);
	return hook_status(s, status);
}

/* The message that was taken is received now, unless the call failed and left it there. */
static int is_received(struct scope *s, int ret, const MPI_Message *message)
{
	if (s->request.kind == REQUEST_NONE)
		return 0;
	if (ret == MPI_SUCCESS || hook_is_cut(ret))
		return 1;
	if (is_message(message) && as_request(message) == s->handle)
		request_put_back(s->handle, &s->request);
	return 0;
}

void hook_mreceived(struct scope *s, int ret, const MPI_Message *message, MPI_Status *status)
{
	struct request *q = &s->request;
	struct record *r;

	if (!is_received(s, ret, message))
		return;
	q->kind = REQUEST_RECV;
	r = completion_slot(s, q);
	if (!r)
		return;
	r->request = q->id;
	hook_came(s, r, q->comm, status);
}

void hook_imrecv(struct scope *s, int ret, const MPI_Message *message, const MPI_Request *request)
{
	struct request *q = &s->request;

	if (!is_received(s, ret, message))
		return;
	q->kind = REQUEST_RECV;
	q->off = q->off && s->off;
	request_add(*request, q);
	hook_begun(s, s->r, q);
}
