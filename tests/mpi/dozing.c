/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rank 0 answers requests of the others, for which it polls; where it finds none, it sleeps for
 * 2 ms, or, started with "busy", computes for as long.
 */
#include <mpi.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define REQUESTS 300

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void compute(double s)
{
	double end = now() + s;

	while (now() < end)
		;
}

static void serve(int clients, int busy)
{
	for (int left = clients * REQUESTS, found, x; left > 0;) {
		MPI_Status status;

		MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &found, &status);
		if (!found && busy)
			compute(0.002);
		else if (!found)
			usleep(2000);
		if (!found)
			continue;
		MPI_Recv(&x, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(&x, 1, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD);
		left--;
	}
}

int main(int argc, char **argv)
{
	int rank, size, x = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (rank == 0)
		serve(size - 1, argc > 1 && !strcmp(argv[1], "busy"));
	for (int k = 0; rank > 0 && k < REQUESTS; k++) {
		usleep(3000);
		MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
		MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
