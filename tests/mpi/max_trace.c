/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * max_trace ROUNDS [kill]: more calls than a small log holds, rank 0 more of them than the
 * others. A receive that is posted first, and gets the first message of its channel, is waited
 * for at the end: an analyzer that does not know where it belongs joins all others wrongly.
 * The process does not grow with what is only counted. Says how many messages and bytes were sent:
 *	sent COUNT BYTES
 */
#include "behave.h"

#include <signal.h>

#define BYTES_MOST 512

static char out[BYTES_MOST], in[BYTES_MOST], early[BYTES_MOST];
static long sent, sent_bytes;

static void pass(int to, int from, int bytes, MPI_Comm comm)
{
	MPI_Request requests[2];
	MPI_Status statuses[2];
	int got, done = 0;

	MPI_Irecv(in, BYTES_MOST, MPI_BYTE, from, 7, comm, &requests[0]);
	MPI_Isend(out, bytes, MPI_BYTE, to, 7, comm, &requests[1]);
	sent++;
	sent_bytes += bytes;
	MPI_Testall(2, requests, &done, statuses);
	if (!done)
		MPI_Waitall(2, requests, statuses);
	MPI_Get_count(&statuses[0], MPI_BYTE, &got);
	CHECK(got == bytes);
}

/* After the log is full: a call site, a communicator and a function that are new. */
static void do_new_things(void)
{
	int i, one = 1, sum;
	MPI_Comm twin;

	MPI_Comm_dup(MPI_COMM_WORLD, &twin);
	for (i = 0; i < 10; i++) {
		MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, twin);
		CHECK(sum == ranks);
	}
	pass(right, left, 100, twin);
	MPI_Comm_free(&twin);
}

int main(int argc, char **argv)
{
	MPI_Request first;
	long i, rounds, before = 0;

	begin(&argc, &argv);
	rounds = atol(argv[1]);
	MPI_Irecv(early, BYTES_MOST, MPI_BYTE, left, 7, MPI_COMM_WORLD, &first);
	MPI_Send(out, 500, MPI_BYTE, right, 7, MPI_COMM_WORLD);
	sent++;
	sent_bytes += 500;
	for (i = 0; i < rounds; i++) {
		if (i == rounds / 4)
			before = resident_bytes();
		pass(right, left, 1 + (int)(i % 400), MPI_COMM_WORLD);
		if (rank == 0)
			pass(0, 0, 450, MPI_COMM_SELF);
	}
	check_not_grown(before, 1 << 20);
	MPI_Wait(&first, MPI_STATUS_IGNORE);
	do_new_things();
	printf("sent %ld %ld\n", sent, sent_bytes);
	fflush(stdout);
	MPI_Barrier(MPI_COMM_WORLD);
	if (argc > 2)
		raise(SIGKILL);
	return finish();
}
