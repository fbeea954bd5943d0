/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sizes that no int holds: a message of more than 4 GiB, a type of 5 GiB, and (MPI 4) the
 * twins with large counts of all sorts of calls.
 */
#include "behave.h"

#define MIB (1L << 20)

static char mib[1 << 20], blocks[4 * 4096], other[4 * 4096];

/* Of elements that all lie in the same place, so that it takes no memory. */
static void large_types(void)
{
	MPI_Datatype block, same, large;
	MPI_Request request;

	MPI_Type_contiguous(1 << 20, MPI_BYTE, &block);
	MPI_Type_create_resized(block, 0, 0, &same);
	MPI_Type_commit(&same);
	MPI_Type_contiguous(5 * 1024, same, &large);
	MPI_Type_commit(&large);
	if (rank == 0) { /* to itself: one copy */
		MPI_Irecv(mib, 4352, same, 0, 1, MPI_COMM_SELF, &request);
		MPI_Send(mib, 4352, same, 0, 1, MPI_COMM_SELF);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	expect("bytes-sent", rank == 0 ? 4352 * MIB : 0);
	expect("bytes-received", rank == 0 ? 4352 * MIB : 0);
	expect("MPI_SEND", rank == 0);
	expect("MPI_IRECV", rank == 0);
	expect("MPI_IRECV_REQUEST", rank == 0);
	MPI_Bcast(mib, 1, large, 0, MPI_COMM_SELF);
	expect("bytes-in-collectives", 5 * 1024 * MIB);
	expect("MPI_COLLECTIVE_END", 1);
	MPI_Type_free(&block);
	MPI_Type_free(&same);
	MPI_Type_free(&large);
}

#if MPI_VERSION >= 4
static void messages(void)
{
	MPI_Count n = 100, some;
	MPI_Message message;
	MPI_Request r[2];

	MPI_Irecv_c(other, n, MPI_INT, left, 1, MPI_COMM_WORLD, &r[0]);
	MPI_Isend_c(blocks, n, MPI_INT, right, 1, MPI_COMM_WORLD, &r[1]);
	MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	MPI_Sendrecv_c(blocks, n, MPI_INT, right, 2, other, n, MPI_INT, left, 2, MPI_COMM_WORLD,
		       MPI_STATUS_IGNORE);
	MPI_Irecv(other, 100, MPI_INT, left, 3, MPI_COMM_WORLD, &r[0]);
	MPI_Ssend_c(blocks, n, MPI_INT, right, 3, MPI_COMM_WORLD);
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);
	MPI_Isend_c(blocks, n, MPI_INT, right, 4, MPI_COMM_WORLD, &r[0]);
	MPI_Mprobe(left, 4, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
	MPI_Mrecv_c(other, n, MPI_INT, &message, MPI_STATUS_IGNORE);
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);
	MPI_Send_init_c(blocks, n, MPI_INT, right, 5, MPI_COMM_WORLD, &r[0]);
	MPI_Recv_init_c(other, n, MPI_INT, left, 5, MPI_COMM_WORLD, &r[1]);
	MPI_Startall(2, r);
	MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	MPI_Request_free(&r[0]);
	MPI_Request_free(&r[1]);
	MPI_Type_size_c(MPI_INT, &some);
	CHECK(some == 4);
	expect("MPI_ISEND", 3);
	expect("MPI_ISEND_COMPLETE", 3);
	expect("MPI_IRECV_REQUEST", 3);
	expect("MPI_IRECV", 3);
	expect("MPI_SEND", 2);
	expect("MPI_RECV", 2);
	expect("bytes-sent", 5 * 400);
	expect("bytes-received", 5 * 400);
}

/* What is handed in and got out, of counts that are no ints. */
static void collectives(void)
{
	MPI_Count counts[64], n = 1;
	MPI_Datatype types[64];
	MPI_Aint at[64];
	MPI_Request request;
	int i;

	for (i = 0; i < ranks; i++) {
		counts[i] = i + 1;
		at[i] = 8 * i;
		types[i] = MPI_INT;
	}
	MPI_Bcast_c(blocks, n, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Allreduce_c(blocks, other, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Allgatherv_c(blocks, rank + 1, MPI_INT, other, counts, at, MPI_INT, MPI_COMM_WORLD);
	for (i = 0; i < ranks; i++)
		counts[i] = rank + 1;
	MPI_Ialltoallw_c(blocks, counts, at, types, other, counts, at, types, MPI_COMM_SELF,
			 &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	for (i = 0; i < ranks; i++)
		counts[i] = i + 1;
	MPI_Reduce_scatter_c(blocks, other, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	expect("NON_BLOCKING_COLLECTIVE_REQUEST", 1);
	expect("NON_BLOCKING_COLLECTIVE_COMPLETE", 1);
	expect("MPI_COLLECTIVE_END", 4);
	/* Bcast, Allreduce, Allgatherv, Ialltoallw, Reduce_scatter */
	expect("bytes-in-collectives", (rank == 0 ? 4 : 0) + 4 + 4 * (rank + 1) + 4 * (rank + 1) +
					       4 * ranks * (ranks + 1) / 2);
}
#endif

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	large_types();
#if MPI_VERSION >= 4
	messages();
	collectives();
#endif
	return finish();
}
