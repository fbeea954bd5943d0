/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CONTEND_SPLIT_WAITALL: when each request of an MPI_Waitall completed, not only the last.
 * They are looked at with Request_get_status, which leaves them as they are, until all that
 * we know of are complete; then the program's own Waitall runs. So its statuses, error codes,
 * error handlers and handles are those of a Waitall, because they are made by one. Under
 * MPI_THREAD_MULTIPLE only Open MPI's are watched: see HANDLER_HEARS.
 */
#include "interpose/hooks/completions.h"
#include "interpose/objects/quiet.h"

/* Does looking at a failed request call the program's error handler? In Open MPI it does not. */
#ifdef OPEN_MPI
#define HANDLER_HEARS 0
#else
#define HANDLER_HEARS 1
#endif

#ifdef CONTEND_SIMULATED
/*
 * Who looks at a simulated request waits for ever: looking takes no time. But SMPI's Waitall is a
 * row of Waitanys, so this is its own way, with a look at the clock after each; they leave nothing
 * for the program's Waitall to do. Their statuses are kept for hook_watched_statuses().
 */
static void watch_all(struct saved *saved, int count, MPI_Request *requests)
{
	int n = 0, rest = count, i;

	for (i = 0; i < count; i++)
		saved[i].done = 0;
	while (n < count) {
		MPI_Status status;

		if (real.Waitany(count, requests, &i, &status) || i == MPI_UNDEFINED)
			break;
		saved[i].done = ticks_now();
		saved[i].status = status;
		saved[n++].nth = i;
	}
	for (i = 0; i < count; i++)
		if (!saved[i].done)
			saved[--rest].nth = i;
}

void hook_watched_statuses(const struct scope *s, MPI_Status *statuses)
{
	const struct saved *saved = s->lane->handles.p;

	for (int i = 0; s->watched && i < s->count && statuses != MPI_STATUSES_IGNORE; i++)
		if (saved[i].done)
			statuses[i] = saved[i].status;
}
#else
/* The requests that we know of first, in nth; returns how many they are. */
static int choose(struct saved *saved, int count)
{
	int i, n = 0, rest = count;

	for (i = 0; i < count; i++) {
		saved[i].done = 0;
		if (saved[i].request.kind == REQUEST_NONE)
			saved[--rest].nth = i;
		else
			saved[n++].nth = i;
	}
	return n;
}

/* Put the time of each completion into done, and the requests into that order in nth. */
static void watch(struct saved *saved, int n)
{
	int seen = 0, k;

	while (seen < n) {
		for (k = seen; k < n; k++) {
			int i = saved[k].nth, flag = 0;

			if (real.Request_get_status(saved[i].handle, &flag, MPI_STATUS_IGNORE))
				flag = 1; /* Waitall will say what is wrong */
			if (!flag)
				continue;
			saved[i].done = ticks_now();
			saved[k].nth = saved[seen].nth;
			saved[seen++].nth = i;
		}
	}
}

static void watch_all(struct saved *saved, int count, MPI_Request *requests)
{
	struct quiet quiet;

	(void)requests;
	if (HANDLER_HEARS)
		quiet_begin(&quiet);
	watch(saved, choose(saved, count));
	if (HANDLER_HEARS)
		quiet_end(&quiet);
}
#endif

int watch_is_possible(const struct scope *s)
{
	return !s->off && !(HANDLER_HEARS && recorder.multiple);
}

void watch_saved(struct scope *s, const MPI_Request *requests)
{
	s->filled = 1; /* each completion is a part with a time of its own */
	watch_all(s->lane->handles.p, s->count, (MPI_Request *)requests);
}
