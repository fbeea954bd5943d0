/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Much of everything: 10,000 requests at once, call paths without number, errno kept. */
#include "behave.h"

#include <errno.h>

#define N     10000
#define DEPTH 300

static MPI_Request requests[2 * N];
static int in[N];

static void at_once(void)
{
	int i, bad = 0;

	for (i = 0; i < N; i++)
		MPI_Irecv(&in[i], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[i]);
	for (i = 0; i < N; i++)
		MPI_Isend(&rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[N + i]);
	MPI_Waitall(2 * N, requests, MPI_STATUSES_IGNORE);
	for (i = 0; i < N; i++)
		bad += in[i] != left;
	CHECK(!bad);
}

/* Each depth is another call path, two call sites in each. */
static int descend(int depth)
{
	int x = depth, flag;

	if (depth == 0)
		return 0;
	if (depth % 2)
		MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF);
	else
		MPI_Iprobe(MPI_PROC_NULL, 0, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
	return descend(depth - 1) + (x == depth);
}

static void keeps_errno(void)
{
	int i, flag, kept = 1;
	MPI_Request r[2];

	for (i = 0; i < 5000; i++) { /* the log grows meanwhile */
		errno = ENOTTY;
		MPI_Irecv(in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r[0]);
		MPI_Isend(&rank, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r[1]);
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
		MPI_Iprobe(0, 2, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
		kept &= errno == ENOTTY;
	}
	CHECK(kept);
}

int main(int argc, char **argv)
{
	int i;

	begin(&argc, &argv);
	at_once();
	for (i = 0; i < 10; i++)
		CHECK(descend(DEPTH) == DEPTH);
	MPI_Barrier(MPI_COMM_WORLD);
	keeps_errno();
	expect("MPI_ISEND", N + 5000);
	expect("MPI_ISEND_COMPLETE", N + 5000);
	expect("MPI_IRECV_REQUEST", N + 5000);
	expect("MPI_IRECV", N + 5000);
	return finish();
}
