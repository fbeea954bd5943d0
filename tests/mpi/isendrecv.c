/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sends and receives that share a request, where the MPI has such. */
#include "behave.h"

#define ROUNDS 20

int main(int argc, char **argv)
{
	int done = 0;

	begin(&argc, &argv);
#if MPI_VERSION >= 4
	{
		MPI_Request request;
		MPI_Status status;
		int in = -1, both, flag, i;

		for (i = 0; i < ROUNDS; i++) {
			MPI_Isendrecv(&rank, 1, MPI_INT, right, 1, &in, 1, MPI_INT, left, 1,
				      MPI_COMM_WORLD, &request);
			MPI_Wait(&request, &status);
			CHECK(in == left && status.MPI_SOURCE == left);
			both = rank;
			MPI_Isendrecv_replace(&both, 1, MPI_INT, right, 2, left, 2, MPI_COMM_WORLD,
					      &request);
			for (flag = 0; !flag;)
				MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
			CHECK(both == left);
		}
		MPI_Isendrecv(&rank, 1, MPI_INT, MPI_PROC_NULL, 1, &in, 1, MPI_INT, MPI_PROC_NULL,
			      1, MPI_COMM_WORLD, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		done = 2 * ROUNDS;
	}
#endif
	printf("%s\n", failures ? "wrong" : "right");
	expect("MPI_ISEND", done);
	expect("MPI_ISEND_COMPLETE", done);
	expect("MPI_IRECV_REQUEST", done);
	expect("MPI_IRECV", done);
	return finish();
}
