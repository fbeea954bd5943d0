/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every rank waits for ever: hung cycle: each for a message of the next; hung mixed: rank 0 in a
 * barrier to which the others, that wait for its messages, do not come; hung late: it is outside MPI.
 * Each says so in a file hangs.RANK, in which is its process id.
 */
#include <mpi.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void say_pid(int rank)
{
	char name[32];
	FILE *f;

	snprintf(name, sizeof(name), "hangs.%d", rank);
	f = fopen(name, "w");
	if (!f)
		MPI_Abort(MPI_COMM_WORLD, 1);
	fprintf(f, "%d\n", (int)getpid());
	fclose(f);
}

int main(int argc, char **argv)
{
	int rank, ranks, nobodys, next;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_Barrier(MPI_COMM_WORLD);
	next = !strcmp(argv[1], "cycle") ? (rank + 1) % ranks : 0;
	say_pid(rank);
	if (rank || !strcmp(argv[1], "cycle"))
		MPI_Recv(&nobodys, 1, MPI_INT, next, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	else if (!strcmp(argv[1], "mixed"))
		MPI_Barrier(MPI_COMM_WORLD);
	else
		for (;;)
			pause();
	MPI_Finalize();
	return 0;
}
