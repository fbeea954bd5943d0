/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/traces/mkforeign.h"

#define SYNC (OTF2_RMA_SYNC_LEVEL_PROCESS | OTF2_RMA_SYNC_LEVEL_MEMORY)

/* All come, the last one late, and leave together. */
static void together(struct rank *r, enum name region, OTF2_CollectiveOp what, uint64_t late)
{
	uint64_t own = r->rank == RANKS - 1 ? late : 0;

	r->now += own;
	foreign_enter(r, region);
	EVENT(r, 0, RmaCollectiveBegin);
	if (region == MPI_WIN_CREATE)
		EVENT(r, 0, RmaWinCreate, 0);
	EVENT(r, late - own + 10 * US, RmaCollectiveEnd, what, SYNC, 0, OTF2_UNDEFINED_UINT32, 0,
	      0);
	if (region == MPI_WIN_FREE)
		EVENT(r, 0, RmaWinDestroy, 0);
	foreign_leave(r, 10, region);
}

static void put(struct rank *r, uint32_t target)
{
	foreign_enter(r, MPI_PUT);
	EVENT(r, 0, RmaPut, 0, target, BYTES, ++r->requests);
	foreign_leave(r, US, MPI_PUT);
}

/* From begin on a call that lasts so long and opens or ends an epoch with the group of other. */
static void epoch(struct rank *r, uint64_t begin, uint64_t ticks, enum name region, uint32_t other)
{
	r->now = begin;
	foreign_enter(r, region);
	EVENT(r, ticks, RmaGroupSync, SYNC, 0, GROUP_OF(other));
	foreign_leave(r, 10, region);
}

/*
 * The lock of rank 0's window from begin on, which is had after so long, held 100 us, and given
 * back.
 */
static void lock(struct rank *r, uint64_t begin, uint64_t ticks)
{
	r->now = begin;
	foreign_enter(r, MPI_WIN_LOCK);
	EVENT(r, 0, RmaRequestLock, 0, 0, 0, OTF2_LOCK_EXCLUSIVE);
	foreign_leave(r, ticks, MPI_WIN_LOCK);
	put(r, 0);
	r->now = begin + ticks + 100 * US;
	foreign_enter(r, MPI_WIN_UNLOCK);
	EVENT(r, US, RmaReleaseLock, 0, 0, 0);
	EVENT(r, 0, RmaOpCompleteBlocking, 0, r->requests);
	foreign_leave(r, 10, MPI_WIN_UNLOCK);
}

void foreign_windows(struct rank *r)
{
	uint64_t begin;

	together(r, MPI_WIN_CREATE, OTF2_COLLECTIVE_OP_CREATE_HANDLE, 0);
	together(r, MPI_WIN_FENCE, OTF2_COLLECTIVE_OP_BARRIER, 200 * US);
	put(r, (r->rank + 1) % RANKS);
	together(r, MPI_WIN_FENCE, OTF2_COLLECTIVE_OP_BARRIER, 0);
	begin = r->now;
	if (r->rank == 0) {
		epoch(r, begin, 105 * US, MPI_WIN_START, 1);
		put(r, 1);
		epoch(r, begin + 150 * US, US, MPI_WIN_COMPLETE, 1);
	} else if (r->rank == 1) {
		epoch(r, begin + 100 * US, US, MPI_WIN_POST, 0);
		epoch(r, begin + 120 * US, 35 * US, MPI_WIN_WAIT, 0);
	} else if (r->rank == 2) {
		lock(r, begin, US);
	} else {
		lock(r, begin + 21 * US, 85 * US);
	}
	r->now = begin + 1000 * US;
	together(r, MPI_WIN_FREE, OTF2_COLLECTIVE_OP_DESTROY_HANDLE, 0);
}
