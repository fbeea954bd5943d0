/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/standing/stand_peers.h"

/*
 * Is it known who is in the communicator, and are all these ranks of the run? Whose message is on
 * its way already is not asked.
 */
static int is_known(const struct trace *t, const struct loose *row)
{
	const struct comm *c = row->comm < t->n_comms ? &t->comms[row->comm] : NULL;

	return !row->has_end && c && !c->inter && !c->outside && (c->size || c->alone);
}

int stand_peers_next(struct stand_peers *x, uint32_t *peer)
{
	const struct trace *t = x->s->t;
	const struct loose *row = x->row;
	const struct comm *c;
	uint32_t rank;

	if (row->peer != TRACE_NONE || !is_known(t, row)) {
		*peer = row->peer;
		return !x->next++;
	}
	c = &t->comms[row->comm];
	while (x->next < c->size) {
		rank = c->members[x->next++];
		if (rank == row->rank || (rank < t->n_ranks && t->ranks[rank].has_ended))
			continue;
		*peer = rank < t->n_ranks ? rank : TRACE_NONE;
		return 1;
	}
	return 0;
}
