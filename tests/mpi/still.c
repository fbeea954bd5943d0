/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages go round until there is a file of the name of the first argument. */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int rank, ranks, stop = 0, i, value;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	while (!stop) {
		for (i = 0; i < 100; i++)
			MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % ranks, 0, &value, 1, MPI_INT,
				     (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD,
				     MPI_STATUS_IGNORE);
		stop = argc < 2 || !access(argv[1], F_OK);
		MPI_Bcast(&stop, 1, MPI_INT, 0, MPI_COMM_WORLD);
		usleep(1000);
	}
	MPI_Finalize();
	return 0;
}
