/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waits of one-sided communication, 0.3 s each, of 2 ranks: rank 0 waits for a late post of
 * rank 1 and for its late complete, rank 1 for a lock that rank 0 holds. Rank 0 prints how long
 * each was in truth.
 */
#include "behave.h"

#include <unistd.h>

#define PAUSE_US 300000

enum { LATE_POST, LATE_COMPLETE, LOCK, WAITS };

static double mine_s[WAITS]; /* when this rank began to wait, or ended the other's wait */

static void late_post(MPI_Win win, MPI_Group other)
{
	int value = 1;

	if (rank == 0) {
		mine_s[LATE_POST] = now_s();
		MPI_Win_start(other, 0, win);
		MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
		MPI_Win_complete(win);
	} else {
		usleep(PAUSE_US);
		mine_s[LATE_POST] = now_s();
		MPI_Win_post(other, 0, win);
		MPI_Win_wait(win);
	}
}

static void late_complete(MPI_Win win, MPI_Group other)
{
	int value = 1;

	if (rank == 0) {
		MPI_Win_post(other, 0, win);
		mine_s[LATE_COMPLETE] = now_s();
		MPI_Win_wait(win);
	} else {
		MPI_Win_start(other, 0, win);
		MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
		usleep(PAUSE_US);
		mine_s[LATE_COMPLETE] = now_s();
		MPI_Win_complete(win);
	}
}

static void held_lock(MPI_Win win)
{
	int value = rank;

	if (rank == 1) { /* when the other has it */
		MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		mine_s[LOCK] = now_s();
	}
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
	MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
	if (rank == 0) {
		MPI_Win_flush(0, win); /* it has it now */
		MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
		usleep(PAUSE_US);
		mine_s[LOCK] = now_s();
	}
	MPI_Win_unlock(0, win);
}

static void print_waits(void)
{
	double other_s[WAITS];

	MPI_Sendrecv(mine_s, WAITS, MPI_DOUBLE, 1 - rank, 2, other_s, WAITS, MPI_DOUBLE, 1 - rank,
		     2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (rank == 0)
		printf("late_post %.6f\nlate_complete %.6f\nlock %.6f\n",
		       other_s[LATE_POST] - mine_s[LATE_POST],
		       other_s[LATE_COMPLETE] - mine_s[LATE_COMPLETE],
		       mine_s[LOCK] - other_s[LOCK]);
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
	print_waits();
	return finish();
}
