/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/objects/quiet.h"

#include "interpose/job/recorder.h"
#include "interpose/job/sessions.h"

static MPI_Errhandler silence(MPI_Comm comm)
{
	MPI_Errhandler user = MPI_ERRHANDLER_NULL;

	if (real.Comm_get_errhandler(comm, &user) != MPI_SUCCESS)
		return MPI_ERRHANDLER_NULL;
	real.Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
	return user;
}

static void restore(MPI_Comm comm, MPI_Errhandler user)
{
	if (user == MPI_ERRHANDLER_NULL)
		return;
	real.Comm_set_errhandler(comm, user);
	real.Errhandler_free(&user);
}

void quiet_begin(struct quiet *q)
{
	q->world = q->self = MPI_ERRHANDLER_NULL;
	if (sessions_alone())
		return;
	q->world = silence(MPI_COMM_WORLD);
	q->self = silence(MPI_COMM_SELF);
}

void quiet_end(struct quiet *q)
{
	restore(MPI_COMM_SELF, q->self);
	restore(MPI_COMM_WORLD, q->world);
}
