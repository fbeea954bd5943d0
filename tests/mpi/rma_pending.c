/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Windows that go while something is pending: requests that are waited for afterwards; in the
 * middle of an epoch, where MPI refuses, the window stays and is used on, or does not (Open MPI
 * 4.1.4).
 */
#include "behave.h"

static int one = 1, *memory;

static MPI_Win make(void)
{
	MPI_Win win; /* of a cache line: in MPICH 4.0.2 smaller ones overlap */

	MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
			 &win);
	memory[0] = memory[1] = 0;
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock_all(0, win);
	return win;
}

static void wait_afterwards(void)
{
	MPI_Win win = make();
	MPI_Request r[2];

	MPI_Rput(&one, 1, MPI_INT, right, 0, 1, MPI_INT, win, &r[0]);
	MPI_Raccumulate(&one, 1, MPI_INT, right, 1, 1, MPI_INT, MPI_SUM, win, &r[1]);
	MPI_Win_unlock_all(win);
	MPI_Barrier(MPI_COMM_WORLD);
	CHECK(memory[0] == 1 && memory[1] == 1);
	CHECK(MPI_Win_free(&win) == MPI_SUCCESS && win == MPI_WIN_NULL);
	CHECK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
	CHECK(r[0] == MPI_REQUEST_NULL && r[1] == MPI_REQUEST_NULL);
	expect("RMA_OP_COMPLETE_NON_BLOCKING", 2);
}

static void free_too_early(void)
{
	MPI_Win win = make();
	int refused;

	MPI_Put(&one, 1, MPI_INT, right, 0, 1, MPI_INT, win);
	refused = MPI_Win_free(&win) != MPI_SUCCESS;
	CHECK((win == MPI_WIN_NULL) == !refused);
	if (refused) {
		MPI_Put(&one, 1, MPI_INT, right, 1, 1, MPI_INT, win);
		MPI_Win_unlock_all(win);
		MPI_Barrier(MPI_COMM_WORLD);
		CHECK(memory[0] == 1 && memory[1] == 1);
		CHECK(MPI_Win_free(&win) == MPI_SUCCESS);
	}
	expect("RMA_PUT", refused);
	expect("RMA_ACQUIRE_LOCK", refused); /* once it is known to be held */
	expect("RMA_RELEASE_LOCK", refused);
	expect("RMA_OP_COMPLETE_NON_BLOCKING", refused); /* puts to one target are one */
}

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	wait_afterwards();
	free_too_early();
	expect("RMA_PUT", 2);
	expect("RMA_ATOMIC", 1);
	expect("RMA_REQUEST_LOCK", 2);
	expect("RMA_ACQUIRE_LOCK", 1);
	expect("RMA_RELEASE_LOCK", 1);
	expect("RMA_WIN_CREATE", 2);
	expect("RMA_WIN_DESTROY", 2);
	if (rank == 0)
		expect("windows", 2);
	return finish();
}
