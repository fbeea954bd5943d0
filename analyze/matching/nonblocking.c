/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/nonblocking.h"

#include "analyze/tools/idhash.h"
#include "analyze/tools/instants.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

#include <stdlib.h>

/* One rank's part in one: started, and as its completion says. */
struct part {
	const struct op *start, *done; /* done NULL: it never was, and of which is not known */
	uint64_t place;                /* how many its rank had started on the communicator */
	uint32_t rank;
};

struct parts {
	struct part *p;
	uint32_t n;
};

static int may_count(const struct trace *t, uint32_t *n)
{
	*n = 0;
	for (uint32_t i = 0; i < t->n_ops; i++) {
		if (t->ops[i].kind == OP_PAUSE)
			return 0;
		*n += t->ops[i].kind == OP_NBC_POST;
	}
	return *n > 0;
}

/* The parts of one rank, in the order in which they were started. */
static int add_rank(struct parts *parts, const struct trace *t, uint32_t rank, struct idhash *open)
{
	const struct rank *r = &t->ranks[rank];

	for (uint32_t i = r->first_op; i < r->first_op + r->ops; i++) {
		const struct op *op = &t->ops[i];
		uint32_t at;

		if (op->kind == OP_NBC_POST && op->call != TRACE_NONE) {
			parts->p[parts->n] = (struct part){op, NULL, 0, rank};
			if (idhash_put(open, op->request, parts->n++))
				return -1;
		} else if (op->kind == OP_NBC_DONE && op->call != TRACE_NONE &&
			   op->comm < t->n_comms) {
			at = idhash_take(open, op->request);
			if (at != IDHASH_NONE)
				parts->p[at].done = op;
		}
	}
	idhash_clear(open);
	return 0;
}

/*
 * Number each rank's on each communicator. One that never ended is dropped, and all that its rank
 * started later with it: they may be on its communicator, and then their numbers are not known.
 */
static int number(struct parts *parts, const struct trace *t)
{
	uint64_t *count = calloc((size_t)t->n_comms + 1, sizeof(*count));
	uint32_t *of = calloc((size_t)t->n_comms + 1, sizeof(*of));
	uint32_t kept = 0, torn = TRACE_NONE;

	for (uint32_t i = 0; count && of && i < parts->n; i++) {
		struct part x = parts->p[i];

		if (!x.done)
			torn = x.rank;
		if (x.rank == torn)
			continue;
		if (of[x.done->comm] != x.rank + 1) {
			of[x.done->comm] = x.rank + 1;
			count[x.done->comm] = 0;
		}
		x.place = count[x.done->comm]++;
		parts->p[kept++] = x;
	}
	parts->n = kept;
	free(of);
	free(count);
	return count && of ? 0 : -1;
}

static int by_place(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->done->comm != y->done->comm)
		return x->done->comm < y->done->comm ? -1 : 1;
	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static void add_member(const struct trace *t, const struct part *x, struct collective *c)
{
	const struct call *start = &t->calls[x->start->call], *done = &t->calls[x->done->call];
	uint32_t root = trace_world_rank(t, x->done->comm, x->done->peer);
	uint64_t bytes = op_bytes(x->done);

	if (!c->members++)
		*c = (struct collective){.comm = x->done->comm,
					 .region = start->region,
					 .root = -1,
					 .is_nonblocking = 1,
					 .first_enter_ns = start->enter_ns,
					 .last_enter_ns = start->enter_ns,
					 .last_leave_ns = done->leave_ns,
					 .last_rank = x->rank,
					 .members = 1};
	if (root != TRACE_NONE)
		c->root = (int32_t)root;
	c->bytes = bytes > c->bytes ? bytes : c->bytes;
	c->sent = x->done->bytes > c->sent ? x->done->bytes : c->sent;
	c->received = x->done->bytes_in > c->received ? x->done->bytes_in : c->received;
	c->last_leave_ns = later(c->last_leave_ns, done->leave_ns);
	c->first_enter_ns = earlier(c->first_enter_ns, start->enter_ns);
	if (start->enter_ns > c->last_enter_ns) {
		c->last_enter_ns = start->enter_ns;
		c->last_rank = x->rank;
	}
}

/* The instances of the sorted parts go behind those of the table. */
static int add_all(const struct trace *t, const struct parts *parts, struct collectives *c)
{
	size_t bytes = ((size_t)c->n + parts->n + 1) * sizeof(struct collective);
	struct collective *all = table_resize(c->c, &bytes);
	const struct part *p = parts->p;

	if (!all)
		return -1;
	c->c = all;
	c->starts = table_calloc((size_t)parts->n + 1, sizeof(*c->starts));
	if (!c->starts)
		return -1;
	for (uint32_t i = 0; i < parts->n; i++) {
		if (!i || p[i].done->comm != p[i - 1].done->comm || p[i].place != p[i - 1].place)
			all[c->n++] = (struct collective){.members = 0};
		add_member(t, &p[i], &all[c->n - 1]);
		c->starts[i] = (struct collective_start){.start = p[i].start->call,
							 .done = p[i].done->call,
							 .collective = c->n - 1,
							 .sent = p[i].done->bytes,
							 .received = p[i].done->bytes_in};
	}
	c->n_starts = parts->n;
	for (uint32_t i = 0; i < parts->n; i++) {
		const struct call *done = &t->calls[c->starts[i].done];
		struct collective *x = &all[c->starts[i].collective];

		x->seen_ns =
			later(x->seen_ns, done->leave_ns - later(done->enter_ns, x->last_enter_ns));
	}
	return 0;
}

/* Which calls' times are whose. Returns 0, or -1: out of memory. */
static int find_first(const struct trace *t, struct collectives *c)
{
	uint8_t *is_seen = table_calloc((size_t)t->n_calls + 1, sizeof(*is_seen));

	if (!is_seen)
		return -1;
	for (uint32_t i = 0; i < c->n_starts; i++) {
		struct collective_start *x = &c->starts[i];

		x->is_first = !is_seen[x->done];
		is_seen[x->done] = 1;
	}
	table_free(is_seen);
	return 0;
}

int nonblocking_match(const struct trace *t, struct collectives *c)
{
	struct idhash open = {NULL};
	struct parts parts = {NULL};
	int ret = -1;
	uint32_t n;

	if (!may_count(t, &n))
		return 0;
	parts.p = table_calloc(n, sizeof(*parts.p));
	for (uint32_t r = 0; parts.p && r < t->n_ranks; r++)
		if (add_rank(&parts, t, r, &open))
			goto out;
	if (!parts.p || number(&parts, t))
		goto out;
	sort(parts.p, parts.n, sizeof(*parts.p), by_place);
	ret = add_all(t, &parts, c) || find_first(t, c) ? -1 : 0;
out:
	table_free(parts.p);
	idhash_release(&open);
	return ret;
}
