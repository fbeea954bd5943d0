/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests that do not end by completing: cancelled, too late to cancel, freed, only looked at. */
#include "behave.h"

static void cancelled(void)
{
	MPI_Request request;
	MPI_Status status;
	int value = 5, flag = 0;

	MPI_Irecv(&value, 1, MPI_INT, left, 99, MPI_COMM_WORLD, &request);
	MPI_Cancel(&request);
	MPI_Wait(&request, &status);
	MPI_Test_cancelled(&status, &flag);
	CHECK(flag && value == 5);

	MPI_Recv_init(&value, 1, MPI_INT, left, 98, MPI_COMM_WORLD, &request);
	MPI_Start(&request);
	MPI_Cancel(&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Request_free(&request);
}

static void too_late(void)
{
	MPI_Request request, get;
	MPI_Status status;
	int in = 0, flag = 0;

	MPI_Irecv(&in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &request);
	MPI_Sendrecv(&rank, 1, MPI_INT, right, 1, NULL, 0, MPI_INT, MPI_PROC_NULL, 1,
		     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	while (!flag) /* true is not yet completed: the request stays */
		MPI_Request_get_status(request, &flag, &status);
	CHECK(status.MPI_SOURCE == left && request != MPI_REQUEST_NULL);
	get = request;
	MPI_Request_get_status(get, &flag, MPI_STATUS_IGNORE);
	MPI_Cancel(&request);
	MPI_Wait(&request, &status);
	MPI_Test_cancelled(&status, &flag);
	CHECK(!flag && in == left);
}

static void freed(void)
{
	MPI_Request request;
	int in = -1;

	MPI_Irecv(&in, 1, MPI_INT, left, 2, MPI_COMM_WORLD, &request);
	MPI_Request_free(&request);
	CHECK(request == MPI_REQUEST_NULL);
	MPI_Isend(&rank, 1, MPI_INT, right, 2, MPI_COMM_WORLD, &request);
	MPI_Request_free(&request);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Sendrecv(&rank, 1, MPI_INT, right, 3, &in, 1, MPI_INT, left, 3, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
	CHECK(in == left);
}

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	cancelled();
	too_late();
	freed();
	expect("MPI_IRECV_REQUEST", 4);
	expect("MPI_IRECV", 1);
	expect("MPI_REQUEST_CANCELLED", 3); /* and the one freed: nobody knows what it got */
	expect("MPI_ISEND", 1);
	expect("MPI_ISEND_COMPLETE", 1);
	expect("MPI_SEND", 2);
	expect("MPI_RECV", 1);
	return finish();
}
