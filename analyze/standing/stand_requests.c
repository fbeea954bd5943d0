/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/standing/stand_requests.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/standing/stand_open.h"

/* The requests that a rank may wait for: rows of those awaited. */
struct range {
	const struct loose *row;
	uint32_t n;
};

struct search {
	struct stands *s;
	struct range
		*of; /* per rank; n is 0 where it is known for whom it waits, or that for nobody */
	uint32_t *link; /* per rank: one that it waits for, perhaps through others, or itself */
};

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

static void wait_with(struct search *x, uint32_t rank, const struct loose *request, int is_one_of)
{
	struct stand *at = &x->s->at[rank];

	at->peer = request->peer;
	at->tag = request->tag;
	at->request = request;
	at->is_one_of = is_one_of;
}

/* All its requests are with one rank: it waits for that. */
static void take_only_peer(struct search *x, uint32_t rank)
{
	struct range *of = &x->of[rank];
	const struct loose *found = NULL;
	uint32_t i;

	for (i = 0; i < of->n; i++) {
		if (of->row[i].peer == TRACE_NONE || (found && found->peer != of->row[i].peer))
			return;
		if (!found)
			found = &of->row[i];
	}
	if (found)
		wait_with(x, rank, found, 0);
	of->n = 0;
}

/* Returns 0, or -1: out of memory. */
static int find_ranges(struct search *x)
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

/*
 * Where the way from a rank ends: at one that waits for nobody or nobody knows whom, or a circle's.
 */
static uint32_t end_of(struct search *x, uint32_t rank)
{
	uint32_t end = rank, next;

	while (x->link[end] != end)
		end = x->link[end];
	for (; x->link[rank] != end; rank = next) {
		next = x->link[rank];
		x->link[rank] = end;
	}
	return end;
}

/* Link each rank with the one that it waits for, but of each circle the last one with itself. */
static void link_ranks(struct search *x)
{
	const struct stands *s = x->s;
	uint32_t r;

	for (r = 0; r < s->t->n_ranks; r++)
		x->link[r] = r;
	for (r = 0; r < s->t->n_ranks; r++)
		if (s->at[r].peer != TRACE_NONE && end_of(x, s->at[r].peer) != r)
			x->link[r] = s->at[r].peer;
}

/* Do all its requests lead to one end that is known? The first of them; NULL: not, or to itself. */
static const struct loose *with_one_end(struct search *x, uint32_t rank)
{
	const struct range *of = &x->of[rank];
	const struct loose *first = NULL;
	uint32_t end = TRACE_NONE, its, i;

	for (i = 0; i < of->n; i++) {
		const struct loose *row = &of->row[i];

		its = row->peer == TRACE_NONE ? TRACE_NONE : end_of(x, row->peer);
		if (its == TRACE_NONE || x->of[its].n || (first && its != end))
			return NULL;
		end = its;
		if (!first)
			first = row;
	}
	return first;
}

/* One that it waits for whatever else it waits for, and that leads to a known end or to itself. */
static const struct loose *one_of_all(struct search *x, uint32_t rank)
{
	const struct range *of = &x->of[rank];
	uint32_t i, its;

	for (i = 0; x->s->at[rank].is_of_all && i < of->n; i++) {
		const struct loose *row = &of->row[i];

		if (row->has_end || row->peer == TRACE_NONE)
			continue;
		its = end_of(x, row->peer);
		if (its == rank || !x->of[its].n)
			return row;
	}
	return NULL;
}

/* Do all lead to ranks of which it is not known where they lead? Then the first; else NULL. */
static const struct loose *without_end(struct search *x, uint32_t rank)
{
	const struct range *of = &x->of[rank];
	const struct loose *first = NULL;
	uint32_t i;

	for (i = 0; i < of->n; i++) {
		const struct loose *row = &of->row[i];

		if (row->peer == TRACE_NONE || !x->of[end_of(x, row->peer)].n)
			return NULL;
		if (!first)
			first = row;
	}
	return first;
}

/* Those whose requests are with several, until no more is found. */
static void follow(struct search *x)
{
	uint32_t r, found;

	do
		for (r = found = 0; r < x->s->t->n_ranks; r++) {
			const struct loose *request = with_one_end(x, r);

			if (!request)
				request = one_of_all(x, r);
			if (!request)
				continue;
			wait_with(x, r, request, 1);
			x->of[r].n = 0;
			x->link[r] = end_of(x, request->peer);
			found++;
		}
	while (found);
}

/* The others wait for each other, but those that may go on if one of another kind does. */
static void close_knots(struct search *x)
{
	uint32_t r, out;

	do
		for (r = out = 0; r < x->s->t->n_ranks; r++)
			if (x->of[r].n && !without_end(x, r)) {
				x->of[r].n = 0;
				out++;
			}
	while (out);
	for (r = 0; r < x->s->t->n_ranks; r++)
		if (x->of[r].n)
			wait_with(x, r, without_end(x, r), 1);
}

int stand_requests_find(struct stands *s)
{
	uint32_t n = s->t->n_ranks;
	struct search x = {.s = s,
			   .of = calloc((size_t)n + 1, sizeof(*x.of)),
			   .link = calloc((size_t)n + 1, sizeof(*x.link))};
	int ret = x.of && x.link ? find_ranges(&x) : -1;

	if (!ret) {
		link_ranks(&x);
		follow(&x);
		close_knots(&x);
	}
	free(x.of);
	free(x.link);
	return ret;
}
