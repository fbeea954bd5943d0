/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/reader/reader_load.h"

#include <stdlib.h>
#include <string.h>

#define NS_PER_S 1000000000

/* Ticks to ns from the archive's own origin. Wide, because any archive may say anything. */
int64_t load_ns(const struct load *l, OTF2_TimeStamp ticks)
{
	const struct defs *d = &l->defs;
	__int128 ns = (__int128)ticks - (__int128)d->global_offset;

	if (d->ticks_per_s != NS_PER_S)
		ns = ns * NS_PER_S / d->ticks_per_s;
	if (ns > LOAD_TIME_MOST_NS)
		return LOAD_TIME_MOST_NS;
	if (ns < -LOAD_TIME_MOST_NS)
		return -LOAD_TIME_MOST_NS;
	return (int64_t)ns;
}

/* The first event's time was damaged: it is as old as the second. */
static void begin_again(struct load *l, int64_t ns)
{
	struct cursor *at = &l->at;

	if (at->call != TRACE_NONE)
		l->trace.calls[at->call].enter_ns = ns;
	at->begin_ns = at->before_ns = at->last_ns = ns;
}

/*
 * Time of the next event; a location's time never goes back. Where it does by more than a moment,
 * the event before was damaged, and all of the same time.
 */
int64_t load_time(struct load *l, OTF2_TimeStamp ticks)
{
	struct cursor *at = &l->at;
	int64_t ns = load_ns(l, ticks);

	if (!at->events) {
		at->begin_ns = at->before_ns = at->last_ns = ns;
	} else if (ns < at->last_ns - LOAD_BACK_MOST_NS) {
		at->is_wild = at->before_ns != at->begin_ns || at->begin_ns != at->last_ns;
		if (at->is_wild)
			at->last_ns = at->before_ns;
		else
			begin_again(l, ns);
	} else if (ns - at->last_ns > LOAD_SPAN_MOST_NS) {
		at->is_wild = 1;
	} else if (ns > at->last_ns) {
		at->before_ns = at->last_ns;
		at->last_ns = ns;
	}
	at->events += !at->is_wild;
	return at->last_ns;
}

/* What a call begins with; what it ends with. */
static int is_begin(enum op_kind kind)
{
	return kind == OP_SEND || kind == OP_ISEND || kind == OP_IRECV || kind == OP_NBC_POST;
}

static int is_end(enum op_kind kind)
{
	return kind == OP_RECV || kind == OP_ISEND_DONE || kind == OP_IRECV_DONE ||
	       kind == OP_COLL || kind == OP_NBC_DONE;
}

/*
 * Who translates from a format in which records and calls only have times may write a call's
 * records before its begin or after its end: they are the call's that begins or ends at the same
 * time.
 */
static void take_records(struct load *l)
{
	struct trace *t = &l->trace;
	int64_t ns = t->calls[l->at.call].enter_ns;

	for (uint32_t i = t->n_ops; i > l->at.first_op && t->ops[i - 1].time_ns == ns; i--)
		if (t->ops[i - 1].call == TRACE_NONE && is_begin(t->ops[i - 1].kind))
			t->ops[i - 1].call = l->at.call;
	l->at.first_op = t->n_ops;
}

static uint32_t call_of(const struct load *l, const struct op *op)
{
	const struct cursor *at = &l->at;

	if (at->call == TRACE_NONE && at->closed != TRACE_NONE && is_end(op->kind) &&
	    l->trace.calls[at->closed].leave_ns == op->time_ns)
		return at->closed;
	return at->call;
}

static int open_call(struct load *l, int64_t ns, uint32_t region, uint32_t site)
{
	struct trace *t = &l->trace;

	if (t->n_calls >= TRACE_NONE - 1 || GROW(t->calls, t->n_calls, l->cap_calls))
		return load_no_memory(l);
	t->calls[t->n_calls] = (struct call){
		.enter_ns = ns,
		.leave_ns = INT64_MIN, /* open */
		.rank = l->at.rank,
		.thread = l->at.thread < CALL_THREADS ? l->at.thread : CALL_THREADS - 1,
		.region = region,
		.site = site,
		.part = TRACE_NONE,
		.is_of_files = t->regions[region].is_of_files,
	};
	l->at.call = t->n_calls++;
	take_records(l);
	return 0;
}

/*
 * The call that was just opened stands for many polls, when its Enter says so. Recording them is
 * not what the program does between them.
 */
static int note_flood(struct load *l, const OTF2_AttributeList *list)
{
	struct trace *t = &l->trace;
	uint64_t polls = load_number(l, list, LOAD_POLLS);
	uint64_t ns = load_number(l, list, LOAD_POLLED_NS);
	double with_ns = (double)ns + (double)polls * t->ranks[l->at.rank].cost.poll_ns;

	if (!polls)
		return 0;
	if (GROW(t->floods, t->n_floods, l->cap_floods))
		return load_no_memory(l);
	t->floods[t->n_floods] = (struct flood){
		.polls = polls, .inside_ns = with_ns < 9e18 ? (int64_t)with_ns : INT64_MAX};
	t->calls[l->at.call].part = t->n_floods++;
	t->calls[l->at.call].is_flood = 1;
	return 0;
}

/* The trace's region that a reference means. */
static uint32_t region_of(const struct load *l, uint64_t ref)
{
	uint32_t definition = idmap_find(&l->defs.region_ids, ref);

	return definition == IDMAP_NONE ? l->unknown_region : l->region_of[definition];
}

int load_enter(struct load *l, int64_t ns, uint64_t ref, const OTF2_AttributeList *list)
{
	struct cursor *at = &l->at;
	uint32_t region = region_of(l, ref), site;

	if (at->is_wild)
		return -1;
	if (GROW(at->stack, at->n_stack, at->cap_stack))
		return load_no_memory(l);
	at->stack[at->n_stack++] = region;
	l->trace.ranks[at->rank].has_ended |= l->trace.regions[region].is_end;
	if (l->trace.regions[region].kind == REGION_OTHER)
		return 0;
	site = load_site(l, list, region); /* it may hold for later calls too */
	if (at->depth++)
		return 0;
	return open_call(l, ns, region, site) || note_flood(l, list) ? -1 : 0;
}

/* Close the region and what is still open inside of it; a leave without an enter is ignored. */
int load_leave(struct load *l, int64_t ns, uint64_t ref)
{
	struct cursor *at = &l->at;
	uint32_t region = region_of(l, ref);
	size_t n = at->n_stack;

	if (at->is_wild)
		return -1;
	while (n > 0 && at->stack[n - 1] != region)
		n--;
	if (!n)
		return 0;
	while (at->n_stack >= n) {
		if (l->trace.regions[at->stack[--at->n_stack]].kind == REGION_OTHER || --at->depth)
			continue;
		l->trace.calls[at->call].leave_ns = ns;
		at->closed = at->call;
		at->call = TRACE_NONE;
	}
	return 0;
}

/* Peer as it was written -> index in the communicator of the trace; -1: none. */
static int32_t peer_in(const struct load *l, const struct def_comm *comm, uint32_t peer)
{
	const uint32_t *members = l->trace.comms[comm->table].members;
	uint32_t i;

	if (peer > INT32_MAX)
		return -1; /* no root, or one that only the other side knows */
	for (i = 0; comm->kind == COMM_INTER && i < comm->first_b; i++) {
		if (members[i] == l->at.rank && peer <= INT32_MAX - comm->first_b)
			return (int32_t)(peer + comm->first_b);
	}
	return (int32_t)peer;
}

/* The same of a collective's root: this rank itself may be it. */
static int32_t root_in(const struct load *l, const struct def_comm *comm, uint32_t root)
{
	const struct comm *in = &l->trace.comms[comm->table];
	uint32_t i;

	if (root != OTF2_COLLECTIVE_ROOT_SELF)
		return peer_in(l, comm, root);
	for (i = 0; i < in->size; i++)
		if (in->members[i] == l->at.rank)
			return (int32_t)i;
	return -1;
}

/* The communicator that holds this rank only; TRACE_NONE when out of memory. */
uint32_t load_self_comm(struct load *l, uint32_t definition)
{
	const struct def_comm *comm = &l->defs.comms[definition];
	struct trace *t = &l->trace;
	uint64_t key = (uint64_t)comm->table << 32 | l->at.rank;
	uint32_t at = idmap_find(&l->self, key);
	struct comm made = {.size = 1};

	if (at != IDMAP_NONE)
		return at;
	made.name = strdup(t->comms[comm->table].name);
	made.members = malloc(sizeof(*made.members));
	if (!made.name || !made.members || GROW(t->comms, t->n_comms, l->cap_comms) ||
	    GROW(l->made, l->n_made, l->cap_made) || idmap_set(&l->self, key, t->n_comms)) {
		free(made.name);
		free(made.members);
		return TRACE_NONE;
	}
	made.members[0] = l->at.rank;
	l->made[l->n_made++] = (struct made_comm){definition, TRACE_NONE};
	t->comms[t->n_comms] = made;
	return t->n_comms++;
}

int load_append(struct load *l, const struct op *op)
{
	struct trace *t = &l->trace;

	if (l->at.is_wild)
		return -1;
	if (t->n_ops >= TRACE_NONE - 1 || GROW(t->ops, t->n_ops, l->cap_ops))
		return load_no_memory(l);
	t->ops[t->n_ops++] = *op;
	t->records++;
	return 0;
}

/* Append op, in which comm and peer are still as they were written. */
int load_op(struct load *l, OTF2_TimeStamp time, uint32_t peer, struct op *op)
{
	uint32_t i = idmap_find(&l->defs.comm_ids, op->comm);

	op->time_ns = load_time(l, time);
	op->call = call_of(l, op);
	op->peer = -1;
	op->comm = TRACE_NONE;
	if (i == IDMAP_NONE)
		i = l->everybody;
	if (i != IDMAP_NONE) {
		const struct def_comm *comm = &l->defs.comms[i];

		op->peer = op->kind == OP_COLL || op->kind == OP_NBC_DONE ? root_in(l, comm, peer)
									  : peer_in(l, comm, peer);
		op->comm = comm->kind == COMM_SELF ? load_self_comm(l, i) : comm->table;
	}
	return load_append(l, op);
}

/* Append a record that names a request and no peer. */
int load_request(struct load *l, OTF2_TimeStamp time, struct op *op)
{
	op->time_ns = load_time(l, time);
	op->call = call_of(l, op);
	op->peer = -1;
	op->comm = TRACE_NONE;
	return load_append(l, op);
}
