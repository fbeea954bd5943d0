/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In place of an MPI that gives fewer threads than it is asked for: a tool before it. */
#include <mpi.h>

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	return PMPI_Init_thread(argc, argv,
				required > MPI_THREAD_FUNNELED ? MPI_THREAD_FUNNELED : required,
				provided);
}
