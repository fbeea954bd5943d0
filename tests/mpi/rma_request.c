/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One-sided operations with requests, waited for before and after the window is flushed. */
#include "behave.h"

#define N 16

static void expect_all(void)
{
	expect("RMA_PUT", N + 1);
	expect("MPI_REQUEST_TEST", 0); /* they were of the window */
	expect("MPI_SEND", 1);
	expect("MPI_IRECV_REQUEST", 1);
	expect("MPI_IRECV", 1);
	expect("RMA_GET", N + 1);
	expect("RMA_ATOMIC", 2);
	expect("bytes-put", (N + 3) * (long)sizeof(int));
	expect("bytes-got", (N + 2) * (long)sizeof(int));
	expect("RMA_OP_COMPLETE_NON_BLOCKING", 2 * N + 4);
	expect("RMA_OP_COMPLETE_REMOTE", 2 * N + 4);
	expect("RMA_REQUEST_LOCK", 1);
	expect("RMA_ACQUIRE_LOCK", 1);
	expect("RMA_RELEASE_LOCK", 1);
}

int main(int argc, char **argv)
{
	int *memory, out[N], in[N], sum = 0, one = 1, i, flag;
	MPI_Request r[N + 1];
	MPI_Win win;

	begin(&argc, &argv);
	MPI_Win_allocate(2 * N * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
			 &win);
	memset(memory, 0, 2 * N * sizeof(int));
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock_all(0, win);
	for (i = 0; i < N; i++) {
		out[i] = 100 * rank + i;
		MPI_Rput(&out[i], 1, MPI_INT, right, i, 1, MPI_INT, win, &r[i]);
	}
	MPI_Raccumulate(&one, 1, MPI_INT, right, N, 1, MPI_INT, MPI_SUM, win, &r[N]);
	MPI_Waitall(N, r, MPI_STATUSES_IGNORE);
	MPI_Win_flush(right, win); /* before the last one's wait */
	MPI_Wait(&r[N], MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);

	for (i = 0; i < N; i++)
		MPI_Rget(&in[i], 1, MPI_INT, right, i, 1, MPI_INT, win, &r[i]);
	MPI_Rget_accumulate(&one, 1, MPI_INT, &sum, 1, MPI_INT, right, N, 1, MPI_INT, MPI_SUM, win,
			    &r[N]);
	for (i = 0; i <= N; i++)
		do
			MPI_Test(&r[i], &flag, MPI_STATUS_IGNORE);
		while (!flag);
	for (i = 0; i < N; i++)
		CHECK(in[i] == out[i]);
	CHECK(sum == 1);

	/* two requests that are not both complete: the test is the first one's */
	MPI_Rget(&in[0], 1, MPI_INT, right, 0, 1, MPI_INT, win, &r[0]);
	MPI_Irecv(&i, 1, MPI_INT, partner, 1, MPI_COMM_WORLD, &r[1]);
	MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE);
	CHECK(!flag);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Send(&rank, 1, MPI_INT, partner, 1, MPI_COMM_WORLD);
	MPI_Waitall(2, r, MPI_STATUSES_IGNORE);

	/* pending until the window's end */
	MPI_Rput(&one, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &r[0]);
	MPI_Rput(&one, 1, MPI_INT, right, N, 1, MPI_INT, win, &r[1]);
	MPI_Win_unlock_all(win);
	MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	MPI_Win_free(&win);
	expect_all();
	return finish();
}
