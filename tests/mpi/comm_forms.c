/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Communicators made of others in every way that only their members need to know of; each is the
 * same to all of them: messages in it have both ends.
 */
#include "behave.h"

static const MPI_Comm world = MPI_COMM_WORLD;
static int made;

/* To the next member, whose rank in the world is next */
static void use(const char *function, MPI_Comm comm)
{
	int me, all, in[2] = {-1, -1}, out[2] = {rank, ++made}, to, from;
	MPI_Status status;

	MPI_Comm_rank(comm, &me);
	MPI_Comm_size(comm, &all);
	to = (me + 1) % all;
	from = (me + all - 1) % all;
	MPI_Sendrecv(out, 2, MPI_INT, to, made, in, 2, MPI_INT, from, made, comm, &status);
	CHECK(in[1] == made && status.MPI_SOURCE == from);
	expect_in("MPI_Sendrecv", "MPI_SEND", "%d:%d:8", to, made);
	expect_in("MPI_Sendrecv", "MPI_RECV", "%d:%d:8", from, made);
	MPI_Comm_free(&comm);
	if (function)
		expect_in(function, "MPI_COLLECTIVE_END", "CREATE_HANDLE:NONE:0:0");
	expect_in("MPI_Comm_free", "MPI_COLLECTIVE_END", "DESTROY_HANDLE:NONE:0:0");
}

static void copies(void)
{
	MPI_Comm comm;

	MPI_Comm_dup_with_info(world, MPI_INFO_NULL, &comm);
	use("MPI_Comm_dup_with_info", comm);
#if MPI_VERSION >= 4
	MPI_Request r;

	MPI_Comm_idup_with_info(world, MPI_INFO_NULL, &comm, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	use(NULL, comm);
	expect("NON_BLOCKING_COLLECTIVE_REQUEST", 1);
	expect_in("MPI_Comm_idup_with_info", "NON_BLOCKING_COLLECTIVE_COMPLETE",
		  "CREATE_HANDLE:NONE:0:0");
#endif
}

static void parts(void)
{
	int dims[2] = {ranks / 2, 2}, no[2] = {0, 0}, rows[2] = {0, 1}, columns[2] = {1, 0};
	MPI_Comm comm, grid;

	MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, ranks - rank, MPI_INFO_NULL, &comm);
	use("MPI_Comm_split_type", comm);
	MPI_Cart_create(world, 2, dims, no, 0, &grid);
	MPI_Cart_sub(grid, rows, &comm);
	use("MPI_Cart_sub", comm);
	MPI_Cart_sub(grid, columns, &comm);
	use("MPI_Cart_sub", comm);
	use("MPI_Cart_create", grid);
}

/* Each says where another's edge goes to: the neighbourhood is known to those at its ends only. */
static void graph(void)
{
	int degree = 1, to = (right + 1) % ranks, in = -1;
	MPI_Comm comm;

	MPI_Dist_graph_create(world, 1, &right, &degree, &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
			      &comm);
	MPI_Neighbor_allgather(&rank, 1, MPI_INT, &in, 1, MPI_INT, comm);
	CHECK(in == left);
	expect_in("MPI_Neighbor_allgather", "MPI_COLLECTIVE_END", "ALLGATHER:NONE:4:4");
	use("MPI_Dist_graph_create", comm);
}

static void memory(void)
{
	int *mine = NULL;

	MPI_Alloc_mem(4 * sizeof(int), MPI_INFO_NULL, &mine);
	mine[3] = rank;
	MPI_Free_mem(mine);
	expect("MPI_Alloc_mem", 1);
	expect("MPI_Free_mem", 1);
}

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	expect_much();
	copies();
	parts();
	graph();
	memory();
	expect("not-received-in-its-communicator", 0);
	return finish();
}
