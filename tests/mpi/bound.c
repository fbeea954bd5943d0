/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first rank works three times as long as the others, by its processor's time; they wait. */
#include <time.h>

#include "behave.h"

#define ROUNDS 20
#define WORK_S 0.01

static double used_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	know_self();
	for (int i = 0; i < ROUNDS; i++) {
		double until_s = used_s() + (rank == 0 ? 3 : 1) * WORK_S;

		while (used_s() < until_s)
			;
		MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return failures > 0;
}
