/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thread with 16 KiB of stack makes all the calls but the first. */
#include "behave.h"

#include <pthread.h>

static void *work(void *arg)
{
	int in = -1, i;
	MPI_Request r[2];

	(void)arg;
	for (i = 0; i < 2000; i++) {
		MPI_Irecv(&in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &r[0]);
		MPI_Isend(&rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &r[1]);
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	}
	CHECK(in == left);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_attr_t attr;
	pthread_t thread;
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
	know_self();
	pthread_attr_init(&attr);
	CHECK(!pthread_attr_setstacksize(&attr, 16 * 1024));
	CHECK(!pthread_create(&thread, &attr, work, NULL));
	pthread_join(thread, NULL);
	expect("MPI_ISEND", 2000);
	expect("MPI_ISEND_COMPLETE", 2000);
	expect("MPI_IRECV_REQUEST", 2000);
	expect("MPI_IRECV", 2000);
	return finish();
}
