/* SPDX-License-Identifier: GPL-3.0-or-later */
/* While all ranks run the file FROM takes the place of the file TO: replaced FROM TO. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	int rank, failed = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		failed = argc != 3 || rename(argv[1], argv[2]);
	MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Finalize();
	return failed;
}
