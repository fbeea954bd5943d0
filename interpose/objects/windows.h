/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Windows of one-sided communication by number. What is known of one hangs on it as an
 * attribute, as with communicators. Its identity over all members needs no message:
 * (communicator, how many-th window on it) is the same everywhere.
 *
 * Operations are completed by synchronization, many at once: all puts to a target share a
 * matching id until they are synchronized, and so do its gets (to which every operation
 * counts whose result comes back: with that it is complete at both ends). So a fence after a
 * million puts costs one record for each target. Operations with a request have their own.
 */
#ifndef INTERPOSE_WINDOWS_H
#define INTERPOSE_WINDOWS_H

#include "interpose/job/recorder.h"
#include "interpose/objects/comms.h"

#define WINDOW_ALL INT32_MIN /* in place of a target; MPI_PROC_NULL may be -1 */

/* Operations that are complete here, or with their request, and not known to have arrived. */
struct rma_open {
	uint64_t id;
	struct rma_open *next;
};

/* Which of a target's ids are open. 0: none. */
struct rma_target {
	uint64_t key; /* window and rank */
	uint64_t put, get;
	struct rma_open *open;
	int8_t lock; /* enum rma_lock */
	int rank;
	struct rma_target *next; /* of the window */
	UT_hash_handle hh;
};

/* A lock that was asked for is known to be held when something under it is complete. */
enum rma_lock { RMA_UNLOCKED, RMA_ASKED_EXCLUSIVE, RMA_ASKED_SHARED, RMA_HELD };

struct window {
	uint64_t key;
	uint32_t id;      /* in this process's log */
	int rank;         /* in its communicator */
	int allocated;    /* the memory is MPI's */
	int leaving;      /* is being freed */
	int32_t group[2]; /* of the epochs that are open, by enum window_epoch; -1: none */
	struct rma_target *targets;
	struct window *spare;
};

enum window_epoch { WINDOW_ACCESS, WINDOW_EXPOSURE };

/* What completes: bits. Dropped: will never be known to have arrived. */
/* A target as a record has it. */
static inline int32_t window_peer(int rank)
{
	return rank == WINDOW_ALL ? -1 : rank;
}

#define WINDOW_LOCAL  LOG_RMA_LOCAL
#define WINDOW_REMOTE LOG_RMA_REMOTE
#define WINDOW_DROP   4

void windows_start(void);

/* What is known of win; NULL when nothing is. */
struct window *window_of(MPI_Win win);

/* As window_of(); win is about to be freed, which MPI may refuse: then window_left() is called. */
struct window *window_leaves(MPI_Win win);

/* win is what the program's handle is now: null, or as before where MPI has refused. */
void window_left(struct window *w, MPI_Win win);

/* win was made on comm. NULL when that is not known, or without memory. */
struct window *window_made(struct lane *l, MPI_Comm comm, MPI_Win win);

/* win has a new name. */
void window_renamed(struct lane *l, MPI_Win win);

/* The matching id of a put or a get (fetches != 0) to rank. */
uint64_t window_op(struct window *w, int rank, int fetches);

/* The put with this id and a request of its own is under way to rank. */
void window_open(struct window *w, int rank, uint64_t id);

/* A lock was asked for. */
void window_lock(struct window *w, int rank, enum rma_lock lock);

/* Everything to rank, or WINDOW_ALL, is complete as far as what says: write it down. */
void window_complete(struct lane *l, struct window *w, int rank, int what);

/* The lock is given back. */
void window_unlock(struct window *w, int rank);

/* The number of a group in this process's log, defined when new; -1: without memory. */
int32_t window_group(struct lane *l, MPI_Group group);

#endif
