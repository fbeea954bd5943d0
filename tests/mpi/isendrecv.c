/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sends and receives that share a request, where the MPI has such; also of one end only. MPICH
 * 4.0.2 crashes on those without any end, and of those with two its status tells of another
 * message: what was asked for is recorded, and the room that there was, which here is filled.
 */
#include "behave.h"

#define ROUNDS 20

#if MPI_VERSION >= 4
static void round_of_all(void)
{
	int in[3] = {-1, -1, -1}, out[3] = {rank, rank, rank}, both = rank, flag = 0;
	MPI_Request request;
	MPI_Status status;

	MPI_Isendrecv(out, 3, MPI_INT, right, 1, in, 3, MPI_INT, left, 1, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, &status);
	CHECK(in[2] == left);
	MPI_Isendrecv_replace(&both, 1, MPI_INT, right, 2, left, 2, MPI_COMM_WORLD, &request);
	while (!flag)
		MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
	CHECK(both == left);
	MPI_Isendrecv(out, 2, MPI_INT, right, 3, in, 3, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD,
		      &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Isendrecv(out, 3, MPI_INT, MPI_PROC_NULL, 3, in, 3, MPI_INT, MPI_ANY_SOURCE, 3,
		      MPI_COMM_WORLD, &request);
	MPI_Wait(&request, &status);
	CHECK(status.MPI_SOURCE == left && status.MPI_TAG == 3);
	both = rank;
	MPI_Isendrecv_c(out, 3, MPI_INT, right, 4, in, 3, MPI_INT, left, 4, MPI_COMM_WORLD,
			&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Isendrecv_replace_c(&both, 1, MPI_INT, right, 5, left, 5, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(in[2] == left && both == left);
#ifndef MPICH
	MPI_Isendrecv(&rank, 1, MPI_INT, MPI_PROC_NULL, 1, in, 1, MPI_INT, MPI_PROC_NULL, 1,
		      MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
}
#endif

int main(int argc, char **argv)
{
	int done = 0;

	begin(&argc, &argv);
#if MPI_VERSION >= 4
	for (; done < ROUNDS; done++)
		round_of_all();
#endif
	printf("isendrecv is %s\n", failures ? "wrong" : "right"); /* puts() would write twice */
	expect("MPI_ISEND", 5 * done);
	expect("MPI_ISEND_COMPLETE", 5 * done);
	expect("MPI_IRECV_REQUEST", 5 * done);
	expect("MPI_IRECV", 5 * done);
	expect("MPI_REQUEST_CANCELLED", 0);
	expect("senders-of-all-received", 5L * done * left);
	expect("tags-of-all-received", (1L + 2 + 3 + 4 + 5) * done);
	expect("bytes-received", (3L + 1 + 2 + 3 + 1) * done * 4);
	return finish();
}
