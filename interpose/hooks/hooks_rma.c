/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/hooks/hooks_rma.h"

enum log_atomic hook_fetching(MPI_Op op)
{
	if (op == MPI_REPLACE)
		return LOG_ATOMIC_SWAP;
	return op == MPI_SUM ? LOG_ATOMIC_FETCH_AND_ADD : LOG_ATOMIC_FETCH_AND_ACCUMULATE;
}

/* Follow the operation until it completes; returns its matching id. */
static uint64_t follow(struct window *w, const struct rma *op)
{
	struct request q = {.kind = REQUEST_RMA, .active = 1};

	if (!op->request)
		return window_op(w, op->rank, op->fetches);
	q.id = recorder_request();
	q.comm = w->id;
	q.tag = op->fetches ? LOG_RMA_LOCAL | LOG_RMA_REMOTE : LOG_RMA_LOCAL;
	request_add(*op->request, &q);
	if (!op->fetches)
		window_open(w, op->rank, q.id);
	return q.id;
}

void hook_rma(struct scope *s, int ret, struct rma op)
{
	struct window *w = ret == MPI_SUCCESS && op.rank >= 0 ? window_of(op.win) : NULL;

	if (!w || s->off)
		return;
	s->r->comm = w->id;
	s->r->peer = op.rank;
	s->r->tag = (int32_t)op.atomic;
	s->r->bytes = op.out;
	s->r->bytes_in = op.in;
	s->r->request = follow(w, &op);
	scope_become(s->r, op.kind);
}

/* The call is one of all members of w. */
static void collective(struct scope *s, const struct window *w)
{
	s->r->comm = w->id;
	s->r->tag = w->allocated;
	s->r->aux = hook_on_channel(s, SKIPPED_COLLS, SKIPPED_WINDOW(w->id), 0, 0);
	scope_become(s->r, RECORD_RMA_COLL);
}

void hook_win_made(struct scope *s, int ret, MPI_Comm comm, const MPI_Win *win, int allocated)
{
	struct window *w = ret == MPI_SUCCESS ? window_made(s->lane, comm, *win) : NULL;

	if (!w)
		return;
	w->allocated = allocated;
	collective(s, w);
}

void hook_win_coll(struct scope *s, MPI_Win win)
{
	const struct window *w = window_of(win);

	if (w)
		collective(s, w);
}

void hook_win_free(struct scope *s, const MPI_Win *win)
{
	s->window = win ? window_leaves(*win) : NULL;
	if (s->window)
		collective(s, s->window);
}

void hook_win_freed(struct scope *s, int ret, const MPI_Win *win)
{
	hook_result(s, ret);
	if (s->window)
		window_left(s->window, ret == MPI_SUCCESS ? MPI_WIN_NULL : *win);
}

void hook_win_renamed(struct scope *s, int ret, MPI_Win win)
{
	if (ret == MPI_SUCCESS)
		window_renamed(s->lane, win);
}

void hook_fenced(struct scope *s, int ret, MPI_Win win)
{
	struct window *w = window_of(win);

	hook_result(s, ret);
	if (w && ret == MPI_SUCCESS)
		window_complete(s->lane, w, WINDOW_ALL, WINDOW_LOCAL | WINDOW_REMOTE);
}

static void group_sync(struct scope *s, const struct window *w, int32_t group)
{
	if (group < 0)
		return;
	s->r->comm = w->id;
	s->r->peer = group;
	scope_become(s->r, RECORD_RMA_GROUP);
}

void hook_epoch(struct scope *s, int ret, MPI_Group group, MPI_Win win, enum window_epoch which)
{
	struct window *w = ret == MPI_SUCCESS ? window_of(win) : NULL;

	if (!w)
		return;
	w->group[which] = window_group(s->lane, group);
	group_sync(s, w, w->group[which]);
}

void hook_epoch_ended(struct scope *s, int ret, MPI_Win win, enum window_epoch which)
{
	struct window *w = ret == MPI_SUCCESS ? window_of(win) : NULL;

	if (!w)
		return;
	/* Complete means here; only the target's MPI_Win_wait knows of the other end. */
	if (which == WINDOW_ACCESS)
		window_complete(s->lane, w, WINDOW_ALL, WINDOW_LOCAL | WINDOW_DROP);
	group_sync(s, w, w->group[which]);
	w->group[which] = -1;
}

void hook_win_tested(struct scope *s, int ret, int flag, MPI_Win win)
{
	const struct window *w;

	if (ret != MPI_SUCCESS)
		return;
	if (flag) {
		hook_epoch_ended(s, ret, win, WINDOW_EXPOSURE);
		return;
	}
	w = window_of(win);
	s->r->comm = w ? w->id : 0;
	hook_poll_failed(s, NOT_A_REQUEST);
}

void hook_lock(struct scope *s, enum rma_lock lock, int rank, MPI_Win win)
{
	const struct window *w = rank >= 0 || rank == WINDOW_ALL ? window_of(win) : NULL;

	if (!w)
		return;
	s->r->comm = w->id;
	s->r->peer = window_peer(rank);
	s->r->tag = lock == RMA_ASKED_SHARED;
	scope_become(s->r, RECORD_RMA_LOCK);
}

void hook_locked(struct scope *s, int ret, enum rma_lock lock, int rank, MPI_Win win)
{
	hook_result(s, ret);
	if (s->r->kind == RECORD_RMA_LOCK && !s->off)
		window_lock(window_of(win), rank, lock);
}

void hook_flushed(struct scope *s, int ret, int rank, MPI_Win win, int what)
{
	struct window *w = ret == MPI_SUCCESS ? window_of(win) : NULL;

	if (w)
		window_complete(s->lane, w, rank, what);
}

void hook_unlocked(struct scope *s, int ret, int rank, MPI_Win win)
{
	struct window *w = ret == MPI_SUCCESS ? window_of(win) : NULL;

	if (!w || (rank < 0 && rank != WINDOW_ALL))
		return;
	window_complete(s->lane, w, rank, WINDOW_LOCAL | WINDOW_REMOTE);
	window_unlock(w, rank);
	s->r->comm = w->id;
	s->r->peer = window_peer(rank);
	scope_become(s->r, RECORD_RMA_UNLOCK);
}

void hook_win_synced(struct scope *s, int ret, MPI_Win win)
{
	const struct window *w = ret == MPI_SUCCESS ? window_of(win) : NULL;

	if (!w)
		return;
	s->r->comm = w->id;
	s->r->peer = w->rank;
	scope_become(s->r, RECORD_RMA_SYNC);
}
