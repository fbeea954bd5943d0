/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many messages around a ring; says that they were right and exits as its argument says. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int calls = argc > 1 ? atoi(argv[1]) : 1000, code = argc > 2 ? atoi(argv[2]) : 0;
	int rank, ranks, i, in, wrong = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (i = 0; i < calls; i++) {
		in = -1;
		MPI_Sendrecv(&i, 1, MPI_INT, (rank + 1) % ranks, 0, &in, 1, MPI_INT,
			     (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		wrong += in != i;
	}
	if (wrong)
		printf("rank %d: %d of %d messages wrong\n", rank, wrong, calls);
	else if (rank == 0)
		printf("%d messages right\n", calls);
	MPI_Finalize();
	return wrong ? 99 : code;
}
