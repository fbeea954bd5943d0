/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Neighbourhood collectives on all three topologies; the grid's edge has nobody behind it. */
#include "behave.h"

static void exchange(MPI_Comm comm, int in, int out)
{
	int from[4], to[4], counts[4] = {1, 1, 1, 1}, at[4] = {0, 1, 2, 3}, i;
	MPI_Aint bytes[4] = {0, 4, 8, 12};
	MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
	MPI_Request request;

	for (i = 0; i < 4; i++) {
		to[i] = rank;
		from[i] = -1;
	}
	MPI_Neighbor_allgather(&rank, 1, MPI_INT, from, 1, MPI_INT, comm);
	MPI_Neighbor_allgatherv(&rank, 1, MPI_INT, from, counts, at, MPI_INT, comm);
	MPI_Neighbor_alltoall(to, 1, MPI_INT, from, 1, MPI_INT, comm);
	MPI_Neighbor_alltoallv(to, counts, at, MPI_INT, from, counts, at, MPI_INT, comm);
	MPI_Neighbor_alltoallw(to, counts, bytes, types, from, counts, bytes, types, comm);
	MPI_Ineighbor_alltoall(to, 1, MPI_INT, from, 1, MPI_INT, comm, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Ineighbor_allgather(&rank, 1, MPI_INT, from, 1, MPI_INT, comm, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	for (i = 0; i < in; i++)
		CHECK(from[i] == left || from[i] == right || from[i] == -1);
	/* one block to each, in all seven */
	expect("bytes-in-collectives", 7 * 4 * out);
	MPI_Comm_free(&comm);
}

/* Each to its neighbours as many as its rank and one, which tells apart to and from. */
static void unequal(MPI_Comm comm, int n_in, const int sources[], int n_out)
{
	int counts[2], at[2] = {0, 64}, out[64] = {rank}, in[128], i;

	for (i = 0; i < n_in; i++)
		counts[i] = sources[i] + 1;
	MPI_Neighbor_allgatherv(out, rank + 1, MPI_INT, in, counts, at, MPI_INT, comm);
	for (i = 0; i < n_in; i++)
		CHECK(in[at[i]] == sources[i]);
	expect("MPI_COLLECTIVE_END", 1);
	expect("bytes-in-collectives", 4 * (rank + 1) * n_out);
}

int main(int argc, char **argv)
{
	int dims[1], no = 0, index[64], edges[64], i, one[2], other[2], in, out;
	MPI_Comm comm;

	begin(&argc, &argv);
	dims[0] = ranks;
	MPI_Cart_create(MPI_COMM_WORLD, 1, dims, &no, 0, &comm);
	exchange(comm, 2, (rank > 0) + (rank < ranks - 1));
	for (i = 0; i < ranks; i++) { /* i -> i + 1, and back */
		index[i] = 2 * (i + 1);
		edges[2 * i] = (i + ranks - 1) % ranks;
		edges[2 * i + 1] = (i + 1) % ranks;
	}
	MPI_Graph_create(MPI_COMM_WORLD, ranks, index, edges, 0, &comm);
	exchange(comm, 2, 2);
	one[0] = left;
	other[0] = right;
	one[1] = 0; /* and one edge back, from the first to the last */
	other[1] = ranks - 1;
	in = 1 + (rank == ranks - 1);
	out = 1 + (rank == 0);
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in, one, MPI_UNWEIGHTED, out, other,
				       MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
	unequal(comm, in, one, out);
	exchange(comm, in, out);
	expect("NON_BLOCKING_COLLECTIVE_REQUEST", 6);
	expect("NON_BLOCKING_COLLECTIVE_COMPLETE", 6);
	expect("MPI_COLLECTIVE_END", 3 * (5 + 2)); /* with the creation and the freeing */
	return finish();
}
