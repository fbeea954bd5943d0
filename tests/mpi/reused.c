/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * While one thread is on its way out of MPI_Waitall, its first request done, another is given the
 * same handle: MPI calls back for the second request in between, and the thread waits there for
 * the other. (For no longer than a second: an MPI may keep the other out meanwhile.)
 */
#include "behave.h"

#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#define ROUNDS 3

static sem_t asked, done;
static int multiple;

/* A persistent receive, made, used and freed. */
static void receive_again(void)
{
	MPI_Request r;
	int in = -1;

	MPI_Recv_init(&in, 1, MPI_INT, partner, 2, MPI_COMM_WORLD, &r);
	MPI_Start(&r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Request_free(&r);
	CHECK(in == partner);
}

static void *other(void *arg)
{
	int i;

	(void)arg;
	for (i = 0; i < ROUNDS; i++) {
		sem_wait(&asked);
		receive_again();
		sem_post(&done);
	}
	return NULL;
}

static int query(void *extra, MPI_Status *status)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	sem_post(&asked);
	if (multiple)
		*(int *)extra = !sem_timedwait(&done, &until);
	MPI_Status_set_elements(status, MPI_INT, 0);
	MPI_Status_set_cancelled(status, 0);
	status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
	return MPI_SUCCESS;
}

static int forget(void *extra)
{
	(void)extra;
	return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
	(void)extra;
	(void)complete;
	return MPI_SUCCESS;
}

static void meet(void)
{
	int in = -1, came = 0;
	MPI_Request r[2];

	MPI_Irecv(&in, 1, MPI_INT, partner, 1, MPI_COMM_WORLD, &r[0]);
	MPI_Send(&rank, 1, MPI_INT, partner, 2, MPI_COMM_WORLD);
	MPI_Send(&rank, 1, MPI_INT, partner, 1, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Grequest_start(query, forget, cancel, &came, &r[1]);
	MPI_Grequest_complete(r[1]);
	MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	CHECK(in == partner);
	if (multiple && !came)
		sem_wait(&done);
	if (!multiple)
		receive_again();
}

int main(int argc, char **argv)
{
	int i, provided;
	pthread_t thread;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	know_self();
	multiple = provided == MPI_THREAD_MULTIPLE;
	sem_init(&asked, 0, 0);
	sem_init(&done, 0, 0);
	if (multiple)
		pthread_create(&thread, NULL, other, NULL);
	for (i = 0; i < ROUNDS; i++)
		meet();
	if (multiple)
		pthread_join(thread, NULL);
	expect("MPI_SEND", 2 * ROUNDS);
	expect("MPI_IRECV_REQUEST", 2 * ROUNDS);
	expect("MPI_IRECV", 2 * ROUNDS);
	return finish();
}
