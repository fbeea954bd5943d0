/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waits of one-sided communication, 0.3 s each, of 2 ranks: rank 0 waits for a late post of
 * rank 1 and for its late complete, rank 1 for a lock that rank 0 holds.
 */
#include "behave.h"

#include <unistd.h>

#define PAUSE_US 300000

static void late_post(MPI_Win win, MPI_Group other)
{
	int value = 1;

	if (rank == 0) {
		MPI_Win_start(other, 0, win);
		MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
		MPI_Win_complete(win);
	} else {
		usleep(PAUSE_US);
		MPI_Win_post(other, 0, win);
		MPI_Win_wait(win);
	}
}

static void late_complete(MPI_Win win, MPI_Group other)
{
	int value = 1;

	if (rank == 0) {
		MPI_Win_post(other, 0, win);
		MPI_Win_wait(win);
	} else {
		MPI_Win_start(other, 0, win);
		MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
		usleep(PAUSE_US);
		MPI_Win_complete(win);
	}
}

static void held_lock(MPI_Win win)
{
	int value = rank;

	if (rank == 1)
		usleep(PAUSE_US / 3); /* let the other have it */
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
	MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
	if (rank == 0) {
		MPI_Win_flush(0, win); /* it has it now */
		usleep(PAUSE_US + PAUSE_US / 3);
	}
	MPI_Win_unlock(0, win);
}

int main(int argc, char **argv)
{
	MPI_Group world, other;
	int *memory, peer;
	MPI_Win win;

	begin(&argc, &argv);
	peer = 1 - rank;
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 1, &peer, &other);
	MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
			 &win);
	late_post(win, other);
	MPI_Barrier(MPI_COMM_WORLD);
	late_complete(win, other);
	MPI_Barrier(MPI_COMM_WORLD);
	held_lock(win);
	MPI_Win_free(&win);
	MPI_Group_free(&other);
	MPI_Group_free(&world);
	return finish();
}
