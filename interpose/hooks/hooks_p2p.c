/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/hooks/hooks.h"
#include "interpose/objects/requests_plain.h"

#include <string.h>

static inline uint32_t comm_id(struct scope *s, MPI_Comm comm)
{
	const struct comm_info *info = comm_of(s->lane, comm);

	return info ? info->id : NO_COMM;
}

static void fill(struct record *r, int rank, int tag, uint32_t comm, uint64_t bytes)
{
	r->peer = rank;
	r->tag = tag;
	r->comm = comm;
	r->bytes = bytes;
}

__attribute__((noinline)) uint32_t hook_skips_channel(const struct scope *s,
						      struct skipped_channel c)
{
	if (!s->off)
		return skipped_take(&c);
	if (s->off == SCOPE_PAUSED)
		skipped_add(&c, 1);
	return 0;
}

void hook_send(struct scope *s, MPI_Count count, MPI_Datatype type, int dest, int tag,
	       MPI_Comm comm)
{
	uint32_t id = comm_id(s, comm);

	fill(s->r, dest, tag, id,
	     s->off == SCOPE_PAUSED ? 0 : hook_bytes_when(s, MPI_SUCCESS, count, type));
	if (dest == MPI_PROC_NULL || id == NO_COMM)
		return;
	hook_count_sent(s, s->r->bytes);
	s->r->aux = hook_on_channel(s, SKIPPED_SENDS, id, dest, tag);
	scope_become(s->r, RECORD_SEND);
}

__attribute__((noinline)) void hook_size_sent(struct scope *s, MPI_Count count, MPI_Datatype type)
{
	uint64_t bytes = hook_bytes(count, type);

	if (s->off == SCOPE_COUNTED)
		s->total->sent_bytes += bytes - s->r->bytes;
	s->r->bytes = bytes;
	hook_asked(s);
}

/* r is what was counted before its call failed. */
static void uncount(struct log_total *t, const struct record *r, int coll)
{
	t->sent -= !coll;
	t->sent_bytes -= r->bytes;
	t->received_bytes -= coll ? r->bytes_in : 0;
}

void hook_failed(struct scope *s)
{
	struct record *r = s->r;
	int window = r->kind == RECORD_RMA_COLL, coll = window || r->kind == RECORD_COLL;
	struct skipped_channel c = {coll ? SKIPPED_COLLS : SKIPPED_SENDS,
				    window ? SKIPPED_WINDOW(r->comm) : r->comm, coll ? 0 : r->peer,
				    coll ? 0 : r->tag};

	/* it counts neither as skipped nor as the one that says how many were */
	if (coll || r->kind == RECORD_SEND) {
		if (s->off == SCOPE_COUNTED)
			uncount(s->total, r, coll);
		else if (s->off)
			skipped_remove(&c);
		else if (r->aux)
			skipped_add(&c, r->aux);
	}
	r->aux = 0;
	r->kind = RECORD_CALL;
}

MPI_Status *hook_recv(struct scope *s, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
	fill(s->r, source, tag, comm_id(s, comm), 0);
	return hook_status(s, status);
}

void hook_came(struct scope *s, struct record *r, uint32_t comm, MPI_Status *status)
{
	int skipped = s->off == SCOPE_PAUSED && !(r->flags & RECORD_FLAG_UNSEEN);

	if (comm == NO_COMM || status == MPI_STATUS_IGNORE || status->MPI_SOURCE == MPI_PROC_NULL)
		return;
	fill(r, status->MPI_SOURCE, status->MPI_TAG, comm, skipped ? 0 : hook_status_bytes(status));
	hook_count_received(s, r->bytes);
	if (skipped)
		skipped_add(&(struct skipped_channel){SKIPPED_RECVS, comm, r->peer, r->tag}, 1);
	scope_become(r, RECORD_RECV);
}

void hook_received(struct scope *s, int ret, MPI_Status *status)
{
	if (ret == MPI_SUCCESS || hook_is_cut(ret))
		hook_came(s, s->r, s->r->comm, status);
}

MPI_Status *hook_sendrecv(struct scope *s, const struct peer *to, int source, int tag,
			  MPI_Status *status)
{
	int from = source >= 0 ? source : source == MPI_ANY_SOURCE ? RECORD_ANY : RECORD_NOBODY;

	s->r->bytes_in = RECORD_FROM(from, tag == MPI_ANY_TAG ? RECORD_ANY : tag);
	hook_send(s, to->count, to->type, to->rank, to->tag, to->comm);
	return hook_status(s, status);
}

void hook_sendreceived(struct scope *s, int ret, const struct peer *from, MPI_Status *status)
{
	uint32_t id = comm_id(s, from->comm);
	int source = from->rank;
	struct record *r;

	s->r->bytes_in = 0; /* said by what came */
	hook_sent(s, hook_is_cut(ret) ? MPI_SUCCESS : ret, from->count, from->type);
	if ((ret != MPI_SUCCESS && !hook_is_cut(ret)) || source == MPI_PROC_NULL || id == NO_COMM)
		return;
	r = scope_part(s);
	if (!r)
		return;
	hook_came(s, r, id, status);
	if (SIMULATED && r->kind == RECORD_RECV && source != MPI_ANY_SOURCE)
		r->peer = source; /* SMPI's status of a message to oneself has another number */
}

/* Open a request for peer; returns its entry for the table. */
static struct request describe(struct scope *s, enum request_kind kind, const struct peer *peer)
{
	return (struct request){.kind = (uint8_t)kind,
				.off = (uint8_t)s->off,
				.peer = peer->rank,
				.tag = peer->tag,
				.comm = comm_id(s, peer->comm),
				.bytes = kind == REQUEST_SEND ? hook_bytes(peer->count, peer->type)
							      : 0};
}

void hook_begun(struct scope *s, struct record *r, const struct request *q)
{
	if (q->kind == REQUEST_SEND) {
		r->aux = hook_on_channel(s, SKIPPED_SENDS, q->comm, q->peer, q->tag);
		hook_count_sent(s, q->bytes);
	} else if (q->kind == REQUEST_COLL) {
		hook_count_coll(s, q->bytes, q->bytes_in);
	}
	fill(r, q->peer, q->tag, q->comm, q->bytes);
	r->request = q->id;
	scope_become(r, q->kind == REQUEST_SEND   ? RECORD_ISEND
			: q->kind == REQUEST_RECV ? RECORD_IRECV
						  : RECORD_NBC);
}

/* Nobody will hear of a send that begins in a pause: it needs no id, and need not be followed. */
static uint64_t new_id(const struct scope *s, enum request_kind kind)
{
	return s->off && kind != REQUEST_RECV ? 0 : recorder_request();
}

/* Inlined: half of it is known by kind. */
static inline __attribute__((always_inline)) void start_one(struct scope *s, int ret,
							    enum request_kind kind,
							    const struct peer *peer,
							    const MPI_Request *handle)
{
	struct record *r = s->r;
	uint64_t bytes, id;
	uint32_t comm;
	struct request *q;

	if (ret != MPI_SUCCESS || peer->rank == MPI_PROC_NULL)
		return;
	comm = comm_id(s, peer->comm);
	if (comm == NO_COMM)
		return;
	bytes = kind == REQUEST_SEND ? hook_bytes_of(s, peer->count, peer->type) : 0;
	if (kind == REQUEST_SEND) {
		r->aux = hook_on_channel(s, SKIPPED_SENDS, comm, peer->rank, peer->tag);
		hook_count_sent(s, bytes);
	}
	id = new_id(s, kind);
	if (!id)
		return;
	fill(r, peer->rank, peer->tag, comm, bytes);
	r->request = id;
	scope_become(r, kind == REQUEST_SEND ? RECORD_ISEND : RECORD_IRECV);
	q = request_new(*handle);
	if (!q)
		return;
	*q = (struct request){.id = id,
			      .bytes = bytes,
			      .comm = comm,
			      .thread = s->lane->thread,
			      .peer = peer->rank,
			      .tag = peer->tag,
			      .kind = (uint8_t)kind,
			      .off = (uint8_t)s->off,
			      .active = 1,
			      .plain = !s->off};
	request_ready(*handle);
}

void hook_isend(struct scope *s, int ret, const struct peer *peer, const MPI_Request *request)
{
	start_one(s, ret, REQUEST_SEND, peer, request);
}

void hook_irecv(struct scope *s, int ret, const struct peer *peer, const MPI_Request *request)
{
	start_one(s, ret, REQUEST_RECV, peer, request);
}

void hook_isendrecv(struct scope *s, int ret, const struct peer *to, const struct peer *from,
		    const MPI_Request *request)
{
	struct request send, recv;
	struct record *r = s->r;

	if (ret != MPI_SUCCESS || comm_id(s, to->comm) == NO_COMM)
		return;
	send = describe(s, REQUEST_SEND, to);
	recv = describe(s, REQUEST_RECV, from);
	send.active = recv.active = 1;
	recv.bytes_in = hook_bytes_of(s, from->count, from->type);
	if (to->rank != MPI_PROC_NULL) {
		send.id = recv.send = new_id(s, REQUEST_SEND);
		recv.call = r->call;
		hook_begun(s, r, &send);
		if (from->rank == MPI_PROC_NULL && send.id)
			request_add(*request, &send);
		else if (from->rank != MPI_PROC_NULL)
			r = scope_part(s);
	}
	if (from->rank == MPI_PROC_NULL || !r)
		return;
	recv.id = recorder_request();
	hook_begun(s, r, &recv);
	request_add(*request, &recv);
}

static void init_one(struct scope *s, int ret, enum request_kind kind, const struct peer *peer,
		     const MPI_Request *handle)
{
	struct request q;

	if (ret != MPI_SUCCESS || peer->rank == MPI_PROC_NULL)
		return;
	q = describe(s, kind, peer);
	q.persistent = 1;
	if (q.comm != NO_COMM)
		request_add(*handle, &q);
}

void hook_send_init(struct scope *s, int ret, const struct peer *peer, const MPI_Request *request)
{
	init_one(s, ret, REQUEST_SEND, peer, request);
}

void hook_recv_init(struct scope *s, int ret, const struct peer *peer, const MPI_Request *request)
{
	init_one(s, ret, REQUEST_RECV, peer, request);
}

void hook_starting(struct scope *s, int count, const MPI_Request *requests)
{
	MPI_Request *saved = NULL;

	if (count > 0 && requests)
		saved = scratch_at_least(&s->lane->handles, (size_t)count * sizeof(*saved));
	if (saved)
		memcpy(saved, requests, (size_t)count * sizeof(*saved));
	s->count = saved ? count : 0;
}

/*
 * A persistent request has been started, maybe with another handle; kind REQUEST_NONE: not known.
 */
static struct request start_anyhow(const struct scope *s, MPI_Request before, MPI_Request now)
{
	request_rekey(before, now);
	return request_start(now, s->off);
}

void hook_started(struct scope *s, int ret, int count, const MPI_Request *requests)
{
	const MPI_Request *before = s->lane->handles.p;
	const struct request *q;
	struct request copy;
	struct record *r;
	int i;

	if (ret != MPI_SUCCESS || s->count != count)
		return;
	for (i = 0; i < count; i++) {
		q = USUAL(before[i] == requests[i] && !s->off) ? request_start_plain(requests[i])
							       : NULL;
		if (!USUAL(q)) {
			copy = start_anyhow(s, before[i], requests[i]);
			q = &copy;
		}
		if (q->kind == REQUEST_NONE)
			continue;
		r = s->filled ? scope_part(s) : s->r;
		if (!r)
			return;
		s->filled = 1;
		hook_begun(s, r, q);
	}
}

void hook_probe(struct scope *s, int source, int tag, MPI_Comm comm)
{
	struct record *r = s->r;

	r->peer = source;
	r->tag = tag;
	r->comm = comm_id(s, comm);
}

void hook_probed(struct scope *s, int ret, int flag)
{
	if (ret == MPI_SUCCESS && !flag)
		hook_poll_failed(s, NOT_A_REQUEST);
}
