/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Processes that are started by others: they talk to those who started them, the two
 * worlds become one communicator, and part. With an argument the others come first in it, and are
 * said to be of two programs.
 */
#include "behave.h"

#define CHILDREN 2

/* In a communicator of both worlds. before, behind: children there before and behind the parents */
static void together(MPI_Comm both, int before, int behind)
{
	int me, all, n, first = before, x = -1, sum = 0;

	MPI_Comm_rank(both, &me);
	MPI_Comm_size(both, &all);
	MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, both);
	CHECK(sum == all * (all - 1) / 2);
	MPI_Sendrecv(&me, 1, MPI_INT, (me + 1) % all, 2, &x, 1, MPI_INT, (me + all - 1) % all, 2,
		     both, MPI_STATUS_IGNORE); /* a ring through both worlds */
	CHECK(x == (me + all - 1) % all);
	n = all - before - behind;
	if (me < first || me >= first + n)
		return;
	MPI_Sendrecv(&me, 1, MPI_INT, first + (me - first + 1) % n, 3, &x, 1, MPI_INT,
		     first + (me - first + n - 1) % n, 3, both, MPI_STATUS_IGNORE);
	CHECK(x == first + (me - first + n - 1) % n); /* a ring of the parents */
}

static void start(char **argv, MPI_Comm *children)
{
	char *programs[CHILDREN] = {argv[0], argv[0]}, **arguments[CHILDREN] = {argv + 1, argv + 1};
	MPI_Info infos[CHILDREN] = {MPI_INFO_NULL, MPI_INFO_NULL};
	int one_each[CHILDREN] = {1, 1}, errors[CHILDREN];

	if (argv[1])
		MPI_Comm_spawn_multiple(CHILDREN, programs, arguments, one_each, infos, 0,
					MPI_COMM_WORLD, children, errors);
	else
		MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, CHILDREN, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
			       children, errors);
}

static void child(MPI_Comm parents, int first)
{
	MPI_Comm both;

	MPI_Send(&rank, 1, MPI_INT, 0, 1, parents);
	MPI_Intercomm_merge(parents, !first, &both);
	together(both, first ? ranks : 0, first ? 0 : ranks);
	MPI_Comm_free(&both);
	MPI_Comm_disconnect(&parents);
}

int main(int argc, char **argv)
{
	MPI_Comm parents, children, both;
	int i, x, first;

	begin(&argc, &argv);
	first = argc > 1;
	MPI_Comm_get_parent(&parents);
	if (parents != MPI_COMM_NULL) {
		child(parents, first);
		return finish();
	}
	start(argv, &children);
	for (i = 0; rank == 0 && i < CHILDREN; i++) {
		MPI_Recv(&x, 1, MPI_INT, i, 1, children, MPI_STATUS_IGNORE);
		CHECK(x == i);
	}
	MPI_Intercomm_merge(children, first, &both);
	together(both, first ? CHILDREN : 0, first ? 0 : CHILDREN);
	MPI_Comm_free(&both);
	MPI_Comm_disconnect(&children);
	expect("MPI_SEND", 2);
	expect("MPI_RECV", 2 + (rank == 0 ? CHILDREN : 0));
	expect("MPI_COLLECTIVE_END", 5); /* spawn, merge, Allreduce, free, disconnect */
	if (rank == 0)
		expect("communicators", 4); /* with world and self */
	return finish();
}
