/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/standing/stand_requests.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/standing/stand_open.h"
#include "analyze/standing/stand_peers.h"
#include "analyze/standing/stand_ways.h"

/* Of the requests of messages that it has open: how many was its call given? */
static uint32_t given_of_messages(const struct trace *t, uint32_t rank)
{
	const struct endpoints *e = &t->ends;
	uint32_t given = 0, i;

	for (i = e->of[rank].send; i < e->of[rank + 1].send; i++)
		given += e->sends[i].given;
	for (i = e->of[rank].recv; i < e->of[rank + 1].recv; i++)
		given += e->recvs[i].given;
	return given;
}

/* Of a rank with several threads that wait it is not known whose they are. */
static void find_given(struct stand *at, const struct trace *t, uint32_t rank)
{
	const struct rank *r = &t->ranks[rank];

	at->is_given = r->given && !r->is_threaded;
	at->is_of_all = at->is_given && trace_call_kind(t, at->call) == REGION_WAITALL;
}

/* May it have requests open of which it is not known for whom they wait, or nothing at all? */
static int has_other_requests(const struct stands *s, uint32_t rank)
{
	const struct trace *t = s->t;
	const struct rank *r = &t->ranks[rank];
	int64_t collectives = 0;
	uint32_t i;

	if (s->at[rank].is_of_all)
		return 0;
	if (s->at[rank].is_given && given_of_messages(t, rank) < r->given)
		return 1;
	for (i = r->first_op; i < r->first_op + r->ops; i++)
		collectives += (t->ops[i].kind == OP_NBC_POST) - (t->ops[i].kind == OP_NBC_DONE);
	if (!s->at[rank].is_given && (collectives || r->aside))
		return 1;
	for (i = r->first_call; i < r->first_call + r->calls; i++)
		if (!strcmp(t->regions[t->calls[i].region].name, "MPI_Grequest_start"))
			return 1;
	return 0;
}

/*
 * Does it stand where requests are waited for, and none but of messages? Windows have no requests.
 */
static int is_for_requests(struct stands *s, uint32_t rank)
{
	struct stand *at = &s->at[rank];

	if (at->call == TRACE_NONE || at->is_divided || !stand_is_in_mpi(at) ||
	    !strncmp(s->t->regions[s->t->calls[at->call].region].name, "MPI_Win_", 8))
		return 0;
	if (stand_is_own(at)) {
		at->is_given = !s->t->ranks[rank].is_threaded;
		at->is_of_all = at->is_swap;
		return at->is_given;
	}
	switch (trace_call_kind(s->t, at->call)) {
	case REGION_WAIT:
	case REGION_WAITALL:
	case REGION_WAITSOME:
		find_given(at, s->t, rank);
		return !has_other_requests(s, rank);
	case REGION_TEST:
		return at->is_polling && !has_other_requests(s, rank);
	default:
		return 0;
	}
}

/* All its requests are with one rank: it waits for that; or with none that is left. */
static void take_only_peer(struct ways *x, uint32_t rank)
{
	struct range *of = &x->of[rank];
	struct way found = {NULL, TRACE_NONE};
	uint32_t i, peer;

	for (i = 0; i < of->n; i++) {
		struct stand_peers peers = stand_peers_of(x->s, &of->row[i]);

		while (stand_peers_next(&peers, &peer)) {
			if (peer == TRACE_NONE || (found.request && found.peer != peer))
				return;
			if (!found.request)
				found = (struct way){&of->row[i], peer};
		}
	}
	if (found.request)
		ways_take(x, rank, found, 0);
	of->n = 0;
}

/* Returns 0, or -1: out of memory. */
static int find_ranges(struct ways *x)
{
	const struct loose_ends *l = &x->s->awaited;
	uint32_t n = x->s->t->n_ranks, r;
	uint8_t *is_in = calloc((size_t)n + 1, 1);
	size_t i = 0;
	int is_any_in = 0, ret;

	for (r = 0; is_in && r < n; r++)
		is_any_in |= is_in[r] = (uint8_t)is_for_requests(x->s, r);
	ret = !is_in ? -1 : is_any_in ? stand_open_find(x->s, is_in) : 0;
	free(is_in);
	if (ret)
		return -1;
	for (r = 0; r < n; r++) {
		x->of[r].row = l->row + i;
		while (i < l->n && l->row[i].rank == r)
			i++;
		x->of[r].n = (uint32_t)(l->row + i - x->of[r].row);
		x->s->at[r].requests = x->of[r].row;
		x->s->at[r].n_requests = x->s->at[r].is_given ? x->of[r].n : 0;
	}
	for (r = 0; r < n; r++)
		take_only_peer(x, r);
	return 0;
}

int stand_requests_find(struct stands *s)
{
	uint32_t n = s->t->n_ranks;
	struct ways x = {.s = s,
			 .of = calloc((size_t)n + 1, sizeof(*x.of)),
			 .link = calloc((size_t)n + 1, sizeof(*x.link)),
			 .end = calloc((size_t)n + 1, sizeof(*x.end))};
	int ret = x.of && x.link && x.end ? find_ranges(&x) : -1;

	if (!ret)
		ways_follow(&x);
	free(x.of);
	free(x.link);
	free(x.end);
	return ret;
}
