/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/numbering.h"

#include <stdlib.h>

#define FROM_THE_END (UINT64_C(1) << 48) /* no collective has this number */

/* What the members of a communicator recorded, and the one at work. */
struct numbering_comm {
	uint64_t most;  /* of those recorded throughout */
	uint64_t mark;  /* how many each of those that paused has in which stretch, ... */
	uint32_t whole; /* is there one recorded throughout? */
	uint32_t other; /* else: is there one that has not as many in each stretch as another? */
	uint64_t visit; /* whose numbers these are: */
	uint64_t next, all, first, last; /* its own: so many, in its first, in its last stretch */
	uint64_t own_mark;
};

int numbering_counts(const struct numbering *n, const struct op *op)
{
	return op->kind == OP_COLL && op->comm < n->t->n_comms && op->call != TRACE_NONE;
}

/* The communicator of op as the rank at work has it. */
static struct numbering_comm *comm_of(struct numbering *n, const struct op *op)
{
	struct numbering_comm *c = &n->comm[op->comm];

	if (c->visit != n->visit) {
		c->visit = n->visit;
		c->next = c->all = c->first = c->last = c->own_mark = 0;
	}
	return c;
}

/* Counts those of the rank at work. */
static void count(struct numbering *n)
{
	const struct trace *t = n->t;
	const struct rank *rank = &t->ranks[n->rank];
	uint32_t pauses = stretches_pauses(&n->stretches, n->rank), at = 0, i;

	for (i = rank->first_op; i < rank->first_op + rank->ops; i++) {
		const struct op *op = &t->ops[i];
		struct numbering_comm *c;

		at += op->kind == OP_RESUME;
		if (!numbering_counts(n, op))
			continue;
		c = comm_of(n, op);
		c->all++;
		c->first += at == 0;
		c->last += at == pauses;
		c->own_mark += (at + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
	}
}

/* What the rank at work tells of each communicator, once it is counted. */
static void note(struct numbering *n)
{
	uint32_t pauses = stretches_pauses(&n->stretches, n->rank), k;

	for (k = 0; k < n->t->n_comms; k++) {
		struct numbering_comm *c = &n->comm[k];

		if (c->visit != n->visit)
			continue;
		if (pauses) {
			c->other |= c->mark && c->mark != c->own_mark;
			c->mark = c->own_mark;
		} else if (n->t->ranks[n->rank].has_ended) {
			c->whole = 1;
			c->most = c->all > c->most ? c->all : c->most;
		} else {
			c->other = 1;
		}
	}
}

int numbering_init(struct numbering *n, const struct trace *t)
{
	*n = (struct numbering){.t = t};
	n->comm = calloc((size_t)t->n_comms + 1, sizeof(*n->comm));
	if (!n->comm || stretches_find(&n->stretches, t))
		return -1;
	for (uint32_t r = 0; r < t->n_ranks && stretches_any(&n->stretches, t); r++) {
		numbering_begin(n, r);
		if (!stretches_pauses(&n->stretches, r))
			count(n);
		note(n);
	}
	return 0;
}

void numbering_release(struct numbering *n)
{
	free(n->comm);
	stretches_release(&n->stretches);
}

void numbering_begin(struct numbering *n, uint32_t rank)
{
	n->rank = rank;
	n->visit++;
	if (stretches_pauses(&n->stretches, rank))
		count(n);
}

/* Of a rank that paused, its kth of a communicator whose members recorded different numbers. */
static uint64_t place(const struct numbering *n, const struct numbering_comm *c, uint64_t k)
{
	if (k < c->first)
		return k;
	if (k < c->all - c->last || !n->t->ranks[n->rank].has_ended)
		return NUMBERING_UNKNOWN;
	if (c->whole && c->most < c->all)
		return NUMBERING_UNKNOWN; /* who has all has less than that */
	return (c->whole ? c->most : FROM_THE_END) - c->all + k;
}

uint64_t numbering_next(struct numbering *n, const struct op *op)
{
	struct numbering_comm *c = comm_of(n, op);
	uint64_t k;

	c->next += op->skipped;
	k = c->next++;
	if (!stretches_pauses(&n->stretches, n->rank) || (c->whole ? c->all == c->most : !c->other))
		return k;
	return place(n, c, k);
}
