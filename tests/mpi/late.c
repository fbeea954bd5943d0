/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Begun by MPI_Init_thread alone, and long at work after MPI_Finalize, when MPI says that it
 * has ended; what asks about MPI is answered at any time.
 */
#include "behave.h"

#include <unistd.h>

static void ask(int initialized, int finalized)
{
	char name[MPI_MAX_LIBRARY_VERSION_STRING];
	int flag, n, version, sub;

	MPI_Initialized(&flag);
	CHECK(flag == initialized);
	MPI_Finalized(&flag);
	CHECK(flag == finalized);
	MPI_Get_version(&version, &sub);
	CHECK(version >= 3);
	CHECK(MPI_Get_library_version(name, &n) == MPI_SUCCESS && n > 0);
}

static void at_exit(void)
{
	ask(1, 1);
}

int main(int argc, char **argv)
{
	int provided = -1, level = -1, in = -1, i;
	volatile double x = 0;

	atexit(at_exit);
	ask(0, 0);
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	know_self();
	ask(1, 0);
	MPI_Query_thread(&level);
	CHECK(level == provided);
	printf("thread level %s\n", level == MPI_THREAD_FUNNELED ? "as asked for" : "another");
	MPI_Sendrecv(&rank, 1, MPI_INT, right, 1, &in, 1, MPI_INT, left, 1, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
	CHECK(in == left && MPI_Wtime() >= 0);
	expect("MPI_SEND", 1);
	expect("MPI_RECV", 1);
	MPI_Finalize();
	ask(1, 1);
	for (i = 0; i < 20000000; i++)
		x += i;
	usleep(300000);
	ask(1, 1);
	return failures != 0;
}
