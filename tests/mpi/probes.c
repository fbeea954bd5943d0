/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages found before they are received, by every kind of probe: a matched one is not asked
 * for its communicator any more, and is of one that is not the world.
 */
#include "behave.h"

#define N 10

static MPI_Comm twin;

static void send(int tag)
{
	MPI_Send(&tag, 1, MPI_INT, right, tag, twin);
}

int main(int argc, char **argv)
{
	MPI_Message message, other;
	MPI_Request request;
	MPI_Status status;
	int i, flag, in;

	begin(&argc, &argv);
	MPI_Comm_dup(MPI_COMM_WORLD, &twin);
	for (i = 0; i < N; i++) {
		send(1);
		MPI_Probe(left, MPI_ANY_TAG, twin, &status);
		CHECK(status.MPI_TAG == 1);
		MPI_Recv(&in, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, twin,
			 MPI_STATUS_IGNORE);
		send(2);
		for (flag = 0; !flag;)
			MPI_Iprobe(left, 2, twin, &flag, MPI_STATUS_IGNORE);
		MPI_Recv(&in, 1, MPI_INT, left, 2, twin, MPI_STATUS_IGNORE);
		send(3);
		MPI_Mprobe(MPI_ANY_SOURCE, 3, twin, &message, &status);
		MPI_Mrecv(&in, 1, MPI_INT, &message, &status);
		CHECK(in == 3 && status.MPI_SOURCE == left && message == MPI_MESSAGE_NULL);
		/* Two matched, received in the other order. */
		send(4);
		send(5);
		for (flag = 0; !flag;)
			MPI_Improbe(left, 4, twin, &flag, &message, MPI_STATUS_IGNORE);
		MPI_Mprobe(left, 5, twin, &other, MPI_STATUS_IGNORE);
		MPI_Imrecv(&in, 1, MPI_INT, &other, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		CHECK(in == 5);
		MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
		CHECK(in == 4);
	}
	MPI_Mprobe(MPI_PROC_NULL, 0, twin, &message, &status);
	CHECK(message == MPI_MESSAGE_NO_PROC);
	MPI_Mrecv(&in, 1, MPI_INT, &message, &status);
	CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
	MPI_Comm_free(&twin);
	expect("MPI_SEND", 5 * N);
	expect("MPI_RECV", 4 * N);
	expect("MPI_IRECV_REQUEST", N);
	expect("MPI_IRECV", N);
	expect("bytes-received", 5 * N * 4);
	expect("received-in-the-world", 0);
	return finish();
}
