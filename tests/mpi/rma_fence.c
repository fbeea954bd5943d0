/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One-sided communication between fences: on the world, on a part of it, on MPI's own
 * memory; operations on nobody, and calls that fail.
 */
#include "behave.h"

#define N 100

static int memory[N], out[N], in[N];

static MPI_Win make(MPI_Comm comm)
{
	MPI_Win win;

	MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, comm, &win);
	return win;
}

static void put_and_get(void)
{
	MPI_Win win = make(MPI_COMM_WORLD);
	int i, round;

	MPI_Win_set_name(win, "neighbours");
	MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
	for (round = 0; round < 3; round++) {
		for (i = 0; i < N; i++)
			out[i] = 1000 * round + 10 * rank + i;
		MPI_Put(out, N / 2, MPI_INT, right, 0, N / 2, MPI_INT, win);
		MPI_Put(out + N / 2, N / 2, MPI_INT, right, N / 2, N / 2, MPI_INT, win);
		MPI_Put(out, N, MPI_INT, MPI_PROC_NULL, 0, N, MPI_INT, win);
		MPI_Win_fence(0, win);
		CHECK(memory[0] == 1000 * round + 10 * left && memory[N - 1] == memory[0] + N - 1);
		MPI_Get(in, N, MPI_INT, left, 0, N, MPI_INT, win);
		MPI_Win_fence(0, win);
		CHECK(in[5] == 1000 * round + 10 * ((left + ranks - 1) % ranks) + 5);
	}
	MPI_Win_free(&win);
	CHECK(win == MPI_WIN_NULL);
	expect("RMA_PUT", 6);
	expect("RMA_GET", 3);
	expect("bytes-put", 3 * N * (long)sizeof(int));
	expect("bytes-got", 3 * N * (long)sizeof(int));
	/* Puts to one target complete together. */
	expect("RMA_OP_COMPLETE_NON_BLOCKING", 6);
	expect("RMA_OP_COMPLETE_REMOTE", 6);
}

/*
 * Every pair has windows. One pair makes its after the other: Open MPI 4.1.4 calls their
 * memory by one name. And not of 4 bytes: in MPICH 4.0.2 those overlap.
 */
static void in_parts(void)
{
	int *shared, i, pair, pairs = ranks / 2;
	MPI_Comm comm;
	MPI_Win win;

	MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &comm);
	for (i = 0; i < 2; i++) {
		for (pair = 0; pair < pairs; pair++) {
			if (pair == rank / 2)
				MPI_Win_allocate(sizeof(memory), sizeof(int), MPI_INFO_NULL, comm,
						 &shared, &win);
			MPI_Barrier(MPI_COMM_WORLD);
		}
		*shared = -1;
		MPI_Win_fence(0, win);
		MPI_Accumulate(&rank, 1, MPI_INT, 1 - rank % 2, 0, 1, MPI_INT, MPI_REPLACE, win);
		MPI_Win_fence(0, win);
		CHECK(*shared == partner);
		MPI_Win_free(&win);
	}
	MPI_Comm_free(&comm);
	MPI_Win_allocate(sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_SELF, &shared, &win);
	MPI_Win_free(&win);
	expect("RMA_ATOMIC", 2);
	expect("bytes-put", 2 * (long)sizeof(int));
	expect("RMA_OP_COMPLETE_NON_BLOCKING", 2);
	expect("RMA_OP_COMPLETE_REMOTE", 2);
	if (rank == 0)
		expect("windows", 1 + 2 * pairs + 1 + 1);
}

static void invalid(void)
{
	MPI_Win win = make(MPI_COMM_WORLD);
	int class = 0, code;

	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Win_fence(0, win);
	code = MPI_Put(out, 1, MPI_INT, 1000, 0, 1, MPI_INT, win);
	MPI_Error_class(code, &class);
	CHECK(class == MPI_ERR_RANK);
	code = MPI_Put(out, -1, MPI_INT, right, 0, -1, MPI_INT, win);
	CHECK(code != MPI_SUCCESS);
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	put_and_get();
	in_parts();
	invalid();
	expect("RMA_WIN_CREATE", 5);
	expect("RMA_WIN_DESTROY", 5);
	/* creations, their ends, fences: inside of them MPI may do as it likes */
	expect("RMA_COLLECTIVE_BEGIN", 5 + 5 + 7 + 4 + 2);
	expect("RMA_COLLECTIVE_END", 5 + 5 + 7 + 4 + 2);
	if (rank == 0)
		expect("windows-of-neighbours", 1);
	return finish();
}
