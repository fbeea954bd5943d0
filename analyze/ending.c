/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/ending.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMED_MOST 3
#define CALLS_MOST 3

/*
 * Who may have ended the job for the others, the likeliest first. When one rank ends the
 * launcher kills the others, and mostly finds them where they wait: in a call.
 */
enum how { ABORTED, LEFT, KILLED_OUTSIDE, LEFT_INSIDE, KILLED_INSIDE };

struct end {
	enum how how;
	long long rank;
	double alive_s;     /* negative: not known */
	int status;         /* -1: not known */
	const char *inside; /* borrowed; NULL: no call */
};

static struct end read_end(const json_t *rank)
{
	const char *ended = json_string_value(json_object_get(rank, "ended"));
	const char *inside = json_string_value(json_object_get(rank, "inside"));
	const json_t *status = json_object_get(rank, "status");
	const json_t *alive = json_object_get(rank, "alive_s");
	struct end e = {.rank = json_integer_value(json_object_get(rank, "rank")),
			.alive_s = json_is_number(alive) ? json_number_value(alive) : -1.0,
			.status = json_is_integer(status) ? (int)json_integer_value(status) : -1,
			.inside = inside};

	if (ended && !strcmp(ended, "abort"))
		e.how = ABORTED;
	else if (ended && !strcmp(ended, "exit"))
		e.how = inside ? LEFT_INSIDE : LEFT;
	else
		e.how = inside ? KILLED_INSIDE : KILLED_OUTSIDE;
	return e;
}

/* Of those killed in a call the last to enter one first: the others waited already. */
static int likeliest_first(const void *a, const void *b)
{
	const struct end *x = a, *y = b;
	double later = y->alive_s - x->alive_s;

	if (x->how != y->how)
		return x->how < y->how ? -1 : 1;
	if (x->how != KILLED_INSIDE)
		later = -later;
	if (later < 0.0 || later > 0.0)
		return later < 0.0 ? -1 : 1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static int describe(const struct end *e, size_t n, char text[n])
{
	char when[40] = "", status[40] = "";

	if (e->alive_s >= 0.0)
		snprintf(when, sizeof(when), " %s %.4g s",
			 e->how == ABORTED || e->how == LEFT || e->how == LEFT_INSIDE ? "at"
			 : e->how == KILLED_OUTSIDE                                   ? "after"
										      : "since",
			 e->alive_s);
	if (e->status >= 0)
		snprintf(status, sizeof(status), " with exit status %d", e->status);
	switch (e->how) {
	case ABORTED:
		return snprintf(text, n, "rank %lld called MPI_Abort%s", e->rank, when);
	case LEFT:
		return snprintf(text, n, "rank %lld left without MPI_Finalize%s%s", e->rank, status,
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

void ending_text(const struct run *r, size_t n, char text[n])
{
	const json_t *unfinished = r ? json_object_get(r->meta, "unfinished") : NULL;
	size_t i, named, used = 0, all = json_array_size(unfinished);
	struct end *ends = all ? calloc(all, sizeof(*ends)) : NULL;

	text[0] = '\0';
	if (!ends)
		return;
	for (i = 0; i < all; i++)
		ends[i] = read_end(json_array_get(unfinished, i));
	qsort(ends, all, sizeof(*ends), likeliest_first);
	named = count_named(all, ends);
	for (i = 0; i < named && used < n; i++) {
		used += (size_t)snprintf(text + used, n - used, i ? ", " : "");
		if (used < n)
			used += (size_t)describe(&ends[i], n - used, text + used);
	}
	if (used < n && all > named)
		summarize(all - named, ends + named, n - used, text + used);
	free(ends);
}
