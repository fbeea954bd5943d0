/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * 100,000 communicators come and go, each made from one that goes too: the process does
 * not grow, and at the end they are still the same on all ranks.
 */
#include "behave.h"

#include <unistd.h>

#define TURNS 50000

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
	int i, in = -1;

	begin(&argc, &argv);
	for (i = 0; i < TURNS; i++) {
		if (i == TURNS / 5)
			before = bytes();
		MPI_Comm_dup(i % 1000 ? MPI_COMM_SELF : MPI_COMM_WORLD, &one);
		MPI_Comm_dup(one, &other);
		if (i % 5000 == 0) {
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
	expect("MPI_SEND", TURNS / 5000);
	expect("MPI_RECV", TURNS / 5000);
	expect("MPI_COLLECTIVE_END", 4L * TURNS);
	if (rank == 0) /* those of all ranks are there once, those of one rank for each */
		expect("communicators",
		       2 + 2 * TURNS / 1000 + (long)ranks * 2 * (TURNS - TURNS / 1000));
	return finish();
}
