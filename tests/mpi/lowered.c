/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks for all threads, says what it got, and sends around a ring. */
#include "behave.h"

int main(int argc, char **argv)
{
	int provided = -1, level = -1, in = -1;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	know_self();
	MPI_Query_thread(&level);
	CHECK(level == provided);
	printf("thread level %s\n", provided == MPI_THREAD_MULTIPLE     ? "multiple"
				    : provided == MPI_THREAD_SERIALIZED ? "serialized"
				    : provided == MPI_THREAD_FUNNELED   ? "funneled"
									: "single");
	MPI_Sendrecv(&rank, 1, MPI_INT, right, 1, &in, 1, MPI_INT, left, 1, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
	CHECK(in == left);
	return finish();
}
