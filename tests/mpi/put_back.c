/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Persistent receives that are cancelled and asked for in a call that completes another request:
 * with threads they are out of the recorder's table meanwhile, and go back as they were.
 */
#include "behave.h"

#define ROUNDS 20

/* MPI takes the first that is complete: a send of a few bytes is. */
static void ask_in_vain(MPI_Request *cancelled, int round)
{
	MPI_Request request[2] = {MPI_REQUEST_NULL, *cancelled};
	int index = -1, flag = 0, in;

	MPI_Isend(&rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &request[0]);
	if (round % 2)
		MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
	while (round % 2 == 0 && !flag)
		MPI_Testany(2, request, &index, &flag, MPI_STATUS_IGNORE);
	CHECK(index == 0 && request[1] == *cancelled);
	MPI_Recv(&in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	CHECK(in == left);
}

int main(int argc, char **argv)
{
	int provided, i, in = -1, flag;
	MPI_Request receive;
	MPI_Status status;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	know_self();
	MPI_Recv_init(&in, 1, MPI_INT, left, 2, MPI_COMM_WORLD, &receive);
	for (i = 0; i < ROUNDS; i++) {
		MPI_Start(&receive);
		MPI_Cancel(&receive);
		ask_in_vain(&receive, i);
		MPI_Wait(&receive, &status);
		MPI_Test_cancelled(&status, &flag);
		CHECK(flag && in == -1);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Start(&receive); /* and once it is not */
	MPI_Send(&rank, 1, MPI_INT, right, 2, MPI_COMM_WORLD);
	ask_in_vain(&receive, 1);
	MPI_Wait(&receive, MPI_STATUS_IGNORE);
	CHECK(in == left);
	MPI_Request_free(&receive);
	expect("MPI_SEND", 1);
	expect("MPI_RECV", ROUNDS + 1);
	expect("MPI_ISEND", ROUNDS + 1);
	expect("MPI_ISEND_COMPLETE", ROUNDS + 1);
	expect("MPI_IRECV_REQUEST", ROUNDS + 1);
	expect("MPI_REQUEST_CANCELLED", ROUNDS);
	expect("MPI_IRECV", 1);
	return finish();
}
