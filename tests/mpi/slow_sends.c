/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded: every MPI_Send takes SLOW_SENDS_US microseconds more, as on a busy machine. */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

int MPI_Send(const void *buffer, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
	const char *us = getenv("SLOW_SENDS_US");

	usleep(us ? (useconds_t)atoi(us) : 0);
	return PMPI_Send(buffer, n, type, to, tag, comm);
}
