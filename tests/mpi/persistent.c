/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Persistent requests: started many times, one by one and together, freed while inactive,
 * freed while active, never started.
 */
#include "behave.h"

#define STARTS 50

int main(int argc, char **argv)
{
	MPI_Request pair[2], never[2], one[2], nobody, freed;
	int out = 0, in = -1, i, flag, spare = 3;
	double lost = 1.5;

	begin(&argc, &argv);
	MPI_Send_init(&out, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &pair[0]);
	MPI_Recv_init(&in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &pair[1]);
	MPI_Ssend_init(&out, 1, MPI_INT, right, 2, MPI_COMM_WORLD, &never[0]);
	MPI_Recv_init(&in, 1, MPI_INT, left, 2, MPI_COMM_WORLD, &never[1]);
	MPI_Send_init(&out, 1, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD, &nobody);
	for (i = 0; i < STARTS; i++) {
		out = 1000 * rank + i;
		MPI_Startall(2, pair);
		MPI_Waitall(2, pair, MPI_STATUSES_IGNORE);
		CHECK(in == 1000 * left + i);
		CHECK(pair[0] != MPI_REQUEST_NULL && pair[1] != MPI_REQUEST_NULL);
	}
	MPI_Wait(&pair[0], MPI_STATUS_IGNORE); /* inactive: returns at once */
	MPI_Test(&pair[1], &flag, MPI_STATUS_IGNORE);
	CHECK(flag);
	for (i = 0; i < STARTS; i++) {
		MPI_Start(&pair[1]);
		MPI_Start(&pair[0]);
		MPI_Start(&nobody);
		for (flag = 0; !flag;)
			MPI_Test(&pair[1], &flag, MPI_STATUS_IGNORE);
		MPI_Wait(&pair[0], MPI_STATUS_IGNORE);
		MPI_Wait(&nobody, MPI_STATUS_IGNORE);
	}
	for (i = 0; i < 2; i++) {
		MPI_Request_free(&pair[i]);
		MPI_Request_free(&never[i]);
		CHECK(pair[i] == MPI_REQUEST_NULL);
	}
	MPI_Request_free(&nobody);

	/* Handles freed above are given out again: nothing of the old ones may cling to them. */
	MPI_Irecv(&spare, 1, MPI_INT, left, 3, MPI_COMM_WORLD, &one[0]);
	MPI_Isend(&out, 1, MPI_INT, right, 3, MPI_COMM_WORLD, &one[1]);
	MPI_Waitall(2, one, MPI_STATUSES_IGNORE);

	/* Freed while active: the message still arrives. */
	MPI_Send_init(&lost, 1, MPI_DOUBLE, right, 4, MPI_COMM_WORLD, &freed);
	MPI_Start(&freed);
	MPI_Request_free(&freed);
	MPI_Recv(&lost, 1, MPI_DOUBLE, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	CHECK(lost == 1.5);
	MPI_Barrier(MPI_COMM_WORLD);

	expect("MPI_ISEND", 2 * STARTS + 2);
	expect("MPI_ISEND_COMPLETE", 2 * STARTS + 2);
	expect("MPI_IRECV_REQUEST", 2 * STARTS + 1);
	expect("MPI_IRECV", 2 * STARTS + 1);
	expect("MPI_RECV", 1);
	expect("bytes-received", 4 * (2 * STARTS + 1) + 8);
	return finish();
}
