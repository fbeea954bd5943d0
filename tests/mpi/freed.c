/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests that are freed while they are active, tens of thousands: the process does not grow. */
#include "behave.h"

#define TURNS 20000

int main(int argc, char **argv)
{
	long before = 0;
	MPI_Request r;
	int i, in;

	begin(&argc, &argv);
	for (i = 0; i < TURNS; i++) {
		if (i == TURNS / 5)
			before = resident_bytes();
		MPI_Isend(&rank, 1, MPI_INT, partner, 1, MPI_COMM_WORLD, &r);
		MPI_Request_free(&r);
		MPI_Recv(&in, 1, MPI_INT, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	CHECK(in == partner);
	check_not_grown(before, 1 << 20);
	expect("MPI_ISEND", TURNS);
	expect("MPI_ISEND_COMPLETE", TURNS); /* marks the release */
	expect("MPI_RECV", TURNS);
	return finish();
}
