/* SPDX-License-Identifier: BSD-3-Clause */
/* Hooks of calls_rma.def, see hooks.h. What is done to MPI_PROC_NULL is not done. */
#ifndef INTERPOSE_HOOKS_RMA_H
#define INTERPOSE_HOOKS_RMA_H

#include "interpose/hooks/hooks.h"
#include "interpose/objects/windows.h"

/* One operation: to whom, what, with a request or (NULL) without. */
struct rma {
	MPI_Win win;
	int rank;
	enum record_kind kind;
	enum log_atomic atomic;
	int fetches; /* its result comes back */
	uint64_t out, in;
	const MPI_Request *request;
};
#define PUT(bytes)        .kind = RECORD_RMA_PUT, .out = (bytes)
#define GET(bytes)        .kind = RECORD_RMA_GET, .in = (bytes), .fetches = 1
#define ACCUMULATE(bytes) .kind = RECORD_RMA_ATOMIC, .atomic = LOG_ATOMIC_ACCUMULATE, .out = (bytes)
#define FETCH(op, sent, got)                                    \
	.kind = RECORD_RMA_ATOMIC, .atomic = hook_fetching(op), \
	.out = (op) == MPI_NO_OP ? 0 : (sent), .in = (got), .fetches = 1
#define COMPARE_AND_SWAP(bytes)                                                               \
	.kind = RECORD_RMA_ATOMIC, .atomic = LOG_ATOMIC_COMPARE_AND_SWAP, .out = 2 * (bytes), \
	.in = (bytes), .fetches = 1
#define OPERATION(rank_, win_, what) ((struct rma){.win = (win_), .rank = (rank_), what})
#define REQUESTED(rank_, win_, what, request_) \
	((struct rma){.win = (win_), .rank = (rank_), .request = (request_), what})

enum log_atomic hook_fetching(MPI_Op op);
void hook_rma(struct scope *s, int ret, struct rma op);

/* Windows that come and go; allocated: the memory is MPI's. */
void hook_win_made(struct scope *s, int ret, MPI_Comm comm, const MPI_Win *win, int allocated);
void hook_win_coll(struct scope *s, MPI_Win win);
void hook_win_free(struct scope *s, const MPI_Win *win);
void hook_win_freed(struct scope *s, int ret, const MPI_Win *win);
void hook_win_renamed(struct scope *s, int ret, MPI_Win win);

/* Synchronization. rank may be WINDOW_ALL. */
void hook_fenced(struct scope *s, int ret, MPI_Win win);
void hook_epoch(struct scope *s, int ret, MPI_Group group, MPI_Win win, enum window_epoch which);
void hook_epoch_ended(struct scope *s, int ret, MPI_Win win, enum window_epoch which);
void hook_win_tested(struct scope *s, int ret, int flag, MPI_Win win);
void hook_lock(struct scope *s, enum rma_lock lock, int rank, MPI_Win win);
void hook_locked(struct scope *s, int ret, enum rma_lock lock, int rank, MPI_Win win);
void hook_flushed(struct scope *s, int ret, int rank, MPI_Win win, int what);
void hook_unlocked(struct scope *s, int ret, int rank, MPI_Win win);
void hook_win_synced(struct scope *s, int ret, MPI_Win win);
#define LOCK_OF(type) ((type) == MPI_LOCK_SHARED ? RMA_ASKED_SHARED : RMA_ASKED_EXCLUSIVE)

#endif
