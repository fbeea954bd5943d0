/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * polling N: N exchanges with the next three ranks around, of which each rank asks by MPI_Testsome
 * in between its work until all are there; what the analysis of make bench is measured with.
 */
#include <mpi.h>
#include <stdlib.h>

enum { NEXT = 3, VALUES = 64, WORK = 400, TOGETHER = 50 };

static double in[NEXT][VALUES], out[NEXT][VALUES];

static void work(void)
{
	for (volatile int i = 0; i < WORK; i++)
		;
}

static void exchange(int rank, int ranks)
{
	MPI_Request q[2 * NEXT];
	int done[2 * NEXT], n, left = 2 * NEXT;

	for (int d = 0; d < NEXT; d++)
		MPI_Irecv(in[d], VALUES, MPI_DOUBLE, (rank + ranks - 1 - d % ranks) % ranks, d,
			  MPI_COMM_WORLD, &q[d]);
	for (int d = 0; d < NEXT; d++)
		MPI_Isend(out[d], VALUES, MPI_DOUBLE, (rank + 1 + d) % ranks, d, MPI_COMM_WORLD,
			  &q[NEXT + d]);
	while (left > 0) {
		MPI_Testsome(2 * NEXT, q, &n, done, MPI_STATUSES_IGNORE);
		left -= n > 0 ? n : 0;
		work();
	}
}

int main(int argc, char **argv)
{
	int times = argc > 1 ? atoi(argv[1]) : 1, rank, ranks;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (int i = 0; i < times; i++) {
		exchange(rank, ranks);
		if (i % TOGETHER == 0)
			MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
