/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/hooks.h"

MPI_Status *hook_statuses(struct scope *s, int count, MPI_Status *statuses)
{
	MPI_Status *own = NULL;

	if (statuses != MPI_STATUSES_IGNORE)
		return statuses;
	if (count > 0)
		own = scratch_at_least(&s->lane->statuses, (size_t)count * sizeof(*own));
	return own ? own : statuses;
}

MPI_Status *hook_status(struct scope *s, MPI_Status *status)
{
	MPI_Status *own = NULL;

	if (status != MPI_STATUS_IGNORE)
		return status;
	own = scratch_at_least(&s->lane->statuses, sizeof(*own));
	return own ? own : status;
}

uint64_t hook_status_bytes(MPI_Status *status)
{
	MPI_Count bytes = 0;
	int count;

	if (__builtin_expect(recorder.queues.open, 0))
		queues_look(lane_self, ticks_now());
	if (SIMULATED) /* SMPI has no other */
		return real.Get_count(status, MPI_BYTE, &count) || count < 0 ? 0 : (uint64_t)count;
	if (sizes.status_shown)
		return size_of_status(status);
	if (real.Get_elements_x(status, MPI_BYTE, &bytes) || bytes < 0)
		return 0;
	return (uint64_t)bytes;
}

/* Where the next completion of this call goes. */
static inline struct record *slot(struct scope *s)
{
	if (s->filled) {
		struct record *part = scope_part(s);

		if (part)
			part->leave = s->done;
		return part;
	}
	s->filled = 1;
	return s->r;
}

/* The send that shares a request with the receive q has ended with it. */
static inline void end_send_of(struct scope *s, const struct request *q)
{
	struct record *r = USUAL(!q->send) ? NULL : slot(s);

	if (!r)
		return;
	r->request = q->send;
	r->comm = q->comm;
	r->kind = RECORD_SEND_DONE;
}

/* The same for q: a receive that was posted in the log is noted there whenever it completes. */
static inline struct record *slot_of(struct scope *s, const struct request *q)
{
	struct record *r;

	if (USUAL(!s->off) || q->off || q->kind != REQUEST_RECV)
		return slot(s);
	r = lane_part(s->lane);
	if (r)
		r->flags |= RECORD_FLAG_UNSEEN;
	return r || s->off == SCOPE_PAUSED ? r : slot(s);
}

static void complete_receive(struct scope *s, const struct request *q, MPI_Status *status,
			     struct record *r)
{
	if (status == MPI_STATUS_IGNORE) { /* no memory for one: better none than a wrong one */
		r->kind = RECORD_CANCELLED;
		return;
	}
	r->peer = status->MPI_SOURCE;
	r->tag = status->MPI_TAG;
	r->bytes = hook_status_bytes(status);
	hook_count_received(s, r->bytes);
	if (s->off == SCOPE_PAUSED && q->off)
		skipped_add(&(struct skipped_channel){SKIPPED_RECVS, q->comm, r->peer, r->tag}, 1);
	r->kind = RECORD_RECV_DONE;
}

/* q is complete; status is the application's or our own, never ignored for a receive. */
static void complete(struct scope *s, const struct request *q, MPI_Status *status)
{
	int cancelled = 0;
	struct record *r;

	if (q->kind == REQUEST_NONE)
		return;
	if (!USUAL(!q->made))
		comm_arrived(s->lane, *q->made, q->comm_key);
	if (!USUAL(!q->off) && q->kind != REQUEST_RECV)
		return;
	end_send_of(s, q);
	r = slot_of(s, q);
	if (!USUAL(r))
		return;
	r->request = q->id;
	r->comm = q->comm;
	if (!USUAL(!q->cancelled) && status != MPI_STATUS_IGNORE)
		real.Test_cancelled(status, &cancelled);
	if (cancelled) {
		r->kind = RECORD_CANCELLED;
	} else if (q->kind == REQUEST_SEND) {
		r->kind = RECORD_SEND_DONE;
	} else if (q->kind == REQUEST_IO) {
		r->bytes_in = status == MPI_STATUS_IGNORE ? q->bytes : hook_status_bytes(status);
		r->kind = RECORD_IO_DONE;
	} else if (q->kind == REQUEST_RMA) {
		r->aux = q->tag;
		r->kind = RECORD_RMA_DONE;
	} else if (q->kind == REQUEST_COLL) {
		r->peer = q->peer;
		r->bytes = q->bytes;
		r->bytes_in = q->bytes_in;
		r->aux = q->call;
		r->kind = RECORD_NBC_DONE;
	} else {
		complete_receive(s, q, status, r);
	}
}

MPI_Status *hook_wait_one(struct scope *s, const MPI_Request *request, MPI_Status *status)
{
	s->handle = request ? *request : MPI_REQUEST_NULL;
	request_take(s->handle, &s->request);
	return hook_status(s, status); /* Open MPI's MPI_STATUS_IGNORE is NULL */
}

/* q is at its end, without a message as far as anybody knows. */
static void end(struct scope *s, const struct request *q)
{
	struct record *r;

	if (q->kind == REQUEST_NONE || q->kind == REQUEST_RMA || /* the window's end is its own */
	    (q->off && q->kind != REQUEST_RECV))
		return;
	end_send_of(s, q);
	r = slot_of(s, q);
	if (!r)
		return;
	r->request = q->id;
	r->comm = q->comm;
	r->kind = q->kind == REQUEST_SEND ? RECORD_SEND_DONE
		  : q->kind == REQUEST_IO ? RECORD_IO_FAILED
					  : RECORD_CANCELLED;
}

/*
 * The call, or this request in it, has failed with code. q is at its end when MPI took the
 * handle away, without a message unless that was only too long: then with what status says.
 */
static void fail(struct scope *s, const struct request *q, MPI_Request before, MPI_Request after,
		 int code, MPI_Status *status)
{
	if (after != MPI_REQUEST_NULL && !q->persistent)
		request_put_back(before, q);
	else if (q->kind == REQUEST_RECV && hook_is_cut(code))
		complete(s, q, status);
	else
		end(s, q);
}

void hook_completed_one(struct scope *s, int ret, int flag, const MPI_Request *request,
			MPI_Status *status)
{
	if (s->request.kind == REQUEST_NONE)
		return;
	if (ret != MPI_SUCCESS) {
		fail(s, &s->request, s->handle, *request, ret, status);
	} else if (flag) {
		complete(s, &s->request, status);
	} else {
		request_put_back(s->handle, &s->request);
		hook_poll_failed(s, request_polled(&s->request));
	}
}

void hook_looked_at(struct scope *s, int ret, int flag, MPI_Request request)
{
	struct polled polled = {.id = 0};

	if (ret == MPI_SUCCESS && !flag)
		polled = request_active(request);
	if (polled.id)
		hook_poll_failed(s, polled);
}

/* Take the active requests out of the table, or only note their handles. */
static struct saved *save(struct scope *s, int count, const MPI_Request *requests, int take)
{
	struct saved *saved = NULL;
	int i;

	if (count > 0 && requests)
		saved = scratch_at_least(&s->lane->handles, (size_t)count * sizeof(*saved));
	s->count = saved ? count : 0;
	for (i = 0; i < s->count; i++) {
		saved[i].handle = requests[i];
		saved[i].request.kind = REQUEST_NONE;
		if (take)
			request_take(requests[i], &saved[i].request);
	}
	return saved;
}

MPI_Status *hook_wait_all(struct scope *s, int count, const MPI_Request *requests,
			  MPI_Status *statuses)
{
	save(s, count, requests, 1);
	return hook_statuses(s, count, statuses);
}

/* None of the saved requests has completed: undo, and note the failing poll. */
static void none_completed(struct scope *s)
{
	const struct saved *saved = s->lane->handles.p;
	struct polled polled = {.id = 0};
	int i;

	for (i = 0; i < s->count; i++) {
		request_put_back(saved[i].handle, &saved[i].request);
		if (!polled.id)
			polled = request_polled(&saved[i].request);
	}
	hook_poll_failed(s, polled);
}

void hook_completed_all(struct scope *s, int ret, int flag, const MPI_Request *requests,
			MPI_Status *statuses)
{
	const struct saved *saved = s->lane->handles.p;
	MPI_Status *status;
	int i, k, each = ret == MPI_ERR_IN_STATUS && statuses != MPI_STATUSES_IGNORE;

	if (ret == MPI_SUCCESS && !flag) {
		none_completed(s);
		return;
	}
	if (USUAL(ret == MPI_SUCCESS && !s->watched && statuses != MPI_STATUSES_IGNORE)) {
		for (k = 0; k < s->count; k++)
			complete(s, &saved[k].request, &statuses[k]);
		return;
	}
	hook_watched_statuses(s, statuses);
	for (k = 0; k < s->count; k++) {
		i = s->watched ? saved[k].nth : k;
		s->done = s->watched ? saved[i].done : 0;
		status = statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
		if (ret == MPI_SUCCESS || (each && status->MPI_ERROR == MPI_SUCCESS))
			complete(s, &saved[i].request, status);
		else if (each && status->MPI_ERROR == MPI_ERR_PENDING)
			request_put_back(saved[i].handle, &saved[i].request);
		else
			fail(s, &saved[i].request, saved[i].handle, requests[i],
			     each ? status->MPI_ERROR : ret, status);
	}
}

MPI_Status *hook_wait_any(struct scope *s, int count, const MPI_Request *requests,
			  MPI_Status *status)
{
	save(s, count, requests, recorder.multiple);
	return hook_status(s, status);
}

/* Completed request i of those saved. */
static void complete_saved(struct scope *s, int i, MPI_Status *status)
{
	struct saved *saved = s->lane->handles.p;

	if (i < 0 || i >= s->count)
		return;
	if (!recorder.multiple)
		request_take(saved[i].handle, &saved[i].request);
	complete(s, &saved[i].request, status);
	saved[i].request.kind = REQUEST_NONE;
}

/*
 * The call has failed with code: those of the saved requests that MPI took away are at their
 * end. status is that of the one, if it can be only one.
 */
static void fail_saved(struct scope *s, const MPI_Request *requests, int code, MPI_Status *status)
{
	struct saved *saved = s->lane->handles.p;
	int i;

	for (i = 0; i < s->count; i++) {
		if (saved[i].handle == MPI_REQUEST_NULL || requests[i] != MPI_REQUEST_NULL)
			continue;
		if (!recorder.multiple)
			request_take(saved[i].handle, &saved[i].request);
		fail(s, &saved[i].request, saved[i].handle, requests[i], code, status);
		saved[i].request.kind = REQUEST_NONE;
	}
}

/* With threads all were taken: those that did not complete go back. */
static void put_back_rest(struct scope *s)
{
	const struct saved *saved = s->lane->handles.p;

	if (recorder.multiple)
		for (int i = 0; i < s->count; i++)
			request_put_back(saved[i].handle, &saved[i].request);
}

/* A poll found none: the first active request stands for all. */
static void poll_saved(struct scope *s)
{
	const struct saved *saved = s->lane->handles.p;
	struct polled polled;
	int i;

	for (i = 0; i < s->count; i++) {
		polled = request_active(saved[i].handle);
		if (polled.id) {
			hook_poll_failed(s, polled);
			return;
		}
	}
}

void hook_completed_any(struct scope *s, int ret, struct some some, const MPI_Request *requests,
			MPI_Status *status)
{
	if (ret != MPI_SUCCESS)
		fail_saved(s, requests, ret, status);
	else if (*some.n && *some.indices != MPI_UNDEFINED)
		complete_saved(s, *some.indices, status);
	put_back_rest(s);
	if (ret == MPI_SUCCESS && !*some.n)
		poll_saved(s);
}

MPI_Status *hook_wait_some(struct scope *s, int count, const MPI_Request *requests,
			   MPI_Status *statuses)
{
	save(s, count, requests, recorder.multiple);
	return hook_statuses(s, count, statuses);
}

void hook_completed_some(struct scope *s, int ret, struct some some, const MPI_Request *requests,
			 MPI_Status *statuses)
{
	int each = ret == MPI_ERR_IN_STATUS && statuses != MPI_STATUSES_IGNORE;
	int i, n = 0;

	if (ret == MPI_SUCCESS || each)
		n = *some.n == MPI_UNDEFINED ? 0 : *some.n;
	for (i = 0; i < n; i++)
		if (!each || statuses[i].MPI_ERROR == MPI_SUCCESS ||
		    hook_is_cut(statuses[i].MPI_ERROR))
			complete_saved(s, some.indices[i],
				       statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE
								       : &statuses[i]);
	if (ret != MPI_SUCCESS)
		fail_saved(s, requests, ret, MPI_STATUS_IGNORE);
	put_back_rest(s);
	if (ret == MPI_SUCCESS && *some.n == 0)
		poll_saved(s);
}

void hook_free(struct scope *s, const MPI_Request *request)
{
	s->handle = request ? *request : MPI_REQUEST_NULL;
	request_remove(s->handle, &s->request);
}

void hook_request_freed(struct scope *s, int ret)
{
	if (ret != MPI_SUCCESS) {
		request_put_back(s->handle, &s->request);
		return;
	}
	if (s->request.active)
		end(s, &s->request);
}

void hook_cancel(struct scope *s, const MPI_Request *request)
{
	(void)s;
	if (request && *request != MPI_REQUEST_NULL)
		request_cancel(*request);
}
