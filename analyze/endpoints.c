/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/endpoints.h"

#include <stdlib.h>
#include <string.h>

int endpoints_init(struct endpoints *e, const struct trace *t)
{
	size_t most = 1;
	uint32_t r;

	for (r = 0; r < t->n_ranks; r++) {
		if (t->ranks[r].ops > most)
			most = t->ranks[r].ops;
	}
	*e = (struct endpoints){.t = t};
	e->cancelled = calloc(most, sizeof(*e->cancelled));
	return e->cancelled ? 0 : -1;
}

static const struct rank *begin_rank(struct endpoints *e, uint32_t rank)
{
	open_requests_clear(&e->open);
	memset(e->cancelled, 0, e->t->ranks[rank].ops);
	e->window = 0;
	e->n_gaps = 0;
	return &e->t->ranks[rank];
}

static void cancel(struct endpoints *e, uint64_t request)
{
	uint32_t i = open_requests_take(&e->open, request);

	if (i != OPEN_REQUESTS_NONE) {
		e->cancelled[i] = 1;
		e->n_cancelled++;
	}
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

static int add_send(struct endpoints *e, uint32_t rank, const struct op *op, struct send *sends,
		    uint32_t *n)
{
	if (op->call == TRACE_NONE)
		return 0; /* cannot be timed */
	if (is_with_nobody(op)) {
		open_requests_take(&e->open, op->request); /* the id now stands for this one */
		return 0;
	}
	sends[*n] = (struct send){
		.bytes = op->bytes,
		.src = rank,
		.dst = trace_world_rank(e->t, op->comm, op->peer),
		.comm = op->comm,
		.tag = op->tag,
		.call = op->call,
		.done = op->kind == OP_SEND ? op->call : TRACE_NONE,
		.done_ns = e->t->calls[op->call].leave_ns,
		.skipped = op->skipped,
	};
	/* in a foreign trace a request may start again: then it is its newest send */
	if (op->kind == OP_ISEND && open_requests_put(&e->open, op->request, *n))
		return -1;
	++*n;
	return 0;
}

int endpoints_sends(struct endpoints *e, uint32_t rank, struct send *out, uint32_t *n)
{
	const struct rank *r = begin_rank(e, rank);
	uint32_t k, i, kept = 0;

	*n = 0;
	for (k = r->first_op; k < r->first_op + r->ops; k++) {
		const struct op *op = &e->t->ops[k];

		if (op->kind == OP_SEND || op->kind == OP_ISEND) {
			if (add_send(e, rank, op, out, n))
				return -1;
		} else if (op->kind == OP_ISEND_DONE) {
			i = open_requests_take(&e->open, op->request);
			if (i != OPEN_REQUESTS_NONE) {
				out[i].done = op->call;
				out[i].done_ns = completed_ns(e->t, op);
			}
		} else if (op->kind == OP_CANCELLED) {
			cancel(e, op->request);
		}
	}
	for (i = 0; i < *n; i++) {
		if (!e->cancelled[i])
			out[kept++] = out[i];
	}
	*n = kept;
	return 0;
}

static void complete(const struct trace *t, struct recv *recv, const struct op *op)
{
	recv->src = trace_world_rank(t, op->comm, op->peer);
	recv->comm = op->comm;
	recv->tag = op->tag;
	recv->done = op->call;
	recv->done_ns = completed_ns(t, op);
	recv->unseen |= op->unseen;
}

static int add_gap(struct endpoints *e, const struct op *op)
{
	if (e->n_gaps == e->cap_gaps) {
		size_t cap = e->cap_gaps ? 2 * e->cap_gaps : 64;
		struct gap *more = reallocarray(e->gaps, cap, sizeof(*more));

		if (!more)
			return -1;
		e->gaps = more;
		e->cap_gaps = cap;
	}
	e->gaps[e->n_gaps++] = (struct gap){.src = trace_world_rank(e->t, op->comm, op->peer),
					    .comm = op->comm,
					    .tag = op->tag,
					    .window = e->window,
					    .n = op->skipped};
	return 0;
}

/* What a record says about the receives so far. Returns 0, or -1: out of memory. */
static int note_recv(struct endpoints *e, const struct op *op, struct recv *recvs, uint32_t *n)
{
	const struct trace *t = e->t;
	struct recv posted = {.not_here_ns = INT64_MIN,
			      .src = TRACE_NONE,
			      .comm = TRACE_NONE,
			      .call = op->call,
			      .done = TRACE_NONE,
			      .window = e->window};
	uint32_t i;

	switch ((enum op_kind)op->kind) {
	case OP_RECV:
		if (is_with_nobody(op))
			break;
		recvs[*n] = posted;
		complete(t, &recvs[(*n)++], op);
		break;
	case OP_IRECV:
		recvs[*n] = posted;
		recvs[*n].unseen = op->unseen;
		return open_requests_put(&e->open, op->request, (*n)++);
	case OP_IRECV_DONE:
		i = open_requests_take(&e->open, op->request);
		if (is_with_nobody(op)) {
			if (i != OPEN_REQUESTS_NONE)
				e->cancelled[i] = 1;
			break;
		}
		if (i == OPEN_REQUESTS_NONE) { /* its post was not recorded */
			i = (*n)++;
			recvs[i] = posted;
			recvs[i].call = TRACE_NONE;
		}
		complete(t, &recvs[i], op);
		break;
	case OP_TEST_FAILED:
		i = open_requests_find(&e->open, op->request);
		if (i != OPEN_REQUESTS_NONE)
			recvs[i].not_here_ns = op->bytes || op->call == TRACE_NONE
						       ? op->time_ns
						       : t->calls[op->call].enter_ns;
		break;
	case OP_CANCELLED:
		cancel(e, op->request);
		break;
	case OP_RESUME:
		e->window++;
		break;
	case OP_SKIPPED:
		return add_gap(e, op);
	default:
		break;
	}
	return 0;
}

int endpoints_recvs(struct endpoints *e, uint32_t rank, struct recv *out, uint32_t *n)
{
	const struct rank *r = begin_rank(e, rank);
	uint32_t k, i, kept = 0;

	*n = 0;
	for (k = r->first_op; k < r->first_op + r->ops; k++) {
		if (note_recv(e, &e->t->ops[k], out, n))
			return -1;
	}
	for (i = 0; i < *n; i++) {
		if (!e->cancelled[i])
			out[kept++] = out[i];
	}
	*n = kept;
	return 0;
}

void endpoints_release(struct endpoints *e)
{
	open_requests_release(&e->open);
	free(e->cancelled);
	free(e->gaps);
}
