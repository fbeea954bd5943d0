/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/traces/mkrandom.h"

#include <stdlib.h>
#include <string.h>

#define TAGS 3
#define ANY  (-1)

/* A receive that is posted and not completed. */
struct posted {
	uint32_t rank;
	int32_t src, tag; /* ANY: wildcard */
	uint64_t request;
	int64_t posted_ns;
	int64_t not_here_ns;
	int64_t message; /* -1: none yet */
};

/* A send that has not completed at its sender. */
struct sending {
	uint32_t rank;
	uint64_t request;
	uint32_t message;
};

struct world {
	struct mktrace *m;
	const struct mkrandom *what;
	struct mkexpected *out;
	int64_t now_ns;
	uint32_t state;
	struct posted *posted; /* in order of posting */
	uint32_t n_posted;
	struct sending *sending;
	uint32_t n_sending;
	uint32_t *unexpected; /* messages, in order of sending */
	uint32_t n_unexpected;
	uint64_t next_request;
};

static uint32_t any_of(struct world *w, uint32_t n)
{
	w->state = w->state * 1664525U + 1013904223U;
	return (uint32_t)(((uint64_t)(w->state >> 8) * n) >> 24);
}

static struct mkspan now(struct world *w)
{
	struct mkspan span = {w->now_ns, w->now_ns + 3};

	w->now_ns += 5;
	return span;
}

static int request_in_use(const struct world *w, uint32_t rank, uint64_t request)
{
	uint32_t i;

	for (i = 0; i < w->n_posted; i++) {
		if (w->posted[i].rank == rank && w->posted[i].request == request)
			return 1;
	}
	for (i = 0; i < w->n_sending; i++) {
		if (w->sending[i].rank == rank && w->sending[i].request == request)
			return 1;
	}
	return 0;
}

static uint64_t new_request(struct world *w, uint32_t rank)
{
	uint64_t request = 1;

	if (!w->what->reuse_requests)
		return w->next_request++;
	while (request_in_use(w, rank, request))
		request++;
	return request;
}

static int accepts(const struct posted *p, const struct mktruth *t)
{
	return p->rank == t->dst && (p->src == ANY || (uint32_t)p->src == t->src) &&
	       (p->tag == ANY || p->tag == t->tag);
}

/* A message arrives: the first posted receive that accepts it takes it. */
static void arrive(struct world *w, uint32_t message)
{
	uint32_t i;

	for (i = 0; i < w->n_posted; i++) {
		if (w->posted[i].message < 0 &&
		    accepts(&w->posted[i], &w->out->messages[message])) {
			w->posted[i].message = message;
			return;
		}
	}
	w->unexpected[w->n_unexpected++] = message;
}

/* The first unexpected message a receive accepts, taken out; -1: none. */
static int64_t take_unexpected(struct world *w, const struct posted *p)
{
	uint32_t i, message;

	for (i = 0; i < w->n_unexpected; i++) {
		message = w->unexpected[i];
		if (!accepts(p, &w->out->messages[message]))
			continue;
		memmove(&w->unexpected[i], &w->unexpected[i + 1],
			(--w->n_unexpected - i) * sizeof(*w->unexpected));
		return message;
	}
	return -1;
}

static uint32_t new_message(struct world *w, uint32_t src)
{
	w->out->messages[w->out->n] = (struct mktruth){
		.src = src,
		.dst = any_of(w, w->what->ranks),
		.tag = (int32_t)any_of(w, TAGS),
		.sent_ns = w->now_ns,
		.send_done_ns = -1,
		.posted_ns = -1,
		.recv_done_ns = -1,
		.not_here_ns = INT64_MIN,
	};
	return w->out->n++;
}

static struct mkop send_op(const struct world *w, uint32_t message, enum op_kind kind)
{
	const struct mktruth *t = &w->out->messages[message];

	return (struct mkop){
		.kind = kind, .peer = (int32_t)t->dst, .tag = t->tag, .bytes = message + 1};
}

static void do_send(struct world *w, uint32_t rank)
{
	uint32_t message = new_message(w, rank);
	struct mkop op = send_op(w, message, OP_SEND);

	w->out->messages[message].send_done_ns = w->now_ns;
	mktrace_call(w->m, rank, now(w), "MPI_Send", NULL, 1, &op);
	arrive(w, message);
}

static void do_isend(struct world *w, uint32_t rank)
{
	uint32_t message = new_message(w, rank);
	struct mkop op = send_op(w, message, OP_ISEND);

	op.request = new_request(w, rank);
	w->sending[w->n_sending++] = (struct sending){rank, op.request, message};
	mktrace_call(w->m, rank, now(w), "MPI_Isend", NULL, 1, &op);
	arrive(w, message);
}

static struct posted new_posted(struct world *w, uint32_t rank)
{
	return (struct posted){
		.rank = rank,
		.src = any_of(w, 3) ? (int32_t)any_of(w, w->what->ranks) : ANY,
		.tag = any_of(w, 3) ? (int32_t)any_of(w, TAGS) : ANY,
		.posted_ns = w->now_ns,
		.not_here_ns = INT64_MIN,
		.message = -1,
	};
}

static struct mkop recv_op(const struct world *w, int64_t message, enum op_kind kind)
{
	const struct mktruth *t = &w->out->messages[message];

	return (struct mkop){.kind = kind,
			     .peer = (int32_t)t->src,
			     .tag = t->tag,
			     .bytes = (uint64_t)message + 1};
}

/* A blocking receive, if its message is here already. */
static void do_recv(struct world *w, uint32_t rank)
{
	struct posted p = new_posted(w, rank);
	int64_t message = take_unexpected(w, &p);
	struct mkop op;

	if (message < 0)
		return;
	op = recv_op(w, message, OP_RECV);
	w->out->messages[message].posted_ns = w->now_ns;
	w->out->messages[message].recv_done_ns = w->now_ns;
	mktrace_call(w->m, rank, now(w), "MPI_Recv", NULL, 1, &op);
}

static void do_irecv(struct world *w, uint32_t rank)
{
	struct posted p = new_posted(w, rank);
	struct mkop op = {.kind = OP_IRECV};

	p.request = op.request = new_request(w, rank);
	p.message = take_unexpected(w, &p);
	w->posted[w->n_posted++] = p;
	mktrace_call(w->m, rank, now(w), "MPI_Irecv", NULL, 1, &op);
}

static void remove_posted(struct world *w, uint32_t i)
{
	memmove(&w->posted[i], &w->posted[i + 1], (--w->n_posted - i) * sizeof(*w->posted));
}

/* Complete receive i if its message is here; else test it in vain, or cancel it. */
static void do_finish_recv(struct world *w, uint32_t i)
{
	struct posted *p = &w->posted[i];
	uint32_t rank = p->rank;
	struct mktruth *t;
	struct mkop op = {.kind = OP_TEST_FAILED, .request = p->request};

	if (p->message >= 0) {
		t = &w->out->messages[p->message];
		op = recv_op(w, p->message, OP_IRECV_DONE);
		op.request = p->request;
		t->posted_ns = p->posted_ns;
		t->recv_done_ns = w->now_ns;
		t->not_here_ns = p->not_here_ns;
		remove_posted(w, i);
		mktrace_call(w->m, rank, now(w), "MPI_Wait", NULL, 1, &op);
	} else if (any_of(w, 8)) {
		p->not_here_ns = w->now_ns;
		mktrace_call(w->m, rank, now(w), "MPI_Test", NULL, 1, &op);
	} else {
		op.kind = OP_CANCELLED;
		w->out->cancelled++;
		remove_posted(w, i);
		mktrace_call(w->m, rank, now(w), "MPI_Wait", NULL, 1, &op);
	}
}

static void do_finish_send(struct world *w, uint32_t i)
{
	struct sending s = w->sending[i];
	struct mkop op = {.kind = OP_ISEND_DONE, .request = s.request};

	w->out->messages[s.message].send_done_ns = w->now_ns;
	w->sending[i] = w->sending[--w->n_sending];
	mktrace_call(w->m, s.rank, now(w), "MPI_Wait", NULL, 1, &op);
}

static void step(struct world *w)
{
	uint32_t rank = any_of(w, w->what->ranks);

	switch (any_of(w, 9)) {
	case 0:
	case 1:
		do_send(w, rank);
		break;
	case 2:
		do_isend(w, rank);
		break;
	case 3:
		do_recv(w, rank);
		break;
	case 4:
	case 5:
		do_irecv(w, rank);
		break;
	case 6:
		if (w->n_sending)
			do_finish_send(w, any_of(w, w->n_sending));
		break;
	default:
		if (w->n_posted)
			do_finish_recv(w, any_of(w, w->n_posted));
	}
}

/*
 * Complete the receives that have a message. One left open would hide from its trace
 * that the later receives of its channel have later messages.
 */
static void finish(struct world *w)
{
	uint32_t i = 0;

	while (i < w->n_posted) {
		if (w->posted[i].message >= 0)
			do_finish_recv(w, i);
		else
			i++;
	}
}

void mkrandom_write(struct mktrace *m, const struct mkrandom *what, struct mkexpected *out)
{
	struct world w = {.m = m,
			  .what = what,
			  .out = out,
			  .state = what->seed * 2654435761U + 1,
			  .next_request = 1};
	uint32_t i;

	*out = (struct mkexpected){.messages = calloc(what->steps, sizeof(*out->messages))};
	w.posted = calloc(what->steps, sizeof(*w.posted));
	w.sending = calloc(what->steps, sizeof(*w.sending));
	w.unexpected = calloc(what->steps, sizeof(*w.unexpected));
	mktrace_call(m, 0, now(&w), "MPI_Init", NULL, 0, NULL);
	for (i = 0; i < what->steps; i++)
		step(&w);
	finish(&w);
	out->open_recvs = w.n_posted;
	for (i = 0; i < out->n; i++)
		out->matched += out->messages[i].recv_done_ns >= 0;
	free(w.posted);
	free(w.sending);
	free(w.unexpected);
}
