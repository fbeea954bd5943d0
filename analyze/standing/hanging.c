/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/standing/hanging.h"

#include <string.h>

#include "analyze/standing/stand_places.h"
#include "analyze/standing/stand_waits.h"
#include "analyze/standing/stands.h"
#include "common/number.h"

/* Below this no job is said to have stood still: any may be ended while its ranks wait a moment. */
#define STILL_NS    1000000000
#define STILL_SHARE 0.01

/* And below this no rank of a job in which others went on. */
#define STUCK_SHARE 0.1

/*
 * And within this a launcher that sees one of its processes die ends the others: Open MPI's after a
 * second.
 */
#define DISMISSAL_NS 3000000000

/* What no rank did that was not recorded, nobody knows of the others. */
static const char *subject(const struct hanging *h)
{
	for (uint32_t r = 0; r < h->s.t->n_ranks; r++)
		if (h->s.t->ranks[r].absent)
			return "No recorded rank ended by itself";
	return "The job did not end by itself";
}

static void say_unseen(struct hanging *h)
{
	if (h->unseen)
		wording_add(&h->w, "; of %u other%s nothing is recorded then", h->unseen,
			    h->unseen == 1 ? "" : "s");
}

/* "when SIGTERM came" */
static void say_when(struct hanging *h)
{
	if (*h->s.signal)
		wording_add(&h->w, " when %.20s came", h->s.signal);
	else
		wording_add(&h->w, " when it was ended");
}

static void say_silent(struct hanging *h)
{
	uint32_t silent = h->s.unfinished - h->s.noted;

	if (silent)
		wording_add(&h->w,
			    "; %u could not note %s end, which is taken for that of the others",
			    silent, silent == 1 ? "its" : "their");
}

/* Of a rank that is killed outside MPI while others wait, nobody sees when. */
static void say_gone(struct hanging *h)
{
	uint32_t r, which = 0, gone = 0;

	for (r = 0; r < h->s.t->n_ranks; r++) {
		const struct stand *at = &h->s.at[r];

		if (at->unfinished && !at->is_noted && !at->is_unseen && !stand_is_in_mpi(at)) {
			which = r;
			gone++;
		}
	}
	if (gone == 1)
		wording_add(&h->w,
			    "\nor rank %u was killed first, after its last MPI call returned at "
			    "%s, and the others stood still for that",
			    which, number_seconds((double)h->s.at[which].since_ns * 1e-9).text);
	else if (gone)
		wording_add(&h->w,
			    "\nor some of %u ranks outside MPI that left no note were killed "
			    "first, and the others stood still for that",
			    gone);
}

/* They stood still until somebody's signal came. */
static void say_still(struct hanging *h)
{
	wording_add(&h->w, "%s: ", subject(h));
	stand_places_add(&h->w, &h->s, "were", NULL);
	say_when(h);
	wording_add(&h->w,
		    ", and no other recorded MPI call had begun or returned for %s (%.0f %% of the "
		    "run)",
		    number_seconds((double)h->still_ns * 1e-9).text,
		    100.0 * (double)h->still_ns / (double)h->s.t->wall_ns);
	say_unseen(h);
	say_silent(h);
	stand_waits_add(&h->w, &h->s);
	say_gone(h);
	wording_add(&h->w, "\nall shares here are of the run with this standstill in it");
}

/* All were killed, and when is not known. */
static void say_killed(struct hanging *h)
{
	wording_add(&h->w, "%s: ", subject(h));
	stand_places_add(&h->w, &h->s, "were", NULL);
	wording_add(
		&h->w,
		" when all were killed. How long they had been there is not known, as none could "
		"note its end: all times here are until the last call that a rank began");
	stand_waits_add(&h->w, &h->s);
	wording_add(
		&h->w,
		"\nwho killed them is not known; MPI itself may have, as MPICH does when a call "
		"fails: its message is on standard error then");
}

/* In MPI for so long that it may be stuck there, whatever others do. */
static int is_stuck(const struct stands *s, uint32_t rank)
{
	int64_t ns = s->t->wall_ns - s->at[rank].since_ns;

	return stand_is_in_mpi(&s->at[rank]) && ns >= STILL_NS &&
	       (double)ns >= STUCK_SHARE * (double)s->t->wall_ns;
}

static int is_moving(const struct stands *s, uint32_t rank)
{
	return !is_stuck(s, rank);
}

/* It need not wait for long, or nobody knows for what. */
static void forget(struct stand *at)
{
	at->peer = TRACE_NONE;
	at->request = NULL;
	at->n_requests = 0;
}

/* Some had been waiting for long, while others called MPI. */
static void say_stuck(struct hanging *h)
{
	const struct trace *t = h->s.t;
	uint32_t r, stuck = 0;
	int64_t least_ns = t->wall_ns;

	for (r = 0; r < t->n_ranks; r++)
		if (!h->s.at[r].is_unseen && is_stuck(&h->s, r)) {
			int64_t ns = t->wall_ns - h->s.at[r].since_ns;

			stuck++;
			least_ns = ns < least_ns ? ns : least_ns;
		} else {
			forget(&h->s.at[r]);
		}
	if (!stuck)
		return;
	wording_add(&h->w, "%s: ", subject(h));
	stand_places_add(&h->w, &h->s, "had been", is_stuck);
	wording_add(&h->w, " for %s or longer (%.0f %% of the run)",
		    number_seconds((double)least_ns * 1e-9).text,
		    100.0 * (double)least_ns / (double)t->wall_ns);
	say_when(h);
	if (stuck + h->unseen < t->n_ranks) {
		wording_add(&h->w, "; others went on: ");
		stand_places_add(&h->w, &h->s, "were", is_moving);
	}
	say_unseen(h);
	say_silent(h);
	stand_waits_add(&h->w, &h->s);
}

/* What the ranks did last; it is not asked whom those waited for that may have done more. */
static int64_t look_around(struct hanging *h)
{
	const struct trace *t = h->s.t;
	int64_t last_ns = 0;
	uint32_t r;

	for (r = 0; r < t->n_ranks; r++)
		last_ns = h->s.at[r].since_ns > last_ns ? h->s.at[r].since_ns : last_ns;
	for (r = 0; r < t->n_ranks; r++) {
		h->s.at[r].is_unseen = trace_is_unseen_after(t, r, last_ns);
		h->unseen += (uint32_t)h->s.at[r].is_unseen;
		h->in_mpi += !h->s.at[r].is_unseen && stand_is_in_mpi(&h->s.at[r]);
		if (h->s.at[r].is_unseen)
			forget(&h->s.at[r]);
	}
	return t->wall_ns - last_ns;
}

/* Did the launcher end the others as one was killed, of which there is no note, shortly before? */
static int is_for_killed(const struct hanging *h, int64_t still_ns)
{
	return h->s.is_dismissed && h->s.noted < h->s.unfinished && still_ns < DISMISSAL_NS;
}

static void say(struct hanging *h)
{
	const struct trace *t = h->s.t;
	int64_t ns = look_around(h);

	if (!h->in_mpi || h->s.is_own_end)
		return;
	if (h->s.noted && ns >= STILL_NS && (double)ns >= STILL_SHARE * (double)t->wall_ns) {
		if (is_for_killed(h, ns))
			return;
		h->still_ns = ns;
		say_still(h);
	} else if (h->s.noted) {
		h->goes_on = 1;
		say_stuck(h);
	} else if (h->in_mpi + h->unseen == t->n_ranks) {
		say_killed(h);
	}
}

void hanging_find(struct hanging *h, const struct run *r, const struct trace *t,
		  const struct messages *m, const struct collectives *c)
{
	memset(h, 0, sizeof(*h));
	h->w = (struct wording){h->text, sizeof(h->text), 0};
	if (!stands_init(&h->s, r, t, m, c))
		say(h);
}

int hanging_stands(const struct hanging *h, uint32_t rank)
{
	return *h->text && !h->s.at[rank].is_unseen && (!h->goes_on || is_stuck(&h->s, rank));
}

void hanging_release(struct hanging *h)
{
	stands_release(&h->s);
}
