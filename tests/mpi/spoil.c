/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Preloaded: of rank 0's tenth message one bit arrives as another, in its middle. Messages whose
 * bytes lie one after the other, that is.
 */
#include <mpi.h>
#include <stddef.h>

static void spoil(const void *buf, int count, MPI_Datatype type)
{
	static int sent;
	int rank, size;

	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Type_size(type, &size);
	if (rank == 0 && ++sent == 10)
		((unsigned char *)buf)[(size_t)count * (size_t)size / 2] ^= 1;
}

int MPI_Send(const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
	spoil(buf, count, type);
	return PMPI_Send(buf, count, type, to, tag, comm);
}

int MPI_Isend(const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
	      MPI_Request *request)
{
	spoil(buf, count, type);
	return PMPI_Isend(buf, count, type, to, tag, comm, request);
}
