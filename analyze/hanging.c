/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/hanging.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/ending.h"
#include "analyze/orphans.h"
#include "analyze/rules.h"
#include "analyze/wording.h"
#include "common/number.h"

/* Below this no job is said to have stood still: any may be ended while its ranks wait a moment. */
#define STILL_NS    1000000000
#define STILL_SHARE 0.01

#define GROUPS_MOST 4
#define CIRCLE_MOST 6 /* ranks of a circle that are all named */

/* What is known of a rank at the end. */
struct stand {
	int unfinished;
	int is_noted;       /* it said itself when it ended */
	int is_divided;     /* one of its threads was in a call, another in none or gone */
	const char *inside; /* borrowed; "": outside MPI */
	uint32_t call;      /* that one in the trace, or TRACE_NONE */
	uint32_t peer;      /* whom it waits for, or TRACE_NONE */
	long long tag;      /* negative: any */
	uint32_t
		end; /* who is met on the way from rank to rank that is waited for, after as many */
};

/* Ranks that were in the same call. */
struct group {
	uint32_t ranks, first; /* how many, and the least of them */
};

struct hanging {
	const struct trace *t;
	struct stand *at; /* of each rank */
	uint32_t unfinished, noted, inside;
	const char *signal; /* that came to the first of those that noted it; "" none */
	int64_t still_ns, told_ns;
	struct wording w;
};

/* The rank's last call of that name; TRACE_NONE: it is not in the trace. */
static uint32_t last_call(const struct trace *t, uint32_t rank, const char *name)
{
	const struct rank *r = &t->ranks[rank];
	uint32_t i;

	for (i = r->calls; *name && i > 0; i--)
		if (!strcmp(t->regions[t->calls[r->first_call + i - 1].region].name, name))
			return r->first_call + i - 1;
	return TRACE_NONE;
}

/* Take in one that did not finish, perhaps an orphan. Returns 0 when the job did not hang. */
static int take_in(struct hanging *h, const json_t *rank, int orphaned)
{
	const json_t *peer = json_object_get(rank, "peer"), *tag = json_object_get(rank, "tag");
	json_int_t number = json_integer_value(json_object_get(rank, "rank"));
	json_int_t other = json_is_integer(peer) ? json_integer_value(peer) : -1;
	struct stand *s;

	if (ending_is_own(rank, orphaned))
		return 0;
	if (number < 0 || number >= h->t->n_ranks)
		return 1;
	s = &h->at[number];
	s->unfinished = 1;
	s->inside = run_row_text(rank, "inside");
	s->call = last_call(h->t, (uint32_t)number, s->inside);
	if (other >= 0 && other < h->t->n_ranks)
		s->peer = (uint32_t)other;
	if (json_is_integer(tag))
		s->tag = json_integer_value(tag);
	s->is_noted =
		strcmp(run_row_text(rank, "ended"), "killed") || *run_row_text(rank, "signal");
	if (!*h->signal)
		h->signal = run_row_text(rank, "signal");
	h->unfinished++;
	h->noted += (uint32_t)s->is_noted;
	h->inside += *s->inside != '\0';
	return 1;
}

/* Did it never return? The threads of a rank note its end one after the other. */
static int is_open(const struct hanging *h, const struct call *c)
{
	return *h->at[c->rank].inside &&
	       c->leave_ns + STILL_NS / 1000 >= h->t->ranks[c->rank].end_ns;
}

/* For how long before its end the trace has no rank that enters or leaves a call. */
static int64_t still_ns(const struct hanging *h)
{
	const struct trace *t = h->t;
	int64_t last_ns = 0;
	uint32_t i;

	for (i = 0; i < t->n_calls; i++) {
		const struct call *c = &t->calls[i];
		int64_t ns = is_open(h, c) ? c->enter_ns : c->leave_ns;

		last_ns = ns > last_ns ? ns : last_ns;
	}
	return t->wall_ns - last_ns;
}

/* Of a rank with a thread that is in no call, and may be at work, it is not said that it waits. */
static void find_divided(struct hanging *h)
{
	const struct trace *t = h->t;
	uint32_t i, k, end;

	for (i = 0; i < t->n_calls; i++) {
		const struct call *c = &t->calls[i];
		struct stand *s = &h->at[c->rank];

		if (!*s->inside || s->is_divided || is_open(h, c))
			continue;
		end = t->ranks[c->rank].first_call + t->ranks[c->rank].calls;
		for (k = i + 1; k < end && t->calls[k].thread != c->thread; k++)
			;
		s->is_divided = k == end;
		if (s->is_divided)
			s->peer = TRACE_NONE;
	}
}

/* "MPI_Recv at solver.c:120", or an address where the line is not known. */
static const char *place(const struct hanging *h, uint32_t rank, size_t n, char text[n])
{
	const struct stand *s = &h->at[rank];
	const struct trace *t = h->t;
	const struct site *site = NULL;
	const char *frame, *slash, *colon;
	size_t used;

	if (!s->unfinished)
		snprintf(text, n, "MPI_Finalize");
	else if (s->call == TRACE_NONE)
		snprintf(text, n, "%s", *s->inside ? s->inside : "the program, outside MPI");
	else
		rule_place(t, s->call, n, text);
	if (s->call != TRACE_NONE && t->calls[s->call].site < t->n_sites)
		site = &t->sites[t->calls[s->call].site];
	if (!site || site->file || !site->path)
		return text;
	frame = site->path + site->frame;
	colon = memchr(frame, ':', strcspn(frame, ";"));
	if (!colon)
		return text;
	for (slash = colon; slash > frame && slash[-1] != '/'; slash--)
		;
	used = strlen(text);
	frame = colon + strcspn(colon, "+;");
	snprintf(text + used, n - used, " at %.*s%.*s", (int)(colon - slash), slash,
		 (int)strcspn(frame, ";"), frame);
	return text;
}

static int is_together(const struct hanging *h, uint32_t x, uint32_t y)
{
	const struct stand *a = &h->at[x], *b = &h->at[y];
	const struct call *c = h->t->calls;

	if (a->unfinished != b->unfinished || a->is_divided != b->is_divided ||
	    strcmp(a->inside, b->inside))
		return 0;
	if (a->call == TRACE_NONE || b->call == TRACE_NONE)
		return a->call == b->call;
	return c[a->call].site == c[b->call].site;
}

/* The ranks by where they were, the most first. Returns how many groups; *other: ranks beyond. */
static uint32_t find_groups(const struct hanging *h, struct group groups[GROUPS_MOST],
			    uint32_t *other)
{
	uint32_t n = 0, r, k;
	struct group g;

	*other = 0;
	for (r = 0; r < h->t->n_ranks; r++) {
		if (h->t->ranks[r].absent)
			continue;
		for (k = 0; k < n && !is_together(h, groups[k].first, r); k++)
			;
		if (k == GROUPS_MOST) {
			++*other;
			continue;
		}
		if (k == n)
			groups[n++] = (struct group){0, r};
		for (g = groups[k], g.ranks++; k && groups[k - 1].ranks < g.ranks; k--)
			groups[k] = groups[k - 1];
		groups[k] = g;
	}
	return n;
}

/* "3 of 4 ranks were in MPI_Recv at solver.c:120, rank 0 in MPI_Barrier at solver.c:99". */
static void add_places(struct hanging *h)
{
	struct group groups[GROUPS_MOST];
	uint32_t other, n = find_groups(h, groups, &other), k;
	char where[200];

	for (k = 0; k < n; k++) {
		place(h, groups[k].first, sizeof(where), where);
		if (groups[k].ranks == 1)
			wording_add(&h->w, "%srank %u%s", k ? ", " : "", groups[k].first,
				    k ? "" : " was");
		else
			wording_add(&h->w, "%s%u%s", k ? ", " : "", groups[k].ranks,
				    k ? "" : " of ");
		if (groups[k].ranks > 1 && !k)
			wording_add(&h->w, "%u ranks were", h->t->n_ranks);
		wording_add(&h->w, " in %s%s", where,
			    h->at[groups[k].first].is_divided ? " (not all threads)" : "");
	}
	if (other)
		wording_add(&h->w, ", %u elsewhere", other);
}

/* "rank 3 for rank 5 (tag 7)" */
static void add_wait(struct hanging *h, uint32_t rank)
{
	const struct stand *s = &h->at[rank];

	wording_add(&h->w, "rank %u for rank %u", rank, s->peer);
	if (s->tag >= 0)
		wording_add(&h->w, " (tag %lld)", s->tag);
}

/* On the way of each rank, from one that is waited for to the next: its end, or one of a circle. */
static void find_ends(struct hanging *h)
{
	uint32_t r, steps, n = h->t->n_ranks;

	for (r = 0; r < n; r++)
		h->at[r].end = h->at[r].peer == TRACE_NONE ? r : h->at[r].peer;
	for (steps = 1; steps < n; steps *= 2)
		for (r = 0; r < n; r++)
			h->at[r].end = h->at[h->at[r].end].end;
}

/* A circle of which rank is one. */
static void add_circle(struct hanging *h, uint32_t rank)
{
	uint32_t n = 0, r = rank, least = rank, i;

	do {
		r = h->at[r].peer;
		least = r < least ? r : least;
		n++;
	} while (r != rank);
	if (n == 1)
		wording_add(&h->w, "\nrank %u waits for itself", least);
	else
		wording_add(&h->w, "\n%u ranks wait for each other in a circle: ", n);
	for (i = 0, r = least; n > 1 && i < n && i < CIRCLE_MOST; i++, r = h->at[r].peer) {
		wording_add(&h->w, "%s", i ? ", " : "");
		add_wait(h, r);
	}
	if (n > CIRCLE_MOST)
		wording_add(&h->w, ", and so on to rank %u", least);
}

/* Who waits for whom, as far as each waits for one other rank. */
static void add_waits(struct hanging *h)
{
	uint32_t *waiting = calloc((size_t)h->t->n_ranks + 1, sizeof(*waiting)), r, most = 0,
		 direct = 0;
	char where[200];

	if (!waiting)
		return;
	find_ends(h);
	for (r = 0; r < h->t->n_ranks; r++) {
		uint32_t end = h->at[r].end;

		if (h->at[end].peer != TRACE_NONE) {
			add_circle(h, end);
			free(waiting);
			return;
		}
		waiting[end] += end != r;
		if (waiting[end] > waiting[most])
			most = end;
	}
	for (r = 0; r < h->t->n_ranks; r++)
		direct += h->at[r].peer == most;
	if (waiting[most] && !h->t->ranks[most].absent)
		wording_add(&h->w, "\n%u rank%s for rank %u%s, which was in %s", waiting[most],
			    waiting[most] == 1 ? " waits" : "s wait", most,
			    direct < waiting[most] ? ", directly or through others" : "",
			    place(h, most, sizeof(where), where));
	free(waiting);
}

/* They stood still until somebody's signal came. */
static void say_still(struct hanging *h)
{
	double still_s = (double)h->still_ns * 1e-9;
	uint32_t silent = h->unfinished - h->noted;
	char ended[40] = "it was ended";

	if (*h->signal)
		snprintf(ended, sizeof(ended), "%.20s came", h->signal);
	wording_add(&h->w, "The job did not end by itself: ");
	add_places(h);
	wording_add(&h->w,
		    " when %s, and no rank had called MPI or returned for %s (%.0f %% of the run)",
		    ended, number_seconds(still_s).text,
		    100.0 * (double)h->still_ns / (double)h->t->wall_ns);
	if (silent)
		wording_add(&h->w,
			    "; %u could not note %s end, which is taken for that of the others",
			    silent, silent == 1 ? "its" : "their");
	add_waits(h);
	h->told_ns = h->still_ns;
	wording_add(&h->w, "\nall shares here are of the run with this standstill in it");
}

/* All were killed, and when is not known. */
static void say_killed(struct hanging *h)
{
	wording_add(&h->w, "The job did not end by itself: ");
	add_places(h);
	wording_add(
		&h->w,
		" when all were killed. How long they had been there is not known, as none could "
		"note its end: all times here are until the last call that a rank began");
}

static void say(struct hanging *h)
{
	const struct trace *t = h->t;
	uint32_t r, absent = 0, unseen = 0;

	h->still_ns = still_ns(h);
	for (r = 0; r < t->n_ranks; r++) {
		absent += t->ranks[r].absent;
		unseen += (uint32_t)trace_is_unseen_after(t, r, t->wall_ns - h->still_ns);
	}
	if (!h->inside)
		return;
	find_divided(h);
	if (h->noted && !unseen && h->still_ns >= STILL_NS &&
	    (double)h->still_ns >= STILL_SHARE * (double)t->wall_ns)
		say_still(h);
	else if (!h->noted && h->inside + absent == t->n_ranks)
		say_killed(h);
}

int64_t hanging_text(const struct run *r, const struct trace *t, size_t n, char text[n])
{
	const json_t *unfinished = run_unfinished(r);
	struct hanging h = {.t = t, .signal = "", .w = {text, n, 0}};
	size_t i, all = json_array_size(unfinished);
	int hung = 1, orphaned = orphans_are_in(r);

	text[0] = '\0';
	h.at = all ? calloc((size_t)t->n_ranks + 1, sizeof(*h.at)) : NULL;
	if (!h.at)
		return 0;
	for (i = 0; i < t->n_ranks; i++)
		h.at[i] = (struct stand){
			.inside = "", .call = TRACE_NONE, .peer = TRACE_NONE, .tag = -1};
	for (i = 0; i < all && hung; i++)
		hung = take_in(&h, json_array_get(unfinished, i), orphaned);
	if (hung)
		say(&h);
	free(h.at);
	return h.told_ns;
}
