/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/standing/stand_ways.h"

#include "analyze/standing/stand_peers.h"

void ways_take(struct ways *x, uint32_t rank, struct way way, int is_one_of)
{
	struct stand *at = &x->s->at[rank];

	at->peer = way.peer;
	at->tag = way.request->tag;
	at->request = way.request;
	at->is_one_of = is_one_of;
}

/*
 * Where the way from a rank ends: at one that waits for nobody or nobody knows whom, or a circle's.
 */
static uint32_t end_of(struct ways *x, uint32_t rank)
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
static void link_ranks(struct ways *x)
{
	const struct stands *s = x->s;
	uint32_t r;

	for (r = 0; r < s->t->n_ranks; r++)
		x->link[r] = r;
	for (r = 0; r < s->t->n_ranks; r++)
		if (s->at[r].peer != TRACE_NONE && end_of(x, s->at[r].peer) != r)
			x->link[r] = s->at[r].peer;
}

/* Ranks that wait for each other go on for nobody. */
static int is_circle(const struct ways *x, uint32_t end)
{
	return x->s->at[end].peer != TRACE_NONE;
}

/* Where the ways of requests lead. */
struct ends {
	struct way first; /* of those that lead to the end, or if all do so of those to circles */
	uint32_t end;     /* TRACE_NONE: only to circles, as far as they were asked */
};

/*
 * Where the ways of one more request lead, but for those to circles if another way would do: nobody
 * comes back from there. Returns whether all lead to one end that is known.
 */
static int lead_to_one(struct ways *x, const struct loose *row, struct ends *all)
{
	struct stand_peers peers = stand_peers_of(x->s, row);
	int is_any = row->peer == TRACE_NONE;
	uint32_t peer, its;

	while (stand_peers_next(&peers, &peer)) {
		its = peer == TRACE_NONE ? TRACE_NONE : end_of(x, peer);
		if (its == TRACE_NONE || x->of[its].n)
			return 0;
		if (is_any && is_circle(x, its)) {
			if (!all->first.request)
				all->first = (struct way){row, peer};
			continue;
		}
		if (all->end != TRACE_NONE && all->end != its)
			return 0;
		if (all->end == TRACE_NONE)
			all->first = (struct way){row, peer};
		all->end = its;
	}
	return 1;
}

/* Do all its requests lead to one end that is known? The first of them; none: not, or to itself. */
static struct way with_one_end(struct ways *x, uint32_t rank)
{
	const struct range *of = &x->of[rank];
	struct ends all = {{NULL, TRACE_NONE}, TRACE_NONE};
	uint32_t i;

	for (i = 0; i < of->n; i++)
		if (!lead_to_one(x, &of->row[i], &all))
			return (struct way){NULL, TRACE_NONE};
	return all.first;
}

/* One that it waits for whatever else it waits for, and that leads to a known end or to itself. */
static struct way one_of_all(struct ways *x, uint32_t rank)
{
	const struct range *of = &x->of[rank];
	uint32_t i, its;

	for (i = 0; x->s->at[rank].is_of_all && i < of->n; i++) {
		const struct loose *row = &of->row[i];
		struct ends all = {{NULL, TRACE_NONE}, TRACE_NONE};

		if (row->has_end)
			continue;
		its = row->peer == TRACE_NONE ? TRACE_NONE : end_of(x, row->peer);
		if (its == rank)
			return (struct way){row, row->peer};
		if (lead_to_one(x, row, &all) && all.first.request)
			return all.first;
	}
	return (struct way){NULL, TRACE_NONE};
}

/*
 * Do all of a request's ways lead to ranks of which it is not known where they lead, or to circles?
 * Then the first of those; none: they do not.
 */
static struct way without_end(struct ways *x, const struct loose *row)
{
	struct stand_peers peers = stand_peers_of(x->s, row);
	struct way first = {NULL, TRACE_NONE};
	uint32_t peer;
	int is_open = 0;

	while (stand_peers_next(&peers, &peer)) {
		uint32_t its = peer == TRACE_NONE ? TRACE_NONE : end_of(x, peer);
		int goes_on = its != TRACE_NONE && x->of[its].n;

		if (its == TRACE_NONE || (!goes_on && !is_circle(x, its)))
			return (struct way){NULL, TRACE_NONE};
		if (!first.request || (goes_on && !is_open))
			first = (struct way){row, peer};
		is_open |= goes_on;
	}
	return first;
}

/* The first way of a rank that is in such a knot: with all its requests, or one that it needs. */
static struct way in_knot(struct ways *x, uint32_t rank)
{
	const struct range *of = &x->of[rank];
	int is_of_all = x->s->at[rank].is_of_all;
	struct way first = {NULL, TRACE_NONE}, way;
	uint32_t i;

	for (i = 0; i < of->n; i++) {
		way = without_end(x, &of->row[i]);
		if (is_of_all && way.request && !of->row[i].has_end)
			return way;
		if (!is_of_all && !way.request)
			return way;
		if (!first.request)
			first = way;
	}
	return is_of_all ? (struct way){NULL, TRACE_NONE} : first;
}

/* Is it known that any of its requests would do? */
static int is_for_any(const struct ways *x, uint32_t rank)
{
	return x->s->at[rank].is_given && !x->s->at[rank].is_of_all;
}

static void follow(struct ways *x, uint32_t rank, struct way way)
{
	ways_take(x, rank, way, 1);
	x->of[rank].n = 0;
	x->link[rank] = end_of(x, way.peer);
}

/* Those that wait for all of their requests, or it is not known for which. Returns how many. */
static uint32_t follow_all(struct ways *x)
{
	uint32_t r, found = 0;

	for (r = 0; r < x->s->t->n_ranks; r++) {
		struct way way = {NULL, TRACE_NONE};

		if (!x->of[r].n || is_for_any(x, r))
			continue;
		way = one_of_all(x, r);
		if (!way.request)
			way = with_one_end(x, r);
		if (!way.request)
			continue;
		follow(x, r, way);
		found++;
	}
	return found;
}

#define SEVERAL (TRACE_NONE - 1)

/* Two ends, either perhaps TRACE_NONE: none so far. */
static uint32_t joined(uint32_t one, uint32_t two)
{
	if (one == TRACE_NONE || one == two)
		return two;
	return two == TRACE_NONE ? one : SEVERAL;
}

/* The end of a way, for all that is known so far. */
static uint32_t end_by(struct ways *x, uint32_t peer)
{
	uint32_t end = peer == TRACE_NONE ? TRACE_NONE : end_of(x, peer);

	if (end == TRACE_NONE)
		return SEVERAL;
	if (x->of[end].n)
		return x->end[end];
	return is_circle(x, end) ? TRACE_NONE : end;
}

static uint32_t end_of_all(struct ways *x, uint32_t rank)
{
	const struct range *of = &x->of[rank];
	uint32_t end = x->end[rank], i, peer;

	for (i = 0; i < of->n && end != SEVERAL; i++) {
		struct stand_peers peers = stand_peers_of(x->s, &of->row[i]);

		while (end != SEVERAL && stand_peers_next(&peers, &peer))
			end = joined(end, end_by(x, peer));
	}
	return end;
}

/*
 * Of those that wait for any of their requests: the one end of all their ways, also of those that
 * lead through each other; TRACE_NONE: they lead to none.
 */
static void find_ends(struct ways *x)
{
	uint32_t r, end, changed;

	for (r = 0; r < x->s->t->n_ranks; r++)
		x->end[r] = is_for_any(x, r) ? TRACE_NONE : SEVERAL;
	do
		for (r = changed = 0; r < x->s->t->n_ranks; r++) {
			if (!x->of[r].n || x->end[r] == SEVERAL)
				continue;
			end = end_of_all(x, r);
			changed += end != x->end[r];
			x->end[r] = end;
		}
	while (changed);
}

/* The rank's way that is with its end itself, or the first that is known to lead there. */
static struct way known_way(struct ways *x, uint32_t rank)
{
	const struct range *of = &x->of[rank];
	struct way first = {NULL, TRACE_NONE};
	uint32_t i, peer;

	for (i = 0; i < of->n; i++) {
		struct stand_peers peers = stand_peers_of(x->s, &of->row[i]);

		while (stand_peers_next(&peers, &peer)) {
			if (peer == x->end[rank])
				return (struct way){&of->row[i], peer};
			if (!first.request && end_of(x, peer) == x->end[rank])
				first = (struct way){&of->row[i], peer};
		}
	}
	return first;
}

/* Those that wait for any of their requests, the nearest to their end first. Returns how many. */
static uint32_t follow_any(struct ways *x)
{
	uint32_t r, found, all = 0;

	find_ends(x);
	do {
		for (r = found = 0; r < x->s->t->n_ranks; r++) {
			struct way way = {NULL, TRACE_NONE};

			if (x->of[r].n && x->end[r] < SEVERAL)
				way = known_way(x, r);
			if (!way.request)
				continue;
			follow(x, r, way);
			found++;
		}
		all += found;
	} while (found);
	return all;
}

/* The others wait for each other, but those that may go on if one of another kind does. */
static void close_knots(struct ways *x)
{
	uint32_t r, out;

	do
		for (r = out = 0; r < x->s->t->n_ranks; r++)
			if (x->of[r].n && !in_knot(x, r).request) {
				x->of[r].n = 0;
				out++;
			}
	while (out);
	for (r = 0; r < x->s->t->n_ranks; r++)
		if (x->of[r].n)
			ways_take(x, r, in_knot(x, r), 1);
}

void ways_follow(struct ways *x)
{
	link_ranks(x);
	while (follow_all(x) + follow_any(x))
		;
	close_knots(x);
}
