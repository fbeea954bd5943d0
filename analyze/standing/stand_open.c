/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/standing/stand_open.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/machine/machine.h"
#include "analyze/standing/stand_sent.h"
#include "analyze/tools/growing.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

/* What every MPI sends at once whatever its receiver does, as long as there are few of these. */
#define SMALL_BYTES 1024
#define SMALL_MOST  64

struct open_search {
	struct stands *s;
	size_t loose;    /* the next row of loose ends */
	uint8_t *pauses; /* per rank: is something of it not recorded? */
	uint8_t *owed;   /* per rank: may a message be on its way to it that is not sent at once? */
	uint32_t *taken; /* per rank, the last one: anybody; 1 + the rank that has a row with it */
	int is_any_paused, is_any_owed; /* by or to nobody knows whom */
	struct channel_key *given; /* of the receives that the rank's call was given, in order */
	size_t n_given;
};

static void find_pauses(struct open_search *f)
{
	const struct trace *t = f->s->t;
	uint32_t r, i;

	for (r = 0; r < t->n_ranks; r++) {
		const struct rank *rank = &t->ranks[r];

		f->pauses[r] = rank->absent;
		for (i = rank->first_op; i < rank->first_op + rank->ops; i++)
			f->pauses[r] |= t->ops[i].kind == OP_PAUSE;
		f->is_any_paused |= f->pauses[r];
	}
}

/* What MPI_Start begins may be synchronous. */
static int is_small(const struct trace *t, const struct send *send)
{
	const struct region *r = &t->regions[t->calls[send->call].region];

	return send->bytes <= SMALL_BYTES &&
	       (r->kind == REGION_ISEND || r->kind == REGION_SENDRECV) &&
	       !machine_is_synchronous(r) && strncmp(r->name, "MPI_Start", 9) != 0;
}

static void find_owed(struct open_search *f)
{
	const struct trace *t = f->s->t;
	uint32_t r, i;

	for (r = 0; r < t->n_ranks; r++)
		for (i = t->ends.of[r].send; i < t->ends.of[r + 1].send; i++) {
			const struct send *send = &t->ends.sends[i];

			if (!send_is_open(t, send) || is_small(t, send))
				continue;
			if (send->dst == TRACE_NONE)
				f->is_any_owed = 1;
			else
				f->owed[send->dst] = 1;
		}
}

/* Is the rank that a send is for in a receive or probe that it fits? */
static int is_being_received(const struct stands *s, const struct loose *send)
{
	const struct stand *to;
	enum region_kind kind;

	if (send->peer == TRACE_NONE)
		return 0;
	to = &s->at[send->peer];
	kind = to->call == TRACE_NONE ? REGION_OTHER : trace_call_kind(s->t, to->call);
	return (kind == REGION_RECV || kind == REGION_PROBE || to->is_swap) &&
	       (to->is_any || (to->is_swap ? to->source : to->peer) == send->rank) &&
	       wanted_fits(wanted_by(to), send);
}

/* Receives from anybody may be of several communicators. */
static int add(struct open_search *f, struct loose row)
{
	struct loose_ends *l = &f->s->awaited;
	uint32_t *taken = &f->taken[row.peer == TRACE_NONE ? f->s->t->n_ranks : row.peer];
	int is_any = row.peer == TRACE_NONE && !row.has_end;

	if ((!is_any && *taken == row.rank + 1) || (row.is_send && is_being_received(f->s, &row)))
		return 0;
	if (!is_any)
		*taken = row.rank + 1;
	if (GROW(l->row, l->n, l->cap))
		return -1;
	l->row[l->n++] = row;
	return 0;
}

static int by_channel(const void *a, const void *b)
{
	return channel_key_order(a, b);
}

/* Returns 0, or -1: out of memory. */
static int find_given(struct open_search *f, uint32_t rank)
{
	const struct endpoints *e = &f->s->t->ends;
	uint32_t first = e->of[rank].recv, n = e->of[rank + 1].recv - first, i;

	f->n_given = 0;
	if (!f->s->at[rank].is_given)
		return 0;
	table_free(f->given);
	f->given = table_alloc((size_t)n + 1, sizeof(*f->given));
	if (!f->given)
		return -1;
	for (i = first; i < first + n; i++) {
		struct loose row = loose_receive(rank, &e->recvs[i]);

		if (e->recvs[i].given)
			f->given[f->n_given++] = (struct channel_key){row.comm, row.peer, row.tag};
	}
	sort(f->given, f->n_given, sizeof(*f->given), by_channel);
	return 0;
}

/*
 * May the rank's call have one of a loose row? Of sends not all that are loose may be waited for.
 */
static int may_be_given(const struct open_search *f, const struct loose *row)
{
	struct channel_key key = {row->comm, row->peer, row->tag};

	if (row->is_send)
		return row->peer == row->rank;
	return !f->s->at[row->rank].is_given ||
	       bsearch(&key, f->given, f->n_given, sizeof(key), by_channel) != NULL;
}

/* Receives, and sends to itself, that have no other end. Other sends may be small. */
static int add_loose(struct open_search *f, uint32_t rank)
{
	const struct loose_ends *l = &f->s->m->loose;

	while (f->loose < l->n && l->row[f->loose].rank < rank)
		f->loose++;
	for (; f->loose < l->n && l->row[f->loose].rank == rank; f->loose++) {
		const struct loose *row = &l->row[f->loose];

		if (row->open && may_be_given(f, row) && add(f, *row))
			return -1;
	}
	return 0;
}

static struct loose loose_send(uint32_t rank, const struct send *send)
{
	return (struct loose){.rank = rank,
			      .peer = send->dst,
			      .comm = send->comm,
			      .tag = send->tag,
			      .n = 1,
			      .open = 1,
			      .call = send->call,
			      .is_send = 1,
			      .has_end = 1};
}

static int add_sends(struct open_search *f, uint32_t rank)
{
	const struct trace *t = f->s->t;
	uint32_t small = 0, i;

	for (i = t->ends.of[rank].send; i < t->ends.of[rank + 1].send; i++) {
		const struct send *send = &t->ends.sends[i];

		if (send->done != TRACE_NONE || send->dst == rank ||
		    (f->s->at[rank].is_given && !send->given) ||
		    (is_small(t, send) && ++small <= SMALL_MOST))
			continue;
		if (add(f, loose_send(rank, send)))
			return -1;
	}
	return 0;
}

/* May the message of a receive that has one, or has one that is not recorded, be not yet there? */
static int may_be_on_its_way(const struct open_search *f, uint32_t rank, const struct recv *recv)
{
	return recv->comm == TRACE_NONE || f->owed[rank] || f->is_any_owed ||
	       (recv->src == TRACE_NONE ? f->is_any_paused : f->pauses[recv->src]);
}

/* Those that have an other end: others are among the loose ends. */
static int add_receives(struct open_search *f, uint32_t rank)
{
	const struct endpoints *e = &f->s->t->ends;
	uint32_t i;

	for (i = e->of[rank].recv; i < e->of[rank + 1].recv; i++) {
		const struct recv *recv = &e->recvs[i];
		struct loose row = loose_receive(rank, recv);

		if (recv->done != TRACE_NONE || recv->call == TRACE_NONE || recv->src == rank ||
		    (f->s->at[rank].is_given && !recv->given) || !may_be_on_its_way(f, rank, recv))
			continue;
		row.has_end = 1;
		if (add(f, row))
			return -1;
	}
	return 0;
}

/* Of one that paused not all is known that it waits for. */
static int add_unseen(struct open_search *f, uint32_t rank)
{
	struct loose row = {.rank = rank,
			    .peer = TRACE_NONE,
			    .comm = TRACE_NONE,
			    .open = 1,
			    .call = TRACE_NONE};

	return f->pauses[rank] && !f->s->at[rank].is_given ? add(f, row) : 0;
}

/*
 * What the rank's call is to receive without a request. What was sent is there, unless it is owed.
 */
static int add_awaited(struct open_search *f, uint32_t rank)
{
	const struct stand *at = &f->s->at[rank];
	struct loose row = {.rank = rank,
			    .peer = at->source,
			    .comm = at->comm,
			    .tag = at->tag < 0 ? -1 : (int32_t)at->tag,
			    .n = 1,
			    .open = 1,
			    .call = at->call};

	if (!at->is_any && at->source == TRACE_NONE)
		return 0;
	row.has_end = (at->is_any ? stand_sent_by_any(f->s, rank, wanted_by(at))
				  : stand_sent(f->s, at->source, rank, wanted_by(at))) != NULL;
	return !row.has_end || f->owed[rank] || f->is_any_owed ? add(f, row) : 0;
}

/* The send of the MPI_Sendrecv that it is in. */
static int add_swap(struct open_search *f, uint32_t rank)
{
	const struct trace *t = f->s->t;
	uint32_t i;

	for (i = t->ends.of[rank].send; i < t->ends.of[rank + 1].send; i++) {
		const struct send *send = &t->ends.sends[i];

		if (send->call == f->s->at[rank].call && send->dst != rank && !is_small(t, send) &&
		    add(f, loose_send(rank, send)))
			return -1;
	}
	return 0;
}

/* Of a call without requests. */
static int add_own(struct open_search *f, uint32_t rank)
{
	return add_awaited(f, rank) || (f->s->at[rank].is_swap && add_swap(f, rank)) ? -1 : 0;
}

int stand_open_find(struct stands *s, const uint8_t *is_in)
{
	uint32_t n = s->t->n_ranks, r;
	struct open_search f = {.s = s,
				.pauses = calloc((size_t)n + 1, 1),
				.owed = calloc((size_t)n + 1, 1),
				.taken = calloc((size_t)n + 1, sizeof(*f.taken))};
	int ret = f.pauses && f.owed && f.taken ? 0 : -1;

	if (!ret) {
		find_pauses(&f);
		find_owed(&f);
	}
	for (r = 0; !ret && r < n; r++) {
		if (is_in[r] && stand_is_own(&s->at[r]))
			ret = add_own(&f, r);
		else if (is_in[r] && (find_given(&f, r) || add_loose(&f, r) || add_sends(&f, r) ||
				      add_receives(&f, r) || add_unseen(&f, r)))
			ret = -1;
	}
	free(f.pauses);
	free(f.owed);
	free(f.taken);
	table_free(f.given);
	return ret;
}
