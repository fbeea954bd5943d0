/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/reader/reader_load.h"

#include "analyze/given_requests.h"
#include "analyze/tools/idhash.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

#include <string.h>

#define NOTHING_RECORDED INT64_MIN /* of a rank: the trace's begin, once it is known */

struct order {
	int64_t enter_ns;
	uint32_t call;
};

static int by_enter(const void *a, const void *b)
{
	const struct order *x = a, *y = b;

	if (x->enter_ns != y->enter_ns)
		return x->enter_ns < y->enter_ns ? -1 : 1;
	return x->call < y->call ? -1 : x->call > y->call;
}

/* A blocking receive counts from its call's begin. */
static int64_t order_ns(const struct trace *t, const struct op *op)
{
	return op->kind == OP_RECV && op->call != TRACE_NONE ? t->calls[op->call].enter_ns
							     : op->time_ns;
}

static int by_time(const void *a, const void *b, void *trace)
{
	int64_t x = order_ns(trace, a), y = order_ns(trace, b);

	return x < y ? -1 : x > y;
}

/* Sort the calls of a rank with several threads by time, and its records. */
static int merge_threads(struct load *l, const struct rank *rank)
{
	struct trace *t = &l->trace;
	struct order *order = table_calloc(rank->calls, sizeof(*order));
	struct call *sorted = table_calloc(rank->calls, sizeof(*sorted));
	uint32_t *moved_to = table_calloc(rank->calls, sizeof(*moved_to));
	uint32_t i;
	int ret = -1;

	if (!order || !sorted || !moved_to) {
		load_no_memory(l);
		goto out;
	}
	for (i = 0; i < rank->calls; i++)
		order[i] = (struct order){t->calls[rank->first_call + i].enter_ns, i};
	sort(order, rank->calls, sizeof(*order), by_enter);
	for (i = 0; i < rank->calls; i++) {
		sorted[i] = t->calls[rank->first_call + order[i].call];
		moved_to[order[i].call] = rank->first_call + i;
	}
	memcpy(&t->calls[rank->first_call], sorted, rank->calls * sizeof(*sorted));
	for (i = rank->first_op; i < rank->first_op + rank->ops; i++) {
		if (t->ops[i].call != TRACE_NONE)
			t->ops[i].call = moved_to[t->ops[i].call - rank->first_call];
	}
	if (rank->ops)
		sort_with(&t->ops[rank->first_op], rank->ops, sizeof(*t->ops), by_time, t);
	ret = 0;
out:
	table_free(moved_to);
	table_free(sorted);
	table_free(order);
	return ret;
}

static int is_of_messages(const struct op *op)
{
	switch (op->kind) {
	case OP_COLL:
	case OP_NBC_POST:
	case OP_NBC_DONE:
	case OP_PAUSE:
	case OP_RESUME:
	case OP_PUT:
	case OP_GET:
	case OP_ATOMIC:
	case OP_EPOCH:
	case OP_LOCK:
	case OP_UNLOCK:
		return 0;
	default:
		return 1;
	}
}

/* In its call a request completed, or a message was taken off its channel. */
static int is_completion(const struct op *op)
{
	switch (op->kind) {
	case OP_ISEND_DONE:
	case OP_IRECV_DONE:
	case OP_NBC_DONE:
	case OP_CANCELLED:
	case OP_MATCHED:
	case OP_ASIDE_DONE:
		return op->call != TRACE_NONE;
	default:
		return 0;
	}
}

static void note_completion(struct rank *rank, const struct op *op)
{
	uint32_t calls = is_completion(op) ? op->call - rank->first_call + 1 : 0;

	if (rank->completed < calls)
		rank->completed = calls;
}

/* How many of a rank's requests of windows and files stay open. Returns 0, or -1: out of memory. */
static int count_aside(struct trace *t, struct rank *rank)
{
	struct idhash open = {0};
	int ret = 0;
	uint32_t i;

	for (i = rank->first_op; !ret && i < t->n_ops; i++) {
		const struct op *op = &t->ops[i];

		if (op->kind != OP_ASIDE && op->kind != OP_ASIDE_DONE)
			continue;
		t->records--; /* it is beside one, or of no communication */
		if (op->kind == OP_ASIDE)
			ret = idhash_put(&open, op->request, 0);
		else if (open.n)
			idhash_take(&open, op->request);
	}
	rank->aside = (uint32_t)open.n;
	idhash_release(&open);
	return ret;
}

/* The records of messages are joined: of the rank that was read last keep the others. */
static void drop_records(struct trace *t, struct rank *rank)
{
	uint32_t kept = rank->first_op, i;

	for (i = rank->first_op; i < t->n_ops; i++) {
		enum op_kind kind = t->ops[i].kind;

		rank->requests += kind == OP_ISEND || kind == OP_IRECV || kind == OP_NBC_POST;
		rank->given += kind == OP_TEST_FAILED && given_requests_is(t, &t->ops[i]);
		note_completion(rank, &t->ops[i]);
		if (!is_of_messages(&t->ops[i]))
			t->ops[kept++] = t->ops[i];
	}
	rank->ops = kept - rank->first_op;
	t->n_ops = kept;
}

int load_rank(struct load *l, uint32_t r)
{
	struct trace *t = &l->trace;
	struct rank *rank = &t->ranks[r];
	int threads = 0;
	uint32_t i;

	if (!rank->calls && !rank->ops && rank->begin_ns == rank->end_ns)
		rank->begin_ns = rank->end_ns = NOTHING_RECORDED;
	for (i = rank->first_call; i < rank->first_call + rank->calls; i++) {
		struct call *call = &t->calls[i];

		if (call->leave_ns == INT64_MIN)
			call->leave_ns = rank->end_ns;
		threads |= call->thread != 0;
		rank->is_threaded |= call->thread != t->calls[rank->first_call].thread;
	}
	if (threads && merge_threads(l, rank))
		return -1;
	if (load_end_early(l, r) || load_silent(l, r))
		return -1;
	if (endpoints_add(&t->ends, t, r) || count_aside(t, rank))
		return load_no_memory(l);
	drop_records(t, rank);
	return 0;
}

/* A pause that MPI_Init ends with was asked for before: it is as old as the run. */
static void begin_paused(struct trace *t, const struct rank *rank, int64_t begin_ns)
{
	struct op *op = rank->ops ? &t->ops[rank->first_op] : NULL;

	if (op && rank->calls && op->kind == OP_PAUSE &&
	    op->time_ns == t->calls[rank->first_call].leave_ns &&
	    trace_call_kind(t, rank->first_call) == REGION_INIT)
		op->time_ns = begin_ns;
}

int load_finish(struct load *l)
{
	struct trace *t = &l->trace;
	uint32_t r, i;

	load_end_of_run(l);
	if (l->last_ns == LOAD_TIME_MOST_NS || l->first_ns == -LOAD_TIME_MOST_NS)
		return err_set(l->err,
			       "%s: its time stamps are more than 73 years from its clock's "
			       "origin: damaged archive",
			       l->anchor);
	if (l->last_ns - l->first_ns > LOAD_SPAN_MOST_NS)
		return err_set(l->err, "%s: its time stamps span more than a year: damaged archive",
			       l->anchor);
	for (r = 0; r < t->n_ranks; r++) {
		struct rank *rank = &t->ranks[r];

		if (rank->begin_ns == NOTHING_RECORDED) {
			rank->begin_ns = rank->end_ns = l->first_ns;
			if (rank->loss.what != LOSS_NONE)
				t->ops[rank->first_op].time_ns = l->first_ns;
		}
		begin_paused(t, rank, l->first_ns);
		rank->begin_ns -= l->first_ns;
		rank->end_ns -= l->first_ns;
	}
	t->wall_ns = l->last_ns - l->first_ns;
	if (!l->first_ns)
		return 0;
	for (i = 0; i < t->n_calls; i++) {
		t->calls[i].enter_ns -= l->first_ns;
		t->calls[i].leave_ns -= l->first_ns;
	}
	for (i = 0; i < t->n_ops; i++)
		t->ops[i].time_ns -= l->first_ns;
	for (size_t k = 0; k < t->readings.n; k++)
		t->readings.v[k].time_ns -= l->first_ns;
	endpoints_shift(&t->ends, l->first_ns);
	return 0;
}
