/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collectives that are started again and again: several at once, in any order, beside
 * messages, on a neighbourhood; freed when inactive, never started. MPI 4 has them, and
 * Open MPI 4 under names of its own.
 */
#include "again.h"
#include "behave.h"

#define STARTS 20

static int sum, value, many[64], from[64], counts[64], at[64], mine[2];

/* Returns how many requests there are. */
static int prepare(MPI_Request *r)
{
	int i;

	for (i = 0; i < ranks; i++) {
		counts[i] = i + 1;
		at[i] = i * (i + 1) / 2;
	}
	AGAIN(Barrier)(MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
	AGAIN(Bcast)(&value, 1, MPI_INT, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]);
	AGAIN(Allreduce)(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r[2]);
	AGAIN(Gatherv)
	(many, rank + 1, MPI_INT, from, counts, at, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
	 &r[3]);
	return 4;
}

static void neighbours(void)
{
	int dims[1] = {ranks}, yes = 1, i;
	MPI_Request r;
	MPI_Comm ring;

	MPI_Cart_create(MPI_COMM_WORLD, 1, dims, &yes, 0, &ring);
	AGAIN(Neighbor_allgather)(&rank, 1, MPI_INT, mine, 1, MPI_INT, ring, MPI_INFO_NULL, &r);
	for (i = 0; i < STARTS; i++) {
		mine[0] = mine[1] = -1;
		MPI_Start(&r);
		MPI_Wait(&r, MPI_STATUS_IGNORE);
		CHECK(mine[0] == left && mine[1] == right);
	}
	MPI_Request_free(&r);
	MPI_Comm_free(&ring);
}

int main(int argc, char **argv)
{
	MPI_Request r[6], never;
	int n, i, in, flag;

	begin(&argc, &argv);
	n = prepare(r);
	AGAIN(Barrier)(MPI_COMM_WORLD, MPI_INFO_NULL, &never);
	MPI_Recv_init(&in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &r[n]);
	MPI_Send_init(&rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &r[n + 1]);
	for (i = 0; i < STARTS; i++) {
		value = rank == 1 ? i : -1;
		sum = in = -1;
		MPI_Startall(n + 2, r);
		MPI_Waitall(n + 2, r, MPI_STATUSES_IGNORE);
		CHECK(value == i && sum == ranks * (ranks - 1) / 2 && in == left);
	}
	for (i = 0; i < STARTS; i++) { /* one after another, polled for */
		MPI_Start(&r[2]);
		for (flag = 0; !flag;)
			MPI_Test(&r[2], &flag, MPI_STATUS_IGNORE);
		MPI_Wait(&r[2], MPI_STATUS_IGNORE); /* inactive by now */
	}
	for (i = 0; i < n + 2; i++)
		MPI_Request_free(&r[i]);
	MPI_Request_free(&never);
	neighbours();
	expect("NON_BLOCKING_COLLECTIVE_REQUEST", n * STARTS + 2 * STARTS);
	expect("NON_BLOCKING_COLLECTIVE_COMPLETE", n * STARTS + 2 * STARTS);
	expect("bytes-in-collectives",
	       STARTS * ((rank == 1 ? 4 : 0) + 4 + 4 * (rank + 1)) + STARTS * 4 + STARTS * 2 * 4);
	expect("MPI_ISEND", STARTS);
	expect("MPI_ISEND_COMPLETE", STARTS);
	expect("MPI_IRECV_REQUEST", STARTS);
	expect("MPI_IRECV", STARTS);
	expect("MPI_COLLECTIVE_END", 2);
	return finish();
}
