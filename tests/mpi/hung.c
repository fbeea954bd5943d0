/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every rank waits for a message that nobody sends until an alarm ends it, which others outlive. */
#include <mpi.h>

#include <unistd.h>

int main(int argc, char **argv)
{
	int rank, nobodys;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	alarm(2);
	MPI_Recv(&nobodys, 1, MPI_INT, !rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Finalize();
	return 0;
}
