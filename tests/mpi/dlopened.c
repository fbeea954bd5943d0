/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MPI that the program loads for itself. dlopened PLUGIN loads this file built with -DPLUGIN
 * as a library that is linked to MPI, RTLD_LOCAL, and calls ring() in it: its calls go by
 * name. dlopened - LIBMPI takes MPI's functions one by one with dlsym().
 */
#include <stdio.h>

#ifdef PLUGIN

#include <mpi.h>

int ring(void)
{
	int rank, ranks, in = -1, i, wrong = 0;
	MPI_Request r[2];

	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (i = 0; i < 10; i++) {
		MPI_Irecv(&in, 1, MPI_INT, (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD, &r[0]);
		MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % ranks, 1, MPI_COMM_WORLD, &r[1]);
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
		wrong += in != (rank + ranks - 1) % ranks;
	}
	if (rank == 0)
		printf("%d wrong\n", wrong);
	MPI_Finalize();
	return wrong;
}

#else

#include <dlfcn.h>

int main(int argc, char **argv)
{
	void *mpi = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
	int (*init)(int *, char ***), (*finalize)(void), (*ring)(void);

	if (!mpi) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	if (argc == 2) {
		ring = (int (*)(void))dlsym(mpi, "ring");
		return ring();
	}
	init = (int (*)(int *, char ***))dlsym(mpi, "MPI_Init");
	finalize = (int (*)(void))dlsym(mpi, "MPI_Finalize");
	init(NULL, NULL);
	finalize();
	return 0;
}

#endif
