/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * More receives than a log's tail has room for are posted before the log is full and complete
 * afterwards. The messages that fill it are larger than all of theirs.
 */
#include "behave.h"

#define OPEN       3000
#define BYTES_MOST 16384

static char out[BYTES_MOST], in[BYTES_MOST], early[OPEN][OPEN + 1];
static MPI_Request request[OPEN];

static void post(void)
{
	int i;

	for (i = 0; i < OPEN; i++)
		MPI_Irecv(early[i], OPEN + 1, MPI_BYTE, i % 3 ? 0 : MPI_ANY_SOURCE,
			  i % 5 ? 7 : MPI_ANY_TAG, MPI_COMM_WORLD, &request[i]);
}

/* The receives from first on, to last. */
static void pass(int first, int last)
{
	int i;

	if (rank == 0)
		for (i = first; i < last; i++)
			MPI_Send(out, i + 1, MPI_BYTE, 1, 7, MPI_COMM_WORLD);
	else
		for (i = first; i < last; i++)
			MPI_Wait(&request[i], MPI_STATUS_IGNORE);
}

static void fill(void)
{
	int i, bytes;

	for (i = 0; i < 20000; i++) {
		bytes = OPEN + 2 + i % 10000;
		MPI_Sendrecv(out, bytes, MPI_BYTE, 0, 3, in, BYTES_MOST, MPI_BYTE, 0, 3,
			     MPI_COMM_SELF, MPI_STATUS_IGNORE);
	}
}

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	if (rank == 1)
		post();
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		pass(0, OPEN / 2);
	fill();
	if (rank == 1)
		pass(0, OPEN / 2);
	MPI_Barrier(MPI_COMM_WORLD);
	pass(OPEN / 2, OPEN);
	printf("rank %d is done\n", rank);
	return finish();
}
