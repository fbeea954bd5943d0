/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/hooks/completions.h"

#include "interpose/objects/requests_plain.h"

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
	scope_become(r, RECORD_SEND_DONE);
}

/* Inlined where most requests come by. */
static inline struct record *slot_of(struct scope *s, const struct request *q)
{
	struct record *r;

	if (USUAL(!s->off) || s->off == SCOPE_WITHIN || q->off || q->kind != REQUEST_RECV)
		return slot(s);
	r = lane_part(s->lane);
	if (r)
		r->flags |= RECORD_FLAG_UNSEEN;
	return r || s->off == SCOPE_PAUSED ? r : slot(s);
}

struct record *completion_slot(struct scope *s, const struct request *q)
{
	return slot_of(s, q);
}

static inline void complete_collective(const struct request *q, struct record *r)
{
	r->peer = q->peer;
	r->bytes = q->bytes;
	r->bytes_in = q->bytes_in;
	r->aux = q->call;
	scope_become(r, RECORD_NBC_DONE);
}

/* A receive takes a message and does not say which: known is its place, and what it asked for. */
static void take_unseen(const struct request *q, struct record *r)
{
	if (q->kind == REQUEST_RECV) {
		r->peer = q->peer == MPI_ANY_SOURCE ? RECORD_ANY : q->peer;
		r->tag = q->tag == MPI_ANY_TAG ? RECORD_ANY : q->tag;
		r->aux = 1;
	}
	scope_become(r, RECORD_CANCELLED);
}

/* The same where both its ends are in a pause. */
static void skip_unseen(const struct scope *s, const struct request *q)
{
	if (s->off == SCOPE_PAUSED && q->off && q->kind == REQUEST_RECV && q->peer >= 0 &&
	    q->tag >= 0)
		skipped_add(&(struct skipped_channel){SKIPPED_RECVS, q->comm, q->peer, q->tag}, 1);
}

static void complete_receive(struct scope *s, const struct request *q, MPI_Status *status,
			     struct record *r)
{
	if (status == MPI_STATUS_IGNORE) { /* no memory for one: better none than a wrong one */
		take_unseen(q, r);
		return;
	}
	r->peer = status->MPI_SOURCE;
	r->tag = status->MPI_TAG;
	r->bytes = hook_status_bytes(status);
	hook_count_received(s, r->bytes);
	if (s->off == SCOPE_PAUSED && q->off)
		skipped_add(&(struct skipped_channel){SKIPPED_RECVS, q->comm, r->peer, r->tag}, 1);
	scope_become(r, RECORD_RECV_DONE);
}

/*
 * A receive that shares its request with a send. MPICH 4.0.2 has a schedule for both, in whose
 * status is what was there before: known is what was asked for, and how much room there was.
 */
static void complete_shared(struct scope *s, const struct request *q, MPI_Status *status,
			    struct record *r)
{
#ifdef MPICH_NUMVERSION
	MPI_Status known = {.MPI_SOURCE = q->peer, .MPI_TAG = q->tag};

	if (q->peer == MPI_ANY_SOURCE || q->tag == MPI_ANY_TAG)
		status = MPI_STATUS_IGNORE;
	if (status != MPI_STATUS_IGNORE &&
	    !real.Status_set_elements_x(&known, MPI_BYTE, (MPI_Count)q->bytes_in))
		status = &known;
#endif
	complete_receive(s, q, status, r);
}

/* q is complete; status is the application's or our own, never ignored for a receive. */
static void complete(struct scope *s, const struct request *q, MPI_Status *status)
{
	int cancelled = 0;
	struct record *r;

	if (q->kind == REQUEST_NONE)
		return;
	if (!USUAL(!q->made))
		comm_arrived(s->lane, q->made, q->comm_key);
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
		scope_become(r, RECORD_CANCELLED);
	} else if (q->kind == REQUEST_SEND) {
		scope_become(r, RECORD_SEND_DONE);
	} else if (q->kind == REQUEST_IO) {
		r->bytes_in = status == MPI_STATUS_IGNORE ? q->bytes : hook_status_bytes(status);
		scope_become(r, RECORD_IO_DONE);
	} else if (q->kind == REQUEST_RMA) {
		r->aux = q->tag;
		scope_become(r, RECORD_RMA_DONE);
	} else if (q->kind == REQUEST_COLL) {
		complete_collective(q, r);
	} else if (q->call) {
		complete_shared(s, q, status, r);
	} else {
		complete_receive(s, q, status, r);
	}
}

/* The same for what most requests are, in a call that is recorded. */
static inline void complete_plain(struct scope *s, const struct request *q, MPI_Status *status)
{
	struct record *r = slot(s);

	if (!USUAL(r))
		return;
	r->request = q->id;
	r->comm = q->comm;
	if (q->kind == REQUEST_SEND)
		scope_become(r, RECORD_SEND_DONE);
	else if (q->kind == REQUEST_RECV)
		complete_receive(s, q, status, r);
	else
		complete_collective(q, r);
}

const struct request *saved_taken(const struct scope *s, struct saved *saved)
{
	if (!saved_are_taken(s))
		request_take(saved->handle, &saved->request);
	return &saved->request;
}

void saved_complete(struct scope *s, struct saved *saved, MPI_Status *status)
{
	struct shard *t = table_shard(saved->handle);
	struct node *n = USUAL(!s->off && !s->watched) ? request_plain(t, saved->handle) : NULL;

	if (USUAL(n)) {
		complete_plain(s, &n->r, status);
		request_plain_ends(t, n);
	} else {
		complete(s, saved_taken(s, saved), status);
		saved->request.kind = REQUEST_NONE;
	}
	saved->handle = MPI_REQUEST_NULL; /* another request may have the same */
}

void request_ended(struct scope *s, const struct request *q, int freed)
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
	if (q->kind == REQUEST_SEND) {
		scope_become(r, RECORD_SEND_DONE);
	} else if (q->kind == REQUEST_IO) {
		scope_become(r, RECORD_IO_FAILED);
	} else if (freed && !q->cancelled) {
		skip_unseen(s, q);
		take_unseen(q, r);
	} else {
		scope_become(r, RECORD_CANCELLED);
	}
}

void saved_fail(struct scope *s, struct saved *saved, MPI_Request after, int code,
		MPI_Status *status)
{
	const struct request *q = saved_taken(s, saved);

	if (after != MPI_REQUEST_NULL && !q->persistent)
		request_put_back(saved->handle, q);
	else if (q->kind == REQUEST_RECV && hook_is_cut(code))
		complete(s, q, status);
	else
		request_ended(s, q, 0);
	saved->request.kind = REQUEST_NONE;
}
