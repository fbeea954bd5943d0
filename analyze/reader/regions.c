/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/reader/regions.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define EZTRACE_ENDING "EZTrace finalize"

#define NAME_MAX_BYTES 64U

struct row {
	const char *name; /* after "MPI_" */
	enum region_kind kind;
};

/* What is not here is REGION_MPI_LOCAL. */
static const struct row rows[] = {
	{"Send", REGION_SEND},
	{"Bsend", REGION_SEND},
	{"Rsend", REGION_SEND},
	{"Ssend", REGION_SSEND},
	{"Isend", REGION_ISEND},
	{"Ibsend", REGION_ISEND},
	{"Irsend", REGION_ISEND},
	{"Issend", REGION_ISEND},
	{"Start", REGION_ISEND},
	{"Startall", REGION_ISEND},
	{"Recv", REGION_RECV},
	{"Mrecv", REGION_RECV},
	{"Irecv", REGION_IRECV},
	{"Imrecv", REGION_IRECV},
	{"Sendrecv", REGION_SENDRECV},
	{"Sendrecv_replace", REGION_SENDRECV},
	{"Wait", REGION_WAIT},
	{"Waitany", REGION_WAIT},
	{"Waitall", REGION_WAITALL},
	{"Waitsome", REGION_WAITSOME},
	{"Test", REGION_TEST},
	{"Testall", REGION_TEST},
	{"Testany", REGION_TEST},
	{"Testsome", REGION_TEST},
	/* These complete nothing: what they find is there a later call completes. */
	{"Request_get_status", REGION_TEST},
	{"Request_get_status_all", REGION_TEST},
	{"Request_get_status_any", REGION_TEST},
	{"Request_get_status_some", REGION_TEST},
	{"Parrived", REGION_TEST},
	{"Probe", REGION_PROBE},
	{"Mprobe", REGION_PROBE},
	{"Iprobe", REGION_IPROBE},
	{"Improbe", REGION_IPROBE},
	{"Init", REGION_INIT},
	{"Init_thread", REGION_INIT},
	{"Session_init", REGION_INIT},
	{"Session_finalize", REGION_INIT}, /* not all ranks need have one: no barrier */
	{"Finalize", REGION_FINALIZE},
	{"Barrier", REGION_COLLECTIVE},
	{"Bcast", REGION_COLLECTIVE},
	{"Gather", REGION_COLLECTIVE},
	{"Gatherv", REGION_COLLECTIVE},
	{"Scatter", REGION_COLLECTIVE},
	{"Scatterv", REGION_COLLECTIVE},
	{"Allgather", REGION_COLLECTIVE},
	{"Allgatherv", REGION_COLLECTIVE},
	{"Alltoall", REGION_COLLECTIVE},
	{"Alltoallv", REGION_COLLECTIVE},
	{"Alltoallw", REGION_COLLECTIVE},
	{"Allreduce", REGION_COLLECTIVE},
	{"Reduce", REGION_COLLECTIVE},
	{"Reduce_scatter", REGION_COLLECTIVE},
	{"Reduce_scatter_block", REGION_COLLECTIVE},
	{"Scan", REGION_COLLECTIVE},
	{"Exscan", REGION_COLLECTIVE},
	{"Neighbor_allgather", REGION_COLLECTIVE},
	{"Neighbor_allgatherv", REGION_COLLECTIVE},
	{"Neighbor_alltoall", REGION_COLLECTIVE},
	{"Neighbor_alltoallv", REGION_COLLECTIVE},
	{"Neighbor_alltoallw", REGION_COLLECTIVE},
	{"Comm_dup", REGION_COLLECTIVE},
	{"Comm_dup_with_info", REGION_COLLECTIVE},
	{"Comm_split", REGION_COLLECTIVE},
	{"Comm_split_type", REGION_COLLECTIVE},
	{"Comm_create", REGION_COLLECTIVE},
	{"Comm_create_group", REGION_COLLECTIVE},
	{"Comm_create_from_group", REGION_COLLECTIVE},
	{"Comm_free", REGION_COLLECTIVE},
	{"Comm_disconnect", REGION_COLLECTIVE},
	{"Comm_spawn", REGION_COLLECTIVE},
	{"Comm_spawn_multiple", REGION_COLLECTIVE},
	{"Comm_accept", REGION_COLLECTIVE},
	{"Comm_connect", REGION_COLLECTIVE},
	{"Comm_join", REGION_COLLECTIVE},
	{"Comm_agree", REGION_COLLECTIVE},
	{"Comm_shrink", REGION_COLLECTIVE},
	{"Intercomm_create", REGION_COLLECTIVE},
	{"Intercomm_create_from_groups", REGION_COLLECTIVE},
	{"Intercomm_merge", REGION_COLLECTIVE},
	{"Cart_create", REGION_COLLECTIVE},
	{"Cart_sub", REGION_COLLECTIVE},
	{"Graph_create", REGION_COLLECTIVE},
	{"Dist_graph_create", REGION_COLLECTIVE},
	{"Dist_graph_create_adjacent", REGION_COLLECTIVE},
	{"Win_create", REGION_COLLECTIVE},
	{"Win_create_dynamic", REGION_COLLECTIVE},
	{"Win_allocate", REGION_COLLECTIVE},
	{"Win_allocate_shared", REGION_COLLECTIVE},
	{"Win_fence", REGION_COLLECTIVE},
	{"Win_free", REGION_COLLECTIVE},
	{"Win_set_info", REGION_COLLECTIVE},
	/* These wait for others: see onesided.h. */
	{"Win_start", REGION_WAIT},
	{"Win_complete", REGION_WAIT},
	{"Win_wait", REGION_WAIT},
	{"Win_test", REGION_TEST},
	{"Win_lock", REGION_WAIT},
	{"Win_lock_all", REGION_WAIT},
	{"Win_unlock", REGION_WAIT},
	{"Win_unlock_all", REGION_WAIT},
	{"Win_flush", REGION_WAIT},
	{"Win_flush_all", REGION_WAIT},
	{"Win_flush_local", REGION_WAIT},
	{"Win_flush_local_all", REGION_WAIT},
	{"File_open", REGION_COLLECTIVE},
	{"File_close", REGION_COLLECTIVE},
	{"File_set_view", REGION_COLLECTIVE},
	{"File_set_size", REGION_COLLECTIVE},
	{"File_preallocate", REGION_COLLECTIVE},
	{"File_set_atomicity", REGION_COLLECTIVE},
	{"File_set_info", REGION_COLLECTIVE},
	{"File_sync", REGION_COLLECTIVE},
	{"File_seek_shared", REGION_COLLECTIVE},
	{"File_read_all", REGION_COLLECTIVE},
	{"File_read_at_all", REGION_COLLECTIVE},
	{"File_read_ordered", REGION_COLLECTIVE},
	{"File_read_all_begin", REGION_COLLECTIVE},
	{"File_read_all_end", REGION_COLLECTIVE},
	{"File_read_at_all_begin", REGION_COLLECTIVE},
	{"File_read_at_all_end", REGION_COLLECTIVE},
	{"File_read_ordered_begin", REGION_COLLECTIVE},
	{"File_read_ordered_end", REGION_COLLECTIVE},
	{"File_write_all", REGION_COLLECTIVE},
	{"File_write_at_all", REGION_COLLECTIVE},
	{"File_write_ordered", REGION_COLLECTIVE},
	{"File_write_all_begin", REGION_COLLECTIVE},
	{"File_write_all_end", REGION_COLLECTIVE},
	{"File_write_at_all_begin", REGION_COLLECTIVE},
	{"File_write_at_all_end", REGION_COLLECTIVE},
	{"File_write_ordered_begin", REGION_COLLECTIVE},
	{"File_write_ordered_end", REGION_COLLECTIVE},
	{"File_delete", REGION_IO},
	{"File_get_size", REGION_IO},
	{"File_get_position_shared", REGION_IO},
	{"File_seek", REGION_IO},
	{"File_read", REGION_IO},
	{"File_read_at", REGION_IO},
	{"File_read_shared", REGION_IO},
	{"File_iread", REGION_IO},
	{"File_iread_at", REGION_IO},
	{"File_iread_all", REGION_IO},
	{"File_iread_at_all", REGION_IO},
	{"File_iread_shared", REGION_IO},
	{"File_write", REGION_IO},
	{"File_write_at", REGION_IO},
	{"File_write_shared", REGION_IO},
	{"File_iwrite", REGION_IO},
	{"File_iwrite_at", REGION_IO},
	{"File_iwrite_all", REGION_IO},
	{"File_iwrite_at_all", REGION_IO},
	{"File_iwrite_shared", REGION_IO},
};

static void strip(char *stem, const char *suffix)
{
	size_t n = strlen(stem), k = strlen(suffix);

	if (n > k && !strcmp(stem + n - k, suffix))
		stem[n - k] = 0;
}

/*
 * What follows "MPI_", "MPIX_" or "PMPI_", in small letters and without Fortran's endings.
 * 0: not MPI.
 */
static int stem_of(const char *name, char stem[NAME_MAX_BYTES])
{
	size_t n = 0;

	if (*name == 'P' || *name == 'p')
		name++;
	if (strncasecmp(name, "mpi", 3))
		return 0;
	name += name[3] == 'X' || name[3] == 'x' ? 4 : 3;
	if (*name != '_')
		return 0;
	for (name++; (isalnum((unsigned char)*name) || *name == '_'); name++) {
		if (n + 1 >= NAME_MAX_BYTES)
			return 0;
		stem[n++] = (char)tolower((unsigned char)*name);
	}
	stem[n] = 0;
	while (n && stem[n - 1] == '_')
		stem[--n] = 0;
	strip(stem, "_f08ts");
	strip(stem, "_f08");
	return n > 0;
}

static const struct row *row_find(const char *stem)
{
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!strcasecmp(rows[i].name, stem))
			return &rows[i];
	}
	return NULL;
}

static const struct row *row_of(const char *name, int *is_mpi)
{
	char stem[NAME_MAX_BYTES];
	const struct row *row;

	*is_mpi = stem_of(name, stem);
	if (!*is_mpi)
		return NULL;
	row = row_find(stem);
	if (row)
		return row;
	strip(stem, "_c"); /* the large-count form */
	return row_find(stem);
}

enum region_kind region_classify(const char *name)
{
	int is_mpi;
	const struct row *row = row_of(name, &is_mpi);

	if (row)
		return row->kind;
	return is_mpi ? REGION_MPI_LOCAL : REGION_OTHER;
}

char *region_canonical(const char *name)
{
	int is_mpi;
	const struct row *row = row_of(name, &is_mpi);
	char spelled[NAME_MAX_BYTES + 4];

	if (!row)
		return strdup(name);
	snprintf(spelled, sizeof(spelled), "MPI_%s", row->name);
	return strdup(spelled);
}

enum region_mode region_mode(const char *name)
{
	if (strstr(name, "Issend"))
		return REGION_SYNCHRONOUS;
	return strstr(name, "Bsend") || strstr(name, "bsend") ? REGION_BUFFERED : REGION_STANDARD;
}

int region_is_end(const char *name)
{
	return region_classify(name) == REGION_FINALIZE || !strcmp(name, EZTRACE_ENDING);
}

int region_is_of_files(const char *name)
{
	return !strncmp(name, "MPI_File", 8);
}

int region_receives(const struct region *r)
{
	return r->kind == REGION_RECV || r->kind == REGION_SENDRECV ||
	       !strcmp(r->name, "MPI_Imrecv");
}

int region_starts_collective(const char *name)
{
	char stem[NAME_MAX_BYTES];
	const struct row *row;

	if (!stem_of(name, stem) || *stem != 'i')
		return 0;
	strip(stem, "_c");
	row = row_find(stem + 1);
	return row && row->kind == REGION_COLLECTIVE;
}

int region_is_same(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);

	n -= n > 2 && !strcmp(a + n - 2, "_c") ? 2 : 0;
	m -= m > 2 && !strcmp(b + m - 2, "_c") ? 2 : 0;
	return n == m && !strncmp(a, b, n);
}
