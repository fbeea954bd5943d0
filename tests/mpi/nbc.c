/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Non-blocking collectives, several at once, and duplicates that are made meanwhile. */
#include "behave.h"

/* Used first in another order by the partners, and not equally often. */
static void use(MPI_Comm one, MPI_Comm other)
{
	int in, i;

	for (i = 0; rank % 2 == 0 && i < 3; i++)
		MPI_Send(&rank, 1, MPI_INT, partner, 3, i < 2 ? one : other);
	for (i = 0; rank % 2 && i < 3; i++)
		MPI_Recv(&in, 1, MPI_INT, partner, 3, i ? one : other, MPI_STATUS_IGNORE);
	expect("MPI_SEND", rank % 2 ? 0 : 3);
	expect("MPI_RECV", rank % 2 ? 3 : 0);
	expect("not-received-in-its-communicator", 0);
}

int main(int argc, char **argv)
{
	MPI_Request r[4];
	MPI_Comm copy, second, third;
	int sum = 0, value, in = -1, flag = 0, i;

	begin(&argc, &argv);
	value = rank == 0 ? 9 : 0;
	for (i = 0; i < 10; i++) {
		MPI_Ibarrier(MPI_COMM_WORLD, &r[0]);
		MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[1]);
		MPI_Ibcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, &r[2]);
		MPI_Irecv(&in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &r[3]);
		MPI_Send(&rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD);
		MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
		CHECK(sum == ranks * (ranks - 1) / 2 && value == 9 && in == left);
	}
	MPI_Ibarrier(MPI_COMM_SELF, &r[0]);
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);

	MPI_Comm_idup(MPI_COMM_WORLD, &copy, &r[0]);
	MPI_Comm_dup(MPI_COMM_WORLD, &second); /* while the first is being made */
	while (!flag)
		MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);
	MPI_Comm_idup(MPI_COMM_WORLD, &third, &r[0]);
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);
	use(copy, third);
	MPI_Sendrecv(&rank, 1, MPI_INT, right, 2, &in, 1, MPI_INT, left, 2, copy,
		     MPI_STATUS_IGNORE);
	CHECK(in == left);
	MPI_Barrier(second);
	MPI_Comm_free(&copy);
	MPI_Comm_free(&second);
	MPI_Comm_free(&third);
	expect("NON_BLOCKING_COLLECTIVE_REQUEST", 33);
	expect("NON_BLOCKING_COLLECTIVE_COMPLETE", 33);
	expect("MPI_SEND", 11);
	expect("MPI_RECV", 1);
	expect("MPI_IRECV_REQUEST", 10);
	expect("MPI_IRECV", 10);
	if (rank == 0)
		expect("communicators", 5);
	return finish();
}
