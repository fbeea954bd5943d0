/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rank 1 sends 100 messages that rank 0 does not want yet, then what it wants; rank 0 receives
 * the wanted one first. So 100 unexpected messages lie in its queue when that completes.
 */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { MESSAGES = 100 };

int main(int argc, char **argv)
{
	struct timespec nap = {0, 300000000};
	int rank, i, got, sum = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (i = 0; rank == 1 && i < MESSAGES; i++)
		MPI_Send(&i, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
	if (rank == 1)
		MPI_Send(&i, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
	nanosleep(&nap, NULL);
	if (rank == 0)
		MPI_Recv(&got, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	nanosleep(&nap, NULL);
	for (i = 0; rank == 0 && i < MESSAGES; i++) {
		MPI_Recv(&got, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		sum += got;
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		printf("sum %d\n", sum);
	MPI_Finalize();
	return 0;
}
