/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Request handles that are not unique (small sends are often complete at once and share
 * one), requests to nobody, and requests that are null.
 */
#include "behave.h"

#define N 4

enum how { WAITALL, WAITANY, TESTSOME, WAIT_BACKWARDS, TESTALL, WAYS };

static void complete(enum how how, MPI_Request request[N])
{
	MPI_Status statuses[N];
	int i, done, index, at[N], flag = 0;

	switch (how) {
	case WAITALL:
		MPI_Waitall(N, request, MPI_STATUSES_IGNORE);
		break;
	case WAITANY:
		for (i = 0; i < N; i++)
			MPI_Waitany(N, request, &index, MPI_STATUS_IGNORE);
		break;
	case TESTSOME:
		for (i = 0; i < N; i += done)
			MPI_Testsome(N, request, &done, at, statuses);
		break;
	case WAIT_BACKWARDS:
		for (i = N - 1; i >= 0; i--)
			MPI_Wait(&request[i], MPI_STATUS_IGNORE);
		break;
	default:
		while (!flag)
			MPI_Testall(N, request, &flag, statuses);
	}
	for (i = 0; i < N; i++)
		CHECK(request[i] == MPI_REQUEST_NULL);
}

static void exchange(enum how how)
{
	MPI_Request in[N], out[N];
	double sent[N], got[N];
	int i;

	for (i = 0; i < N; i++) {
		sent[i] = 100 * rank + i;
		MPI_Irecv(&got[i], 1, MPI_DOUBLE, left, i, MPI_COMM_WORLD, &in[i]);
	}
	for (i = 0; i < N; i++)
		MPI_Isend(&sent[i], 1, MPI_DOUBLE, right, i, MPI_COMM_WORLD, &out[i]);
	complete(how, out);
	complete(how, in);
	for (i = 0; i < N; i++)
		CHECK(got[i] == 100 * left + i);
}

/* Nobody at the other end, or nothing to wait for: no message, whatever is called. */
static void nobody(void)
{
	MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
	MPI_Status status;
	int value = 7, flag, index;

	MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
	MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
	CHECK(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
	MPI_Sendrecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, &value, 1, MPI_INT, MPI_PROC_NULL, 0,
		     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Isend(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[0]);
	MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[2]);
	MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
	MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
	CHECK(flag);
	MPI_Wait(&requests[0], &status);
	CHECK(status.MPI_SOURCE == MPI_ANY_SOURCE);
	MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE);
	CHECK(index == MPI_UNDEFINED);
	MPI_Testany(3, requests, &index, &flag, &status);
	CHECK(flag && index == MPI_UNDEFINED);
	MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
	MPI_Probe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
	CHECK(status.MPI_SOURCE == MPI_PROC_NULL && value == 7);
}

int main(int argc, char **argv)
{
	int how;

	begin(&argc, &argv);
	for (how = 0; how < WAYS; how++)
		exchange((enum how)how);
	nobody();
	expect("MPI_ISEND", N * WAYS);
	expect("MPI_ISEND_COMPLETE", N * WAYS);
	expect("MPI_IRECV_REQUEST", N * WAYS);
	expect("MPI_IRECV", N * WAYS);
	expect("bytes-received", N * WAYS * 8);
	return finish();
}
