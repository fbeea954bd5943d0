/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Another tool: a library that counts calls and writes them to the file tally.RANK when MPI
 * ends. It calls PMPI_x as tools are meant to; with -DPAST it looks up the next MPI_x.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

#ifdef PAST
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#else
#define NEXT(name) P##name
#endif

#define COUNTED(name, parameters, arguments) \
	static long n_##name;                \
	int name parameters                  \
	{                                    \
		n_##name++;                  \
		return NEXT(name) arguments; \
	}

COUNTED(MPI_Init, (int *argc, char ***argv), (argc, argv))
COUNTED(MPI_Send, (const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c),
	(b, n, t, to, tag, c))
COUNTED(MPI_Recv, (void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status *s),
	(b, n, t, from, tag, c, s))
COUNTED(MPI_Isend,
	(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r),
	(b, n, t, to, tag, c, r))
COUNTED(MPI_Irecv, (void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request *r),
	(b, n, t, from, tag, c, r))
COUNTED(MPI_Wait, (MPI_Request * r, MPI_Status *s), (r, s))
COUNTED(MPI_Waitall, (int n, MPI_Request r[], MPI_Status s[]), (n, r, s))
COUNTED(MPI_Bcast, (void *b, int n, MPI_Datatype t, int root, MPI_Comm c), (b, n, t, root, c))
COUNTED(MPI_Allreduce, (const void *i, void *o, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c),
	(i, o, n, t, op, c))

#define SAY(name) fprintf(f, #name " %ld\n", n_##name)

int MPI_Finalize(void)
{
	char path[32];
	int rank;
	FILE *f;

	NEXT(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
	snprintf(path, sizeof(path), "tally.%d", rank);
	f = fopen(path, "w");
	SAY(MPI_Init);
	SAY(MPI_Send);
	SAY(MPI_Recv);
	SAY(MPI_Isend);
	SAY(MPI_Irecv);
	SAY(MPI_Wait);
	SAY(MPI_Waitall);
	SAY(MPI_Bcast);
	SAY(MPI_Allreduce);
	fclose(f);
	return NEXT(MPI_Finalize)();
}
