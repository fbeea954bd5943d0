/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is recorded of a request at its end. A call that may complete requests saves them first,
 * because MPI takes the handles away. Without threads they stay in the table until it has returned,
 * then each is found, noted and removed where it lies; with threads (or watched, hooks_watch.c)
 * they are taken out before.
 */
#ifndef INTERPOSE_COMPLETIONS_H
#define INTERPOSE_COMPLETIONS_H

#include "interpose/hooks/hooks.h"

/* Are the requests that s saves out of the table? */
static inline int saved_are_taken(const struct scope *s)
{
	return recorder.multiple || s->watched;
}

/* The request that was saved, now at least out of the table. */
const struct request *saved_taken(const struct scope *s, struct saved *saved);

/*
 * It is complete; status is the application's or our own, and ignored only where there is no
 * memory for one.
 */
void saved_complete(struct scope *s, struct saved *saved, MPI_Status *status);

/*
 * The call, or this request in it, has failed with code. It is at its end when MPI took the
 * handle away (after), without a message unless that was only too long: then with what status
 * says. Else it is put back.
 */
void saved_fail(struct scope *s, struct saved *saved, MPI_Request after, int code,
		MPI_Status *status);

/* hooks_watch.c: wait for all saved requests, which are taken, and note when each completes. */
int watch_is_possible(const struct scope *s);
void watch_saved(struct scope *s, const MPI_Request *requests);

/* What the watched ones' statuses were, when the Waitall found nothing left to do. */
#ifdef CONTEND_SIMULATED
void hook_watched_statuses(const struct scope *s, MPI_Status *statuses);
#else
static inline void hook_watched_statuses(const struct scope *s, MPI_Status *statuses)
{
	(void)s, (void)statuses;
}
#endif

/*
 * Where the completion of q goes; NULL: nowhere. A receive that was posted in the log is noted
 * there whenever it completes.
 */
struct record *completion_slot(struct scope *s, const struct request *q);

/*
 * q is at its end, without a message as far as anybody knows; freed: a receive takes one all the
 * same, unless it is cancelled.
 */
void request_ended(struct scope *s, const struct request *q, int freed);

#endif
