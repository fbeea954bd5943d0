/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/standing/awaited.h"

#include <stdlib.h>

#include "analyze/standing/stand_peers.h"
#include "analyze/standing/stand_sent.h"
#include "analyze/standing/stands.h"

struct awaited {
	const struct stands *s;
	uint8_t *is_marked; /* per rank: it waits for its stand's peer */
};

/* Is a rank in a call that takes what another sent? */
static int takes(const struct stands *s, uint32_t rank, const struct loose *send)
{
	const struct stand *at = &s->at[rank];
	enum region_kind kind =
		at->call == TRACE_NONE ? REGION_OTHER : trace_call_kind(s->t, at->call);
	uint32_t from = kind == REGION_SENDRECV ? at->source : at->peer;

	if (kind == REGION_SENDRECV && !at->is_swap)
		return 1; /* for all that is known */
	return (kind == REGION_RECV || kind == REGION_PROBE || kind == REGION_SENDRECV) &&
	       (at->is_any || from == send->rank) && wanted_fits(wanted_by(at), send);
}

/* Has a rank sent what nobody takes? */
static int is_untaken(const struct stands *s, uint32_t rank, uint32_t to, struct wanted wanted)
{
	const struct loose *send = stand_sent(s, rank, to, wanted);

	return send && !takes(s, to, send);
}

/* Does the record of whom it waits for lack the other end of its message? */
static int lacks_other_end(const struct stands *s, uint32_t rank)
{
	const struct stand *at = &s->at[rank];
	const struct loose *row = at->request;

	switch (trace_call_kind(s->t, at->call)) {
	case REGION_RECV:
	case REGION_PROBE:
		return row ? !row->has_end : !stand_sent(s, at->peer, rank, wanted_by(at));
	case REGION_SEND:
	case REGION_SSEND:
		return is_untaken(s, rank, at->peer, wanted_by(at));
	case REGION_SENDRECV:
		return row && (!row->has_end || (row->is_send && at->n_requests == 1 &&
						 is_untaken(s, rank, row->peer,
							    (struct wanted){row->tag, row->comm})));
	case REGION_WAIT:
	case REGION_WAITALL:
	case REGION_WAITSOME:
		return row && !row->has_end;
	case REGION_FINALIZE:
		return 1;
	default:
		return 0;
	}
}

/* Was it ended in a call for one rank, and is the record of both whole? */
static int is_known(const struct stands *s, uint32_t rank)
{
	const struct stand *at = &s->at[rank];

	return *at->inside && at->call != TRACE_NONE && at->peer != TRACE_NONE && !at->is_divided &&
	       (!at->is_one_of || at->is_given) && trace_is_open(s->t, at->call) &&
	       !trace_is_unseen_at_times(s->t, rank) && !trace_is_unseen_at_times(s->t, at->peer);
}

static int is_sending(const struct stands *s, uint32_t rank)
{
	enum region_kind kind = trace_call_kind(s->t, s->at[rank].call);

	return kind == REGION_SEND || kind == REGION_SSEND;
}

/*
 * Does it send to one that waits in a send for certain? A receive from any rank that this one had
 * begun before may be for its message or for another's: if for its own, the message would be there,
 * as that one is in MPI.
 */
static int is_held(const struct awaited *x, uint32_t rank)
{
	return is_known(x->s, rank) && is_sending(x->s, rank) && !x->s->at[rank].is_one_of &&
	       x->is_marked[x->s->at[rank].peer] && is_sending(x->s, x->s->at[rank].peer);
}

/* Where a rank's way ends: at one that is not known to wait, or in a circle. */
static uint32_t end_of(const struct awaited *x, uint32_t rank)
{
	uint32_t steps;

	for (steps = 0; x->is_marked[rank] && steps < x->s->t->n_ranks; steps++)
		rank = x->s->at[rank].peer;
	return rank;
}

/* Does each other rank that a request is with wait for certain, or is it the end itself? */
static int is_sure(const struct awaited *x, const struct loose *row, uint32_t end)
{
	struct stand_peers peers = stand_peers_of(x->s, row);
	uint32_t peer;

	while (stand_peers_next(&peers, &peer))
		if (peer == TRACE_NONE || trace_is_unseen_at_times(x->s->t, peer) ||
		    (peer != end && !x->is_marked[peer]))
			return 0;
	return !row->has_end;
}

/* If it waits for one of several: do all lead there? */
static int is_sure_of_all(const struct awaited *x, uint32_t rank)
{
	const struct stand *at = &x->s->at[rank];
	uint32_t end = end_of(x, rank), i;

	if (!at->is_one_of || (at->is_of_all && at->request->peer != TRACE_NONE))
		return 1;
	if (at->is_of_all)
		return is_sure(x, at->request, end);
	for (i = 0; i < at->n_requests; i++)
		if (!is_sure(x, &at->requests[i], end))
			return 0;
	return 1;
}

/* Those that wait for certain: some of them only if others do. */
static void mark_certain(struct awaited *x)
{
	uint32_t n = x->s->t->n_ranks, r, out, in;

	for (r = 0; r < n; r++)
		x->is_marked[r] = (uint8_t)(is_known(x->s, r) && lacks_other_end(x->s, r));
	do
		for (r = out = 0; r < n; r++)
			if (x->is_marked[r] && !is_sure_of_all(x, r)) {
				x->is_marked[r] = 0;
				out++;
			}
	while (out);
	do
		for (r = in = 0; r < n; r++)
			if (!x->is_marked[r] && is_held(x, r)) {
				x->is_marked[r] = 1;
				in++;
			}
	while (in);
}

/* Those that await each other: from each rank on until one was met before, on this way or not. */
static void mark_circles(struct trace *t, uint32_t *met)
{
	for (uint32_t r = 0; r < t->n_ranks; r++) {
		uint32_t at = r;

		while (!met[at] && t->ranks[at].awaits) {
			met[at] = r + 1;
			at = t->ranks[at].awaits - 1;
		}
		if (met[at] != r + 1)
			continue;
		for (; !t->ranks[at].is_in_circle; at = t->ranks[at].awaits - 1)
			t->ranks[at].is_in_circle = 1;
	}
}

void awaited_mark(const struct run *r, struct trace *t, const struct messages *m,
		  const struct collectives *c)
{
	uint32_t *met = calloc((size_t)t->n_ranks + 1, sizeof(*met));
	struct stands s;
	struct awaited x = {&s, calloc((size_t)t->n_ranks + 1, 1)};

	if (met && x.is_marked && !stands_init(&s, r, t, m, c)) {
		mark_certain(&x);
		for (uint32_t k = 0; k < t->n_ranks; k++)
			if (x.is_marked[k]) {
				t->ranks[k].awaits = s.at[k].peer + 1;
				t->ranks[k].awaits_in = s.at[k].call;
			}
		mark_circles(t, met);
		stands_release(&s);
	}
	free(x.is_marked);
	free(met);
}
