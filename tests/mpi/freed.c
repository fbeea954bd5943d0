/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests that are freed while they are active, tens of thousands: the process does not grow. */
#include "behave.h"

#include <unistd.h>

#define TURNS 20000

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
	MPI_Request r;
	int i, in;

	begin(&argc, &argv);
	for (i = 0; i < TURNS; i++) {
		if (i == TURNS / 5)
			before = bytes();
		MPI_Isend(&rank, 1, MPI_INT, partner, 1, MPI_COMM_WORLD, &r);
		MPI_Request_free(&r);
		MPI_Recv(&in, 1, MPI_INT, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	CHECK(in == partner);
	grown = bytes() - before;
	if (grown > 1 << 20)
		printf("rank %d: grown by %ld\n", rank, grown);
	CHECK(grown < 1 << 20);
	expect("MPI_ISEND", TURNS);
	expect("MPI_ISEND_COMPLETE", TURNS); /* marks the release */
	expect("MPI_RECV", TURNS);
	return finish();
}
