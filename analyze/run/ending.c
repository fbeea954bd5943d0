/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/run/ending.h"

#include "analyze/run/orphans.h"
#include "common/number.h"
#include "common/wording.h"

#include <stdlib.h>
#include <string.h>

#define NAMED_MOST  3
#define LISTED_MOST 8
#define PLACES_MOST 3
#define GROUPS_MOST 5
#define UNNOTED     "killed by a signal that leaves no note (SIGKILL?)"

/*
 * Who may have ended the job for the others, the likeliest first. When one rank ends the
 * launcher kills the others: of several that were killed by a signal that is not known none is
 * known to be the first.
 */
enum how {
	ABORTED,
	SIGNALLED, /* the signal is known, and neither the launcher's nor passed on from there */
	LEFT,
	REPLACED,
	KILLED_OUTSIDE,
	LEFT_INSIDE,
	KILLED_INSIDE,
	ORPHANED,
	DISMISSED /* by a signal of the launcher, or of who may have passed that on */
};

struct end {
	enum how how;
	long long rank;
	double alive_s;     /* negative: not known */
	int status;         /* -1: not known */
	const json_t *code; /* of MPI_Abort; NULL: not known */
	/* Borrowed, "" where there is none or it is not known: */
	const char *inside; /* the call */
	const char *signal;
	const char *from; /* who sent it: itself, launcher, between, other */
	const char *by;   /* that process's name */
};

/* Text that clauses are added to until it is full. */
struct clauses {
	struct wording w;
	const char *between;
};

int ending_is_own(const json_t *unfinished, int orphaned)
{
	const char *ended = run_row_text(unfinished, "ended");

	if (orphaned && orphan_is(unfinished))
		return 0;
	if (!strcmp(ended, "exit")) /* in a call MPI did, for an error or as the launcher went */
		return !*run_row_text(unfinished, "inside") || !orphan_is(unfinished);
	return strcmp(ended, "killed") || !strcmp(run_row_text(unfinished, "from"), "itself");
}

int ending_is_noted(const json_t *unfinished)
{
	return strcmp(run_row_text(unfinished, "ended"), "killed") ||
	       *run_row_text(unfinished, "signal");
}

int ending_is_dismissed(const json_t *unfinished)
{
	const char *from = run_row_text(unfinished, "from");

	return !strcmp(from, "launcher") || !strcmp(from, "between");
}

static struct end read_end(const json_t *rank, int orphaned)
{
	const char *ended = run_row_text(rank, "ended");
	const json_t *status = json_object_get(rank, "status");
	const json_t *alive = json_object_get(rank, "alive_s");
	struct end e = {.rank = json_integer_value(json_object_get(rank, "rank")),
			.alive_s = json_is_number(alive) ? json_number_value(alive) : -1.0,
			.status = json_is_integer(status) ? (int)json_integer_value(status) : -1,
			.code = json_object_get(rank, "code"),
			.inside = run_row_text(rank, "inside"),
			.signal = run_row_text(rank, "signal"),
			.from = run_row_text(rank, "from"),
			.by = run_row_text(rank, "by")};

	if (!strcmp(ended, "abort"))
		e.how = ABORTED;
	else if (orphaned && orphan_is(rank))
		e.how = ORPHANED;
	else if (!strcmp(ended, "exit"))
		e.how = *e.inside ? LEFT_INSIDE : LEFT;
	else if (!strcmp(ended, "exec"))
		e.how = REPLACED;
	else if (*e.signal)
		e.how = ending_is_dismissed(rank) ? DISMISSED : SIGNALLED;
	else
		e.how = *e.inside ? KILLED_INSIDE : KILLED_OUTSIDE;
	return e;
}

/* When a rank aborted is known, and when a signal ended one. */
static enum how order_of(const struct end *e)
{
	return e->how == SIGNALLED ? ABORTED : e->how;
}

/* Of those that ended alike the one whose last sign of life is the earliest. */
static int likeliest_first(const void *a, const void *b)
{
	const struct end *x = a, *y = b;

	if (order_of(x) != order_of(y))
		return order_of(x) < order_of(y) ? -1 : 1;
	if (x->alive_s != y->alive_s)
		return x->alive_s < y->alive_s ? -1 : 1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static int is_killed(const struct end *e)
{
	return e->how == KILLED_OUTSIDE || e->how == KILLED_INSIDE;
}

/* "in MPI_Recv", "outside MPI". */
static const char *preposition_of(const struct end *e)
{
	return *e->inside ? "in " : "outside MPI";
}

/* When it ended, of those that left no note when they were last seen alive. */
static void add_when(struct clauses *l, const struct end *e)
{
	const char *word = e->how == KILLED_OUTSIDE  ? ", last seen at"
			   : e->how == KILLED_INSIDE ? ", there since"
						     : " at";

	if (e->alive_s >= 0.0)
		wording_add(&l->w, "%s %s%s", word, number_seconds(e->alive_s).text,
			    e->how == KILLED_INSIDE ? " into the run" : "");
}

/* "SIGTERM from the launcher (orted)": who sent it is named if it could still be asked. */
static void add_signal(struct clauses *l, const struct end *e)
{
	const char *from = !strcmp(e->from, "itself")     ? ""
			   : !strcmp(e->from, "launcher") ? " from the launcher"
							  : " from another process";

	wording_add(&l->w, "%s%s", e->signal, from);
	if (*from && *e->by)
		wording_add(&l->w, " (%s)", e->by);
}

/* What ends it has, but for the place: the same words for one and for many. */
static void add_deed(struct clauses *l, const struct end *e, const char *were)
{
	switch (e->how) {
	case ABORTED:
		wording_add(&l->w, "called MPI_Abort");
		break;
	case SIGNALLED:
	case DISMISSED:
		wording_add(&l->w, "%s ended by ", were);
		add_signal(l, e);
		break;
	case LEFT:
		wording_add(&l->w, "left without MPI_Finalize");
		break;
	case REPLACED:
		wording_add(&l->w, "became another program (exec)");
		break;
	case LEFT_INSIDE:
		wording_add(&l->w, "%s ended by MPI", were);
		break;
	case ORPHANED:
		wording_add(&l->w,
			    "%s ended with exit status %d (as by Open MPI's run-time when its "
			    "launcher is "
			    "gone)",
			    were, e->status);
		break;
	case KILLED_OUTSIDE:
	case KILLED_INSIDE:
		wording_add(&l->w, "%s " UNNOTED, were);
		break;
	}
}

/* Those that called MPI_Abort, left or became another program were where that is done. */
static int has_place(const struct end *e)
{
	return e->how != ABORTED && e->how != LEFT && e->how != REPLACED;
}

/* What one rank did. */
static void add_rank(struct clauses *l, const struct end *e)
{
	wording_add(&l->w, "rank %lld ", e->rank);
	add_deed(l, e, "was");
	if (has_place(e))
		wording_add(&l->w, " %s%s", preposition_of(e), e->inside);
	if (e->status >= 0 && e->how != ORPHANED)
		wording_add(&l->w, " with exit status %d", e->status);
	if (json_is_integer(e->code))
		wording_add(&l->w, " with code %lld", (long long)json_integer_value(e->code));
	add_when(l, e);
}

/* Those that were killed ended alike, in a call or not. */
static enum how kind_of(const struct end *e)
{
	return e->how == KILLED_INSIDE ? KILLED_OUTSIDE : e->how;
}

static int is_alike(const struct end *x, const struct end *y)
{
	return kind_of(x) == kind_of(y) && !strcmp(x->signal, y->signal) &&
	       !strcmp(x->from, y->from) && !strcmp(x->by, y->by);
}

/*
 * Where those of the n ends were that are like this one: ", 3 in MPI_Recv, 1 outside MPI"; if at
 * one place, ", all in MPI_Recv".
 */
static void add_places(struct clauses *l, size_t n, const struct end ends[n],
		       const struct end *like)
{
	const struct end *places[PLACES_MOST];
	size_t counts[PLACES_MOST] = {0}, kinds = 0, i, k, other = 0;

	for (i = 0; i < n; i++) {
		if (!is_alike(&ends[i], like))
			continue;
		for (k = 0; k < kinds && strcmp(places[k]->inside, ends[i].inside); k++)
			;
		if (k == PLACES_MOST) {
			other++;
			continue;
		}
		places[k] = &ends[i];
		counts[k]++;
		kinds += k == kinds;
	}
	if (kinds == 1)
		wording_add(&l->w, "%s%s%s", counts[0] == 1 ? " " : ", all ",
			    preposition_of(places[0]), places[0]->inside);
	for (k = 0; kinds > 1 && k < kinds; k++)
		wording_add(&l->w, ", %zu %s%s", counts[k], preposition_of(places[k]),
			    places[k]->inside);
	if (other)
		wording_add(&l->w, ", %zu elsewhere", other);
}

/* What the n did that are not named, a clause for those that ended alike. */
static void add_many(struct clauses *l, size_t n, const struct end ends[n])
{
	const struct end *like[GROUPS_MOST];
	size_t counts[GROUPS_MOST] = {0}, groups = 0, i, k, other = 0;

	for (i = 0; i < n; i++) {
		for (k = 0; k < groups && !is_alike(like[k], &ends[i]); k++)
			;
		if (k == GROUPS_MOST) {
			other++;
			continue;
		}
		like[k] = &ends[i];
		counts[k]++;
		groups += k == groups;
	}
	for (k = 0; k < groups; k++) {
		wording_add(&l->w, "%s%zu more ", l->between, counts[k]);
		add_deed(l, like[k], counts[k] == 1 ? "was" : "were");
		if (has_place(like[k]))
			add_places(l, n, ends, like[k]);
	}
	if (other)
		wording_add(&l->w, "%s%zu more ended in other ways", l->between, other);
}

/* How many are named: all when they are few, else those that may have been the first. */
static size_t count_named(size_t n, const struct end ends[n])
{
	size_t named = 0;

	if (n <= NAMED_MOST)
		return n;
	while (named < NAMED_MOST && (ends[named].how <= KILLED_OUTSIDE || !named))
		named++;
	return named;
}

/*
 * Did nobody end by himself, and several by somebody else's hand? How long those in calls had been
 * silent proves nothing: who is alive is as silent while it waits.
 */
static int is_first_unknown(size_t n, const struct end ends[n])
{
	size_t i, killed = 0;

	for (i = 0; i < n; i++)
		killed += (size_t)is_killed(&ends[i]);
	return killed > 1 && is_killed(&ends[0]);
}

/* How many of the first were killed outside MPI, if several: one clause has them all. */
static size_t count_joined(size_t n, const struct end ends[n])
{
	size_t joined = 0;

	while (joined < n && ends[joined].how == KILLED_OUTSIDE)
		joined++;
	return joined > 1 ? joined : 0;
}

/*
 * "ranks 2, 0 and 1 were ...", n that were killed outside MPI, in the order in which they were last
 * seen.
 */
static void add_joined(struct clauses *l, size_t n, const struct end ends[n])
{
	size_t listed = n > LISTED_MOST ? LISTED_MOST : n, i;
	struct number first = number_seconds(ends[0].alive_s);
	struct number last = number_seconds(ends[n - 1].alive_s);

	for (i = 0; i < listed; i++)
		wording_add(&l->w, "%s%lld",
			    !i          ? "ranks "
			    : i + 1 < n ? ", "
					: " and ",
			    ends[i].rank);
	if (n > listed)
		wording_add(&l->w, " and %zu more", n - listed);
	wording_add(&l->w, " were " UNNOTED " outside MPI");
	if (ends[0].alive_s < 0.0)
		return;
	wording_add(&l->w, ", last seen at %s", first.text);
	if (strcmp(first.text, last.text) != 0)
		wording_add(&l->w, " to %s", last.text);
}

/* What the n ends did, that are in order. */
static void add_all(struct clauses *l, size_t n, const struct end ends[n])
{
	size_t joined = count_joined(n, ends), i;
	size_t named = joined && n > NAMED_MOST ? joined : count_named(n, ends);

	if (joined)
		add_joined(l, joined, ends);
	for (i = joined; i < named; i++) {
		wording_add(&l->w, "%s", i ? l->between : "");
		add_rank(l, &ends[i]);
	}
	add_many(l, n - named, ends + named);
	if (is_first_unknown(n, ends))
		wording_add(&l->w, "%swhich was killed first is not known", l->between);
}

void ending_text(const struct run *r, const char *between, size_t n, char text[n])
{
	const json_t *unfinished = run_unfinished(r);
	size_t i, all = json_array_size(unfinished);
	int orphaned = orphans_are_in(r);
	struct end *ends = all ? calloc(all, sizeof(*ends)) : NULL;

	text[0] = '\0';
	if (!ends)
		return;
	for (i = 0; i < all; i++)
		ends[i] = read_end(json_array_get(unfinished, i), orphaned);
	qsort(ends, all, sizeof(*ends), likeliest_first);
	add_all(&(struct clauses){{text, n, 0}, between}, all, ends);
	free(ends);
}
