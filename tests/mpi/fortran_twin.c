/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The C twin of fortran_twin.F90: makes the same calls, so that their traces must have the
 * same events. Every rank checks what it received.
 */
#include <mpi.h>

#include <stdio.h>

#define WORDS 16

static int rank, ranks;

static void check(const int buffer[WORDS], int value, const char *what)
{
	int i;

	for (i = 0; i < WORDS; i++) {
		if (buffer[i] == value + i)
			continue;
		fprintf(stderr, "rank %d: %s: %d instead of %d\n", rank, what, buffer[i],
			value + i);
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
}

static void fill(int buffer[WORDS], int value)
{
	int i;

	for (i = 0; i < WORDS; i++)
		buffer[i] = value + i;
}

static void ring_by_wait(int left, int right)
{
	int in[WORDS], out[WORDS], step;
	MPI_Request receive, send;
	MPI_Status status;

	for (step = 1; step <= 5; step++) {
		fill(out, 100 * rank + step);
		MPI_Irecv(in, WORDS, MPI_INT, left, step, MPI_COMM_WORLD, &receive);
		MPI_Isend(out, WORDS, MPI_INT, right, step, MPI_COMM_WORLD, &send);
		if (step % 2)
			MPI_Wait(&receive, &status);
		else
			MPI_Wait(&receive, MPI_STATUS_IGNORE);
		MPI_Wait(&send, MPI_STATUS_IGNORE);
		check(in, 100 * left + step, "Wait");
	}
}

static void ring_by_waitall(int left, int right)
{
	int in[2][WORDS], out[WORDS];
	MPI_Request requests[4];
	MPI_Status statuses[4];

	fill(out, 1000 * rank);
	MPI_Irecv(in[0], WORDS, MPI_INT, left, 10, MPI_COMM_WORLD, &requests[0]);
	MPI_Irecv(in[1], WORDS, MPI_INT, right, 11, MPI_COMM_WORLD, &requests[1]);
	MPI_Isend(out, WORDS, MPI_INT, right, 10, MPI_COMM_WORLD, &requests[2]);
	MPI_Isend(out, WORDS, MPI_INT, left, 11, MPI_COMM_WORLD, &requests[3]);
	MPI_Waitall(4, requests, statuses);
	check(in[0], 1000 * left, "Waitall");
	check(in[1], 1000 * right, "Waitall");
	MPI_Irecv(in[0], WORDS, MPI_INT, left, 12, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(out, WORDS, MPI_INT, right, 12, MPI_COMM_WORLD, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	check(in[0], 1000 * left, "Waitall without statuses");
}

static void blocking(int left, int right)
{
	int in[WORDS], out[WORDS];
	MPI_Status status;

	fill(out, 10 * rank);
	if (rank % 2 == 0) {
		MPI_Send(out, WORDS, MPI_INT, right, 20, MPI_COMM_WORLD);
		MPI_Recv(in, WORDS, MPI_INT, left, 20, MPI_COMM_WORLD, &status);
	} else {
		MPI_Recv(in, WORDS, MPI_INT, left, 20, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(out, WORDS, MPI_INT, right, 20, MPI_COMM_WORLD);
	}
	check(in, 10 * left, "Recv");
	MPI_Sendrecv(out, WORDS, MPI_INT, right, 21, in, WORDS, MPI_INT, left, 21, MPI_COMM_WORLD,
		     &status);
	check(in, 10 * left, "Sendrecv");
}

static void collective(void)
{
	int in[WORDS], out[WORDS], i;

	fill(out, rank == 0 ? 7 : -1);
	MPI_Bcast(out, WORDS, MPI_INT, 0, MPI_COMM_WORLD);
	check(out, 7, "Bcast");
	for (i = 0; i < WORDS; i++)
		out[i] = i == 0 ? rank : 0;
	MPI_Allreduce(out, in, WORDS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (in[0] != ranks * (ranks - 1) / 2)
		MPI_Abort(MPI_COMM_WORLD, 1);
}

static void one_sided(int left, int right)
{
	static int memory[WORDS], out[WORDS];
	MPI_Win win;

	fill(out, 30 * rank);
	MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_fence(0, win);
	MPI_Put(out, WORDS, MPI_INT, right, 0, WORDS, MPI_INT, win);
	MPI_Win_fence(0, win);
	check(memory, 30 * left, "Put");
	MPI_Win_free(&win);
}

static void in_a_file(void)
{
	int in[WORDS], out[WORDS];
	MPI_Offset at = rank * (MPI_Offset)sizeof(out);
	MPI_File file;

	fill(out, 40 * rank);
	MPI_File_open(MPI_COMM_WORLD, "twin.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
		      &file);
	MPI_File_write_at_all(file, at, out, WORDS, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_read_at_all(file, at, in, WORDS, MPI_INT, MPI_STATUS_IGNORE);
	check(in, 40 * rank, "File_read_at_all");
	MPI_File_close(&file);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	ring_by_wait((rank + ranks - 1) % ranks, (rank + 1) % ranks);
	ring_by_waitall((rank + ranks - 1) % ranks, (rank + 1) % ranks);
	blocking((rank + ranks - 1) % ranks, (rank + 1) % ranks);
	collective();
	one_sided((rank + ranks - 1) % ranks, (rank + 1) % ranks);
	in_a_file();
	if (rank == 0)
		printf("verified on %d ranks\n", ranks);
	MPI_Finalize();
	return 0;
}
