/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A million polls that find nothing: what is
 * recorded of them must not grow with their number.
 */
#include "behave.h"

#define POLLS 500000

int main(int argc, char **argv)
{
	int i, flag, in, found = 0;
	MPI_Request request;

	begin_polling(&argc, &argv);
	MPI_Irecv(&in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &request);
	for (i = 0; i < POLLS; i++) {
		MPI_Iprobe(0, 2, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
		found += flag;
	}
	for (i = 0; i < POLLS; i++) {
		MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
		found += flag;
	}
	CHECK(!found);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Send(&rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(in == left);
	expect("MPI_SEND", 1);
	expect("MPI_IRECV_REQUEST", 1);
	expect("MPI_IRECV", 1);
	expect("at-most-log-bytes", 4 << 20);
	return finish();
}
