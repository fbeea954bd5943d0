/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MPI by sessions alone, never MPI_Init: two at once, and, with the argument "world", the
 * world beside them. "late": the world first; "mixed": on rank 0 only. Who cannot do that (before
 * MPI 4) says so.
 */
#include "behave.h"

#if MPI_VERSION >= 4
/* All processes, by way of a session. */
static MPI_Comm everybody(MPI_Session session, const char *tag)
{
	MPI_Group group;
	MPI_Comm comm;

	MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
	MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
	MPI_Group_free(&group);
	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &ranks);
	left = (rank + ranks - 1) % ranks;
	right = (rank + 1) % ranks;
	return comm;
}

static void talk(MPI_Comm comm)
{
	int in = -1, sum = 0;

	MPI_Sendrecv(&rank, 1, MPI_INT, right, 1, &in, 1, MPI_INT, left, 1, comm,
		     MPI_STATUS_IGNORE);
	CHECK(in == left);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
	CHECK(sum == ranks * (ranks - 1) / 2);
}

/* One message each way between the first process and all others, who have no world in common. */
static void between(MPI_Session session)
{
	MPI_Group all, first, others;
	int side = rank > 0, zero = 0, in = -1;
	MPI_Comm comm;

	MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
	MPI_Group_incl(all, 1, &zero, &first);
	MPI_Group_difference(all, first, &others);
	MPI_Intercomm_create_from_groups(side ? others : first, 0, side ? first : others, 0,
					 "between", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
	MPI_Group_free(&all);
	MPI_Group_free(&first);
	MPI_Group_free(&others);
	if (rank <= 1) {
		MPI_Sendrecv(&rank, 1, MPI_INT, 0, 1, &in, 1, MPI_INT, 0, 1, comm,
			     MPI_STATUS_IGNORE);
		CHECK(in == 1 - rank);
	}
	MPI_Comm_free(&comm);
}

static MPI_Session begin_session(void)
{
	MPI_Session session;

	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
	return session;
}

/* A world beside which a session comes and goes; some of its ranks began with a session. */
static int world_first(int by_session)
{
	MPI_Session session;
	MPI_Comm comm;

	if (by_session)
		session = begin_session();
	MPI_Init(NULL, NULL);
	know_self();
	if (!by_session)
		session = begin_session();
	talk(MPI_COMM_WORLD);
	comm = everybody(session, "late");
	talk(comm);
	MPI_Comm_free(&comm);
	MPI_Session_finalize(&session);
	talk(MPI_COMM_WORLD);
	MPI_Finalize();
	printf("rank %d of %d is done\n", rank, ranks);
	return failures != 0;
}

int main(int argc, char **argv)
{
	int with_world = argc > 1 && !strcmp(argv[1], "world");
	MPI_Session first, second;
	MPI_Comm one, other;

	if (argc > 1 && !strcmp(argv[1], "late"))
		return world_first(0);
	if (argc > 1 && !strcmp(argv[1], "mixed"))
		return world_first(getenv("PMI_RANK") && atoi(getenv("PMI_RANK")) == 1);
	first = begin_session();
	second = begin_session();
	one = everybody(first, "one");
	other = everybody(second, "other");
	talk(one);
	between(second);
	if (with_world) {
		MPI_Init(NULL, NULL);
		talk(MPI_COMM_WORLD);
	}
	talk(other);
	MPI_Comm_free(&one);
	MPI_Session_finalize(&first);
	talk(other);
	if (with_world) {
		MPI_Finalize();
		talk(other);
	}
	MPI_Comm_free(&other);
	MPI_Session_finalize(&second);

	printf("rank %d of %d is done\n", rank, ranks);
	return failures != 0;
}
#else
int main(void)
{
	puts("no sessions");
	return 77;
}
#endif
