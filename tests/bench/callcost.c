/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time of MPI calls that wait for nobody: one rank to itself, so that what a tool
 * adds is not lost in the network. Prints one line per kind of call: name, ns per
 * call (the least of several repetitions, so that a noisy machine counts less).
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPEAT = 9 };

static double buffer[2][8];

static void non_blocking(void)
{
	MPI_Request q[2];

	MPI_Irecv(buffer[0], 8, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &q[0]);
	MPI_Isend(buffer[1], 8, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &q[1]);
	MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
}

static void blocking(void)
{
	MPI_Send(buffer[1], 8, MPI_DOUBLE, 0, 1, MPI_COMM_SELF);
	MPI_Recv(buffer[0], 8, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

static void allreduce(void)
{
	MPI_Allreduce(buffer[0], buffer[1], 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
}

static void iprobe(void)
{
	int flag;

	MPI_Iprobe(0, 2, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
}

static const struct {
	const char *name;
	void (*work)(void);
	int calls;
} kinds[] = {
	{ "Irecv+Isend+Waitall", non_blocking, 3 },
	{ "Send+Recv", blocking, 2 },
	{ "Allreduce", allreduce, 1 },
	{ "Iprobe", iprobe, 1 },
};

static double ns_per_call(void (*work)(void), int calls, int n)
{
	double best = 1e30, start, ns;
	int r, i;

	for (r = 0; r < REPEAT; r++) {
		start = MPI_Wtime();
		for (i = 0; i < n; i++)
			work();
		ns = (MPI_Wtime() - start) * 1e9 / ((double)n * calls);
		best = ns < best ? ns : best;
	}
	return best;
}

int main(int argc, char **argv)
{
	int n;
	size_t k;

	MPI_Init(&argc, &argv);
	n = argc > 1 ? atoi(argv[1]) : 20000;
	for (k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
		printf("%s %.1f\n", kinds[k].name, ns_per_call(kinds[k].work, kinds[k].calls, n));
	MPI_Finalize();
	return 0;
}
