/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two groups and the communicator between them: messages, collectives where the root
 * says MPI_ROOT and its neighbours MPI_PROC_NULL, duplicates, and the merged group.
 */
#include "behave.h"

#define LIE 1000 /* what only others need says nothing */

/* The first rank and all others: how many blocks there are is the other side's affair. */
static void uneven(void)
{
	int side = rank > 0, out[64], in[64], peers, i;
	MPI_Comm half, inter;

	MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 8, &inter);
	MPI_Comm_remote_size(inter, &peers);
	for (i = 0; i < 64; i++)
		out[i] = rank;
	MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, inter);
	CHECK(in[peers - 1] == (side ? 0 : ranks - 1));
	expect("bytes-in-collectives", 4 * (side ? 1 : ranks - 1));
	MPI_Comm_free(&inter);
	MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
	MPI_Comm half, inter, copy, merged;
	int side, mine, peers, in = -1, sum = 0, root, i;
	int many[64];
	MPI_Request request;
	MPI_Status status;

	begin(&argc, &argv);
	side = rank % 2;
	MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
	MPI_Comm_rank(half, &mine);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 7, &inter);
	MPI_Comm_remote_size(inter, &peers);
	CHECK(peers == ranks / 2);
	MPI_Sendrecv(&rank, 1, MPI_INT, mine, 1, &in, 1, MPI_INT, mine, 1, inter, &status);
	CHECK(in == partner && status.MPI_SOURCE == mine);

	root = side ? 0 : mine ? MPI_PROC_NULL : MPI_ROOT;
	in = root == MPI_ROOT ? 17 : -1;
	if (root == MPI_PROC_NULL)
		MPI_Bcast(NULL, 0, MPI_INT, root, inter);
	else
		MPI_Bcast(&in, 1, MPI_INT, root, inter);
	CHECK(in == (root == MPI_PROC_NULL ? -1 : 17));
	in = root == MPI_ROOT ? 18 : -1;
	MPI_Ibcast(&in, 1, MPI_INT, root, inter, &request);
	MPI_Wait(&request, &status);
	CHECK(in == (root == MPI_PROC_NULL ? -1 : 18));
	if (root == MPI_ROOT)
		MPI_Gather(NULL, LIE, MPI_INT, many, 1, MPI_INT, root, inter);
	else if (root == MPI_PROC_NULL)
		MPI_Gather(NULL, -1, MPI_DATATYPE_NULL, NULL, -1, MPI_DATATYPE_NULL, root, inter);
	else
		MPI_Gather(&rank, 1, MPI_INT, NULL, -1, MPI_DATATYPE_NULL, root, inter);
	for (i = 0; root == MPI_ROOT && i < peers; i++)
		CHECK(many[i] == 2 * i + 1);
	if (root == MPI_ROOT)
		MPI_Scatter(many, 1, MPI_INT, NULL, LIE, MPI_INT, root, inter);
	else
		MPI_Scatter(NULL, LIE, MPI_INT, &in, root == MPI_PROC_NULL ? LIE : 1, MPI_INT, root,
			    inter);
	MPI_Allreduce(&side, &sum, 1, MPI_INT, MPI_SUM, inter);
	CHECK(sum == (side ? 0 : peers));
	MPI_Barrier(inter);

	MPI_Comm_dup(inter, &copy);
	MPI_Send(&rank, 1, MPI_INT, mine, 2, copy);
	MPI_Recv(&in, 1, MPI_INT, mine, 2, copy, MPI_STATUS_IGNORE);
	CHECK(in == partner);
	MPI_Intercomm_merge(inter, side, &merged);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, merged);
	CHECK(sum == ranks * (ranks - 1) / 2);
	MPI_Comm_free(&merged);
	MPI_Comm_free(&copy);
	MPI_Comm_free(&inter);
	MPI_Comm_free(&half);
	expect("MPI_SEND", 2);
	expect("MPI_RECV", 2);
	/* the root's Bcasts and Scatter, its partners' Gather; Allreduce twice */
	expect("bytes-in-collectives", (root == MPI_ROOT ? 8 + 4 * peers : 4 * side) + 4 + 4);
	expect("roots-themselves", root == MPI_ROOT ? 4 : 0);
	expect("roots-of-this-group", root == MPI_PROC_NULL ? 4 : 0);
	uneven();
	/* a half each, what lies between, its copy, the merged one; world and self; unevenly */
	if (rank == 0)
		expect("communicators", 7 + 3);
	return finish();
}
