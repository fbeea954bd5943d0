/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes that no int holds: a message of more than 4 GiB, a type of 5 GiB, and (MPI 4) a count. */
#include "behave.h"

#define MIB (1L << 20)

static char mib[1 << 20];

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
static void large_count(void)
{
	MPI_Datatype same;

	MPI_Type_create_resized(MPI_BYTE, 0, 0, &same);
	MPI_Type_commit(&same);
	MPI_Bcast_c(mib, 6 * 1024 * MIB, same, 0, MPI_COMM_SELF);
	MPI_Type_free(&same);
	expect("bytes-in-collectives", 6 * 1024 * MIB);
	expect("MPI_COLLECTIVE_END", 1);
}
#endif

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	large_types();
#if MPI_VERSION >= 4
	large_count();
#endif
	return finish();
}
