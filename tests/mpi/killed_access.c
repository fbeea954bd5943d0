/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A rank is killed while a window and a file are open, between its accesses. */
#include "behave.h"

#include <signal.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int *memory, i, accesses;
	MPI_File fh;
	MPI_Win win;

	begin(&argc, &argv);
	accesses = atoi(argv[1]);
	MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
			 &win);
	MPI_File_open(MPI_COMM_WORLD, argv[2], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
		      &fh);
	if (rank == ranks - 1) {
		for (i = 0; i < accesses; i++) {
			MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
			MPI_Put(&i, 1, MPI_INT, rank, 1, 1, MPI_INT, win);
			MPI_Win_unlock(rank, win);
			MPI_File_write_at(fh, i * (MPI_Offset)sizeof(i), &i, 1, MPI_INT,
					  MPI_STATUS_IGNORE);
		}
		kill(getpid(), SIGKILL);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	return finish();
}
