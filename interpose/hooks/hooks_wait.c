/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/hooks/completions.h"
#include "interpose/hooks/hooks.h"
#include "interpose/objects/requests_plain.h"

/* As hook_status, of so many. */
static MPI_Status *own_statuses(struct scope *s, int count, MPI_Status *statuses)
{
	MPI_Status *own = NULL;

	if (statuses != MPI_STATUSES_IGNORE)
		return statuses;
	if (count > 0)
		own = scratch_at_least(&s->lane->statuses, (size_t)count * sizeof(*own));
	return own ? own : statuses;
}

MPI_Status *hook_status(struct scope *s, MPI_Status *status)
{
	MPI_Status *own = NULL;

	if (status != MPI_STATUS_IGNORE)
		return status;
	own = scratch_at_least(&s->lane->statuses, sizeof(*own));
	return own ? own : status;
}

/* MPI calls its own functions too: of the program's requests these wait for none. */
static int is_of_program(int count, const MPI_Request *requests)
{
	int i;

	for (i = 0; i < count; i++)
		if (request_active(requests[i]).kind == REQUEST_RECV)
			return 1;
	return 0;
}

/* Note the handles, and take what is active of them out of the table if that is to be now. */
static inline void save(struct scope *s, int count, const MPI_Request *requests)
{
	struct lane *l = s->lane;
	struct saved *saved = NULL;
	int i, take = saved_are_taken(s);

	if (count > 0 && requests && (s->off != SCOPE_WITHIN || is_of_program(count, requests)))
		saved = scratch_at_least(&l->handles, (size_t)count * sizeof(*saved));
	s->count = count = saved ? count : 0;
	for (i = 0; i < count; i++) {
		saved[i].handle = requests[i];
		saved[i].request.kind = REQUEST_NONE;
		if (take)
			request_take(requests[i], &saved[i].request);
	}
	l->waiting = take ? -count : count;
}

void hook_left(struct lane *l)
{
	struct saved *saved = l->handles.p;
	int i;

	for (i = 0; i < l->waiting; i++)
		request_take(saved[i].handle, &saved[i].request);
	l->waiting = 0;
}

MPI_Status *hook_wait_one(struct scope *s, const MPI_Request *request, MPI_Status *status)
{
	save(s, 1, request);
	return hook_status(s, status); /* Open MPI's MPI_STATUS_IGNORE is NULL */
}

void hook_looked_at(struct scope *s, int ret, int flag, MPI_Request request)
{
	struct polled polled = {.id = 0};

	if (ret == MPI_SUCCESS && !flag)
		polled = request_active(request);
	if (polled.id)
		hook_poll_failed(s, polled);
}

MPI_Status *hook_wait_all(struct scope *s, int count, const MPI_Request *requests,
			  MPI_Status *statuses)
{
	save(s, count, requests);
	return own_statuses(s, count, statuses);
}

MPI_Status *hook_watch_all(struct scope *s, int count, const MPI_Request *requests,
			   MPI_Status *statuses)
{
	if (!USUAL(!recorder.split_waitall))
		s->watched = watch_is_possible(s);
	save(s, count, requests);
	if (!USUAL(!s->watched) && s->count > 0)
		watch_saved(s, requests);
	return own_statuses(s, count, statuses);
}

/* With threads all were taken: those that did not complete go back. */
static void put_back_rest(struct scope *s)
{
	const struct saved *saved = s->lane->handles.p;
	int i;

	if (recorder.multiple)
		for (i = 0; i < s->count; i++)
			request_put_back(saved[i].handle, &saved[i].request);
}

/* A poll found none: the first active request stands for all. */
static void none_completed(struct scope *s)
{
	const struct saved *saved = s->lane->handles.p;
	struct polled polled = NOT_A_REQUEST;
	int i;

	put_back_rest(s);
	for (i = 0; i < s->count && !polled.id; i++)
		polled = request_active_plain(saved[i].handle);
	hook_poll_failed(s, polled);
}

void hook_completed_one(struct scope *s, int ret, int flag, const MPI_Request *request,
			MPI_Status *status)
{
	struct saved *saved = s->lane->handles.p;

	s->lane->waiting = 0;
	if (s->count == 0)
		return;
	if (ret != MPI_SUCCESS)
		saved_fail(s, saved, *request, ret, status);
	else if (flag)
		saved_complete(s, saved, status);
	else
		none_completed(s);
}

void hook_completed_all(struct scope *s, int ret, int flag, const MPI_Request *requests,
			MPI_Status *statuses)
{
	struct saved *saved = s->lane->handles.p;
	MPI_Status *status;
	int i, k, each = ret == MPI_ERR_IN_STATUS && statuses != MPI_STATUSES_IGNORE;

	s->lane->waiting = 0;
	if (ret == MPI_SUCCESS && !flag) {
		none_completed(s);
		return;
	}
	if (USUAL(ret == MPI_SUCCESS && !s->watched && statuses != MPI_STATUSES_IGNORE)) {
		for (k = 0; k < s->count; k++)
			saved_complete(s, &saved[k], &statuses[k]);
		return;
	}
	hook_watched_statuses(s, statuses);
	for (k = 0; k < s->count; k++) {
		i = s->watched ? saved[k].nth : k;
		s->done = s->watched ? saved[i].done : 0;
		status = statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
		if (ret == MPI_SUCCESS || (each && status->MPI_ERROR == MPI_SUCCESS))
			saved_complete(s, &saved[i], status);
		else if (each && status->MPI_ERROR == MPI_ERR_PENDING)
			request_put_back(saved[i].handle, saved_taken(s, &saved[i]));
		else
			saved_fail(s, &saved[i], requests[i], each ? status->MPI_ERROR : ret,
				   status);
	}
}

MPI_Status *hook_wait_any(struct scope *s, int count, const MPI_Request *requests,
			  MPI_Status *status)
{
	save(s, count, requests);
	return hook_status(s, status);
}

/*
 * The call has failed with code: those of the saved requests that MPI took away are at their
 * end. status is that of the one, if it can be only one.
 */
static void fail_saved(struct scope *s, const MPI_Request *requests, int code, MPI_Status *status)
{
	struct saved *saved = s->lane->handles.p;
	int i;

	for (i = 0; i < s->count; i++) {
		if (saved[i].handle != MPI_REQUEST_NULL && requests[i] == MPI_REQUEST_NULL)
			saved_fail(s, &saved[i], requests[i], code, status);
	}
}

void hook_completed_any(struct scope *s, int ret, struct some some, const MPI_Request *requests,
			MPI_Status *status)
{
	struct saved *saved = s->lane->handles.p;
	int i;

	s->lane->waiting = 0;
	if (ret == MPI_SUCCESS && !*some.n) {
		none_completed(s);
		return;
	}
	i = ret == MPI_SUCCESS ? *some.indices : MPI_UNDEFINED;
	if (ret != MPI_SUCCESS)
		fail_saved(s, requests, ret, status);
	else if (i != MPI_UNDEFINED && i >= 0 && i < s->count)
		saved_complete(s, &saved[i], status);
	put_back_rest(s);
}

MPI_Status *hook_wait_some(struct scope *s, int count, const MPI_Request *requests,
			   MPI_Status *statuses)
{
	save(s, count, requests);
	return own_statuses(s, count, statuses);
}

void hook_completed_some(struct scope *s, int ret, struct some some, const MPI_Request *requests,
			 MPI_Status *statuses)
{
	struct saved *saved = s->lane->handles.p;
	int each = ret == MPI_ERR_IN_STATUS && statuses != MPI_STATUSES_IGNORE;
	int i, n = 0, at;

	s->lane->waiting = 0;
	if (ret == MPI_SUCCESS && *some.n == 0) {
		none_completed(s);
		return;
	}
	if (ret == MPI_SUCCESS || each)
		n = *some.n == MPI_UNDEFINED ? 0 : *some.n;
	for (i = 0; i < n; i++) {
		at = some.indices[i];
		if (at >= 0 && at < s->count &&
		    (!each || statuses[i].MPI_ERROR == MPI_SUCCESS ||
		     hook_is_cut(statuses[i].MPI_ERROR)))
			saved_complete(s, &saved[at],
				       statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE
								       : &statuses[i]);
	}
	if (ret != MPI_SUCCESS)
		fail_saved(s, requests, ret, MPI_STATUS_IGNORE);
	put_back_rest(s);
}

/* Whatever receive had this handle was completed where nobody saw it. */
void hook_own_request(int ret, const MPI_Request *request)
{
	struct request gone;

	if (ret == MPI_SUCCESS && request && request_active(*request).kind == REQUEST_RECV)
		request_remove(*request, &gone);
}

void hook_free(struct scope *s, const MPI_Request *request)
{
	s->handle = request ? *request : MPI_REQUEST_NULL;
	request_remove(s->handle, &s->request);
}

void hook_request_freed(struct scope *s, int ret)
{
	if (ret != MPI_SUCCESS) {
		request_put_back(s->handle, &s->request);
		return;
	}
	if (s->request.active)
		request_ended(s, &s->request, 1);
}

void hook_cancel(struct scope *s, const MPI_Request *request)
{
	(void)s;
	if (request && *request != MPI_REQUEST_NULL)
		request_cancel(*request);
}
