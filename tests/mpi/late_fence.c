/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last rank comes late to a fence and to MPI_Win_set_info, by half a second each. */
#include "behave.h"

#include <unistd.h>

int main(int argc, char **argv)
{
	int *memory;
	MPI_Info info;
	MPI_Win win;

	begin(&argc, &argv);
	MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
			 &win);
	MPI_Win_fence(0, win);
	MPI_Put(&rank, 1, MPI_INT, right, 0, 1, MPI_INT, win);
	if (rank == ranks - 1)
		usleep(500000);
	MPI_Win_fence(0, win);
	MPI_Info_create(&info);
	if (rank == ranks - 1)
		usleep(500000);
	MPI_Win_set_info(win, info);
	MPI_Info_free(&info);
	MPI_Win_free(&win);
	return finish();
}
