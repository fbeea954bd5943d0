/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The last rank comes late to a fence and to MPI_Win_set_info, by half a second each. Rank 0 prints
 * how many seconds ranks waited in all fences and in MPI_Win_set_info for who came last.
 */
#include "behave.h"

#include <unistd.h>

#define COLLECTIVES 3

static double came_s[COLLECTIVES];

static void fence(int which, MPI_Win win)
{
	came_s[which] = now_s();
	MPI_Win_fence(0, win);
}

static void print_waited(void)
{
	double latest_s[COLLECTIVES], waited_s = 0, all_s = 0;
	int i;

	MPI_Allreduce(came_s, latest_s, COLLECTIVES, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	for (i = 0; i < COLLECTIVES; i++)
		waited_s += latest_s[i] - came_s[i];
	MPI_Reduce(&waited_s, &all_s, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%.6f\n", all_s);
}

int main(int argc, char **argv)
{
	int *memory;
	MPI_Info info;
	MPI_Win win;

	begin(&argc, &argv);
	MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
			 &win);
	fence(0, win);
	MPI_Put(&rank, 1, MPI_INT, right, 0, 1, MPI_INT, win);
	if (rank == ranks - 1)
		usleep(500000);
	fence(1, win);
	MPI_Info_create(&info);
	if (rank == ranks - 1)
		usleep(500000);
	came_s[2] = now_s();
	MPI_Win_set_info(win, info);
	MPI_Info_free(&info);
	MPI_Win_free(&win);
	print_waited();
	return finish();
}
