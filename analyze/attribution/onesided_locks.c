/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Locks of windows. Who had given a lock back before this rank could: of two that do not both
 * share it, the one whose unlock ended first had it first. It held it at least up to the entry
 * of that unlock, and a call of the other that was under way then waited for it until then.
 */
#include "analyze/attribution/onesided.h"

#include "analyze/tools/sorting.h"
#include "common/table.h"

#include <stdlib.h>
#include <string.h>

#define ALL UINT32_MAX /* targets: MPI_Win_lock_all */

/* From a lock to its unlock. */
struct hold {
	uint32_t window;
	uint32_t target; /* a rank of the window, or ALL */
	uint32_t rank;
	uint32_t take; /* the call that locks, */
	uint32_t give; /* and the one that unlocks; TRACE_NONE: not yet */
	uint8_t shared;
};

struct holds {
	const struct trace *t;
	struct hold *h;
	size_t n;
	size_t first_open; /* of the rank at work: the ones before are closed */
};

static void take(struct holds *s, uint32_t rank, const struct op *op)
{
	struct hold made = {op->comm, (uint32_t)op->peer, rank, op->call, TRACE_NONE, op->tag != 0};

	/* A request and its acquisition are one. */
	for (size_t k = s->first_open; k < s->n; k++)
		if (s->h[k].window == made.window && s->h[k].target == made.target &&
		    s->h[k].give == TRACE_NONE)
			return;
	s->h[s->n++] = made;
}

static void give(struct holds *s, const struct op *op)
{
	for (size_t k = s->n; k-- > s->first_open;) {
		struct hold *h = &s->h[k];

		if (h->window == op->comm && h->target == (uint32_t)op->peer &&
		    h->give == TRACE_NONE) {
			h->give = op->call;
			break;
		}
	}
	while (s->first_open < s->n && s->h[s->first_open].give != TRACE_NONE)
		s->first_open++;
}

static int is_of_lock(const struct op *op)
{
	return (op->kind == OP_LOCK || op->kind == OP_UNLOCK) && op->call != TRACE_NONE &&
	       op->comm != TRACE_NONE;
}

/* All that were given back. */
static int collect(struct holds *s)
{
	const struct trace *t = s->t;
	size_t most = 0, kept = 0;

	for (uint32_t i = 0; i < t->n_ops; i++)
		most += t->ops[i].kind == OP_LOCK;
	if (!most)
		return 0;
	s->h = table_calloc(most, sizeof(*s->h));
	if (!s->h)
		return -1;
	for (uint32_t r = 0; r < t->n_ranks; r++) {
		const struct op *op = &t->ops[t->ranks[r].first_op], *end = op + t->ranks[r].ops;

		s->first_open = s->n;
		for (; op < end; op++) {
			if (!is_of_lock(op))
				continue;
			if (op->kind == OP_LOCK)
				take(s, r, op);
			else
				give(s, op);
		}
	}
	for (size_t k = 0; k < s->n; k++)
		if (s->h[k].give != TRACE_NONE)
			s->h[kept++] = s->h[k];
	s->n = kept;
	return 0;
}

static int by_end(const void *a, const void *b, void *arg)
{
	const struct hold *x = a, *y = b;
	const struct trace *t = arg;
	int64_t dx = t->calls[x->give].leave_ns, dy = t->calls[y->give].leave_ns;

	if (x->window != y->window)
		return x->window < y->window ? -1 : 1;
	if (dx != dy)
		return dx < dy ? -1 : 1;
	return (x->give > y->give) - (x->give < y->give);
}

/* Who kept a lock longest of those that gave it back so far; NULL: nobody. */
struct keepers {
	const struct hold *exclusive, *shared;
};

/* Per target of one window; and of any target, and of all at once. */
struct past {
	struct keepers *of;
	uint32_t room;
	struct keepers any, all;
};

static const struct hold *longer(const struct trace *t, const struct hold *a, const struct hold *b)
{
	if (!a || !b)
		return a ? a : b;
	return t->calls[b->give].enter_ns > t->calls[a->give].enter_ns ? b : a;
}

static void note(const struct trace *t, struct keepers *k, const struct hold *h)
{
	if (h->shared)
		k->shared = longer(t, k->shared, h);
	else
		k->exclusive = longer(t, k->exclusive, h);
}

/* Who stood in the way of h at last; NULL: nobody. */
static const struct hold *rival(const struct trace *t, const struct past *p, const struct hold *h)
{
	const struct keepers *k = h->target == ALL ? &p->any : &p->of[h->target];
	const struct hold *found = k->exclusive;

	if (!h->shared) {
		found = longer(t, found, k->shared);
		found = longer(t, found, p->all.shared); /* lock_all is always shared */
	}
	return found;
}

/* The call of h's rank, between lock and unlock, that was under way when rival gave it back. */
static void hold_waited(struct onesided *o, const struct trace *t, const struct hold *h,
			const struct hold *rival)
{
	int64_t until_ns = t->calls[rival->give].enter_ns;

	for (uint32_t c = h->take; c <= h->give && t->calls[c].enter_ns < until_ns; c++) {
		struct onesided_call *x = onesided_at(o, c);

		if (!x || t->calls[c].thread != t->calls[h->take].thread)
			continue;
		if (onesided_offer(t, x, ONESIDED_LOCKED, rival->rank, until_ns))
			x->target = h->target == ALL
					    ? TRACE_NONE
					    : trace_world_rank(t, h->window, (int32_t)h->target);
	}
}

static int make_room(struct past *p, const struct holds *s)
{
	for (size_t k = 0; k < s->n; k++)
		if (s->h[k].target != ALL && s->h[k].target >= p->room)
			p->room = s->h[k].target + 1;
	p->of = calloc((size_t)p->room + 1, sizeof(*p->of));
	return p->of ? 0 : -1;
}

int onesided_locks(struct onesided *o, const struct trace *t)
{
	struct holds s = {.t = t};
	struct past p = {0};
	int ret = -1;

	if (collect(&s) || make_room(&p, &s))
		goto out;
	sort_with(s.h, s.n, sizeof(*s.h), by_end, (void *)t);
	for (size_t k = 0; k < s.n; k++) {
		const struct hold *h = &s.h[k], *first;

		if (k && s.h[k - 1].window != h->window) {
			memset(p.of, 0, p.room * sizeof(*p.of));
			p.any = p.all = (struct keepers){0};
		}
		first = rival(t, &p, h);
		if (first && first->rank != h->rank)
			hold_waited(o, t, h, first);
		note(t, h->target == ALL ? &p.all : &p.of[h->target], h);
		note(t, &p.any, h);
	}
	ret = 0;
out:
	free(p.of);
	table_free(s.h);
	return ret;
}
