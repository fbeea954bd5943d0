/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/reader/reader_hands.h"

#include "analyze/tools/share.h"
#include "common/table.h"

#include <stdlib.h>
#include <string.h>

/* What the archive calls what a hand calls k. */
struct renaming {
	uint32_t *as;
	uint32_t n;
};

struct hand {
	struct load load;
	struct def_window *windows; /* its own, as it numbers their communicators */
	struct renaming sites, comms, groups;
};

struct reading {
	struct load *whole;
	load_one *read_rank;
	uint64_t chunk_bytes;
	struct hand *hand;
	unsigned hands;
	pthread_mutex_t lock; /* of whole and of what follows */
	pthread_cond_t moved;
	uint32_t next;   /* whose turn it is: all ranks before are in whole */
	uint32_t failed; /* the first rank that did, or TRACE_NONE */
};

void load_release(struct load *l)
{
	idmap_release(&l->self);
	idmap_release(&l->group_of);
	free(l->string_site);
	idmap_release(&l->site_in);
	table_free(l->site_keys);
	table_free(l->group_ids);
	table_free(l->made);
	table_free(l->at.stack);
	free(l->at.site);
	free(l->recorded);
}

/* The definitions are everybody's, the tables of the trace and what grows with them are not. */
static int hand_init(struct hand *h, const struct load *whole)
{
	const struct trace *t = &whole->trace;
	size_t windows = whole->defs.n_windows;

	h->load = (struct load){
		.anchor = whole->anchor,
		.otf2 = whole->otf2,
		.defs = whole->defs,
		.trace = {.dated = t->dated,
			  .n_ranks = t->n_ranks,
			  .ranks = t->ranks,
			  .n_regions = t->n_regions,
			  .regions = t->regions,
			  .n_comms = t->n_comms_defined,
			  .n_comms_defined = t->n_comms_defined},
		.region_of = whole->region_of,
		.unknown_region = whole->unknown_region,
		.everybody = whole->everybody,
		.first_ns = INT64_MAX,
		.last_ns = INT64_MIN,
		.cap_comms = (size_t)t->n_comms_defined + 1,
	};
	memcpy(h->load.attribute, whole->attribute, sizeof(whole->attribute));
	memcpy(h->load.has_attribute, whole->has_attribute, sizeof(whole->has_attribute));
	h->load.trace.comms = calloc(h->load.cap_comms, sizeof(*t->comms));
	h->load.defs.windows = h->windows = calloc(windows + 1, sizeof(*h->windows));
	if (!h->load.trace.comms || !h->windows ||
	    endpoints_init(&h->load.trace.ends, &h->load.trace))
		return -1;
	if (t->n_comms_defined)
		memcpy(h->load.trace.comms, t->comms, t->n_comms_defined * sizeof(*t->comms));
	if (windows)
		memcpy(h->windows, whole->defs.windows, windows * sizeof(*h->windows));
	return load_cursor(&h->load);
}

static void hand_release(struct hand *h)
{
	struct trace *t = &h->load.trace;
	uint32_t i;

	for (i = 0; i < t->n_sites; i++)
		site_release(&t->sites[i]);
	for (i = t->n_comms_defined; t->comms && i < t->n_comms; i++) {
		free(t->comms[i].name);
		free(t->comms[i].members);
	}
	for (i = 0; i < t->n_groups; i++)
		free(t->groups[i].members);
	readings_release(&t->readings);
	endpoints_release(&t->ends);
	table_free(t->sites);
	table_free(t->comms);
	table_free(t->groups);
	table_free(t->calls);
	table_free(t->ops);
	table_free(t->floods);
	free(h->windows);
	free(h->sites.as);
	free(h->comms.as);
	free(h->groups.as);
	load_release(&h->load);
}

/* Room for n. Returns 0, or -1: out of memory. */
static int renaming_room(struct renaming *r, size_t n)
{
	uint32_t *as = n > r->n ? reallocarray(r->as, n, sizeof(*as)) : r->as;

	if (n > r->n && !as)
		return -1;
	r->as = as;
	return 0;
}

/* Sites, communicators and groups that the hand met first in this rank, in this order. */
static int rename_new(struct load *whole, struct hand *h)
{
	const struct load *l = &h->load;

	if (renaming_room(&h->sites, l->trace.n_sites) || renaming_room(&h->comms, l->n_made) ||
	    renaming_room(&h->groups, l->trace.n_groups))
		return -1;
	for (; h->sites.n < l->trace.n_sites; h->sites.n++)
		h->sites.as[h->sites.n] = load_site_again(whole, l->site_keys[h->sites.n]);
	for (; h->comms.n < l->n_made; h->comms.n++) {
		const struct made_comm *m = &l->made[h->comms.n];
		uint32_t as = m->window == TRACE_NONE ? load_self_comm(whole, m->comm)
						      : load_window_comm(whole, m->window);

		if (as == TRACE_NONE)
			return -1;
		h->comms.as[h->comms.n] = as;
	}
	for (; h->groups.n < l->trace.n_groups; h->groups.n++) {
		uint32_t as = load_group(whole, l->group_ids[h->groups.n]);

		if (as == TRACE_NONE)
			return -1;
		h->groups.as[h->groups.n] = as;
	}
	return 0;
}

static uint32_t comm_of(const struct hand *h, uint32_t comm)
{
	uint32_t defined = h->load.trace.n_comms_defined;

	return comm < defined || comm == TRACE_NONE ? comm : h->comms.as[comm - defined];
}

/* An index into a table that follows n others in the archive's. */
static uint32_t after(uint32_t n, uint32_t index)
{
	return index == TRACE_NONE ? TRACE_NONE : n + index;
}

static int append_calls(struct load *whole, const struct hand *h)
{
	const struct trace *from = &h->load.trace;
	struct trace *t = &whole->trace;

	if (from->n_calls >= TRACE_NONE - 1 - t->n_calls ||
	    GROW_BY(t->calls, (size_t)t->n_calls, from->n_calls, whole->cap_calls) ||
	    GROW_BY(t->floods, (size_t)t->n_floods, from->n_floods, whole->cap_floods))
		return -1;
	for (uint32_t i = 0; i < from->n_calls; i++) {
		struct call call = from->calls[i];

		if (call.site != TRACE_NONE)
			call.site = h->sites.as[call.site];
		if (call.is_flood)
			call.part += t->n_floods;
		t->calls[t->n_calls + i] = call;
	}
	for (uint32_t i = 0; i < from->n_floods; i++)
		t->floods[t->n_floods + i] = from->floods[i];
	return 0;
}

static int append_ops(struct load *whole, const struct hand *h)
{
	const struct trace *from = &h->load.trace;
	struct trace *t = &whole->trace;

	if (from->n_ops >= TRACE_NONE - 1 - t->n_ops ||
	    GROW_BY(t->ops, (size_t)t->n_ops, from->n_ops, whole->cap_ops))
		return -1;
	for (uint32_t i = 0; i < from->n_ops; i++) {
		struct op op = from->ops[i];

		op.call = after(t->n_calls, op.call);
		op.comm = comm_of(h, op.comm);
		if (op.kind == OP_EPOCH)
			op.request = h->groups.as[op.request];
		t->ops[t->n_ops + i] = op;
	}
	return 0;
}

static int append_ends(struct load *whole, const struct hand *h)
{
	const struct endpoints *from = &h->load.trace.ends;
	struct endpoints *e = &whole->trace.ends;
	uint32_t calls = whole->trace.n_calls;

	if (from->n_sends >= TRACE_NONE - 1 - e->n_sends ||
	    from->n_recvs >= TRACE_NONE - 1 - e->n_recvs ||
	    GROW_BY(e->sends, e->n_sends, from->n_sends, e->cap_sends) ||
	    GROW_BY(e->recvs, e->n_recvs, from->n_recvs, e->cap_recvs) ||
	    GROW_BY(e->gaps, e->n_gaps, from->n_gaps, e->cap_gaps))
		return -1;
	for (size_t i = 0; i < from->n_sends; i++) {
		struct send send = from->sends[i];

		send.comm = comm_of(h, send.comm);
		send.call = after(calls, send.call);
		send.done = after(calls, send.done);
		e->sends[e->n_sends++] = send;
	}
	for (size_t i = 0; i < from->n_recvs; i++) {
		struct recv recv = from->recvs[i];

		recv.comm = comm_of(h, recv.comm);
		recv.call = after(calls, recv.call);
		recv.done = after(calls, recv.done);
		e->recvs[e->n_recvs++] = recv;
	}
	for (size_t i = 0; i < from->n_gaps; i++) {
		e->gaps[e->n_gaps] = from->gaps[i];
		e->gaps[e->n_gaps++].comm = comm_of(h, from->gaps[i].comm);
	}
	e->n_cancelled += from->n_cancelled;
	e->n_takers += from->n_takers;
	return 0;
}

static int append_readings(struct load *whole, const struct hand *h)
{
	const struct readings *from = &h->load.trace.readings;

	for (size_t i = 0; i < from->n; i++)
		if (readings_add(&whole->trace.readings, from->v[i]))
			return -1;
	return 0;
}

/* A rank's tables after those of the ranks before, and out of the hand's. Returns 0, or -1. */
static int append(struct load *whole, struct hand *h, uint32_t r)
{
	struct trace *t = &whole->trace, *from = &h->load.trace;
	struct rank *rank = &t->ranks[r];

	whole->at.rank = r;
	if (rename_new(whole, h) || append_ends(whole, h) || append_ops(whole, h) ||
	    append_calls(whole, h) || append_readings(whole, h))
		return load_no_memory(whole);
	rank->first_call = t->n_calls;
	rank->first_op = t->n_ops;
	t->n_calls += from->n_calls;
	t->n_floods += from->n_floods;
	t->n_ops += from->n_ops;
	t->events += from->events;
	t->records += from->records;
	t->ends.of[r + 1] = (struct endpoints_of){
		(uint32_t)t->ends.n_sends, (uint32_t)t->ends.n_recvs, (uint32_t)t->ends.n_gaps};
	if (h->load.first_ns < whole->first_ns)
		whole->first_ns = h->load.first_ns;
	if (h->load.last_ns > whole->last_ns)
		whole->last_ns = h->load.last_ns;
	from->n_calls = from->n_floods = from->n_ops = 0;
	from->events = from->records = 0;
	from->readings.n = 0;
	endpoints_clear(&from->ends, r);
	return 0;
}

/* When all ranks before are there. Returns 0, or -1, also if one of them failed. */
static int append_in_turn(struct reading *x, struct hand *h, uint32_t r, struct err *err)
{
	int ret = -1;

	pthread_mutex_lock(&x->lock);
	while (x->next < r && x->failed > r)
		pthread_cond_wait(&x->moved, &x->lock);
	if (x->next == r) {
		x->whole->err = err;
		ret = append(x->whole, h, r);
		x->next += !ret;
		pthread_cond_broadcast(&x->moved);
	}
	pthread_mutex_unlock(&x->lock);
	return ret;
}

static int read_one(void *reading, unsigned hand, uint32_t r, struct err *err)
{
	struct reading *x = reading;
	struct load *l = &x->hand[hand].load;

	l->err = err;
	pthread_setspecific(x->whole->saying, l->otf2_said);
	if (!x->read_rank(l, r, x->chunk_bytes) && !append_in_turn(x, &x->hand[hand], r, err))
		return 0;
	pthread_mutex_lock(&x->lock);
	if (r < x->failed)
		x->failed = r;
	pthread_cond_broadcast(&x->moved);
	pthread_mutex_unlock(&x->lock);
	return -1;
}

/* Calls of which regions have no record in what any hand read. */
static void find_bare(struct trace *t, const struct reading *x)
{
	for (uint32_t i = 0; i < t->n_regions; i++) {
		t->regions[i].is_bare = !t->dated;
		for (unsigned k = 0; k < x->hands; k++)
			t->regions[i].is_bare &= !x->hand[k].load.recorded[i];
	}
}

int load_by_hands(struct load *whole, load_one *read_rank, uint64_t chunk_bytes)
{
	struct reading x = {.whole = whole,
			    .read_rank = read_rank,
			    .chunk_bytes = chunk_bytes,
			    .lock = PTHREAD_MUTEX_INITIALIZER,
			    .moved = PTHREAD_COND_INITIALIZER,
			    .failed = TRACE_NONE};
	struct err *err = whole->err;
	int ret = 0;

	x.hands = share_hands();
	if (x.hands > whole->trace.n_ranks)
		x.hands = whole->trace.n_ranks;
	x.hand = calloc(x.hands, sizeof(*x.hand));
	if (!x.hand)
		return load_no_memory(whole);
	for (unsigned k = 0; k < x.hands && !ret; k++)
		ret = hand_init(&x.hand[k], whole) ? load_no_memory(whole) : 0;
	if (!ret)
		ret = share_run(x.hands, whole->trace.n_ranks, read_one, &x, err);
	whole->err = err;
	pthread_setspecific(whole->saying, whole->otf2_said);
	if (!ret)
		find_bare(&whole->trace, &x);
	for (unsigned k = 0; k < x.hands; k++)
		hand_release(&x.hand[k]);
	free(x.hand);
	return ret;
}
