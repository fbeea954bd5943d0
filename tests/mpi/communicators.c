/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Communicators that come and go: 2,000 of them under few handles, splits that leave some
 * ranks out, groups that only their members know of, names.
 */
#include "behave.h"

#define MANY 2000

int main(int argc, char **argv)
{
	MPI_Group world, pair;
	MPI_Comm comm, copy;
	int i, in = -1, members[2], sum, is_last;

	begin(&argc, &argv);
	for (i = 0; i < MANY; i++) {
		MPI_Comm_dup(i % 2 ? MPI_COMM_SELF : MPI_COMM_WORLD, &comm);
		if (i % 500 == 0) {
			MPI_Sendrecv(&rank, 1, MPI_INT, right, 1, &in, 1, MPI_INT, left, 1, comm,
				     MPI_STATUS_IGNORE);
			CHECK(in == left);
		}
		MPI_Comm_free(&comm);
	}

	is_last = rank == ranks - 1;
	MPI_Comm_split(MPI_COMM_WORLD, is_last ? MPI_UNDEFINED : 3, -rank, &comm);
	CHECK((comm == MPI_COMM_NULL) == is_last);
	if (comm != MPI_COMM_NULL) {
		MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
		CHECK(sum == (ranks - 1) * (ranks - 2) / 2);
		MPI_Comm_free(&comm);
	}

	members[0] = rank & ~1;
	members[1] = members[0] + 1;
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 2, members, &pair);
	MPI_Comm_create_group(MPI_COMM_WORLD, pair, 5, &comm);
	MPI_Comm_set_name(comm, "a pair");
	MPI_Comm_dup(comm, &copy);
	MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank % 2, 2, &in, 1, MPI_INT, 1 - rank % 2, 2, copy,
		     MPI_STATUS_IGNORE);
	CHECK(in == partner);
	MPI_Comm_free(&copy);
	MPI_Comm_free(&comm);
	MPI_Comm_create(MPI_COMM_WORLD, rank < 2 ? pair : MPI_GROUP_EMPTY, &comm);
	CHECK((comm == MPI_COMM_NULL) == (rank >= 2));
	if (comm != MPI_COMM_NULL)
		MPI_Comm_free(&comm);
	MPI_Group_free(&pair);
	MPI_Group_free(&world);
	if (rank == 0)
		expect("comms-named-a-pair", ranks / 2);
	expect("MPI_SEND", 5);
	expect("MPI_RECV", 5);
	return finish();
}
