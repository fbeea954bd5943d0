/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/patterns.h"

#include "analyze/sorting.h"
#include "common/huge.h"

#include <stdlib.h>
#include <string.h>

/* The largest so many of a scope are looked at. */
#define PHASES_MAX 24
#define SITES_MAX  48
#define COMMS_MAX  12

/* With fewer of the ranks at work these are numbered anew, in their order. */
#define ACTIVE_MIN 0.9

/* A message and where it belongs; selections are runs of equal major and minor. */
struct item {
	uint32_t major;
	uint32_t minor;
	uint32_t message;
};

/* Where a run of items begins and what it moves. */
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
	struct item *items; /* one per message */
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

/* The communicator of all items, or TRACE_NONE; only one with known members counts. */
static uint32_t common_comm(const struct finder *x, const struct item *items, uint32_t n)
{
	uint32_t comm = x->m->m[items[0].message].comm;
	uint32_t i;

	for (i = 1; i < n; i++)
		if (x->m->m[items[i].message].comm != comm)
			return TRACE_NONE;
	return comm < x->t->n_comms && x->t->comms[comm].size <= x->t->n_ranks ? comm : TRACE_NONE;
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

/* The items as deliveries among numbered ranks. Returns how many of those there are. */
static uint32_t collect(struct finder *x, const struct item *items, uint32_t n, uint32_t comm,
			size_t *deliveries)
{
	uint32_t ranks = number_members(x, comm);
	size_t kept = 0;
	uint32_t i;

	for (i = 0; i < n; i++) {
		const struct message *m = &x->m->m[items[i].message];

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

/* The place of all items, if it is one. */
static void find_place(const struct finder *x, const struct item *items, uint32_t n,
		       struct found *f)
{
	uint32_t place = x->m->m[items[0].message].place;
	uint32_t first = x->m->m[items[0].message].send_call;
	uint32_t i;

	for (i = 1; i < n; i++)
		if (x->m->m[items[i].message].place != place)
			return;
	f->site = x->t->calls[first].site;
	f->region = x->t->calls[first].region;
}

/* Recognise the items, and add what they are to the list. */
static int recognise(struct finder *x, const struct selection *s, struct found f)
{
	const struct item *items = &x->items[s->first];
	struct traffic traffic;
	size_t n;
	uint32_t ranks;
	int ret;

	f.site = f.region = TRACE_NONE;
	f.comm = common_comm(x, items, s->n);
	f.bytes = s->bytes;
	find_place(x, items, s->n, &f);
	ranks = collect(x, items, s->n, f.comm, &n);
	if (traffic_build(ranks, n, x->d, &traffic, x->err))
		return -1;
	f.messages = traffic.messages;
	f.active = traffic.active;
	f.time = traffic.time;
	ret = pattern_find(&traffic, &f.p, x->err);
	traffic_release(&traffic);
	return ret || patterns_add(x->out, &f, x->err) ? -1 : 0;
}

static int by_key(const void *pa, const void *pb)
{
	const struct item *a = pa;
	const struct item *b = pb;

	if (a->major != b->major)
		return a->major < b->major ? -1 : 1;
	if (a->minor != b->minor)
		return a->minor < b->minor ? -1 : 1;
	return a->message < b->message ? -1 : a->message > b->message;
}

static int by_bytes(const void *pa, const void *pb)
{
	const struct selection *a = pa;
	const struct selection *b = pb;

	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

static uint32_t phase_of(const struct finder *x, uint32_t message)
{
	return x->phases->of_call[x->m->m[message].send_call];
}

static void set_keys(struct finder *x, enum pattern_scope scope)
{
	uint32_t i;

	for (i = 0; i < x->m->n; i++) {
		struct item *item = &x->items[i];

		*item = (struct item){.message = i};
		if (scope == PATTERN_PHASE || scope == PATTERN_CALLSITE)
			item->major = phase_of(x, i);
		if (scope == PATTERN_CALLSITE)
			item->minor = x->m->m[i].place;
		if (scope == PATTERN_COMMUNICATOR)
			item->major = x->m->m[i].comm;
	}
	sort(x->items, x->m->n, sizeof(*x->items), by_key);
}

/* Runs of equal keys, the one with most bytes first. Returns how many. */
static uint32_t select_runs(struct finder *x)
{
	uint32_t n = 0;
	uint32_t i;

	for (i = 0; i < x->m->n; i++) {
		const struct item *item = &x->items[i];

		if (!i || item[-1].major != item->major || item[-1].minor != item->minor)
			x->selections[n++] = (struct selection){.first = i};
		x->selections[n - 1].n++;
		x->selections[n - 1].bytes += (double)x->m->m[item->message].bytes;
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

	set_keys(x, scope);
	n = select_runs(x);
	/* The world's are the run's. */
	if (scope == PATTERN_COMMUNICATOR && n == 1)
		return 0;
	for (i = 0; i < n && i < most; i++) {
		uint32_t first = x->items[x->selections[i].first].message;
		uint32_t phase = phase_of(x, first);
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
	size_t n = (size_t)m->n + 1;
	int ret;

	x.items = huge_pages(calloc(n, sizeof(*x.items)));
	x.selections = huge_pages(calloc(n, sizeof(*x.selections)));
	x.d = calloc(n, sizeof(*x.d));
	x.number = calloc((size_t)t->n_ranks + 1, sizeof(*x.number));
	if (x.items && x.selections && x.d && x.number)
		ret = find_all(&x);
	else
		ret = err_set(err, "out of memory for the patterns of %u messages", m->n);
	if (!ret)
		ret = pattern_collectives(t, phases, &p, err);
	free(x.number);
	free(x.d);
	free(x.selections);
	free(x.items);
	if (ret)
		patterns_release(&p);
	else
		*out = p;
	return ret;
}
