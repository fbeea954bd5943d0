/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * away [pause]: rank 0 sends while rank 1, whose receive is posted, does something else; with
 * pause its recording is off meanwhile.
 */
#include "behave.h"

#include <unistd.h>

int main(int argc, char **argv)
{
	MPI_Request request;
	int i, in;

	begin(&argc, &argv);
	for (i = 0; i < 5; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		if (rank == 0) {
			usleep(10000);
			MPI_Send(&i, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
		} else if (rank == 1) {
			MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
			if (argc > 1)
				MPI_Pcontrol(0);
			usleep(60000);
			if (argc > 1)
				MPI_Pcontrol(1);
			MPI_Wait(&request, MPI_STATUS_IGNORE);
			CHECK(in == i);
		}
	}
	return finish();
}
