/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/job/world.h"

#include "interpose/job/offsets.h"
#include "interpose/job/process.h"
#include "interpose/job/recorder.h"

void world_join(const struct launch *l)
{
	int rank, ranks;

	real.Comm_rank(MPI_COMM_WORLD, &rank);
	real.Comm_size(MPI_COMM_WORLD, &ranks);
	recorder.rank = rank;
	recorder.ranks = ranks;
	recorder.header->everybody = (uint32_t)launch_all_claimed(l, recorder.dir, ranks);
	if (!recorder.header->everybody || real.Comm_dup(MPI_COMM_WORLD, &recorder.comm))
		recorder.comm = MPI_COMM_NULL;
	else
		real.Comm_set_errhandler(recorder.comm, MPI_ERRORS_RETURN);
	offsets_measure(recorder.header);
}

int world_check(const struct launch *l, struct err *err)
{
	int level;

	process_name_mpi(recorder.header);
	if (recorder.ranks == 1 && l->ranks > 1)
		return err_set(
			err,
			"the launcher started %d ranks, but for %s each is alone: is it another "
			"MPI's launcher?",
			l->ranks, recorder.header->mpi);
	if (recorder.rank != l->rank || (l->ranks && recorder.ranks != l->ranks))
		return err_set(
			err, "the launcher's environment says rank %d of %d and MPI says %d of %d",
			l->rank, l->ranks, recorder.rank, recorder.ranks);
	recorder.header->ranks = (uint32_t)recorder.ranks;
	real.Query_thread(&level);
	recorder.multiple = level == MPI_THREAD_MULTIPLE;
	return 0;
}

int world_was_spawned(void)
{
	MPI_Comm parent = MPI_COMM_NULL;

	real.Comm_get_parent(&parent);
	return parent != MPI_COMM_NULL;
}
