/* SPDX-License-Identifier: BSD-3-Clause */
/* What calls.def says of calls that complete requests, or find nothing to complete. */
#ifndef INTERPOSE_HOOKS_WAIT_H
#define INTERPOSE_HOOKS_WAIT_H

#include "interpose/hooks/scope.h"

/* What a call for any or some of its requests says is complete: how many, and which. */
struct some {
	const int *n, *indices;
};
#define SOME(n, indices) ((struct some){n, indices})
#define ONE              (&(const int){1})

/* A flag, which is nowhere if the call failed for that. */
#define TOLD(flag) (ret == MPI_SUCCESS && *(flag))

MPI_Status *hook_wait_one(struct scope *s, const MPI_Request *request, MPI_Status *status);
void hook_completed_one(struct scope *s, int ret, int flag, const MPI_Request *request,
			MPI_Status *status);
void hook_looked_at(struct scope *s, int ret, int flag, MPI_Request request);
MPI_Status *hook_wait_all(struct scope *s, int count, const MPI_Request *requests,
			  MPI_Status *statuses);
MPI_Status *hook_watch_all(struct scope *s, int count, const MPI_Request *requests,
			   MPI_Status *statuses);
void hook_completed_all(struct scope *s, int ret, int flag, const MPI_Request *requests,
			MPI_Status *statuses);
MPI_Status *hook_wait_any(struct scope *s, int count, const MPI_Request *requests,
			  MPI_Status *status);
void hook_completed_any(struct scope *s, int ret, struct some some, const MPI_Request *requests,
			MPI_Status *status);
MPI_Status *hook_wait_some(struct scope *s, int count, const MPI_Request *requests,
			   MPI_Status *statuses);
void hook_completed_some(struct scope *s, int ret, struct some some, const MPI_Request *requests,
			 MPI_Status *statuses);
/* What l's thread waits for is not known any more: the call was left, see left.h. */
void hook_left(struct lane *l);
void hook_own_request(int ret, const MPI_Request *request);
void hook_free(struct scope *s, const MPI_Request *request);
void hook_request_freed(struct scope *s, int ret);
void hook_cancel(struct scope *s, const MPI_Request *request);

/*
 * Nothing there yet: hooks_poll.c. The failing polls of a busy loop are one flood, one call in the
 * log however many they are, with an entry for each (call, site, request) that takes part.
 */
#define NOT_A_REQUEST ((struct polled){.id = 0})
void hook_poll_failed(struct scope *s, struct polled of);

/* The lane's own status(es) in place of ignored ones. */
MPI_Status *hook_status(struct scope *s, MPI_Status *status);

/* Bytes that a receive brought, whatever its datatype. */
uint64_t hook_status_bytes(MPI_Status *status);

#endif
