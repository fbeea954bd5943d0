/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collectives whose arguments are not all there: MPI_IN_PLACE, and on the other ranks
 * NULL for what only the root may need; what says how much that would be means nothing.
 */
#include "behave.h"

#define P   64 /* at most so many ranks */
#define LIE 1000

static int a[P], b[P], counts[P], at[P];
static MPI_Datatype types[P];
static const MPI_Comm world = MPI_COMM_WORLD;

static void rooted(void)
{
	int root = rank == 0, i;

	for (i = 0; i < ranks; i++)
		a[i] = root ? i : -1;
	MPI_Bcast(a, ranks, MPI_INT, 0, world);
	CHECK(a[ranks - 1] == ranks - 1);
	if (root) {
		b[0] = 0;
		MPI_Gather(MPI_IN_PLACE, LIE, MPI_INT, b, 1, MPI_INT, 0, world);
		CHECK(b[ranks - 1] == ranks - 1);
		MPI_Gatherv(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, b, counts, at, MPI_INT, 0, world);
		MPI_Scatter(b, 1, MPI_INT, MPI_IN_PLACE, LIE, MPI_INT, 0, world);
		MPI_Scatterv(b, counts, at, MPI_INT, MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, 0, world);
		MPI_Reduce(MPI_IN_PLACE, b, ranks, MPI_INT, MPI_SUM, 0, world);
	} else {
		MPI_Gather(&rank, 1, MPI_INT, NULL, LIE, MPI_INT, 0, world);
		MPI_Gatherv(&rank, 1, MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL, 0, world);
		MPI_Scatter(NULL, LIE, MPI_INT, &i, 1, MPI_INT, 0, world);
		CHECK(i == rank);
		MPI_Scatterv(NULL, NULL, NULL, MPI_DATATYPE_NULL, &i, 1, MPI_INT, 0, world);
		CHECK(i == rank);
		MPI_Reduce(a, NULL, ranks, MPI_INT, MPI_SUM, 0, world);
	}
}

static void everybody(void)
{
	int i;

	b[rank] = rank;
	MPI_Allgather(MPI_IN_PLACE, LIE, MPI_INT, b, 1, MPI_INT, world);
	CHECK(b[left] == left);
	MPI_Allgatherv(MPI_IN_PLACE, LIE, MPI_INT, b, counts, at, MPI_INT, world);
	for (i = 0; i < ranks; i++)
		b[i] = 100 * rank + i;
	MPI_Alltoall(MPI_IN_PLACE, LIE, MPI_INT, b, 1, MPI_INT, world);
	CHECK(b[left] == 100 * left + rank);
	MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, b, counts, at, MPI_INT, world);
	for (i = 0; i < ranks; i++)
		at[i] = 4 * i; /* in bytes here */
	MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, b, counts, at, types, world);
	for (i = 0; i < ranks; i++)
		b[i] = 100 * rank + i;
	MPI_Alltoallw(b, counts, at, types, a, counts, at, types, world);
	CHECK(a[left] == 100 * left + rank);
	for (i = 0; i < ranks; i++)
		b[i] = 1;
	MPI_Allreduce(MPI_IN_PLACE, b, ranks, MPI_INT, MPI_SUM, world);
	CHECK(b[0] == ranks);
	MPI_Reduce_scatter(MPI_IN_PLACE, b, counts, MPI_INT, MPI_SUM, world);
	MPI_Reduce_scatter_block(MPI_IN_PLACE, b, 1, MPI_INT, MPI_MAX, world);
	MPI_Scan(MPI_IN_PLACE, b, 1, MPI_INT, MPI_SUM, world);
	MPI_Exscan(MPI_IN_PLACE, b, 1, MPI_INT, MPI_SUM, world);
	MPI_Barrier(world);
}

/* The same, completed later: other functions, the same rows. */
static void later(void)
{
	MPI_Request request;
	int i;

	for (i = 0; i < ranks; i++) {
		a[i] = 100 * rank + i;
		at[i] = i;
	}
	MPI_Ialltoall(MPI_IN_PLACE, LIE, MPI_INT, a, 1, MPI_INT, world, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(a[left] == 100 * left + rank);
	a[rank] = rank;
	MPI_Iallgather(MPI_IN_PLACE, LIE, MPI_DATATYPE_NULL, a, 1, MPI_INT, world, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(a[left] == left);
	MPI_Iallgatherv(MPI_IN_PLACE, LIE, MPI_INT, a, counts, at, MPI_INT, world, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Iallreduce(MPI_IN_PLACE, a, ranks, MPI_INT, MPI_SUM, world, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(a[left] == ranks * left);
	MPI_Ireduce(rank ? a : MPI_IN_PLACE, rank ? NULL : a, ranks, MPI_INT, MPI_MAX, 0, world,
		    &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK(a[left] == ranks * left);
	MPI_Iscan(MPI_IN_PLACE, b, 1, MPI_INT, MPI_SUM, world, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* What each call hands in and gets: of its own block, too, and nothing of what was no argument. */
static void declare(void)
{
	const char *ended = "MPI_COLLECTIVE_END", *completed = "NON_BLOCKING_COLLECTIVE_COMPLETE";
	int i, root = rank == 0, one = 4, all = 4 * ranks;
	const struct {
		const char *function, *event, *what;
		int sent, got;
	} calls[] = {
		{"MPI_Bcast", ended, "BCAST:0", root ? all : 0, root ? 0 : all},
		{"MPI_Gather", ended, "GATHER:0", root ? 0 : one, root ? all : 0},
		{"MPI_Gatherv", ended, "GATHERV:0", root ? 0 : one, root ? all : 0},
		{"MPI_Scatter", ended, "SCATTER:0", root ? all : 0, root ? 0 : one},
		{"MPI_Scatterv", ended, "SCATTERV:0", root ? all : 0, root ? 0 : one},
		{"MPI_Reduce", ended, "REDUCE:0", all, root ? all : 0},
		{"MPI_Allgather", ended, "ALLGATHER:NONE", one, all},
		{"MPI_Allgatherv", ended, "ALLGATHERV:NONE", one, all},
		{"MPI_Alltoall", ended, "ALLTOALL:NONE", all, all},
		{"MPI_Alltoallv", ended, "ALLTOALLV:NONE", all, all},
		{"MPI_Alltoallw", ended, "ALLTOALLW:NONE", all, all},
		{"MPI_Alltoallw", ended, "ALLTOALLW:NONE", all, all},
		{"MPI_Allreduce", ended, "ALLREDUCE:NONE", all, all},
		{"MPI_Reduce_scatter", ended, "REDUCE_SCATTER:NONE", all, one},
		{"MPI_Reduce_scatter_block", ended, "REDUCE_SCATTER_BLOCK:NONE", all, one},
		{"MPI_Scan", ended, "SCAN:NONE", one, one},
		{"MPI_Exscan", ended, "EXSCAN:NONE", one, one},
		{"MPI_Barrier", ended, "BARRIER:NONE", 0, 0},
		{"MPI_Ialltoall", completed, "ALLTOALL:NONE", all, all},
		{"MPI_Iallgather", completed, "ALLGATHER:NONE", one, all},
		{"MPI_Iallgatherv", completed, "ALLGATHERV:NONE", one, all},
		{"MPI_Iallreduce", completed, "ALLREDUCE:NONE", all, all},
		{"MPI_Ireduce", completed, "REDUCE:0", all, root ? all : 0},
		{"MPI_Iscan", completed, "SCAN:NONE", one, one},
	};

	for (i = 0; i < (int)(sizeof(calls) / sizeof(calls[0])); i++)
		expect_in(calls[i].function, calls[i].event, "%s:%d:%d", calls[i].what,
			  calls[i].sent, calls[i].got);
}

int main(int argc, char **argv)
{
	int i;

	begin(&argc, &argv);
	for (i = 0; i < ranks; i++) {
		counts[i] = 1;
		at[i] = i;
		types[i] = MPI_INT;
	}
	rooted();
	everybody();
	later();
	declare();
	expect("NON_BLOCKING_COLLECTIVE_REQUEST", 6);
	return finish();
}
