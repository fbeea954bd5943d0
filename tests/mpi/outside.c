/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MPI before it begins and after it has ended, begun by a thread that is not the first. */
#include "behave.h"

#include <pthread.h>

static void *init(void *arg)
{
	(void)arg;
	MPI_Init(NULL, NULL);
	know_self();
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Send(&rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD);
	return NULL;
}

static void after_exit(void)
{
	int flag = 0;

	MPI_Finalized(&flag);
	CHECK(flag);
}

int main(void)
{
	char name[MPI_MAX_LIBRARY_VERSION_STRING];
	int flag = 1, version, sub, n, in;
	pthread_t thread;

	atexit(after_exit);
	MPI_Initialized(&flag);
	CHECK(!flag);
	MPI_Finalized(&flag);
	CHECK(!flag);
	MPI_Get_version(&version, &sub);
	CHECK(version >= 3);
	MPI_Get_library_version(name, &n);
	CHECK(n > 0);
	pthread_create(&thread, NULL, init, NULL);
	pthread_join(thread, NULL);
	MPI_Initialized(&flag);
	CHECK(flag);
	MPI_Recv(&in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	expect("MPI_SEND", 1);
	expect("MPI_RECV", 1);
	expect("MPI_COLLECTIVE_END", 1);
	MPI_Finalize();
	MPI_Initialized(&flag);
	CHECK(flag);
	MPI_Get_version(&version, &sub);
	return failures != 0;
}
