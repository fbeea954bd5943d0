/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two groups and the communicator between them: messages, collectives where the root
 * says MPI_ROOT and its neighbours MPI_PROC_NULL, duplicates, and the merged group.
 */
#include "behave.h"

#define LIE 1000 /* what only others need says nothing */

#define BLOCK 64 /* ints, more than any rank */

static int out[64 * BLOCK], in[64 * BLOCK]; /* out: the rank */

static void came(const char *function, int ok, const char *format, int sent, int got)
{
	check(ok, function, 0);
	memset(in, -1, sizeof(in));
	expect_in(function, "MPI_COLLECTIVE_END", format, sent, got);
	expect("bytes-in-collectives", sent);
}

/*
 * Of the first rank, which is the root, and all others. theirs: bytes of their ranks and one each
 */
static void of_all(MPI_Comm inter, int peers, int last, int theirs)
{
	int to[64], own[64], at[64], at_byte[64], i, *end = in + BLOCK * (peers - 1);
	int mine = 4 * (rank + 1);
	MPI_Datatype ints[64];

	for (i = 0; i < peers; i++) {
		to[i] = (rank ? 0 : i + 1) + 1;
		own[i] = rank + 1;
		at[i] = BLOCK * i;
		at_byte[i] = 4 * at[i];
		ints[i] = MPI_INT;
	}
	MPI_Alltoall(out, BLOCK, MPI_INT, in, BLOCK, MPI_INT, inter);
	came("MPI_Alltoall", *end == last, "ALLTOALL:NONE:%d:%d", 4 * BLOCK * peers,
	     4 * BLOCK * peers);
	MPI_Allgather(out, BLOCK, MPI_INT, in, BLOCK, MPI_INT, inter);
	came("MPI_Allgather", *end == last, "ALLGATHER:NONE:%d:%d", 4 * BLOCK, 4 * BLOCK * peers);
	MPI_Allgatherv(out, rank + 1, MPI_INT, in, to, at, MPI_INT, inter);
	came("MPI_Allgatherv", end[last] == last && end[last + 1] == -1, "ALLGATHERV:NONE:%d:%d",
	     mine, theirs);
	MPI_Alltoallv(out, to, at, MPI_INT, in, own, at, MPI_INT, inter);
	came("MPI_Alltoallv", end[rank] == last && end[rank + 1] == -1, "ALLTOALLV:NONE:%d:%d",
	     theirs, mine * peers);
	MPI_Alltoallw(out, to, at_byte, ints, in, own, at_byte, ints, inter);
	came("MPI_Alltoallw", end[rank] == last && end[rank + 1] == -1, "ALLTOALLW:NONE:%d:%d",
	     theirs, mine * peers);
	if (rank == 0) {
		MPI_Gatherv(NULL, LIE, MPI_INT, in, to, at, MPI_INT, MPI_ROOT, inter);
		came("MPI_Gatherv", end[last] == last, "GATHERV:SELF:%d:%d", 0, theirs);
		MPI_Scatterv(out, to, at, MPI_INT, NULL, LIE, MPI_INT, MPI_ROOT, inter);
		came("MPI_Scatterv", 1, "SCATTERV:SELF:%d:%d", theirs, 0);
		MPI_Reduce(out, in, 2, MPI_INT, MPI_SUM, MPI_ROOT, inter);
		came("MPI_Reduce", in[1] == last * ranks / 2, "REDUCE:SELF:%d:%d", 0, 8);
	} else {
		MPI_Gatherv(out, rank + 1, MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL, 0, inter);
		came("MPI_Gatherv", 1, "GATHERV:0:%d:%d", mine, 0);
		MPI_Scatterv(NULL, NULL, NULL, MPI_INT, in, rank + 1, MPI_INT, 0, inter);
		came("MPI_Scatterv", in[rank] == 0, "SCATTERV:0:%d:%d", 0, mine);
		MPI_Reduce(out, NULL, 2, MPI_INT, MPI_SUM, 0, inter);
		came("MPI_Reduce", 1, "REDUCE:0:%d:%d", 8, 0);
	}
}

/* What the members of either side get is the other side's, and as much of it as of theirs. */
static void in_shares(MPI_Comm inter)
{
	int shares[64], share = rank ? 1 : ranks - 1, sum = rank ? 0 : ranks * (ranks - 1) / 2, i;

	for (i = 0; i < 64; i++)
		shares[i] = share;
	MPI_Reduce_scatter(out, in, shares, MPI_INT, MPI_SUM, inter);
	came("MPI_Reduce_scatter", in[share - 1] == sum, "REDUCE_SCATTER:NONE:%d:%d",
	     4 * (ranks - 1), 4 * share);
	MPI_Reduce_scatter_block(out, in, share, MPI_INT, MPI_SUM, inter);
	came("MPI_Reduce_scatter_block", in[share - 1] == sum, "REDUCE_SCATTER_BLOCK:NONE:%d:%d",
	     4 * (ranks - 1), 4 * share);
}

/* The first rank and all others: how many blocks there are is the other side's affair. */
static void uneven(void)
{
	int i, peers = rank ? 1 : ranks - 1;
	MPI_Comm side, inter;

	for (i = 0; i < 64 * BLOCK; i++) {
		out[i] = rank;
		in[i] = -1;
	}
	MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &side);
	MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, rank ? 0 : 1, 8, &inter);
	of_all(inter, peers, rank ? 0 : ranks - 1, rank ? 4 : 2 * ranks * (ranks + 1) - 4);
	in_shares(inter);
	expect("roots-themselves", rank ? 0 : 3);
	MPI_Comm_free(&inter);
	MPI_Comm_free(&side);
}

/*
 * What a side's first rank sends to the other side, or gathers from it; root: as MPI has it.
 * Returns how many there are on the other side.
 */
static int of_one_root(MPI_Comm inter, int root)
{
	int in, many[64], peers, i;
	MPI_Request request;
	MPI_Status status;

	MPI_Comm_remote_size(inter, &peers);
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
	return peers;
}

int main(int argc, char **argv)
{
	MPI_Comm half, inter, copy, merged;
	int side, mine, peers, in = -1, sum = 0, root;
	MPI_Status status;

	begin(&argc, &argv);
	side = rank % 2;
	MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
	MPI_Comm_rank(half, &mine);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 7, &inter);
	MPI_Sendrecv(&rank, 1, MPI_INT, mine, 1, &in, 1, MPI_INT, mine, 1, inter, &status);
	CHECK(in == partner && status.MPI_SOURCE == mine);

	root = side ? 0 : mine ? MPI_PROC_NULL : MPI_ROOT;
	peers = of_one_root(inter, root);
	CHECK(peers == ranks / 2);
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
	expect("MPI_COLLECTIVE_END", 13);
	uneven();
	expect("MPI_COLLECTIVE_END", 3);
	/* a half each, what lies between, its copy, the merged one; world and self; unevenly */
	if (rank == 0)
		expect("communicators", 7 + 3);
	return finish();
}
