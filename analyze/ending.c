/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/ending.h"

#include "common/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMED_MOST  3
#define PLACES_MOST 3
#define KILLED      "killed, no signal seen (SIGKILL?),"

/*
 * Who may have ended the job for the others, the likeliest first. When one rank ends the
 * launcher kills the others: of several that were killed by a signal that is not known none is
 * known to be the first.
 */
enum how {
	ABORTED,
	SIGNALLED, /* the signal is known; it did not come from the launcher */
	LEFT,
	REPLACED,
	KILLED_OUTSIDE,
	LEFT_INSIDE,
	KILLED_INSIDE,
	DISMISSED /* by the launcher's signal */
};

struct end {
	enum how how;
	long long rank;
	double alive_s;     /* negative: not known */
	int status;         /* -1: not known */
	const json_t *code; /* of MPI_Abort; NULL: not known */
	const char *inside; /* borrowed; NULL: no call */
	const char *signal; /* borrowed; NULL: not known */
	int by_another;     /* process than itself and the launcher */
};

static enum how how_signalled(const char *from)
{
	return from && !strcmp(from, "launcher") ? DISMISSED : SIGNALLED;
}

static struct end read_end(const json_t *rank)
{
	const char *ended = json_string_value(json_object_get(rank, "ended"));
	const char *inside = json_string_value(json_object_get(rank, "inside"));
	const json_t *status = json_object_get(rank, "status");
	const json_t *alive = json_object_get(rank, "alive_s");
	struct end e = {.rank = json_integer_value(json_object_get(rank, "rank")),
			.alive_s = json_is_number(alive) ? json_number_value(alive) : -1.0,
			.status = json_is_integer(status) ? (int)json_integer_value(status) : -1,
			.code = json_object_get(rank, "code"),
			.inside = inside,
			.signal = json_string_value(json_object_get(rank, "signal"))};
	const char *from = json_string_value(json_object_get(rank, "from"));

	if (ended && !strcmp(ended, "abort"))
		e.how = ABORTED;
	else if (ended && !strcmp(ended, "exit"))
		e.how = inside ? LEFT_INSIDE : LEFT;
	else if (ended && !strcmp(ended, "exec"))
		e.how = REPLACED;
	else if (e.signal)
		e.how = how_signalled(from);
	else
		e.how = inside ? KILLED_INSIDE : KILLED_OUTSIDE;
	e.by_another = from && !strcmp(from, "other");
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
	return e->inside ? "in " : "outside MPI";
}

static const char *place_of(const struct end *e)
{
	return e->inside ? e->inside : "";
}

/* When it ended, of those that were killed when they were last seen alive. */
static void tell_when(const struct end *e, size_t n, char text[n])
{
	const char *word = e->how == KILLED_OUTSIDE  ? " after"
			   : e->how == KILLED_INSIDE ? ", there since"
						     : " at";

	text[0] = '\0';
	if (e->alive_s >= 0.0)
		snprintf(text, n, "%s %s", word, number_seconds(e->alive_s).text);
}

/* What one rank did: the same words for all that ended alike. */
static int describe(const struct end *e, size_t n, char text[n])
{
	char when[60], status[40] = "";

	tell_when(e, sizeof(when), when);
	if (e->status >= 0)
		snprintf(status, sizeof(status), " with exit status %d", e->status);
	if (json_is_integer(e->code))
		snprintf(status, sizeof(status), " with code %lld",
			 (long long)json_integer_value(e->code));
	switch (e->how) {
	case ABORTED:
		return snprintf(text, n, "rank %lld called MPI_Abort%s%s", e->rank, status, when);
	case SIGNALLED:
		return snprintf(text, n, "rank %lld was ended by %s%s %s%s%s", e->rank, e->signal,
				e->by_another ? " from another process" : "", preposition_of(e),
				place_of(e), when);
	case LEFT:
		return snprintf(text, n, "rank %lld left without MPI_Finalize%s%s", e->rank, status,
				when);
	case REPLACED:
		return snprintf(text, n, "rank %lld became another program (exec)%s", e->rank,
				when);
	case LEFT_INSIDE:
		return snprintf(text, n, "rank %lld was ended by MPI in %s%s%s", e->rank, e->inside,
				status, when);
	case DISMISSED:
		return snprintf(text, n, "rank %lld was ended by the launcher's %s %s%s%s", e->rank,
				e->signal, preposition_of(e), place_of(e), when);
	default:
		return snprintf(text, n, "rank %lld was " KILLED " %s%s%s", e->rank,
				preposition_of(e), place_of(e), when);
	}
}

/* Those that were killed ended alike, in a call or not. */
static enum how kind_of(const struct end *e)
{
	return e->how == KILLED_INSIDE ? KILLED_OUTSIDE : e->how;
}

/* Where those of the n ends were that are of this kind: " 3 in MPI_Recv, 1 outside MPI". */
static void count_places(size_t n, const struct end ends[n], enum how kind, size_t room,
			 char text[room])
{
	const struct end *places[PLACES_MOST];
	size_t counts[PLACES_MOST] = {0}, kinds = 0, i, k, used = 0, other = 0;

	for (i = 0; i < n; i++) {
		if (kind_of(&ends[i]) != kind)
			continue;
		for (k = 0; k < kinds && strcmp(place_of(places[k]), place_of(&ends[i])); k++)
			;
		if (k == PLACES_MOST) {
			other++;
			continue;
		}
		places[k] = &ends[i];
		counts[k]++;
		kinds += k == kinds;
	}
	text[0] = '\0';
	for (k = 0; k < kinds && used < room; k++)
		used += (size_t)snprintf(text + used, room - used, "%s %zu %s%s", k ? "," : "",
					 counts[k], preposition_of(places[k]), place_of(places[k]));
	if (other && used < room)
		snprintf(text + used, room - used, ", %zu elsewhere", other);
}

/* What several did that are not named. */
static int describe_many(size_t n, const struct end ends[n], enum how kind, size_t room,
			 char text[room])
{
	const char *signal = NULL, *were;
	char places[160];
	size_t i, of_it = 0;

	for (i = 0; i < n; i++) {
		if (kind_of(&ends[i]) != kind)
			continue;
		of_it++;
		signal = ends[i].signal;
	}
	text[0] = '\0';
	if (!of_it)
		return 0;
	were = of_it == 1 ? "was" : "were";
	count_places(n, ends, kind, sizeof(places), places);
	switch (kind) {
	case ABORTED:
		return snprintf(text, room, "; %zu more called MPI_Abort", of_it);
	case SIGNALLED:
		return snprintf(text, room, "; %zu more %s ended by a signal,%s", of_it, were,
				places);
	case LEFT:
		return snprintf(text, room, "; %zu more left without MPI_Finalize", of_it);
	case REPLACED:
		return snprintf(text, room, "; %zu more became another program (exec)", of_it);
	case LEFT_INSIDE:
		return snprintf(text, room, "; %zu more %s ended by MPI,%s", of_it, were, places);
	case DISMISSED:
		return snprintf(text, room, "; %zu more %s ended by the launcher's %s,%s", of_it,
				were, signal, places);
	default:
		return snprintf(text, room, "; %zu more %s " KILLED "%s", of_it, were, places);
	}
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

/* Did nobody end by himself, and several by somebody else's hand? */
static int is_first_unknown(size_t n, const struct end ends[n])
{
	size_t i, killed = 0;

	for (i = 0; i < n; i++)
		killed += (size_t)is_killed(&ends[i]);
	return killed > 1 && is_killed(&ends[0]);
}

/* Whose last sign of life is the earliest of those killed; NULL: it is not known of all. */
static const struct end *earliest(size_t n, const struct end ends[n])
{
	const struct end *found = &ends[0];
	size_t i;

	for (i = 0; i < n; i++) {
		if (!is_killed(&ends[i]))
			continue;
		if (ends[i].alive_s < 0.0)
			return NULL;
		if (ends[i].alive_s < found->alive_s)
			found = &ends[i];
	}
	return found;
}

/* What the n ends did, that are in order. */
static void describe_all(size_t n, const struct end ends[n], size_t room, char text[room])
{
	size_t i, used = 0, named = count_named(n, ends);
	int unknown = is_first_unknown(n, ends);
	const struct end *e = unknown ? earliest(n, ends) : NULL;
	enum how kind;

	if (unknown)
		used = (size_t)snprintf(text, room, "which was killed first is not known; ");
	for (i = 0; i < named && used < room; i++) {
		used += (size_t)snprintf(text + used, room - used, i ? "; " : "");
		if (used < room)
			used += (size_t)describe(&ends[i], room - used, text + used);
	}
	for (kind = ABORTED; kind <= DISMISSED && used < room; kind++)
		used += (size_t)describe_many(n - named, ends + named, kind, room - used,
					      text + used);
	if (e && e >= ends + named && used < room)
		snprintf(text + used, room - used,
			 "; rank %lld gave its last sign of life first, at %s", e->rank,
			 number_seconds(e->alive_s).text);
}

void ending_text(const struct run *r, size_t n, char text[n])
{
	const json_t *unfinished = r ? json_object_get(r->meta, "unfinished") : NULL;
	size_t i, all = json_array_size(unfinished);
	struct end *ends = all ? calloc(all, sizeof(*ends)) : NULL;

	text[0] = '\0';
	if (!ends)
		return;
	for (i = 0; i < all; i++)
		ends[i] = read_end(json_array_get(unfinished, i));
	qsort(ends, all, sizeof(*ends), likeliest_first);
	describe_all(all, ends, n, text);
	free(ends);
}
