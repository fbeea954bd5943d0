/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Three times round the ring with a tag each: 1 before a pause of the recording, 2 in it,
 * 3 after it. In the pause every rank does something else for 400 ms.
 */
#include "behave.h"

#include <unistd.h>

static void round_ring(int tag)
{
	int got = -1;

	if (rank == 0)
		MPI_Send(&rank, 1, MPI_INT, right, tag, MPI_COMM_WORLD);
	MPI_Recv(&got, 1, MPI_INT, left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	CHECK(got == left);
	if (rank)
		MPI_Send(&rank, 1, MPI_INT, right, tag, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	round_ring(1);
	MPI_Pcontrol(0);
	usleep(400000);
	round_ring(2);
	MPI_Pcontrol(1, "solver", 42, 2.5, 1L << 40);
	round_ring(3);
	return finish();
}
