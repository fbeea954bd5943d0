/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/retime_order.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/tools/instants.h"
#include "common/prefetch.h"
#include "common/table.h"

/* Until they are in order, a message's ends are so many times its number, and which it is. */
enum end_of { END_OF_RECEIVE, END_OF_SEND, END_OF_PROBE, ENDS };
#define END_NONE UINT32_MAX

#define WAITING 0.9 /* of polls' time in MPI: that is all that they do */

struct retime_orderer {
	pthread_mutex_t lock; /* of what follows */
	int is_made;
	struct retime_order order;
};

/* A rank with calls to come, and when its next one ends. */
struct next_end {
	int64_t leave_ns;
	uint32_t call;
};

struct ordering {
	const struct evidence_base *b;
	struct retime_order *out;
	uint32_t ends;  /* so many are in order */
	uint32_t *end;  /* per call: the first of its ends, */
	uint32_t *next; /* per end: the next one */
	uint32_t all_ends;
	struct next_end *heap;
	uint32_t heaped;
};

int retime_waits_for_post(const struct evidence_base *b, uint32_t i)
{
	return evidence_is_held(b, i) && message_is_posted(b->t, &b->m->m[i]);
}

int64_t retime_begun_ns(const struct evidence_base *b, uint32_t i)
{
	const struct message *m = &b->m->m[i];
	int64_t ns = b->t->calls[m->send_call].enter_ns;

	return retime_waits_for_post(b, i) ? later(ns, b->t->calls[m->recv_call].enter_ns) : ns;
}

int64_t retime_begins_ns(const struct evidence_base *b, uint32_t i, const int64_t *sooner_ns)
{
	const struct message *m = &b->m->m[i];
	int64_t ns = b->t->calls[m->send_call].enter_ns - sooner_ns[m->send_call];

	if (!retime_waits_for_post(b, i))
		return ns;
	return later(ns, b->t->calls[m->recv_call].enter_ns - sooner_ns[m->recv_call]);
}

static void join(struct ordering *o, uint32_t call, uint32_t end)
{
	o->next[end] = o->end[call];
	o->end[call] = end;
	o->all_ends++;
}

/* The last poll for what a call receives: before that, and before the MPI_Iprobe that saw it. */
static uint32_t last_poll(const struct trace *t, uint32_t call)
{
	uint32_t first = t->ranks[t->calls[call].rank].first_call;

	if (call > first && trace_call_kind(t, call - 1) == REGION_IPROBE &&
	    !trace_flood(t, &t->calls[call - 1]))
		call--;
	return call > first ? call - 1 : TRACE_NONE;
}

/*
 * Who polls for a message and does nothing else waits for it in the call that has it, as in
 * MPI_Wait: the polls just before that are of its wait.
 */
static void mark_polls(struct ordering *o, uint32_t i)
{
	const struct trace *t = o->b->t;
	uint32_t done = o->b->m->m[i].recv_done, k = last_poll(t, done);

	if (retime_begun_ns(o->b, i) > t->calls[done].leave_ns) /* that call's wait is not known */
		return;
	for (; k != TRACE_NONE && t->calls[k].rank == t->calls[done].rank; k--) {
		const struct call *c = &t->calls[k];
		const struct flood *flood = trace_flood(t, c);

		if (o->b->a->polled[k] != i || !flood ||
		    (double)flood->inside_ns < WAITING * (double)(c->leave_ns - c->enter_ns))
			break;
		o->out->of_wait[k] = 1;
	}
}

/* Are the polls before a call of its wait? */
static int has_polled(const struct ordering *o, uint32_t call)
{
	uint32_t k = o->out->of_wait ? last_poll(o->b->t, call) : TRACE_NONE;

	return k != TRACE_NONE && o->out->of_wait[k];
}

static void join_ends(struct ordering *o)
{
	const struct messages *m = o->b->m;
	uint32_t probe;

	memset(o->end, 0xff, o->b->t->n_calls * sizeof(*o->end));
	for (uint32_t i = 0; i < m->n; i++) {
		messages_fetch(o->b->t, m, i);
		probe = message_probe(o->b->t, &m->m[i]);
		join(o, m->m[i].recv_done, ENDS * i + END_OF_RECEIVE);
		if (probe != TRACE_NONE)
			join(o, probe, ENDS * i + END_OF_PROBE);
		if (o->out->of_wait)
			mark_polls(o, i);
		if (m->m[i].send_done != TRACE_NONE && evidence_is_held(o->b, i))
			join(o, m->m[i].send_done, ENDS * i + END_OF_SEND);
	}
}

/* A probe waits until a message has set out at all. */
static void add_end(struct ordering *o, uint32_t end, uint32_t call)
{
	int64_t leave_ns = o->b->t->calls[call].leave_ns;
	uint32_t i = end / ENDS;
	int is_probe = end % ENDS == END_OF_PROBE;
	int64_t begun = is_probe ? o->b->t->calls[o->b->m->m[i].send_call].enter_ns
				 : retime_begun_ns(o->b, i);
	int64_t was = later(o->b->a->arrival_ns[i], begun);

	if (end % ENDS ==
	    END_OF_SEND) /* let go when it is there, at the latest when that was seen */
		was = earlier(was, o->b->m->m[i].send_done_ns);
	if (has_polled(o, call)) /* the last poll found it */
		was = later(was, o->b->t->calls[call].enter_ns);
	was = earlier(was, leave_ns);
	if (was < begun) /* it cannot have waited for what came after it */
		return;
	o->out->end[o->ends] = 2 * i + (!is_probe && retime_waits_for_post(o->b, i));
	o->out->was_ns[o->ends++] = was;
}

static void add_call(struct ordering *o, uint32_t call)
{
	o->out->call[o->out->n] = call;
	o->out->first[o->out->n++] = o->ends;
	for (uint32_t e = o->end[call]; e != END_NONE; e = o->next[e])
		add_end(o, e, call);
}

/* Put what is at k where it belongs, below. */
static void sink(struct ordering *o, uint32_t k)
{
	struct next_end x = o->heap[k];

	for (;;) {
		uint32_t child = 2 * k + 1;

		if (child + 1 < o->heaped && o->heap[child + 1].leave_ns < o->heap[child].leave_ns)
			child++;
		if (child >= o->heaped || o->heap[child].leave_ns >= x.leave_ns)
			break;
		o->heap[k] = o->heap[child];
		k = child;
	}
	o->heap[k] = x;
}

/* The other ranks' calls come before this one: meanwhile what it will need is fetched. */
static void fetch(const struct ordering *o, uint32_t call)
{
	uint32_t end = o->end[call];

	trace_fetch_call(o->b->t, call + 1);
	prefetch(&o->end[call + 1]);
	if (end == END_NONE)
		return;
	prefetch(&o->b->m->m[end / ENDS]);
	prefetch(&o->b->m->m[end / ENDS].sent_ns);
	prefetch(&o->b->a->arrival_ns[end / ENDS]);
	prefetch(&o->next[end]);
}

/* The rank at k goes on to this call. */
static void go_on(struct ordering *o, uint32_t k, uint32_t call)
{
	o->heap[k] = (struct next_end){o->b->t->calls[call].leave_ns, call};
	fetch(o, call);
}

static void order_calls(struct ordering *o)
{
	const struct trace *t = o->b->t;

	for (uint32_t rank = 0; rank < t->n_ranks; rank++)
		if (t->ranks[rank].calls > 0)
			go_on(o, o->heaped++, t->ranks[rank].first_call);
	for (uint32_t k = o->heaped; k-- > 0;)
		sink(o, k);
	while (o->heaped > 0) {
		uint32_t call = o->heap[0].call;
		const struct rank *r = &t->ranks[t->calls[call].rank];

		add_call(o, call);
		if (call + 1 < r->first_call + r->calls)
			go_on(o, 0, call + 1);
		else
			o->heap[0] = o->heap[--o->heaped];
		sink(o, 0);
	}
	o->out->first[o->out->n] = o->ends;
}

static void release(struct retime_order *x)
{
	table_free(x->of_wait);
	table_free(x->was_ns);
	table_free(x->end);
	table_free(x->first);
	table_free(x->call);
	memset(x, 0, sizeof(*x));
}

/* Room for what is kept, once it is known how many ends there are. Returns 0, or -1. */
static int make_room(struct ordering *o)
{
	size_t calls = (size_t)o->b->t->n_calls + 1, ends = (size_t)o->all_ends + 1;
	struct retime_order *x = o->out;

	x->call = table_alloc(calls, sizeof(*x->call));
	x->first = table_alloc(calls, sizeof(*x->first));
	x->end = table_alloc(ends, sizeof(*x->end));
	x->was_ns = table_alloc(ends, sizeof(*x->was_ns));
	return x->call && x->first && x->end && x->was_ns ? 0 : -1;
}

static int make(const struct evidence_base *b, struct retime_order *out, struct err *err)
{
	struct ordering o = {.b = b, .out = out};
	int has_polls = b->t->n_floods && b->a->polled;
	int ret = -1;

	o.end = table_alloc((size_t)b->t->n_calls + 1, sizeof(*o.end));
	o.next = table_alloc(ENDS * (size_t)b->m->n + 1, sizeof(*o.next));
	o.heap = calloc((size_t)b->t->n_ranks + 1, sizeof(*o.heap));
	if (has_polls)
		out->of_wait = table_calloc((size_t)b->t->n_calls + 1, sizeof(*out->of_wait));
	if (o.end && o.next && o.heap && (out->of_wait || !has_polls)) {
		join_ends(&o);
		ret = make_room(&o);
	}
	if (!ret)
		order_calls(&o);
	else
		err_set(err, "out of memory for the order of %u calls", b->t->n_calls);
	free(o.heap);
	table_free(o.next);
	table_free(o.end);
	if (ret)
		release(out);
	return ret;
}

const struct retime_order *retime_order(const struct evidence_base *b, struct err *err)
{
	struct retime_orderer *o = b->orderer;
	int is_made;

	pthread_mutex_lock(&o->lock);
	if (!o->is_made)
		o->is_made = !make(b, &o->order, err);
	is_made = o->is_made;
	pthread_mutex_unlock(&o->lock);
	return is_made ? &o->order : NULL;
}

struct retime_orderer *retime_order_new(void)
{
	struct retime_orderer *o = calloc(1, sizeof(*o));

	if (o)
		pthread_mutex_init(&o->lock, NULL);
	return o;
}

void retime_order_free(struct retime_orderer *o)
{
	if (!o)
		return;
	release(&o->order);
	pthread_mutex_destroy(&o->lock);
	free(o);
}
