/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/archive/archive_mpi.h"

#include <stdlib.h>

#include "interpose/job/recorder.h"

struct OTF2_CollectiveContext {
	MPI_Comm comm;
};

static struct OTF2_CollectiveContext world;

static OTF2_CallbackCode code(int ret)
{
	return ret == MPI_SUCCESS ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_ERROR;
}

/* All processes of a job have one data format: elements travel as bytes. */
static int size_of(OTF2_Type type)
{
	switch (type) {
	case OTF2_TYPE_UINT8:
	case OTF2_TYPE_INT8:
		return 1;
	case OTF2_TYPE_UINT16:
	case OTF2_TYPE_INT16:
		return 2;
	case OTF2_TYPE_UINT32:
	case OTF2_TYPE_INT32:
	case OTF2_TYPE_FLOAT:
		return 4;
	default:
		return 8;
	}
}

static OTF2_CallbackCode get_size(void *user, OTF2_CollectiveContext *c, uint32_t *size)
{
	int n, ret = real.Comm_size(c->comm, &n);

	(void)user;
	*size = (uint32_t)n;
	return code(ret);
}

static OTF2_CallbackCode get_rank(void *user, OTF2_CollectiveContext *c, uint32_t *rank)
{
	int r, ret = real.Comm_rank(c->comm, &r);

	(void)user;
	*rank = (uint32_t)r;
	return code(ret);
}

/* Only asked for by substrates that put several locations into one file; we do not. */
static OTF2_CallbackCode create_local(void *user, OTF2_CollectiveContext **local,
				      OTF2_CollectiveContext *global, uint32_t global_rank,
				      uint32_t global_size, uint32_t local_rank,
				      uint32_t local_size, uint32_t file, uint32_t files)
{
	(void)user;
	(void)global_rank;
	(void)global_size;
	(void)local_rank;
	(void)local_size;
	(void)file;
	(void)files;
	*local = global;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode free_local(void *user, OTF2_CollectiveContext *local)
{
	(void)user;
	(void)local;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode barrier(void *user, OTF2_CollectiveContext *c)
{
	(void)user;
	return code(real.Barrier(c->comm));
}

static OTF2_CallbackCode bcast(void *user, OTF2_CollectiveContext *c, void *data, uint32_t n,
			       OTF2_Type type, uint32_t root)
{
	(void)user;
	return code(real.Bcast(data, (int)n * size_of(type), MPI_BYTE, (int)root, c->comm));
}

static OTF2_CallbackCode gather(void *user, OTF2_CollectiveContext *c, const void *in, void *out,
				uint32_t n, OTF2_Type type, uint32_t root)
{
	int bytes = (int)n * size_of(type);

	(void)user;
	return code(real.Gather(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, (int)root, c->comm));
}

static OTF2_CallbackCode scatter(void *user, OTF2_CollectiveContext *c, const void *in, void *out,
				 uint32_t n, OTF2_Type type, uint32_t root)
{
	int bytes = (int)n * size_of(type);

	(void)user;
	return code(real.Scatter(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, (int)root, c->comm));
}

/* Byte counts and displacements from element counts; counts is NULL off the root. */
static int *layout(OTF2_CollectiveContext *c, const uint32_t *counts, int element)
{
	int n, i, *table;

	real.Comm_size(c->comm, &n);
	table = malloc(2 * (size_t)n * sizeof(int));
	for (i = 0; table && counts && i < n; i++) {
		table[i] = (int)counts[i] * element;
		table[n + i] = i ? table[n + i - 1] + table[i - 1] : 0;
	}
	return table;
}

static OTF2_CallbackCode gatherv(void *user, OTF2_CollectiveContext *c, const void *in,
				 uint32_t n_in, void *out, const uint32_t *n_out, OTF2_Type type,
				 uint32_t root)
{
	int element = size_of(type), n, ret;
	int *table = layout(c, n_out, element);

	(void)user;
	if (!table)
		return OTF2_CALLBACK_ERROR;
	real.Comm_size(c->comm, &n);
	ret = real.Gatherv(in, (int)n_in * element, MPI_BYTE, out, table, table + n, MPI_BYTE,
			   (int)root, c->comm);
	free(table);
	return code(ret);
}

static OTF2_CallbackCode scatterv(void *user, OTF2_CollectiveContext *c, const void *in,
				  const uint32_t *n_in, void *out, uint32_t n_out, OTF2_Type type,
				  uint32_t root)
{
	int element = size_of(type), n, ret;
	int *table = layout(c, n_in, element);

	(void)user;
	if (!table)
		return OTF2_CALLBACK_ERROR;
	real.Comm_size(c->comm, &n);
	ret = real.Scatterv(in, table, table + n, MPI_BYTE, out, (int)n_out * element, MPI_BYTE,
			    (int)root, c->comm);
	free(table);
	return code(ret);
}

void archive_mpi_set(OTF2_Archive *archive, void *comm)
{
	static const OTF2_CollectiveCallbacks callbacks = {
		.otf2_get_size = get_size,
		.otf2_get_rank = get_rank,
		.otf2_create_local_comm = create_local,
		.otf2_free_local_comm = free_local,
		.otf2_barrier = barrier,
		.otf2_bcast = bcast,
		.otf2_gather = gather,
		.otf2_gatherv = gatherv,
		.otf2_scatter = scatter,
		.otf2_scatterv = scatterv,
	};

	world.comm = *(MPI_Comm *)comm;
	OTF2_Archive_SetCollectiveCallbacks(archive, &callbacks, NULL, &world, NULL);
}
