/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/patterns.h"

#include "common/table.h"

#include <stdlib.h>
#include <string.h>

/* The largest so many of a scope are looked at. */
#define PHASES_MAX 24
#define SITES_MAX  48
#define COMMS_MAX  12

/* With fewer of the ranks at work these are numbered anew, in their order. */
#define ACTIVE_MIN 0.9

/* Messages that belong together: where they begin in the order, and what they move. */
struct selection {
	uint32_t first;
	uint32_t n;
	double bytes;
};

struct finder {
	const struct trace *t;
	const struct messages *m;
	const struct phases *phases;
	struct patterns *out;
	uint32_t *order; /* all messages, those of one selection next to each other */
	uint32_t *room;  /* for another order */
	uint32_t *at;    /* per key: of order */
	struct selection *selections;
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
 * The communicator of all messages, or TRACE_NONE: only one with known members counts. And the place
 * that they come from, if it is one.
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
			.done_in = x->phases->visit[m->recv_done],
			.bytes = m->bytes,
			.nth = m->send_call,
			.sent_ns = m->sent_ns,
			.done_ns = m->done_ns,
		};
	}
	*deliveries = kept;
	return close_gaps(x, ranks, kept);
}

/* Recognise the messages, and add what they are to the list. */
static int recognise(struct finder *x, const struct selection *s, struct found f)
{
	const uint32_t *messages = &x->order[s->first];
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
	traffic_release(&traffic);
	return ret || patterns_add(x->out, &f, x->err) ? -1 : 0;
}

static int by_bytes(const void *pa, const void *pb)
{
	const struct selection *a = pa;
	const struct selection *b = pb;

	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

/* What tells selections of a scope apart: the smaller numbers first. */
typedef uint32_t key_of(const struct finder *x, uint32_t message);

static uint32_t phase_of(const struct finder *x, uint32_t message)
{
	uint32_t phase = x->phases->of_message[message];

	return phase == TRACE_NONE ? x->phases->n : phase;
}

static uint32_t place_of(const struct finder *x, uint32_t message)
{
	return x->m->m[message].place;
}

static uint32_t comm_of(const struct finder *x, uint32_t message)
{
	uint32_t comm = x->m->m[message].comm;

	return comm < x->t->n_comms ? comm : x->t->n_comms;
}

/* Put the order in order of keys, otherwise as it is: a counting sort. */
static void sort_by(struct finder *x, key_of *key, uint32_t keys)
{
	uint32_t n = x->m->n, *sorted = x->room;

	memset(x->at, 0, ((size_t)keys + 1) * sizeof(*x->at));
	for (uint32_t i = 0; i < n; i++)
		x->at[key(x, i) + 1]++;
	if (x->at[key(x, 0) + 1] == n)
		return; /* all the same */
	for (uint32_t k = 0; k < keys; k++)
		x->at[k + 1] += x->at[k];
	for (uint32_t i = 0; i < n; i++)
		sorted[x->at[key(x, x->order[i])]++] = x->order[i];
	x->room = x->order;
	x->order = sorted;
}

static void set_order(struct finder *x, enum pattern_scope scope)
{
	for (uint32_t i = 0; i < x->m->n; i++)
		x->order[i] = i;
	if (scope == PATTERN_CALLSITE)
		sort_by(x, place_of, trace_places(x->t));
	if (scope == PATTERN_CALLSITE || scope == PATTERN_PHASE)
		sort_by(x, phase_of, x->phases->n + 1);
	if (scope == PATTERN_COMMUNICATOR)
		sort_by(x, comm_of, x->t->n_comms + 1);
}

/* Are messages a and b of one selection? */
static int belong(const struct finder *x, enum pattern_scope scope, uint32_t a, uint32_t b)
{
	switch (scope) {
	case PATTERN_PHASE:
		return phase_of(x, a) == phase_of(x, b);
	case PATTERN_CALLSITE:
		return phase_of(x, a) == phase_of(x, b) && place_of(x, a) == place_of(x, b);
	case PATTERN_COMMUNICATOR:
		return comm_of(x, a) == comm_of(x, b);
	default:
		return 1;
	}
}

/* The selections of a scope, the one with most bytes first. Returns how many. */
static uint32_t select_runs(struct finder *x, enum pattern_scope scope)
{
	uint32_t n = 0;
	uint32_t i;

	for (i = 0; i < x->m->n; i++) {
		uint32_t message = x->order[i];

		if (!i || !belong(x, scope, x->order[i - 1], message))
			x->selections[n++] = (struct selection){.first = i};
		x->selections[n - 1].n++;
		x->selections[n - 1].bytes += (double)x->m->m[message].bytes;
	}
	qsort(x->selections, n, sizeof(*x->selections), by_bytes);
	return n;
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

static int find_scope(struct finder *x, enum pattern_scope scope, uint32_t most)
{
	uint32_t n;
	uint32_t i;

	set_order(x, scope);
	n = select_runs(x, scope);
	/* The world's are the run's. */
	if (scope == PATTERN_COMMUNICATOR && n == 1)
		return 0;
	for (i = 0; i < n && i < most; i++) {
		uint32_t first = x->order[x->selections[i].first];
		uint32_t phase = x->phases->of_message[first];
		uint32_t number = 0;
		struct found f;

		if (scope == PATTERN_PHASE || scope == PATTERN_CALLSITE)
			number = phase == TRACE_NONE ? 0 : phase + 1;
		f = (struct found){.scope = scope, .phase = number};
		if (scope == PATTERN_CALLSITE && is_said(x, f.phase, first))
			continue;
		if (x->selections[i].n == x->m->n && x->out->n) {
			/* All messages were looked at as the run's, the first in the list. */
			f = x->out->f[0];
			f.scope = scope;
			f.phase = number;
			if (patterns_add(x->out, &f, x->err))
				return -1;
		} else if (recognise(x, &x->selections[i], f)) {
			return -1;
		}
	}
	return 0;
}

static int find_all(struct finder *x)
{
	uint32_t i;

	if (!x->m->n)
		return 0;
	for (i = 0; i < x->m->n; i++)
		x->out->bytes += (double)x->m->m[i].bytes;
	return find_scope(x, PATTERN_RUN, 1) || find_scope(x, PATTERN_PHASE, PHASES_MAX) ||
			       find_scope(x, PATTERN_CALLSITE, SITES_MAX) ||
			       find_scope(x, PATTERN_COMMUNICATOR, COMMS_MAX)
		       ? -1
		       : 0;
}

int patterns_find(const struct trace *t, const struct messages *m, const struct phases *phases,
		  struct patterns *out, struct err *err)
{
	struct patterns p = {0};
	struct finder x = {.t = t, .m = m, .phases = phases, .out = &p, .err = err};
	size_t n = (size_t)m->n + 1, keys = trace_places(t);
	int ret;

	keys = keys > phases->n ? keys : phases->n;
	keys = keys > t->n_comms ? keys : t->n_comms;
	x.order = table_alloc(n, sizeof(*x.order));
	x.room = table_alloc(n, sizeof(*x.room));
	x.at = calloc(keys + 2, sizeof(*x.at));
	x.selections = table_alloc(n, sizeof(*x.selections));
	x.d = table_alloc(n, sizeof(*x.d));
	x.number = calloc((size_t)t->n_ranks + 1, sizeof(*x.number));
	if (x.order && x.room && x.at && x.selections && x.d && x.number)
		ret = find_all(&x);
	else
		ret = err_set(err, "out of memory for the patterns of %u messages", m->n);
	if (!ret)
		ret = pattern_collectives(t, phases, &p, err);
	free(x.number);
	table_free(x.d);
	table_free(x.selections);
	free(x.at);
	table_free(x.room);
	table_free(x.order);
	if (ret)
		patterns_release(&p);
	else
		*out = p;
	return ret;
}
