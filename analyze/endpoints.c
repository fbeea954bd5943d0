/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/endpoints.h"

#include "analyze/given_requests.h"
#include "analyze/tools/growing.h"
#include "analyze/tools/share.h"
#include "analyze/trace.h"

#include <stdlib.h>

int endpoints_init(struct endpoints *e, const struct trace *t)
{
	*e = (struct endpoints){.of = calloc((size_t)t->n_ranks + 1, sizeof(*e->of))};
	return e->of ? 0 : -1;
}

/*
 * When what the record says was complete: by the end of its call, or before if the recorder
 * watched it. Other recorders' records have times too, but those say when they were written.
 */
static int64_t completed_ns(const struct trace *t, const struct op *op)
{
	const struct call *c;

	if (op->call == TRACE_NONE)
		return op->time_ns;
	c = &t->calls[op->call];
	return t->dated && op->time_ns >= c->enter_ns && op->time_ns < c->leave_ns ? op->time_ns
										   : c->leave_ns;
}

/* MPI_PROC_NULL, which some recorders note: no rank of a communicator that is known. */
static int is_with_nobody(const struct op *op)
{
	return op->peer < 0 && op->comm != TRACE_NONE;
}

static int add_send(struct endpoints *e, const struct trace *t, const struct op *op)
{
	if (op->call == TRACE_NONE)
		return 0; /* cannot be timed */
	if (is_with_nobody(op)) {
		/* the id now stands for this one */
		idhash_take(&e->open_sends, op->request);
		return 0;
	}
	if (e->n_sends >= TRACE_NONE - 1 || GROW(e->sends, e->n_sends, e->cap_sends))
		return -1;
	e->sends[e->n_sends] = (struct send){
		.bytes = op->bytes,
		.done_ns = t->calls[op->call].leave_ns,
		.dst = trace_world_rank(t, op->comm, op->peer),
		.comm = op->comm,
		.tag = op->tag,
		.call = op->call,
		.done = op->kind == OP_SEND ? op->call : TRACE_NONE,
		.skipped = op->skipped,
	};
	/* in a foreign trace a request may start again: then it is its newest send */
	if (op->kind == OP_ISEND && idhash_put(&e->open_sends, op->request, (uint32_t)e->n_sends))
		return -1;
	e->n_sends++;
	return 0;
}

static void end_send(struct endpoints *e, const struct trace *t, const struct op *op)
{
	uint32_t i = idhash_take(&e->open_sends, op->request);

	if (i == IDHASH_NONE)
		return;
	e->sends[i].done = op->call;
	e->sends[i].done_ns = completed_ns(t, op);
}

/* A receive that this record is the first of; NULL: out of memory. */
static struct recv *add_recv(struct endpoints *e, uint32_t call)
{
	if (e->n_recvs >= TRACE_NONE - 1 || GROW(e->recvs, e->n_recvs, e->cap_recvs))
		return NULL;
	e->recvs[e->n_recvs] = (struct recv){.not_here_ns = INT64_MIN,
					     .src = TRACE_NONE,
					     .comm = TRACE_NONE,
					     .call = call,
					     .done = TRACE_NONE,
					     .window = e->window & 0x07ffffff};
	return &e->recvs[e->n_recvs++];
}

static void mark_taker(struct endpoints *e, struct recv *recv)
{
	recv->taker = 1;
	recv->tag = -1;
	e->n_takers++;
}

/* It took some message of which nothing is recorded; or none, if it was to have one of nobody. */
static void note_lost(struct endpoints *e, struct recv *recv)
{
	if (recv->done != TRACE_NONE || recv->matched || recv->taker || recv->is_void ||
	    recv->comm != TRACE_NONE)
		return;
	mark_taker(e, recv);
}

static int take_unknown(struct endpoints *e, const struct op *op)
{
	struct recv *recv = add_recv(e, op->call);

	if (!recv)
		return -1;
	recv->done = op->call;
	mark_taker(e, recv);
	return 0;
}

/* A message was taken off its channel: here is the place of its receive, whenever that comes. */
static int match_recv(struct endpoints *e, const struct trace *t, const struct op *op)
{
	struct recv *recv = add_recv(e, TRACE_NONE);

	if (!recv)
		return -1;
	recv->src = trace_world_rank(t, op->comm, op->peer);
	recv->comm = op->comm;
	recv->tag = op->tag;
	recv->matched = 1;
	recv->unseen = op->unseen;
	return idhash_put(&e->open_recvs, op->request, (uint32_t)e->n_recvs - 1);
}

static int post_recv(struct endpoints *e, const struct trace *t, const struct op *op)
{
	uint32_t i = idhash_find(&e->open_recvs, op->request);
	struct recv *recv = i != IDHASH_NONE ? &e->recvs[i] : NULL;

	if (recv && recv->matched) {
		recv->call = op->call;
		return 0;
	}
	if (recv) /* its request is another's now: it was complete, unrecorded */
		note_lost(e, recv);
	recv = add_recv(e, op->call);
	if (!recv)
		return -1;
	recv->unseen = op->unseen;
	recv->src = trace_world_rank(t, op->comm, op->peer);
	recv->comm = op->comm;
	recv->tag = op->tag;
	return idhash_put(&e->open_recvs, op->request, (uint32_t)e->n_recvs - 1);
}

static int end_recv(struct endpoints *e, const struct trace *t, const struct op *op)
{
	int blocking = op->kind == OP_RECV;
	uint32_t i =
		blocking && !op->request ? IDHASH_NONE : idhash_take(&e->open_recvs, op->request);
	struct recv *recv = i == IDHASH_NONE ? NULL : &e->recvs[i];

	if (is_with_nobody(op)) {
		if (recv)
			recv->is_void = 1;
		return 0;
	}
	if (!recv) /* a blocking one, or its post was not recorded */
		recv = add_recv(e, TRACE_NONE);
	if (!recv)
		return -1;
	if (blocking)
		recv->call = op->call;
	recv->bytes = op->bytes;
	recv->src = trace_world_rank(t, op->comm, op->peer);
	recv->comm = op->comm;
	recv->tag = op->tag;
	recv->done = op->call;
	recv->done_ns = completed_ns(t, op);
	recv->unseen |= op->unseen;
	return 0;
}

static void note_failed_test(struct endpoints *e, const struct trace *t, const struct op *op)
{
	uint32_t i = idhash_find(&e->open_recvs, op->request);

	if (!given_requests_note(e, t, op) && i != IDHASH_NONE)
		e->recvs[i].not_here_ns = op->bytes || op->call == TRACE_NONE
						  ? op->time_ns
						  : t->calls[op->call].enter_ns;
}

static void cancel(struct endpoints *e, uint64_t request)
{
	uint32_t i = idhash_take(&e->open_sends, request);

	if (i != IDHASH_NONE) {
		e->sends[i].call = TRACE_NONE;
		e->n_cancelled++;
	}
	i = idhash_take(&e->open_recvs, request);
	if (i != IDHASH_NONE) {
		e->recvs[i].is_void = 1;
		e->n_cancelled++;
	}
}

/* A message is taken in the place of its receive, and nobody is told when. */
static void take_unseen(struct endpoints *e, const struct trace *t, const struct op *op)
{
	uint32_t i = idhash_take(&e->open_recvs, op->request);
	struct recv *recv = i == IDHASH_NONE ? NULL : &e->recvs[i];

	if (!recv)
		return;
	recv->src = trace_world_rank(t, op->comm, op->peer);
	recv->comm = op->comm;
	recv->tag = op->tag;
	recv->taker = op->peer < 0 || op->tag < 0;
	recv->matched = !recv->taker;
	e->n_takers += recv->taker;
	e->n_cancelled++;
}

static int add_gap(struct endpoints *e, const struct trace *t, const struct op *op)
{
	if (e->n_gaps >= TRACE_NONE - 1 || GROW(e->gaps, e->n_gaps, e->cap_gaps))
		return -1;
	e->gaps[e->n_gaps++] = (struct gap){.src = trace_world_rank(t, op->comm, op->peer),
					    .comm = op->comm,
					    .tag = op->tag,
					    .window = e->window,
					    .n = op->skipped};
	return 0;
}

/* What a record says about the sends and receives so far. Returns 0, or -1: out of memory. */
static int note(struct endpoints *e, const struct trace *t, const struct op *op)
{
	switch ((enum op_kind)op->kind) {
	case OP_SEND:
	case OP_ISEND:
		return add_send(e, t, op);
	case OP_ISEND_DONE:
		end_send(e, t, op);
		return 0;
	case OP_IRECV:
		return post_recv(e, t, op);
	case OP_MATCHED:
		return match_recv(e, t, op);
	case OP_RECV:
	case OP_IRECV_DONE:
		return end_recv(e, t, op);
	case OP_TEST_FAILED:
		note_failed_test(e, t, op);
		return 0;
	case OP_CANCELLED:
		cancel(e, op->request);
		return 0;
	case OP_FREED:
		take_unseen(e, t, op);
		return 0;
	case OP_RESUME:
		e->window++;
		return 0;
	case OP_TAKEN:
		return take_unknown(e, op);
	case OP_SKIPPED:
		return add_gap(e, t, op);
	default:
		return 0;
	}
}

int endpoints_add(struct endpoints *e, const struct trace *t, uint32_t rank)
{
	const struct rank *r = &t->ranks[rank];
	struct endpoints_of at = e->of[rank];
	uint32_t i;

	e->window = 0;
	for (i = r->first_op; i < r->first_op + r->ops; i++)
		if (note(e, t, &t->ops[i]))
			return -1;
	idhash_clear(&e->open_sends);
	idhash_clear(&e->open_recvs);
	for (i = at.recv; i < e->n_recvs && r->has_ended; i++)
		note_lost(e, &e->recvs[i]);
	for (i = at.send; i < e->n_sends; i++)
		if (e->sends[i].call != TRACE_NONE)
			e->sends[at.send++] = e->sends[i];
	for (i = at.recv; i < e->n_recvs; i++)
		if (!e->recvs[i].is_void)
			e->recvs[at.recv++] = e->recvs[i];
	e->n_sends = at.send;
	e->n_recvs = at.recv;
	e->of[rank + 1] = (struct endpoints_of){at.send, at.recv, (uint32_t)e->n_gaps};
	return 0;
}

void endpoints_clear(struct endpoints *e, uint32_t rank)
{
	e->n_sends = e->n_recvs = e->n_gaps = 0;
	e->n_cancelled = e->n_takers = 0;
	e->of[rank + 1] = (struct endpoints_of){0};
}

int send_is_open(const struct trace *t, const struct send *send)
{
	return send->done == TRACE_NONE ||
	       t->calls[send->done].leave_ns >= t->ranks[t->calls[send->call].rank].end_ns;
}

struct keeping {
	struct endpoints *e;
	const struct trace *t;
	struct endpoints_of *kept; /* of each rank so many */
};

/* A rank's that are open, to where its own begin. */
static int keep_of_rank(void *keeping, unsigned hand, uint32_t r, struct err *err)
{
	const struct keeping *k = keeping;
	const struct endpoints_of *of = &k->e->of[r];
	struct send *sends = k->e->sends + of->send;
	struct recv *recvs = k->e->recvs + of->recv;
	struct endpoints_of kept = {0};

	(void)hand, (void)err;
	for (uint32_t i = 0; i < of[1].send - of->send; i++)
		if (send_is_open(k->t, &sends[i]))
			sends[kept.send++] = sends[i];
	for (uint32_t i = 0; i < of[1].recv - of->recv; i++)
		if (recvs[i].done == TRACE_NONE)
			recvs[kept.recv++] = recvs[i];
	k->kept[r] = kept;
	return 0;
}

/* Tables of those kept only; kept becomes where they begin. Returns 0, or -1: no memory. */
static int move_kept(struct endpoints *e, struct endpoints_of *kept, uint32_t ranks)
{
	struct endpoints all = *e;
	struct endpoints_of n = {0};

	for (uint32_t r = 0; r < ranks; r++) {
		n.send += kept[r].send;
		n.recv += kept[r].recv;
	}
	*e = (struct endpoints){.sends = table_alloc((size_t)n.send + 1, sizeof(*e->sends)),
				.recvs = table_alloc((size_t)n.recv + 1, sizeof(*e->recvs)),
				.of = kept};
	for (uint32_t r = 0; e->sends && e->recvs && r <= ranks; r++) {
		n = kept[r];
		kept[r] = (struct endpoints_of){(uint32_t)e->n_sends, (uint32_t)e->n_recvs, 0};
		for (uint32_t i = 0; i < n.send; i++)
			e->sends[e->n_sends++] = all.sends[all.of[r].send + i];
		for (uint32_t i = 0; i < n.recv; i++)
			e->recvs[e->n_recvs++] = all.recvs[all.of[r].recv + i];
	}
	endpoints_release(&all);
	return e->sends && e->recvs ? 0 : -1;
}

int endpoints_keep_open(struct endpoints *e, const struct trace *t)
{
	struct endpoints_of *kept = calloc((size_t)t->n_ranks + 1, sizeof(*kept));
	struct keeping k = {e, t, kept};
	struct err none;

	if (!kept || share_run(share_hands(), t->n_ranks, keep_of_rank, &k, &none)) {
		free(kept);
		return -1;
	}
	return move_kept(e, kept, t->n_ranks);
}

void endpoints_shift(struct endpoints *e, int64_t origin_ns)
{
	for (size_t i = 0; i < e->n_sends; i++)
		e->sends[i].done_ns -= origin_ns;
	for (size_t i = 0; i < e->n_recvs; i++) {
		e->recvs[i].done_ns -= origin_ns;
		if (e->recvs[i].not_here_ns != INT64_MIN)
			e->recvs[i].not_here_ns -= origin_ns;
	}
}

void endpoints_release(struct endpoints *e)
{
	idhash_release(&e->open_sends);
	idhash_release(&e->open_recvs);
	table_free(e->sends);
	table_free(e->recvs);
	table_free(e->gaps);
	free(e->of);
	*e = (struct endpoints){0};
}
