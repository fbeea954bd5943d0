/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints ns per byte from rank 0 to rank 1: the slope between two sizes, each in one stream. */
#include <mpi.h>
#include <stdio.h>

enum { SMALL = 64 * 1024, LARGE = 1024 * 1024, REPEAT = 3 };

static char buffer[LARGE];

/* Seconds for one message and the answer that it arrived. */
static double time_of(int bytes, int rank)
{
	double start_s = MPI_Wtime();

	if (rank == 0) {
		MPI_Send(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
		MPI_Recv(buffer, 0, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else {
		MPI_Recv(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(buffer, 0, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
	}
	return MPI_Wtime() - start_s;
}

int main(int argc, char **argv)
{
	double small_s = 0, large_s = 0;
	int rank, i;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	time_of(SMALL, rank); /* connections are made */
	for (i = 0; i < REPEAT; i++) {
		small_s += time_of(SMALL, rank);
		large_s += time_of(LARGE, rank);
	}
	if (rank == 0)
		printf("%.1f ns per byte\n", (large_s - small_s) * 1e9 / REPEAT / (LARGE - SMALL));
	MPI_Finalize();
	return 0;
}
