/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of several requests completes, and in what order, is told unchanged. */
#include "behave.h"

#define N 6

static int in[N];
static MPI_Request requests[N];

static void post(void)
{
	int i;

	for (i = 0; i < N; i++)
		MPI_Irecv(&in[i], 1, MPI_INT, partner, i, MPI_COMM_WORLD, &requests[i]);
	MPI_Barrier(MPI_COMM_WORLD);
}

static void send(int tag)
{
	MPI_Ssend(&rank, 1, MPI_INT, partner, tag, MPI_COMM_WORLD);
}

/* One at a time in the order 5, 3, 1, 4, 2, 0, by a rank that waits for its partner. */
static void one_by_one(int (*take)(MPI_Status *))
{
	static const int order[N] = {5, 3, 1, 4, 2, 0};
	MPI_Status status;
	int i, index;

	post();
	for (i = 0; i < N; i++) {
		if (rank % 2)
			send(order[i]);
		index = take(&status);
		CHECK(index == order[i] && status.MPI_TAG == index && in[index] == partner);
		if (rank % 2 == 0)
			send(order[i]);
	}
}

static int by_waitany(MPI_Status *status)
{
	int index;

	MPI_Waitany(N, requests, &index, status);
	return index;
}

static int by_testany(MPI_Status *status)
{
	int index, flag = 0;

	while (!flag)
		MPI_Testany(N, requests, &index, &flag, status);
	return index;
}

static int by_waitsome(MPI_Status *status)
{
	MPI_Status statuses[N];
	int n, at[N];

	MPI_Waitsome(N, requests, &n, at, statuses);
	CHECK(n == 1);
	*status = statuses[0];
	return at[0];
}

static int by_testsome(MPI_Status *status)
{
	MPI_Status statuses[N];
	int n = 0, at[N];

	while (!n)
		MPI_Testsome(N, requests, &n, at, statuses);
	*status = statuses[0];
	return at[0];
}

int main(int argc, char **argv)
{
	int n = 0, at[N];

	begin(&argc, &argv);
	one_by_one(by_waitany);
	one_by_one(by_testany);
	one_by_one(by_waitsome);
	one_by_one(by_testsome);
	MPI_Waitsome(N, requests, &n, at, MPI_STATUSES_IGNORE);
	CHECK(n == MPI_UNDEFINED);
	MPI_Testsome(N, requests, &n, at, MPI_STATUSES_IGNORE);
	CHECK(n == MPI_UNDEFINED);
	expect("MPI_SEND", 4 * N);
	expect("MPI_IRECV_REQUEST", 4 * N);
	expect("MPI_IRECV", 4 * N);
	return finish();
}
