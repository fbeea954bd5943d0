/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/standing/awaited.h"

#include <stdlib.h>

#include "analyze/standing/stands.h"
#include "analyze/tools/find_first.h"

/* The rank's loose sends to another with that tag, negative: any; NULL: it has none. */
static const struct loose *loose_send(const struct stands *s, uint32_t rank, uint32_t to,
				      long long tag)
{
	const struct loose_ends *l = &s->m->loose;
	size_t k = 0;

	FIND_FIRST(k, l->n, l->row[k].rank >= rank);
	for (; k < l->n && l->row[k].rank == rank; k++)
		if (l->row[k].is_send && l->row[k].peer == to && (tag < 0 || tag == l->row[k].tag))
			return &l->row[k];
	return NULL;
}

/* Is a rank in a call that takes what another sent with that tag? */
static int takes(const struct stands *s, uint32_t rank, uint32_t from, long long tag)
{
	const struct stand *at = &s->at[rank];
	enum region_kind kind =
		at->call == TRACE_NONE ? REGION_OTHER : trace_call_kind(s->t, at->call);

	return (kind == REGION_RECV || kind == REGION_PROBE || kind == REGION_SENDRECV) &&
	       (at->is_any || at->peer == TRACE_NONE || at->peer == from) &&
	       (at->tag < 0 || at->tag == tag);
}

/* Does the record of whom it waits for lack the other end of its message? */
static int lacks_other_end(const struct stands *s, uint32_t rank)
{
	const struct stand *at = &s->at[rank];

	switch (trace_call_kind(s->t, at->call)) {
	case REGION_RECV:
	case REGION_PROBE:
		return !loose_send(s, at->peer, rank, at->tag);
	case REGION_SEND:
	case REGION_SSEND:
		return loose_send(s, rank, at->peer, at->tag) && !takes(s, at->peer, rank, at->tag);
	case REGION_WAIT:
	case REGION_WAITALL:
		return at->request && !at->request->has_end;
	default:
		return 0;
	}
}

static int is_certain(const struct stands *s, uint32_t rank)
{
	const struct stand *at = &s->at[rank];

	return *at->inside && at->call != TRACE_NONE && at->peer != TRACE_NONE && !at->is_any &&
	       !at->is_divided && (!at->is_one_of || at->is_of_all) &&
	       trace_is_open(s->t, at->call) && !trace_is_unseen_at_times(s->t, rank) &&
	       !trace_is_unseen_at_times(s->t, at->peer) && lacks_other_end(s, rank);
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

	if (met && !stands_init(&s, r, t, m, c)) {
		for (uint32_t k = 0; k < t->n_ranks; k++)
			if (is_certain(&s, k)) {
				t->ranks[k].awaits = s.at[k].peer + 1;
				t->ranks[k].awaits_in = s.at[k].call;
			}
		mark_circles(t, met);
		stands_release(&s);
	}
	free(met);
}
