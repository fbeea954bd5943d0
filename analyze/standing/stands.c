/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/standing/stands.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/run/ending.h"
#include "analyze/run/orphans.h"
#include "analyze/standing/stand_requests.h"
#include "analyze/standing/stand_sent.h"

/* The threads of a rank note its end one after the other. */
#define NOTING_NS 1000000

/* Between two polls of a rank that does nothing else. */
#define POLL_NS 1000000000

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

/* A number below n of a row, or TRACE_NONE. */
static uint32_t number_of(const json_t *row, const char *key, uint32_t n)
{
	const json_t *value = json_object_get(row, key);
	json_int_t number = json_is_integer(value) ? json_integer_value(value) : -1;

	return number >= 0 && number < n ? (uint32_t)number : TRACE_NONE;
}

/* What the call that it was in was for; of MPI_Sendrecv it is found later for whom it waits. */
static void take_in_call(struct stands *s, struct stand *at, const json_t *rank)
{
	const json_t *tag = json_object_get(rank, "tag");
	const char *source = run_row_text(rank, "source");
	uint32_t peer = number_of(rank, "peer", s->t->n_ranks);

	at->is_any = !strcmp(source, "any");
	at->comm = number_of(rank, "comm", s->t->n_comms_defined);
	if (json_is_integer(tag))
		at->tag = json_integer_value(tag);
	if (at->call != TRACE_NONE && trace_call_kind(s->t, at->call) == REGION_SENDRECV) {
		at->source = peer;
		at->is_swap = peer != TRACE_NONE || *source;
	} else {
		at->peer = peer;
	}
}

/* Take in one that did not finish, perhaps an orphan. */
static void take_in(struct stands *s, const json_t *rank, int orphaned)
{
	json_int_t number = json_integer_value(json_object_get(rank, "rank"));
	struct stand *at;

	s->is_own_end |= ending_is_own(rank, orphaned);
	if (number < 0 || number >= s->t->n_ranks)
		return;
	at = &s->at[number];
	at->unfinished = 1;
	at->inside = run_row_text(rank, "inside");
	at->call = last_call(s->t, (uint32_t)number, at->inside);
	take_in_call(s, at, rank);
	at->is_noted = ending_is_noted(rank);
	s->is_dismissed |= ending_is_dismissed(rank);
	if (!*s->signal)
		s->signal = run_row_text(rank, "signal");
	s->unfinished++;
	s->noted += (uint32_t)at->is_noted;
}

/* Did it never return? */
static int is_open(const struct stands *s, const struct call *c)
{
	return *s->at[c->rank].inside && c->leave_ns + NOTING_NS >= s->t->ranks[c->rank].end_ns;
}

/* The rank's next call of the same thread; TRACE_NONE: it was the last. */
static uint32_t next_of_thread(const struct trace *t, uint32_t call)
{
	const struct call *c = &t->calls[call];
	const struct rank *r = &t->ranks[c->rank];
	uint32_t k;

	for (k = call + 1; k < r->first_call + r->calls; k++)
		if (t->calls[k].thread == c->thread)
			return k;
	return TRACE_NONE;
}

/*
 * Of the polls, with nothing between and nothing completed, that a rank made until its end the
 * first; or TRACE_NONE.
 */
static uint32_t first_of_last_polls(const struct trace *t, uint32_t rank)
{
	const struct rank *r = &t->ranks[rank];
	int64_t next_ns = r->end_ns;
	uint32_t first = TRACE_NONE, i;

	for (i = r->first_call + r->calls; i > r->first_call + r->completed; i--) {
		const struct call *c = &t->calls[i - 1];

		if (!trace_is_poll(t, i - 1) || c->leave_ns + POLL_NS < next_ns ||
		    (first != TRACE_NONE && c->thread != t->calls[first].thread))
			break;
		first = i - 1;
		next_ns = c->enter_ns;
	}
	/* one poll may be any */
	if (first != TRACE_NONE && first + 1 == r->first_call + r->calls &&
	    !trace_flood(t, &t->calls[first]))
		return TRACE_NONE;
	return first;
}

/* Polls are where a rank stands, unless it was in another call then. */
static void stand_in_polls(struct stands *s, uint32_t rank)
{
	const struct rank *r = &s->t->ranks[rank];
	struct stand *at = &s->at[rank];
	uint32_t last = r->first_call + r->calls - 1;

	if (*at->inside && strcmp(at->inside, s->t->regions[s->t->calls[last].region].name) != 0)
		return;
	at->is_polling = 1;
	at->call = last;
}

/*
 * Since when each of the rank's threads has been where it is; and of a rank with a thread that is
 * in no call, and may be at work, it is not said that it waits.
 */
static void look_at(struct stands *s, uint32_t rank)
{
	const struct trace *t = s->t;
	const struct rank *r = &t->ranks[rank];
	struct stand *at = &s->at[rank];
	uint32_t polls = first_of_last_polls(t, rank), i;

	if (!at->unfinished)
		polls = TRACE_NONE;
	for (i = r->first_call; i < r->first_call + r->calls && i != polls; i++) {
		const struct call *c = &t->calls[i];
		int open = is_open(s, c);
		int64_t ns = open ? c->enter_ns : c->leave_ns;

		at->since_ns = ns > at->since_ns ? ns : at->since_ns;
		at->is_divided |= *at->inside && !open && next_of_thread(t, i) == TRACE_NONE;
	}
	if (polls != TRACE_NONE) {
		int64_t ns = t->calls[polls].enter_ns;

		at->since_ns = ns > at->since_ns ? ns : at->since_ns;
		stand_in_polls(s, rank);
	}
	if (at->is_divided)
		at->peer = TRACE_NONE;
}

/* In a collective that a rank never entered it is that rank which is waited for. */
static void find_missing(struct stands *s)
{
	const struct trace *t = s->t;
	uint32_t r, k;

	for (r = 0; r < t->n_ranks; r++) {
		struct stand *at = &s->at[r];

		if (!*at->inside || at->call == TRACE_NONE || at->is_divided)
			continue;
		k = call_collective(&t->calls[at->call]);
		if (k < s->c->n && s->c->c[k].is_short && !s->c->c[k].is_mixed &&
		    !s->c->c[k].is_nonblocking)
			at->peer = s->c->c[k].last_rank;
	}
}

/* One that has not come to MPI_Finalize, for certain, and does not wait itself if there is such. */
static uint32_t not_at_end(const struct stands *s)
{
	const struct trace *t = s->t;
	uint32_t found = TRACE_NONE, r;

	for (r = 0; r < t->n_ranks; r++) {
		if (t->ranks[r].has_ended || trace_is_unseen_at_times(t, r))
			continue;
		if (!stand_is_in_mpi(&s->at[r]))
			return r;
		if (found == TRACE_NONE)
			found = r;
	}
	return found;
}

/* Who does not return from MPI_Finalize waits for all that have not come to it. */
static void find_missing_at_end(struct stands *s)
{
	uint32_t missing = not_at_end(s), r;

	for (r = 0; r < s->t->n_ranks; r++) {
		struct stand *at = &s->at[r];

		if (*at->inside && at->call != TRACE_NONE && !at->is_divided &&
		    trace_call_kind(s->t, at->call) == REGION_FINALIZE)
			at->peer = missing;
	}
}

/* Who receives what was sent, and whose sender was done with it, does not wait for that one. */
static void forget_sent(struct stands *s)
{
	for (uint32_t r = 0; r < s->t->n_ranks; r++) {
		struct stand *at = &s->at[r];
		const struct loose *send;

		if (at->peer == TRACE_NONE || at->comm == TRACE_NONE || at->call == TRACE_NONE ||
		    trace_call_kind(s->t, at->call) != REGION_RECV)
			continue;
		send = stand_sent(s, at->peer, r, wanted_by(at));
		if (send && !send->open && !trace_is_open(s->t, send->call))
			at->peer = TRACE_NONE;
	}
}

int stands_init(struct stands *s, const struct run *r, const struct trace *t,
		const struct messages *m, const struct collectives *c)
{
	const json_t *unfinished = run_unfinished(r);
	size_t i, all = json_array_size(unfinished);
	int orphaned = orphans_are_in(r);

	*s = (struct stands){.t = t, .m = m, .c = c, .signal = ""};
	s->at = all ? calloc((size_t)t->n_ranks + 1, sizeof(*s->at)) : NULL;
	if (!s->at)
		return -1;
	for (i = 0; i < t->n_ranks; i++)
		s->at[i] = (struct stand){.inside = "",
					  .call = TRACE_NONE,
					  .peer = TRACE_NONE,
					  .tag = -1,
					  .source = TRACE_NONE,
					  .comm = TRACE_NONE};
	for (i = 0; i < all; i++)
		take_in(s, json_array_get(unfinished, i), orphaned);
	for (i = 0; i < t->n_ranks; i++)
		look_at(s, (uint32_t)i);
	find_missing(s);
	find_missing_at_end(s);
	forget_sent(s);
	if (!stand_requests_find(s))
		return 0;
	stands_release(s);
	return -1;
}

int stand_is_in_mpi(const struct stand *s)
{
	return *s->inside || s->is_polling;
}

void stands_release(struct stands *s)
{
	free(s->at);
	loose_release(&s->awaited);
	*s = (struct stands){0};
}
