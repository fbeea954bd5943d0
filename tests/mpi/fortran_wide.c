/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The C twin of fortran_wide.F90: call for call the same, checked by what it leaves in the trace.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORLD MPI_COMM_WORLD
#define SAME  MPI_STATUS_IGNORE

static int rank, ranks, left, right, wrong, errors;
static int ones[4] = {1, 1, 1, 1}, at[4] = {0, 1, 2, 3};

static void expect(int holds, int line)
{
	if (!holds)
		printf("rank %d: line %d: not so\n", rank, line);
	wrong += !holds;
}

static void fill(int all[4], int first, int step)
{
	int i;

	for (i = 0; i < 4; i++)
		all[i] = first + i * step;
}

static void gathered(void)
{
	int all[4] = {-1, -1, -1, -1}, one = rank;

	all[rank] = rank;
	if (rank == 1) {
		MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, all, 1, MPI_INT, 1, WORLD);
		MPI_Gatherv(MPI_IN_PLACE, 1, MPI_INT, all, ones, at, MPI_INT, 1, WORLD);
		MPI_Scatter(all, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 1, WORLD);
		MPI_Scatterv(all, ones, at, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 1, WORLD);
	} else {
		MPI_Gather(&one, 1, MPI_INT, all, 1, MPI_INT, 1, WORLD);
		MPI_Gatherv(&one, 1, MPI_INT, all, ones, at, MPI_INT, 1, WORLD);
		MPI_Scatter(all, 1, MPI_INT, &one, 1, MPI_INT, 1, WORLD);
		MPI_Scatterv(all, ones, at, MPI_INT, &one, 1, MPI_INT, 1, WORLD);
	}
	all[rank] = rank;
	MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, all, ones, at, MPI_INT, WORLD);
	expect(all[left] == left && all[right] == right && one == rank, __LINE__);
}

static void exchanged(void)
{
	int all[4], bytes[4] = {0, 4, 8, 12};
	MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
	MPI_Request request;

	fill(all, 10 * rank, 1);
	MPI_Alltoallv(MPI_IN_PLACE, ones, at, MPI_INT, all, ones, at, MPI_INT, WORLD);
	expect(all[left] == 10 * left + rank, __LINE__);
	MPI_Alltoallw(MPI_IN_PLACE, ones, bytes, types, all, ones, bytes, types, WORLD);
	MPI_Ialltoall(MPI_IN_PLACE, 1, MPI_INT, all, 1, MPI_INT, WORLD, &request);
	MPI_Wait(&request, SAME);
	expect(all[left] == 10 * left + rank, __LINE__);
}

static void reduced(void)
{
	int all[4], one = 1;
	MPI_Request request;

	fill(all, rank, 1);
	MPI_Reduce_scatter_block(MPI_IN_PLACE, all, 1, MPI_INT, MPI_SUM, WORLD);
	expect(all[0] == 6 + 4 * rank, __LINE__);
	fill(all, rank, 1);
	MPI_Reduce_scatter(MPI_IN_PLACE, all, ones, MPI_INT, MPI_SUM, WORLD);
	expect(all[0] == 6 + 4 * rank, __LINE__);
	MPI_Scan(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_SUM, WORLD);
	MPI_Exscan(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_SUM, WORLD);
	MPI_Iallreduce(MPI_IN_PLACE, all, 1, MPI_INT, MPI_SUM, WORLD, &request);
	MPI_Wait(&request, SAME);
	MPI_Ibarrier(WORLD, &request);
	MPI_Wait(&request, SAME);
}

static void persistent(void)
{
	MPI_Request requests[2];
	int in, out = rank, round;

	MPI_Recv_init(&in, 1, MPI_INT, left, 5, WORLD, &requests[0]);
	MPI_Send_init(&out, 1, MPI_INT, right, 5, WORLD, &requests[1]);
	for (round = 0; round < 5; round++) {
		MPI_Startall(2, requests);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
		expect(in == left, __LINE__);
	}
	MPI_Start(&requests[0]);
	MPI_Send(&out, 1, MPI_INT, right, 5, WORLD);
	MPI_Wait(&requests[0], SAME);
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
}

static void neighbours(void)
{
	int four = 4, around = 1, out[2] = {rank, rank + 10}, in[2];
	MPI_Comm ring, graph;
	MPI_Request request;

	MPI_Cart_create(WORLD, 1, &four, &around, 0, &ring);
	MPI_Neighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, ring);
	MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring);
	expect(in[0] == left + 10 && in[1] == right, __LINE__);
	MPI_Dist_graph_create_adjacent(WORLD, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED,
				       MPI_INFO_NULL, 0, &graph);
	MPI_Neighbor_alltoallv(out, ones, at, MPI_INT, in, ones, at, MPI_INT, graph);
	MPI_Ineighbor_allgather(out, 2, MPI_INT, in, 2, MPI_INT, graph, &request);
	MPI_Wait(&request, SAME);
	expect(in[0] == left && in[1] == left + 10, __LINE__);
	MPI_Comm_free(&graph);
	MPI_Comm_free(&ring);
}

static void sections(void)
{
	int out[8], in[8], table[16], sizes[2] = {4, 4}, parts[2] = {2, 2}, from[2] = {1, 1};
	MPI_Datatype second, block;
	MPI_Request request;

	fill(out, 10 * rank, 1);
	fill(out + 4, 10 * rank + 4, 1);
	MPI_Sendrecv(out, 4, MPI_INT, right, 6, in, 4, MPI_INT, left, 6, WORLD, SAME);
	MPI_Type_vector(4, 1, 2, MPI_INT, &second);
	MPI_Type_commit(&second);
	MPI_Irecv(in, 1, second, left, 7, WORLD, &request);
	MPI_Send(out, 1, second, right, 7, WORLD);
	MPI_Wait(&request, SAME);
	expect(in[6] == 10 * left + 6, __LINE__);
	MPI_Type_create_subarray(2, sizes, parts, from, MPI_ORDER_FORTRAN, MPI_INT, &block);
	MPI_Type_commit(&block);
	MPI_Irecv(table, 1, block, left, 8, WORLD, &request);
	MPI_Send(out, 4, MPI_INT, right, 8, WORLD);
	MPI_Wait(&request, SAME);
	MPI_Irecv(in, 1, second, left, 9, WORLD, &request);
	MPI_Send(out, 4, MPI_INT, right, 9, WORLD);
	MPI_Wait(&request, SAME);
	MPI_Type_free(&second);
	MPI_Type_free(&block);
}

static void one_sided(void)
{
	int shown[4], got, one = 1;
	MPI_Win window;

	fill(shown, rank, 0);
	MPI_Win_create(shown, sizeof(shown), 4, MPI_INFO_NULL, WORLD, &window);
	MPI_Win_fence(0, window);
	MPI_Put(&rank, 1, MPI_INT, right, 2, 1, MPI_INT, window);
	MPI_Win_fence(0, window);
	MPI_Get(&got, 1, MPI_INT, right, 2, 1, MPI_INT, window);
	MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window);
	MPI_Win_fence(0, window);
	expect(got == rank && (rank || shown[0] == 4), __LINE__);
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, window);
	MPI_Fetch_and_op(&one, &got, MPI_INT, right, 3, MPI_SUM, window);
	MPI_Win_unlock(right, window);
	MPI_Win_free(&window);
}

static void farthest(void *from, void *into, int *n, MPI_Datatype *type)
{
	int *a = from, *b = into, i;

	(void)type;
	for (i = 0; i < *n; i++)
		b[i] = abs(a[i]) > abs(b[i]) ? a[i] : b[i];
}

static void on_error(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	(void)code;
	errors++;
}

static void operations(void)
{
	int in = rank == 2 ? -7 : rank, out;
	MPI_Errhandler handler;
	MPI_Comm own;
	MPI_Op op;

	MPI_Op_create(farthest, 1, &op);
	MPI_Allreduce(&in, &out, 1, MPI_INT, op, WORLD);
	expect(out == -7, __LINE__);
	MPI_Op_free(&op);
	MPI_Comm_dup(WORLD, &own);
	MPI_Comm_create_errhandler(on_error, &handler);
	MPI_Comm_set_errhandler(own, handler);
	expect(MPI_Send(&in, 1, MPI_INT, 4711, 1, own) != MPI_SUCCESS && errors == 1, __LINE__);
	MPI_Errhandler_free(&handler);
	MPI_Comm_free(&own);
}

/* Attributes are nobody's events: the communicators are. */
static void attributes(void)
{
	MPI_Comm first, second;

	MPI_Comm_dup(MPI_COMM_SELF, &first);
	MPI_Comm_dup(first, &second);
	MPI_Comm_free(&second);
	MPI_Comm_free(&first);
}

static void words(void)
{
	MPI_Comm own;

	MPI_Comm_dup(WORLD, &own);
	MPI_Comm_set_name(own, "two words");
	MPI_Pcontrol(1);
	MPI_Comm_free(&own);
}

int main(int argc, char **argv)
{
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	MPI_Comm_rank(WORLD, &rank);
	MPI_Comm_size(WORLD, &ranks);
	left = (rank + ranks - 1) % ranks;
	right = (rank + 1) % ranks;
	gathered();
	exchanged();
	reduced();
	persistent();
	neighbours();
	sections();
	one_sided();
	operations();
	attributes();
	words();
	printf("rank %d: %d wrong\n", rank, wrong);
	MPI_Finalize();
	return wrong != 0;
}
