/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Communicators come and go, 2,000 or as many as are asked for, each made from one that goes
 * too: the process does not grow, and at the end they are still the same on all ranks.
 */
#include "behave.h"

#include <unistd.h>

/* Of this process in memory. */
static long bytes(void)
{
	long all = 0, resident = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	CHECK(f && fscanf(f, "%ld %ld", &all, &resident) == 2);
	fclose(f);
	return resident * sysconf(_SC_PAGESIZE);
}

int main(int argc, char **argv)
{
	long before = 0, grown;
	MPI_Comm one, other;
	int i, in = -1, turns = argc > 1 ? atoi(argv[1]) / 2 : 1000;

	begin(&argc, &argv);
	for (i = 0; i < turns; i++) {
		if (i == turns / 5)
			before = bytes();
		MPI_Comm_dup(i % 100 ? MPI_COMM_SELF : MPI_COMM_WORLD, &one);
		MPI_Comm_dup(one, &other);
		if (i % 500 == 0) {
			MPI_Sendrecv(&rank, 1, MPI_INT, right, 1, &in, 1, MPI_INT, left, 1, other,
				     MPI_STATUS_IGNORE);
			CHECK(in == left);
		}
		MPI_Comm_free(&other);
		MPI_Comm_free(&one);
	}
	grown = bytes() - before;
	if (grown > 2 << 20)
		printf("rank %d: grown by %ld\n", rank, grown);
	CHECK(grown < 2 << 20);
	expect("MPI_SEND", turns / 500);
	expect("MPI_RECV", turns / 500);
	expect("MPI_COLLECTIVE_END", 4L * turns);
	if (rank == 0) /* those of all ranks are there once, those of one rank for each */
		expect("communicators",
		       2 + 2 * turns / 100 + (long)ranks * 2 * (turns - turns / 100));
	return finish();
}
