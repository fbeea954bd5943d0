/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/ending.h"

#include "common/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMED_MOST 3
#define CALLS_MOST 3

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

static int describe(const struct end *e, size_t n, char text[n])
{
	char when[40] = "", status[40] = "";

	if (e->alive_s >= 0.0)
		snprintf(when, sizeof(when), " %s %s",
			 e->how == KILLED_OUTSIDE  ? "after"
			 : e->how == KILLED_INSIDE ? "since"
						   : "at",
			 number_seconds(e->alive_s).text);
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
				e->by_another ? " from another process" : "",
				e->inside ? "in " : "outside MPI", e->inside ? e->inside : "",
				when);
	case LEFT:
		return snprintf(text, n, "rank %lld left without MPI_Finalize%s%s", e->rank, status,
				when);
	case REPLACED:
		return snprintf(text, n, "rank %lld became another program (exec)%s", e->rank,
				when);
	case KILLED_OUTSIDE:
		return snprintf(text, n, "rank %lld was killed outside MPI%s", e->rank, when);
	case LEFT_INSIDE:
		return snprintf(text, n, "rank %lld was ended by MPI in %s%s%s", e->rank, e->inside,
				status, when);
	default:
		return snprintf(text, n, "rank %lld was killed in %s%s%s", e->rank, e->inside,
				*when ? ", there" : "", when);
	}
}

/* The calls that n ends were in, the most frequent first: "MPI_Recv 3, MPI_Wait". */
static void count_calls(size_t n, const struct end ends[n], size_t room, char text[room])
{
	const char *names[CALLS_MOST];
	size_t counts[CALLS_MOST] = {0}, kinds = 0, i, k, used = 0, other = 0;

	for (i = 0; i < n; i++) {
		for (k = 0; k < kinds && strcmp(names[k], ends[i].inside) != 0; k++)
			;
		if (k == CALLS_MOST) {
			other++;
			continue;
		}
		names[k] = ends[i].inside;
		counts[k]++;
		kinds += k == kinds;
	}
	text[0] = '\0';
	for (k = 0; k < kinds && used < room; k++)
		used += (size_t)snprintf(text + used, room - used, "%s%s %zu", k ? ", " : "",
					 names[k], counts[k]);
	if (other && used < room)
		snprintf(text + used, room - used, ", others %zu", other);
}

/* Those that are not named: in calls, where the end of another rank finds the others, or not. */
static void summarize(size_t n, const struct end ends[n], size_t room, char text[room])
{
	size_t first = 0, used = 0;
	char calls[120];

	while (first < n && ends[first].how < LEFT_INSIDE)
		first++;
	text[0] = '\0';
	if (first)
		used = (size_t)snprintf(text, room, " and %zu more", first);
	if (first == n || used >= room)
		return;
	count_calls(n - first, ends + first, sizeof(calls), calls);
	snprintf(text + used, room - used, "; %zu more in MPI calls (%s)", n - first, calls);
}

/* How many are named: those that may have been the first; all when they are few. */
static size_t count_named(size_t n, const struct end ends[n])
{
	size_t named = 0;

	while (named < n && named < NAMED_MOST && (ends[named].how <= KILLED_OUTSIDE || !named))
		named++;
	return named;
}

static int is_killed(const struct end *e)
{
	return e->how == KILLED_OUTSIDE || e->how == KILLED_INSIDE;
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

/* The last sign of life of all. */
static double latest_s(size_t n, const struct end ends[n])
{
	double s = ends[0].alive_s;
	size_t i;

	for (i = 1; i < n; i++)
		s = ends[i].alive_s > s ? ends[i].alive_s : s;
	return s;
}

/* What there is to say when it is not known who was killed first. */
static void describe_killed(size_t n, const struct end ends[n], size_t room, char text[room])
{
	const struct end *e = earliest(n, ends);
	size_t used, i, outside = 0;
	char calls[120];

	used = (size_t)snprintf(text, room, "which was killed first is not known");
	if (e && used < room)
		used += (size_t)snprintf(text + used, room - used,
					 "; rank %lld gave its last sign of life first, at %s, "
					 "the others up to %s later",
					 e->rank, number_seconds(e->alive_s).text,
					 number_seconds(latest_s(n, ends) - e->alive_s).text);
	while (outside < n && ends[outside].how == KILLED_OUTSIDE)
		outside++;
	if (outside && used < room)
		used += (size_t)snprintf(text + used, room - used, "; %zu outside MPI", outside);
	for (i = 0; i < outside && i < NAMED_MOST && used < room; i++)
		used += (size_t)snprintf(text + used, room - used, "%s%lld",
					 i             ? ", "
					 : outside > 1 ? " (ranks "
						       : " (rank ",
					 ends[i].rank);
	if (outside && used < room)
		used += (size_t)snprintf(text + used, room - used,
					 outside > NAMED_MOST ? " ...)" : ")");
	if (outside == n || used >= room)
		return;
	count_calls(n - outside, ends + outside, sizeof(calls), calls);
	snprintf(text + used, room - used, "; %zu in MPI calls (%s)", n - outside, calls);
}

/* What n ends did that are in order, none of them dismissed by the launcher. */
static void describe_all(size_t n, const struct end ends[n], size_t room, char text[room])
{
	size_t i, used = 0, named = count_named(n, ends);

	if (is_first_unknown(n, ends)) {
		describe_killed(n, ends, room, text);
		return;
	}
	for (i = 0; i < named && used < room; i++) {
		used += (size_t)snprintf(text + used, room - used, i ? ", " : "");
		if (used < room)
			used += (size_t)describe(&ends[i], room - used, text + used);
	}
	if (used < room && n > named)
		summarize(n - named, ends + named, room - used, text + used);
}

/* The others, if that was what ended the job, or all. */
static void describe_dismissed(size_t n, const struct end ends[n], int are_all, size_t room,
			       char text[room])
{
	char first[80] = "";

	if (are_all && ends[0].alive_s >= 0.0)
		snprintf(first, sizeof(first), ", rank %lld first, at %s", ends[0].rank,
			 number_seconds(ends[0].alive_s).text);
	snprintf(text, room, "%s%zu %s%s %s ended by the launcher's %s%s", are_all ? "" : "; ", n,
		 are_all ? "rank" : "other", n == 1 ? "" : "s", n == 1 ? "was" : "were",
		 ends[0].signal, first);
}

void ending_text(const struct run *r, size_t n, char text[n])
{
	const json_t *unfinished = r ? json_object_get(r->meta, "unfinished") : NULL;
	size_t i, others = 0, used, all = json_array_size(unfinished);
	struct end *ends = all ? calloc(all, sizeof(*ends)) : NULL;

	text[0] = '\0';
	if (!ends)
		return;
	for (i = 0; i < all; i++)
		ends[i] = read_end(json_array_get(unfinished, i));
	qsort(ends, all, sizeof(*ends), likeliest_first);
	while (others < all && ends[others].how != DISMISSED)
		others++;
	if (others)
		describe_all(others, ends, n, text);
	used = strlen(text);
	if (others < all)
		describe_dismissed(all - others, ends + others, !others, n - used, text + used);
	free(ends);
}
