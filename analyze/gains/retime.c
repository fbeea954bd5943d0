/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/retime.h"

#include <math.h>
#include <string.h>

#include "analyze/flow/gathering.h"
#include "analyze/gains/retime_order.h"
#include "analyze/tools/instants.h"
#include "common/prefetch.h"
#include "common/table.h"

#define AHEAD 16

/*
 * Who of a collective has entered so far, and when: its last rank and its root, as recorded and
 * now.
 */
struct gathered {
	int64_t last_was_ns, last_ns;
	int64_t root_was_ns, root_ns; /* INT64_MIN: not yet */
};

/* What calls of a rank have left for a later one to wait for. */
struct left {
	uint32_t call; /* that one; TRACE_NONE: nothing */
	int64_t is_ns;
};

/* Non-blocking collectives by their calls, of collectives.starts; TRACE_NONE: none. */
struct starts {
	uint32_t *begun, *ended; /* per call: the first of those that it starts, and completes; */
	uint32_t *next[2];       /* per start: the next of these, and of these */
};

struct retimer {
	const struct evidence_base *b;
	const struct retime *x;
	const struct retime_order *order;
	int64_t *sooner_ns;        /* per call: entered so much sooner */
	struct gathered *gathered; /* per collective */
	struct left *left;         /* per rank */
	struct starts starts;      /* NULL: there are none */
	int64_t end_ns, ends_ns;   /* of the last rank: as recorded, now */
};

int64_t retime_way_ns(const struct evidence_base *b, uint32_t i)
{
	return later(0, b->a->arrival_ns[i] - retime_begun_ns(b, i));
}

/* How much sooner a message sets out, beyond what its way is shorter. */
static int64_t start_sooner_ns(const struct retimer *r, uint32_t end)
{
	const struct message *m = &r->b->m->m[retime_message(end)];
	const struct call *calls = r->b->t->calls;
	uint32_t send = r->x->sent ? r->x->sent[retime_message(end)] : m->send_call;
	uint32_t then = m->recv_call;
	int64_t was_ns = calls[m->send_call].enter_ns;
	int64_t is_ns = calls[send].enter_ns - r->sooner_ns[send];

	if (!retime_is_posted(end))
		return was_ns - is_ns;
	then = r->x->posted ? r->x->posted[retime_message(end)] : then;
	was_ns = later(was_ns, calls[then].enter_ns);
	is_ns = later(is_ns, calls[then].enter_ns - r->sooner_ns[then]);
	return was_ns - is_ns;
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

static void wait_for_end(const struct retimer *r, uint32_t k, struct wait *w)
{
	uint32_t end = r->order->end[k];
	int64_t was_ns = r->order->was_ns[k];
	int64_t less_ns = r->x->less_ns ? r->x->less_ns[retime_message(end)] : 0;

	wait_for(w, was_ns, was_ns - less_ns - start_sooner_ns(r, end));
}

static void wait_for_ranks(const struct retimer *r, const struct call *c, uint32_t collective,
			   struct wait *w)
{
	const struct collective *all = &r->b->c->c[collective];
	const struct gathered *now = &r->gathered[collective];
	enum gathering_whom whom = gathering_whom(r->b->t, all, c->rank);

	if (whom == WAITS_FOR_ALL && all->last_enter_ns <= c->leave_ns &&
	    now->last_was_ns == all->last_enter_ns)
		wait_for(w, all->last_enter_ns, now->last_ns);
	if (whom == WAITS_FOR_ROOT && now->root_was_ns <= c->leave_ns)
		wait_for(w, now->root_was_ns, now->root_ns);
}

/* One that it completes may have waited for a rank that was outside MPI. */
static void wait_for_back(const struct retimer *r, uint32_t call, struct wait *w)
{
	uint32_t back = r->b->a->back[call];

	if (back != TRACE_NONE)
		wait_for(w, r->b->t->calls[back].enter_ns,
			 r->b->t->calls[back].enter_ns - r->sooner_ns[back]);
}

/* Or along the collective's tree for another one, as far as is known. */
static void wait_for_member(const struct retimer *r, uint32_t call, struct wait *w)
{
	uint32_t member = attribution_kept_by(r->b->a, call);

	if (member != TRACE_NONE)
		wait_for(w, r->b->t->calls[member].enter_ns,
			 r->b->t->calls[member].enter_ns - r->sooner_ns[member]);
}

/* All collectives that the call is one of, or completes. */
static void wait_for_collectives(const struct retimer *r, uint32_t call, struct wait *w)
{
	const struct call *c = &r->b->t->calls[call];

	if (call_collective(c) != TRACE_NONE)
		wait_for_ranks(r, c, call_collective(c), w);
	wait_for_member(r, call, w);
	if (!r->starts.ended)
		return;
	for (uint32_t i = r->starts.ended[call]; i != TRACE_NONE; i = r->starts.next[1][i])
		wait_for_ranks(r, c, r->b->c->starts[i].collective, w);
	if (r->b->a->back)
		wait_for_back(r, call, w);
}

/*
 * What earlier calls of its rank have left to this one, which was there before it was entered: so
 * much sooner than that it is now. INT64_MAX: nothing.
 */
static int64_t take_left(struct retimer *r, uint32_t call)
{
	const struct call *c = &r->b->t->calls[call];
	struct left *left = &r->left[c->rank];

	if (left->call != call)
		return INT64_MAX;
	left->call = TRACE_NONE;
	return c->enter_ns - left->is_ns;
}

/* The call, of that collective, is entered so much sooner. */
static void gather(struct retimer *r, uint32_t call, uint32_t collective, int64_t sooner_ns)
{
	const struct call *c = &r->b->t->calls[call];
	struct gathered *now = &r->gathered[collective];

	now->last_was_ns = later(now->last_was_ns, c->enter_ns);
	now->last_ns = later(now->last_ns, c->enter_ns - sooner_ns);
	if (r->b->c->c[collective].root == (int32_t)c->rank) {
		now->root_was_ns = c->enter_ns;
		now->root_ns = c->enter_ns - sooner_ns;
	}
}

static void enter(struct retimer *r, uint32_t call, int64_t sooner_ns)
{
	const struct call *c = &r->b->t->calls[call];

	sooner_ns += r->x->own_ns ? r->x->own_ns[call] : 0;
	if (r->x->until_entry)
		sooner_ns = earlier(sooner_ns, take_left(r, call));
	r->sooner_ns[call] = sooner_ns;
	if (call_collective(c) != TRACE_NONE)
		gather(r, call, call_collective(c), sooner_ns);
	if (!r->starts.begun)
		return;
	for (uint32_t i = r->starts.begun[call]; i != TRACE_NONE; i = r->starts.next[0][i])
		gather(r, call, r->b->c->starts[i].collective, sooner_ns);
}

static void leave_to(struct retimer *r, uint32_t call, const struct wait *w)
{
	struct left *left = &r->left[r->b->t->calls[call].rank];

	*left = (struct left){call, left->call == call ? later(left->is_ns, w->is_ns) : w->is_ns};
}

/* The same of a call that is told when; another rank's than its base's has to be entered first. */
static int64_t return_ns(const struct retimer *r, uint32_t call)
{
	const struct retime_return *to = &r->x->to[call];
	const struct call *c = &r->b->t->calls[call];
	int64_t ns = to->sooner_ns + r->sooner_ns[to->base];

	if (r->b->t->calls[to->base].rank == c->rank)
		return ns;
	return earlier(ns, r->sooner_ns[call] + c->leave_ns - c->enter_ns);
}

/* How much sooner the call at k returns. */
static int64_t leave(struct retimer *r, uint32_t k)
{
	uint32_t call = r->order->call[k], until = r->x->until ? r->x->until[call] : call;
	const struct call *c = &r->b->t->calls[call];
	struct wait w = {c->enter_ns, c->enter_ns - r->sooner_ns[call]}, ends = w;
	int64_t rest_ns, less_ns;

	if (r->order->of_wait && r->order->of_wait[call])
		return r->sooner_ns[call] + c->leave_ns - c->enter_ns;
	if (r->x->to && r->x->to[call].base != TRACE_NONE)
		return return_ns(r, call);
	for (uint32_t e = r->order->first[k]; e < r->order->first[k + 1]; e++)
		wait_for_end(r, e, &ends);
	w.is_ns = c->enter_ns - earlier(r->sooner_ns[call], take_left(r, call));
	if (until != call)
		leave_to(r, until, &ends);
	else
		wait_for(&w, ends.was_ns, ends.is_ns);
	wait_for_collectives(r, call, &w);
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

/* What the call needs that has its turn after AHEAD others. */
static void fetch(const struct retimer *r, uint32_t k)
{
	const struct retime_order *o = r->order;

	if (o->n - k <= AHEAD)
		return;
	k += AHEAD;
	/* the call itself was fetched with the one before it; its rank enters the next */
	trace_fetch_call(r->b->t, o->call[k] + 1);
	prefetch(&r->sooner_ns[o->call[k] + 1]);
	if (r->x->rest_ns)
		prefetch(&r->x->rest_ns[o->call[k]]);
	for (uint32_t e = o->first[k]; e < o->first[k + 1]; e++) {
		prefetch(&r->b->m->m[retime_message(o->end[e])].send_call);
		if (r->x->less_ns)
			prefetch(&r->x->less_ns[retime_message(o->end[e])]);
	}
}

static void replay_calls(struct retimer *r)
{
	const struct trace *t = r->b->t;

	for (uint32_t c = 0; c < r->b->c->n; c++)
		r->gathered[c] = (struct gathered){INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN};
	for (uint32_t rank = 0; rank < t->n_ranks; rank++) {
		r->left[rank].call = TRACE_NONE;
		if (t->ranks[rank].calls > 0)
			enter(r, t->ranks[rank].first_call, 0);
	}
	for (uint32_t k = 0; k < r->order->n; k++) {
		uint32_t call = r->order->call[k];
		const struct rank *rank = &t->ranks[t->calls[call].rank];
		int64_t sooner_ns = rank->is_threaded ? 0 : leave(r, k);

		fetch(r, k);
		if (call + 1 < rank->first_call + rank->calls)
			enter(r, call + 1, sooner_ns);
		else
			finish(r, call, sooner_ns);
	}
}

/* Returns 0, or -1: no memory. */
static int find_starts(const struct evidence_base *b, struct starts *out)
{
	size_t calls = (size_t)b->t->n_calls + 1;

	if (!b->c->n_starts)
		return 0;
	out->begun = table_alloc(calls, sizeof(*out->begun));
	out->ended = table_alloc(calls, sizeof(*out->ended));
	for (int k = 0; k < 2; k++)
		out->next[k] = table_alloc((size_t)b->c->n_starts + 1, sizeof(**out->next));
	if (!out->begun || !out->ended || !out->next[0] || !out->next[1])
		return -1;
	memset(out->begun, 0xff, calls * sizeof(*out->begun));
	memset(out->ended, 0xff, calls * sizeof(*out->ended));
	for (uint32_t i = 0; i < b->c->n_starts; i++) {
		const struct collective_start *x = &b->c->starts[i];

		out->next[0][i] = out->begun[x->start];
		out->begun[x->start] = i;
		out->next[1][i] = out->ended[x->done];
		out->ended[x->done] = i;
	}
	return 0;
}

int retime_run(const struct evidence_base *b, const struct retime *x, double *saved_s,
	       struct err *err)
{
	if (retime_change(b, x, saved_s, err))
		return -1;
	*saved_s = fmax(0, *saved_s);
	return 0;
}

int retime_change(const struct evidence_base *b, const struct retime *x, double *saved_s,
		  struct err *err)
{
	struct retimer r = {.b = b, .x = x, .end_ns = INT64_MIN, .ends_ns = INT64_MIN};
	int ret = -1;

	r.order = retime_order(b, err);
	if (!r.order)
		return -1;
	r.sooner_ns = x->sooner_ns ? x->sooner_ns
				   : table_calloc((size_t)b->t->n_calls + 1, sizeof(*r.sooner_ns));
	r.gathered = table_alloc((size_t)b->c->n + 1, sizeof(*r.gathered));
	r.left = table_alloc((size_t)b->t->n_ranks + 1, sizeof(*r.left));
	if (!r.sooner_ns || !r.gathered || !r.left || find_starts(b, &r.starts)) {
		err_set(err, "out of memory for %u calls", b->t->n_calls);
	} else {
		replay_calls(&r);
		*saved_s = r.end_ns > INT64_MIN ? (double)(r.end_ns - r.ends_ns) * 1e-9 : 0;
		ret = 0;
	}
	table_free(r.starts.next[1]);
	table_free(r.starts.next[0]);
	table_free(r.starts.ended);
	table_free(r.starts.begun);
	table_free(r.left);
	table_free(r.gathered);
	if (r.sooner_ns != x->sooner_ns)
		table_free(r.sooner_ns);
	return ret;
}
