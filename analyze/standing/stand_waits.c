/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/standing/stand_waits.h"

#include <stdlib.h>

#include "analyze/hotspots/rules.h"
#include "analyze/reader/regions.h"
#include "analyze/standing/stand_left.h"
#include "analyze/standing/stand_peers.h"
#include "analyze/standing/stand_places.h"
#include "analyze/standing/stand_tags.h"
#include "common/table.h"

#define CIRCLE_MOST 6 /* ranks of a circle that are all named */

struct waits {
	const struct stands *s;
	uint32_t *end;     /* on the way of each rank, from one that is waited for to the next */
	uint32_t *waiting; /* how many ways end at each rank; or 1 for those in circles */
};

/* Of a collective the first call, and the first of another function; TRACE_NONE: there is none. */
struct callers {
	uint32_t first, other;
};

/* Is it in a call of that kind? */
static int is_in(const struct stands *s, uint32_t rank, enum region_kind kind)
{
	const struct stand *at = &s->at[rank];

	return *at->inside && at->call != TRACE_NONE && trace_call_kind(s->t, at->call) == kind;
}

/* Its own call, if that is one; what it waits for has no tag then. */
static int is_in_collective(const struct stands *s, uint32_t rank)
{
	return is_in(s, rank, REGION_COLLECTIVE);
}

#define OTHERS_MOST 3 /* ranks that are all named */

/* Is it one of those that are named as others? */
static int is_other(const struct stand *at, const struct loose *row)
{
	return row != at->request && !(at->is_of_all && row->has_end);
}

/*
 * "; and for ranks 4, 7" that it waits for as well, "; or for rank 4" that it may wait for instead.
 */
static void add_others(struct wording *w, const struct stand *at)
{
	uint32_t n = 0, others = 0, i;

	for (i = 0; i < at->n_requests; i++)
		others += is_other(at, &at->requests[i]);
	if (!others)
		return;
	wording_add(w, "; %s for ", at->is_of_all ? "and" : "or");
	for (i = 0; i < at->n_requests && n < OTHERS_MOST; i++) {
		const struct loose *row = &at->requests[i];

		if (!is_other(at, row))
			continue;
		if (row->peer == TRACE_NONE)
			wording_add(w, "%sany rank", n ? ", " : "");
		else
			wording_add(w, "%srank %u", n ? ", " : "", row->peer);
		n++;
	}
	if (others > n)
		wording_add(w, " and %u more", others - n);
}

/* " (tag 7, MPI_Irecv at halo.c:31)" of the request that it waits with, and its other ones */
static void add_request(struct wording *w, const struct stands *s, const struct stand *at)
{
	char begun[200];

	wording_add(w, at->tag < 0 ? " (" : " (tag %lld, ", at->tag);
	wording_add(w, "%s%s", rule_place(s->t, at->request->call, sizeof(begun), begun),
		    at->request->peer == TRACE_NONE ? " of any rank" : "");
	if (at->is_one_of)
		add_others(w, at);
	wording_add(w, ")%s", at->is_one_of && !at->is_given ? " or others" : "");
}

/* " (tag 7)", " (tag 7, of any rank)", " to receive (tag 7)" */
static void add_message(struct wording *w, const struct stand *at)
{
	const char *any = at->request && at->request->peer == TRACE_NONE ? "of any rank" : "";

	if (at->request && at->request->is_send)
		wording_add(w, " to receive");
	if (at->tag >= 0)
		wording_add(w, " (tag %lld%s%s)", at->tag, *any ? ", " : "", any);
	else if (*any)
		wording_add(w, " (%s)", any);
}

/* Could another one end the request as well? */
static int is_of_several(const struct stands *s, const struct loose *request)
{
	struct stand_peers peers = stand_peers_of(s, request);
	uint32_t peer;

	return stand_peers_next(&peers, &peer) && stand_peers_next(&peers, &peer);
}

/* "rank 3 VERB for rank 5 (tag 7)", "rank 3 VERB for rank 5 to come to MPI_Barrier" */
static void add_wait(struct wording *w, const struct stands *s, uint32_t rank, const char *verb)
{
	const struct stand *at = &s->at[rank];

	wording_add(w, "rank %u%s for rank %u", rank, verb, at->peer);
	if (at->request && is_of_several(s, at->request))
		wording_add(w, " or another");
	if (at->request && at->request->call != at->call)
		add_request(w, s, at);
	else if (is_in_collective(s, rank) || is_in(s, rank, REGION_FINALIZE))
		wording_add(w, " to come to %s", at->inside);
	else
		add_message(w, at);
}

/*
 * Each way's end, or one of the circle that it leads into: who is met after at least as many steps.
 */
static void find_ends(struct waits *x)
{
	uint32_t r, steps, n = x->s->t->n_ranks;

	for (r = 0; r < n; r++)
		x->end[r] = x->s->at[r].peer == TRACE_NONE ? r : x->s->at[r].peer;
	for (steps = 1; steps < n; steps *= 2)
		for (r = 0; r < n; r++)
			x->end[r] = x->end[x->end[r]];
}

/* A circle of which rank is one. */
static void add_circle(struct wording *w, const struct stands *s, uint32_t rank)
{
	uint32_t n = 0, r = rank, least = rank, i;

	do {
		r = s->at[r].peer;
		least = r < least ? r : least;
		n++;
	} while (r != rank);
	if (n == 1)
		wording_add(w, "\nrank %u waits for itself", least);
	else
		wording_add(w, "\n%u ranks wait for each other in a circle: ", n);
	for (i = 0, r = least; n > 1 && i < n && i < CIRCLE_MOST; i++, r = s->at[r].peer) {
		wording_add(w, "%s", i ? ", " : "");
		add_wait(w, s, r, "");
	}
	if (n > CIRCLE_MOST)
		wording_add(w, ", and so on to rank %u", least);
}

/* Of those that wait for rank themselves one, if there is such with a request. */
static uint32_t an_example(const struct stands *s, uint32_t rank, uint32_t *direct)
{
	uint32_t r, found = TRACE_NONE;

	for (r = *direct = 0; r < s->t->n_ranks; r++) {
		if (s->at[r].peer != rank)
			continue;
		if (found == TRACE_NONE || (s->at[r].request && !s->at[found].request))
			found = r;
		++*direct;
	}
	return found;
}

/* Whom most wait for, if anybody does. */
static void add_most(struct wording *w, const struct waits *x)
{
	const struct stands *s = x->s;
	uint32_t r, most = 0, direct, waiting, example;
	char where[STAND_PLACE_ROOM];

	for (r = 0; r < s->t->n_ranks; r++)
		if (x->waiting[r] > x->waiting[most])
			most = r;
	waiting = x->waiting[most];
	if (!waiting)
		return;
	example = an_example(s, most, &direct);
	wording_add(w, "\n");
	if (waiting == 1)
		add_wait(w, s, example, " waits");
	else
		wording_add(w, "%u ranks wait for rank %u%s", waiting, most,
			    direct < waiting ? ", directly or through others" : "");
	if (s->at[most].is_unseen)
		wording_add(w, ", of which nothing is recorded then");
	else
		wording_add(w, ", which was in %s", stand_place(s, most, sizeof(where), where));
	if (waiting == 1 || !s->at[example].request)
		return;
	wording_add(w, "\none of them waits so: ");
	add_wait(w, s, example, "");
}

/* The circles: the first by its ranks, the others by how many. Returns how many. */
static uint32_t add_circles(struct wording *w, struct waits *x)
{
	const struct stand *at = x->s->at;
	uint32_t circles = 0, ranks = 0, r, next;

	for (r = 0; r < x->s->t->n_ranks; r++) {
		uint32_t end = x->end[r];

		if (at[end].peer == TRACE_NONE || x->waiting[end])
			continue;
		if (!circles++)
			add_circle(w, x->s, end);
		for (next = end; !x->waiting[next]; next = at[next].peer) {
			x->waiting[next] = 1;
			ranks += circles > 1;
		}
	}
	if (circles > 1)
		wording_add(w, "\nand %u more circle%s, of %u rank%s in all", circles - 1,
			    circles == 2 ? "" : "s", ranks, ranks == 1 ? "" : "s");
	return circles;
}

/* Those that wait for circles. */
static void add_behind(struct wording *w, const struct waits *x)
{
	uint32_t n = 0, r;

	for (r = 0; r < x->s->t->n_ranks; r++)
		n += x->s->at[r].peer != TRACE_NONE && x->s->at[x->end[r]].peer != TRACE_NONE &&
		     !x->waiting[r];
	if (n)
		wording_add(w, "\n%u more rank%s for one of these, directly or through others", n,
			    n == 1 ? " waits" : "s wait");
}

static void add_whom(struct wording *w, struct waits *x)
{
	uint32_t r;

	find_ends(x);
	if (add_circles(w, x)) {
		add_behind(w, x);
		return;
	}
	for (r = 0; r < x->s->t->n_ranks; r++)
		x->waiting[x->end[r]] += x->end[r] != r;
	add_most(w, x);
}

static int is_of_one_function(const struct trace *t, uint32_t a, uint32_t b)
{
	uint32_t one = t->calls[a].region, two = t->calls[b].region;

	return one == two || region_is_same(t->regions[one].name, t->regions[two].name);
}

/* Of each collective its calls; NULL: out of memory. */
static struct callers *find_callers(const struct stands *s)
{
	const struct trace *t = s->t;
	struct callers *of = table_alloc((size_t)s->c->n + 1, sizeof(*of));
	uint32_t i;

	for (i = 0; of && i < s->c->n; i++)
		of[i] = (struct callers){TRACE_NONE, TRACE_NONE};
	for (i = 0; of && i < t->n_calls; i++) {
		uint32_t k = call_collective(&t->calls[i]);

		if (k >= s->c->n)
			continue;
		if (of[k].first == TRACE_NONE)
			of[k].first = i;
		else if (of[k].other == TRACE_NONE && !is_of_one_function(t, of[k].first, i))
			of[k].other = i;
	}
	return of;
}

/* Of those that are in a collective of two functions the first rank, and one in the other. */
static void add_first_mixed_up(struct wording *w, const struct stands *s, const struct callers *of)
{
	const struct trace *t = s->t;
	uint32_t r, k, other;
	char one[200], two[200];

	for (r = 0; r < t->n_ranks; r++) {
		if (!is_in_collective(s, r))
			continue;
		k = call_collective(&t->calls[s->at[r].call]);
		if (k >= s->c->n || of[k].other == TRACE_NONE)
			continue;
		other = is_of_one_function(t, s->at[r].call, of[k].first) ? of[k].other
									  : of[k].first;
		wording_add(w,
			    "\nrank %u was in %s where rank %u called %s: of one communicator all "
			    "ranks have to call the same collectives in the same order",
			    r, rule_place(t, s->at[r].call, sizeof(one), one), t->calls[other].rank,
			    rule_place(t, other, sizeof(two), two));
		return;
	}
}

/*
 * Are two ranks in different functions where their communicator has one collective? Counted from
 * its beginning, so not where a rank's recording left any out.
 */
static void add_mixed_up(struct wording *w, const struct stands *s)
{
	struct callers *of;
	uint32_t r, in_collectives = 0;

	for (r = 0; r < s->t->n_ranks; r++) {
		if (trace_is_unseen_after(s->t, r, 0))
			return;
		in_collectives += is_in_collective(s, r);
	}
	of = in_collectives ? find_callers(s) : NULL;
	if (of)
		add_first_mixed_up(w, s, of);
	table_free(of);
}

void stand_waits_add(struct wording *w, const struct stands *s)
{
	uint32_t n = s->t->n_ranks;
	struct waits x = {.s = s, .end = calloc(2 * (size_t)n + 1, sizeof(*x.end))};

	if (!x.end)
		return;
	x.waiting = x.end + n;
	add_whom(w, &x);
	stand_left_add(w, s, x.end);
	stand_tags_add(w, s);
	add_mixed_up(w, s);
	free(x.end);
}
