/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/patterns/patterns.h"

#include "analyze/patterns/selections.h"
#include "common/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The largest so many of a scope are looked at. */
#define PHASES_MAX 24
#define SITES_MAX  48
#define COMMS_MAX  12

/* With fewer of the ranks at work these are numbered anew, in their order. */
#define ACTIVE_MIN 0.9

struct finder {
	const struct trace *t;
	const struct messages *m;
	const struct phases *phases;
	struct patterns *out;
	struct selections by;
	struct delivery *d; /* room for all messages */
	uint32_t *number;   /* per rank: in the selection */
	struct err *err;
};

int patterns_add(struct patterns *p, const struct found *f, struct err *err)
{
	if (p->n == p->room) {
		uint32_t room = 2 * p->room + 16;
		struct found *more = reallocarray(p->f, room, sizeof(*more));

		if (!more)
			return err_set(err, "out of memory for %u patterns", room);
		p->f = more;
		p->room = room;
	}
	p->f[p->n++] = *f;
	return 0;
}

void patterns_release(struct patterns *p)
{
	free(p->f);
	*p = (struct patterns){0};
}

/*
 * The communicator of all messages, or TRACE_NONE: only one with known members counts. And the
 * place that they come from, if it is one.
 */
static void find_common(const struct finder *x, const uint32_t *message, uint32_t n,
			struct found *f)
{
	const struct message *first = &x->m->m[message[0]];
	const struct call *call = &x->t->calls[first->send_call];
	int one_comm =
		first->comm < x->t->n_comms && x->t->comms[first->comm].size <= x->t->n_ranks;
	int one_place = 1;

	for (uint32_t i = 1; i < n && (one_comm || one_place); i++) {
		one_comm &= x->m->m[message[i]].comm == first->comm;
		one_place &= x->m->m[message[i]].place == first->place;
	}
	f->comm = one_comm ? first->comm : TRACE_NONE;
	f->site = one_place ? call->site : TRACE_NONE;
	f->region = one_place ? call->region : TRACE_NONE;
}

/* Numbers of the ranks in the communicator or, without one, in the world. Returns how many. */
static uint32_t number_members(struct finder *x, uint32_t comm)
{
	uint32_t n = comm == TRACE_NONE ? 0 : x->t->comms[comm].size;
	uint32_t i;

	for (i = 0; i < x->t->n_ranks; i++)
		x->number[i] = n ? TRAFFIC_NONE : i;
	for (i = 0; i < n; i++)
		if (x->t->comms[comm].members[i] < x->t->n_ranks)
			x->number[x->t->comms[comm].members[i]] = i;
	return n ? n : x->t->n_ranks;
}

/* Number the ranks that do something, in their order, if many do nothing. Returns how many. */
static uint32_t close_gaps(struct finder *x, uint32_t ranks, size_t n)
{
	uint32_t *now = x->number;
	uint32_t active = 0;
	uint32_t r;
	size_t i;

	memset(now, 0, x->t->n_ranks * sizeof(*now));
	for (i = 0; i < n; i++)
		now[x->d[i].src] = now[x->d[i].dst] = 1;
	for (r = 0; r < ranks; r++)
		active += now[r];
	if (active >= ACTIVE_MIN * ranks)
		return ranks;
	active = 0;
	for (r = 0; r < ranks; r++)
		now[r] = now[r] ? active++ : TRAFFIC_NONE;
	for (i = 0; i < n; i++) {
		x->d[i].src = now[x->d[i].src];
		x->d[i].dst = now[x->d[i].dst];
	}
	return active;
}

/* Fetch ahead what a message says of its rounds. */
static void fetch_rounds(const struct finder *x, const uint32_t *message, uint32_t left)
{
	const struct message *m;

	if (left <= MESSAGES_AHEAD)
		return;
	m = &x->m->m[message[MESSAGES_AHEAD]];
	prefetch(&x->phases->visit[m->send_call]);
	if (m->recv_done != TRACE_NONE)
		prefetch(&x->phases->visit[m->recv_done]);
}

/* The messages as deliveries among numbered ranks. Returns how many of those there are. */
static uint32_t collect(struct finder *x, const uint32_t *message, uint32_t n, uint32_t comm,
			size_t *deliveries)
{
	uint32_t ranks = number_members(x, comm);
	size_t kept = 0;
	uint32_t i;

	for (i = 0; i < n; i++) {
		const struct message *m = &x->m->m[message[i]];

		fetch_rounds(x, message + i, n - i);
		if (x->number[m->src] == TRAFFIC_NONE || x->number[m->dst] == TRAFFIC_NONE)
			continue;
		x->d[kept++] = (struct delivery){
			.src = x->number[m->src],
			.dst = x->number[m->dst],
			.sent_in = x->phases->visit[m->send_call],
			.done_in = m->recv_done == TRACE_NONE ? TRACE_NONE
							      : x->phases->visit[m->recv_done],
			.bytes = m->bytes,
			.nth = m->send_call,
			.sent_ns = m->sent_ns,
			.done_ns = m->done_ns,
		};
	}
	*deliveries = kept;
	return close_gaps(x, ranks, kept);
}

/*
 * Of sends without a receive it is not known what came after them, and another order may have
 * another name: so how likely it is another, where they are more than a pattern may lack; else 0.
 */
static double doubt_of_order(const struct finder *x, const struct selection *s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->n; i++)
		n += x->m->m[x->by.order[s->first + i]].recv_done == TRACE_NONE;
	return n > (1 - PATTERN_PRESENCE_MIN) * s->n ? (double)n / s->n : 0;
}

/* Recognise the messages, and add what they are to the list. */
static int recognise(struct finder *x, const struct selection *s, struct found f)
{
	const uint32_t *messages = x->by.order + s->first;
	struct traffic traffic;
	size_t n;
	uint32_t ranks;
	int ret;

	find_common(x, messages, s->n, &f);
	f.bytes = s->bytes;
	ranks = collect(x, messages, s->n, f.comm, &n);
	if (traffic_build(ranks, n, x->d, &traffic, x->err))
		return -1;
	f.messages = traffic.messages;
	f.active = traffic.active;
	f.time = traffic.time;
	ret = pattern_find(&traffic, &f.p, x->err);
	f.p.doubt = fmax(f.p.doubt, doubt_of_order(x, s));
	traffic_release(&traffic);
	return ret || patterns_add(x->out, &f, x->err) ? -1 : 0;
}

/* Is there a phase in the list that is this place alone? */
static int is_said(const struct finder *x, uint32_t phase, uint32_t message)
{
	uint32_t i;

	for (i = 0; i < x->out->n; i++) {
		const struct found *f = &x->out->f[i];
		uint32_t place = f->site != TRACE_NONE ? f->site : x->t->n_sites + f->region;

		if (f->scope == PATTERN_PHASE && f->phase == phase && f->region != TRACE_NONE &&
		    place == x->m->m[message].place)
			return 1;
	}
	return 0;
}

/*
 * Are all messages surely of one selection, by what is known of the run's, the first in the list?
 */
static int are_all_one(const struct finder *x, enum pattern_scope scope)
{
	const struct found *run = x->out->f;

	switch (scope) {
	case PATTERN_PHASE:
		return selections_are_one_phase(&x->by);
	case PATTERN_CALLSITE:
		return run->region != TRACE_NONE && selections_are_one_phase(&x->by);
	default:
		return run->comm != TRACE_NONE;
	}
}

/* One of a scope's selections; all messages were looked at as the run's. */
static int find_one(struct finder *x, const struct selection *s, enum pattern_scope scope)
{
	uint32_t first = x->by.order[s->first];
	uint32_t phase = x->phases->of_message[first];
	struct found f = {.scope = scope};

	if (scope != PATTERN_COMMUNICATOR)
		f.phase = phase == TRACE_NONE ? 0 : phase + 1;
	if (scope == PATTERN_CALLSITE && is_said(x, f.phase, first))
		return 0;
	if (s->n < x->m->n)
		return recognise(x, s, f);
	phase = f.phase;
	f = x->out->f[0];
	f.scope = scope;
	f.phase = phase;
	return patterns_add(x->out, &f, x->err);
}

static int find_scope(struct finder *x, enum pattern_scope scope, uint32_t most)
{
	struct selection all = {.n = x->m->n, .bytes = x->out->bytes};
	int are_one = are_all_one(x, scope);

	if (!are_one)
		selections_make(&x->by, scope);
	/* The world's are the run's. */
	if (scope == PATTERN_COMMUNICATOR && (are_one || x->by.n == 1))
		return 0;
	if (are_one)
		return find_one(x, &all, scope);
	for (uint32_t i = 0; i < x->by.n && i < most; i++)
		if (find_one(x, &x->by.s[i], scope))
			return -1;
	return 0;
}

static int find_all(struct finder *x)
{
	if (!x->m->n)
		return 0;
	selections_all(&x->by);
	x->out->bytes = x->by.s[0].bytes;
	return recognise(x, &x->by.s[0], (struct found){.scope = PATTERN_RUN}) ||
			       find_scope(x, PATTERN_PHASE, PHASES_MAX) ||
			       find_scope(x, PATTERN_CALLSITE, SITES_MAX) ||
			       find_scope(x, PATTERN_COMMUNICATOR, COMMS_MAX)
		       ? -1
		       : 0;
}

static int find_in(const struct trace *t, const struct messages *m, const struct phases *phases,
		   struct patterns *out, struct err *err)
{
	struct patterns p = {0};
	struct finder x = {.t = t, .m = m, .phases = phases, .out = &p, .err = err};
	int ret = -1;

	if (selections_init(&x.by, t, m, phases, err))
		return -1;
	x.d = table_alloc((size_t)m->n + 1, sizeof(*x.d));
	x.number = calloc((size_t)t->n_ranks + 1, sizeof(*x.number));
	if (!x.d || !x.number)
		err_set(err, "out of memory for the patterns of %u messages", m->n);
	else
		ret = find_all(&x);
	free(x.number);
	table_free(x.d);
	selections_release(&x.by);
	if (ret)
		patterns_release(&p);
	else
		*out = p;
	return ret;
}

/*
 * All that is sent: the messages, and the sends whose receives are not in the trace. Both are to be
 * released, whether it fails or not: -1, out of memory.
 */
static int take_all(const struct messages *m, const struct phases *phases, struct messages *all,
		    struct phases *of)
{
	size_t n = (size_t)m->n + m->n_unanswered;

	*all = (struct messages){.m = table_alloc(n + 1, sizeof(*all->m)), .n = (uint32_t)n};
	*of = *phases;
	of->of_message = table_alloc(n + 1, sizeof(*of->of_message));
	if (!all->m || !of->of_message)
		return -1;
	if (m->n)
		memcpy(all->m, m->m, m->n * sizeof(*m->m));
	memcpy(all->m + m->n, m->unanswered, m->n_unanswered * sizeof(*m->m));
	for (uint32_t i = 0; i < n; i++)
		of->of_message[i] = phases->of_call[all->m[i].send_call];
	return 0;
}

int patterns_find(const struct trace *t, const struct messages *m, const struct collectives *c,
		  const struct phases *phases, struct patterns *out, struct err *err)
{
	struct messages all;
	struct phases of;
	int ret;

	if (!m->n_unanswered) {
		ret = find_in(t, m, phases, out, err);
	} else {
		ret = take_all(m, phases, &all, &of)
			      ? err_set(err, "out of memory for the patterns of %u sends",
					m->n_unanswered)
			      : find_in(t, &all, &of, out, err);
		table_free(all.m);
		table_free(of.of_message);
	}
	if (!ret && pattern_collectives(t, c, phases, out, err)) {
		patterns_release(out);
		ret = -1;
	}
	return ret;
}
