/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ring of messages, every communicator of interest, and an end with a chosen status. */
#include "behave.h"

int main(int argc, char **argv)
{
	MPI_Comm comm;
	int i, in = -1, sum;

	begin(&argc, &argv);
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	for (i = 0; i < 100; i++)
		MPI_Sendrecv(&rank, 1, MPI_INT, right, 1, &in, 1, MPI_INT, left, 1, comm,
			     MPI_STATUS_IGNORE);
	MPI_Allreduce(&in, &sum, 1, MPI_INT, MPI_SUM, comm);
	CHECK(sum == ranks * (ranks - 1) / 2);
	MPI_Comm_free(&comm);
	printf("rank %d is done\n", rank);
	return finish();
}
