/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/retime.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/gathering.h"
#include "analyze/instants.h"
#include "common/prefetch.h"
#include "common/table.h"

/* A message's end that a call may have waited for: twice its number, + 1 for the sender's. */
#define END_NONE UINT32_MAX

/* Who of a collective has entered so far, and when: its last rank now; its root as recorded, now. */
struct gathered {
	int64_t last_ns;
	int64_t root_was_ns, root_ns; /* INT64_MIN: not yet */
};

/* A rank with calls to come, and when its next one ends. */
struct next_end {
	int64_t leave_ns;
	uint32_t rank;
};

struct retimer {
	const struct evidence_base *b;
	const struct retime *x;
	int64_t *sooner_ns;        /* per call: entered so much sooner */
	uint32_t *end;             /* per call: the first of its ends, */
	uint32_t *next;            /* per end: the next one */
	struct gathered *gathered; /* per collective */
	struct next_end *heap;
	uint32_t *at; /* per rank: its next call */
	uint32_t heaped;
	int64_t end_ns, ends_ns; /* of the last rank: as recorded, now */
};

/* Does its sender wait for the receive? */
static int is_held(const struct evidence_base *b, uint32_t i)
{
	const struct trace *t = b->t;

	return evidence_price(b, i)->is_held_back ||
	       machine_is_synchronous(&t->regions[t->calls[b->m->m[i].send_call].region]);
}

static int64_t enter_ns(const struct retimer *r, uint32_t call, int now)
{
	return r->b->t->calls[call].enter_ns - (now ? r->sooner_ns[call] : 0);
}

/* When a message whose receive is posted by that call could set out: as recorded, or now. */
static int64_t start_ns(const struct retimer *r, uint32_t i, uint32_t post, int now)
{
	const struct message *m = &r->b->m->m[i];
	int64_t ns = enter_ns(r, m->send_call, now);

	if (is_held(r->b, i) && message_is_posted(r->b->t, m))
		ns = later(ns, enter_ns(r, post, now));
	return ns;
}

/* How much sooner it sets out, beyond what its way is shorter. */
static int64_t start_sooner_ns(const struct retimer *r, uint32_t i)
{
	uint32_t post = r->x->posted ? r->x->posted[i] : r->b->m->m[i].recv_call;

	return start_ns(r, i, post, 0) - start_ns(r, i, post, 1);
}

int64_t retime_way_ns(const struct evidence_base *b, uint32_t i)
{
	const struct retimer r = {.b = b};

	return later(0, b->a->arrival_ns[i] - start_ns(&r, i, b->m->m[i].recv_call, 0));
}

/* What a call waited for: until when, as recorded and now. */
struct wait {
	int64_t was_ns, is_ns;
};

static void wait_for(struct wait *w, int64_t was_ns, int64_t is_ns)
{
	w->was_ns = later(w->was_ns, was_ns);
	w->is_ns = later(w->is_ns, is_ns);
}

static void wait_for_end(const struct retimer *r, uint32_t end, int64_t leave_ns, struct wait *w)
{
	uint32_t i = end / 2;
	const struct message *m = &r->b->m->m[i];
	int64_t start = start_ns(r, i, m->recv_call, 0);
	int64_t was = later(r->b->a->arrival_ns[i], start);

	if (end % 2) /* let go when it is there, at the latest when that was seen */
		was = earlier(was, m->send_done_ns);
	was = earlier(was, leave_ns);
	if (was >= start) /* it cannot have waited for what came after it */
		wait_for(w, was, was - r->x->less_ns[i] - start_sooner_ns(r, i));
}

static void wait_for_ranks(const struct retimer *r, const struct call *c, struct wait *w)
{
	const struct collective *all = &r->b->c->c[c->collective];
	const struct gathered *now = &r->gathered[c->collective];
	enum gathering_whom whom = gathering_whom(r->b->t, all, c->rank);

	if (all->is_nonblocking)
		return;
	if (whom == WAITS_FOR_ALL && all->last_enter_ns <= c->leave_ns)
		wait_for(w, all->last_enter_ns, now->last_ns);
	if (whom == WAITS_FOR_ROOT && now->root_was_ns <= c->leave_ns)
		wait_for(w, now->root_was_ns, now->root_ns);
}

static void enter(struct retimer *r, uint32_t call, int64_t sooner_ns)
{
	const struct call *c = &r->b->t->calls[call];
	struct gathered *now;

	r->sooner_ns[call] = sooner_ns;
	if (c->collective == TRACE_NONE)
		return;
	now = &r->gathered[c->collective];
	now->last_ns = later(now->last_ns, c->enter_ns - sooner_ns);
	if (r->b->c->c[c->collective].root == (int32_t)c->rank) {
		now->root_was_ns = c->enter_ns;
		now->root_ns = c->enter_ns - sooner_ns;
	}
}

/* How much sooner the call returns. */
static int64_t leave(const struct retimer *r, uint32_t call)
{
	const struct call *c = &r->b->t->calls[call];
	struct wait w = {c->enter_ns, c->enter_ns - r->sooner_ns[call]};
	int64_t rest_ns, less_ns;

	for (uint32_t e = r->end[call]; e != END_NONE; e = r->next[e])
		wait_for_end(r, e, c->leave_ns, &w);
	if (c->collective != TRACE_NONE)
		wait_for_ranks(r, c, &w);
	rest_ns = later(0, c->leave_ns - w.was_ns);
	less_ns = r->x->rest_ns ? earlier(rest_ns, r->x->rest_ns[call]) : 0;
	return w.was_ns - w.is_ns + less_ns;
}

/* MPI_Finalize returns when all are there: until then its rank has nothing to do. */
static void finish(struct retimer *r, uint32_t call, int64_t sooner_ns)
{
	const struct call *c = &r->b->t->calls[call];
	int64_t ns = r->b->t->ranks[c->rank].end_ns;

	if (trace_call_kind(r->b->t, call) == REGION_FINALIZE) {
		ns = c->enter_ns;
		sooner_ns = r->sooner_ns[call];
	}
	r->end_ns = later(r->end_ns, ns);
	r->ends_ns = later(r->ends_ns, ns - sooner_ns);
}

/* Put what is at k where it belongs, below. */
static void sink(struct retimer *r, uint32_t k)
{
	struct next_end x = r->heap[k];

	for (;;) {
		uint32_t child = 2 * k + 1;

		if (child + 1 < r->heaped && r->heap[child + 1].leave_ns < r->heap[child].leave_ns)
			child++;
		if (child >= r->heaped || r->heap[child].leave_ns >= x.leave_ns)
			break;
		r->heap[k] = r->heap[child];
		k = child;
	}
	r->heap[k] = x;
}

/* The other ranks' calls come before this one: meanwhile what it will need is fetched. */
static void fetch(const struct retimer *r, uint32_t call)
{
	uint32_t end = r->end[call];

	trace_fetch_call(r->b->t, call + 1);
	prefetch(&r->end[call + 1]);
	if (end == END_NONE)
		return;
	prefetch(&r->b->m->m[end / 2]);
	prefetch(&r->b->m->m[end / 2].sent_ns);
	prefetch(&r->b->a->arrival_ns[end / 2]);
	prefetch(&r->x->less_ns[end / 2]);
	prefetch(&r->next[end]);
}

/* The rank at k goes on to this call. */
static void go_on(struct retimer *r, uint32_t k, uint32_t call, int64_t sooner_ns)
{
	const struct call *c = &r->b->t->calls[call];

	r->at[c->rank] = call;
	r->heap[k] = (struct next_end){c->leave_ns, c->rank};
	enter(r, call, sooner_ns);
	fetch(r, call);
}

static void replay_calls(struct retimer *r)
{
	const struct trace *t = r->b->t;

	for (uint32_t rank = 0; rank < t->n_ranks; rank++) {
		if (t->ranks[rank].calls == 0)
			continue;
		go_on(r, r->heaped++, t->ranks[rank].first_call, 0);
	}
	for (uint32_t k = r->heaped; k-- > 0;)
		sink(r, k);
	while (r->heaped > 0) {
		uint32_t rank = r->heap[0].rank, call = r->at[rank];
		int64_t sooner_ns = t->ranks[rank].is_threaded ? 0 : leave(r, call);

		if (call + 1 < t->ranks[rank].first_call + t->ranks[rank].calls) {
			go_on(r, 0, call + 1, sooner_ns);
		} else {
			finish(r, call, sooner_ns);
			r->heap[0] = r->heap[--r->heaped];
		}
		sink(r, 0);
	}
}

static void join(struct retimer *r, uint32_t call, uint32_t end)
{
	r->next[end] = r->end[call];
	r->end[call] = end;
}

static void join_ends(struct retimer *r)
{
	const struct messages *m = r->b->m;

	memset(r->end, 0xff, r->b->t->n_calls * sizeof(*r->end));
	for (uint32_t c = 0; c < r->b->c->n; c++)
		r->gathered[c] = (struct gathered){INT64_MIN, INT64_MIN, INT64_MIN};
	for (uint32_t i = 0; i < m->n; i++) {
		messages_fetch(r->b->t, m, i);
		join(r, m->m[i].recv_done, 2 * i);
		if (m->m[i].send_done != TRACE_NONE && is_held(r->b, i))
			join(r, m->m[i].send_done, 2 * i + 1);
	}
}

int retime_run(const struct evidence_base *b, const struct retime *x, double *saved_s,
	       struct err *err)
{
	size_t calls = (size_t)b->t->n_calls + 1, ranks = (size_t)b->t->n_ranks + 1;
	struct retimer r = {.b = b, .x = x, .end_ns = INT64_MIN, .ends_ns = INT64_MIN};
	int ret = -1;

	r.sooner_ns = table_calloc(calls, sizeof(*r.sooner_ns));
	r.end = table_calloc(calls, sizeof(*r.end));
	r.next = table_calloc(2 * (size_t)b->m->n + 1, sizeof(*r.next));
	r.gathered = table_calloc((size_t)b->c->n + 1, sizeof(*r.gathered));
	r.heap = calloc(ranks, sizeof(*r.heap));
	r.at = calloc(ranks, sizeof(*r.at));
	if (!r.sooner_ns || !r.end || !r.next || !r.gathered || !r.heap || !r.at) {
		err_set(err, "out of memory for %u calls", b->t->n_calls);
	} else {
		join_ends(&r);
		replay_calls(&r);
		*saved_s = r.end_ns > r.ends_ns ? (r.end_ns - r.ends_ns) * 1e-9 : 0;
		ret = 0;
	}
	free(r.at);
	free(r.heap);
	table_free(r.gathered);
	table_free(r.next);
	table_free(r.end);
	table_free(r.sooner_ns);
	return ret;
}
