/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One-sided communication with a target that takes no part: locks of one and of all,
 * flushes, atomic operations, memory that is attached later.
 */
#include "behave.h"

#define N 8

static void exclusive(MPI_Win win, int *memory)
{
	int one = 1, got, i;

	for (i = 0; i < 5; i++) {
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
		MPI_Get(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
		MPI_Win_flush(0, win);
		got += one;
		MPI_Put(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
		MPI_Win_unlock(0, win);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
	MPI_Win_sync(win);
	CHECK(rank || *memory == 5 * ranks);
	MPI_Win_unlock(rank, win);
	MPI_Barrier(MPI_COMM_WORLD);
	expect("RMA_GET", 5);
	expect("RMA_PUT", 5);
	expect("bytes-got", 5 * (long)sizeof(int));
	expect("bytes-put", 5 * (long)sizeof(int));
	expect("RMA_REQUEST_LOCK", 6);
	expect("RMA_ACQUIRE_LOCK", 6);
	expect("RMA_RELEASE_LOCK", 6);
	expect("RMA_SYNC", 1);
	expect("RMA_OP_COMPLETE_NON_BLOCKING", 10);
	expect("RMA_OP_COMPLETE_REMOTE", 10);
}

static void atomics(MPI_Win win, int *memory)
{
	int one = 1, zero = 0, got, all, i;

	MPI_Win_lock_all(0, win);
	for (i = 0; i < 3; i++)
		MPI_Accumulate(&one, 1, MPI_INT, right, 1, 1, MPI_INT, MPI_SUM, win);
	MPI_Win_flush_local(right, win);
	MPI_Fetch_and_op(&one, &got, MPI_INT, right, 2, MPI_SUM, win);
	MPI_Win_flush(right, win);
	CHECK(got == 0);
	MPI_Compare_and_swap(&rank, &zero, &got, MPI_INT, right, 3, win);
	MPI_Get_accumulate(&one, 1, MPI_INT, &all, 1, MPI_INT, right, 1, 1, MPI_INT, MPI_NO_OP,
			   win);
	MPI_Win_flush_all(win);
	CHECK(all == 3);
	MPI_Put(&one, 1, MPI_INT, left, 4, 1, MPI_INT, win);
	MPI_Win_flush_local_all(win);
	MPI_Win_unlock_all(win);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock(MPI_LOCK_SHARED, rank, MPI_MODE_NOCHECK, win);
	CHECK(memory[1] == 3 && memory[2] == 1 && memory[3] == left && memory[4] == 1);
	MPI_Win_unlock(rank, win);
	expect("RMA_ATOMIC", 6);
	expect("RMA_PUT", 1);
	/* 3 summed, 1 fetched; compared and swapped; nothing but asked for; 1 put */
	expect("bytes-put", (3 + 1 + 2 + 0 + 1) * (long)sizeof(int));
	expect("bytes-got", (1 + 1 + 1) * (long)sizeof(int));
	expect("RMA_REQUEST_LOCK", 2);
	expect("RMA_ACQUIRE_LOCK", 2);
	expect("RMA_RELEASE_LOCK", 2);
	/* sums here, fetch, swap and ask together, put here; then sums and put there too */
	expect("RMA_OP_COMPLETE_NON_BLOCKING", 4);
	expect("RMA_OP_COMPLETE_REMOTE", 4);
}

static void attached(void)
{
	MPI_Aint where, there;
	int *memory = calloc(N, sizeof(int));
	MPI_Win win;

	MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_attach(win, memory, N * sizeof(int));
	MPI_Get_address(memory, &where);
	MPI_Sendrecv(&where, 1, MPI_AINT, left, 1, &there, 1, MPI_AINT, right, 1, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
	MPI_Win_fence(0, win);
	MPI_Put(&rank, 1, MPI_INT, right, there, 1, MPI_INT, win);
	MPI_Win_fence(0, win);
	CHECK(memory[0] == left);
	MPI_Win_detach(win, memory);
	MPI_Win_free(&win);
	free(memory);
	expect("MPI_SEND", 1);
	expect("MPI_RECV", 1);
	expect("RMA_PUT", 1);
	expect("bytes-put", sizeof(int));
	expect("RMA_OP_COMPLETE_NON_BLOCKING", 1);
	expect("RMA_OP_COMPLETE_REMOTE", 1);
}

int main(int argc, char **argv)
{
	int *memory;
	MPI_Win win;

	begin(&argc, &argv);
	MPI_Win_allocate(N * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
			 &win);
	memset(memory, 0, N * sizeof(int));
	MPI_Barrier(MPI_COMM_WORLD);
	exclusive(win, memory);
	atomics(win, memory);
	MPI_Win_free(&win);
	attached();
	expect("RMA_WIN_CREATE", 2);
	expect("RMA_WIN_DESTROY", 2);
	if (rank == 0)
		expect("windows", 2);
	return finish();
}
