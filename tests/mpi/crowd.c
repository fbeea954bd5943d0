/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Eight threads at once, each in communicators of its own: small sends, which share handles,
 * completed in all ways; persistent and cancelled requests; communicators that come and go.
 * Then threads that come and go, and one that outlives MPI.
 */
#include "behave.h"

#include <pthread.h>
#include <semaphore.h>

#define THREADS 8
#define ROUNDS  60
#define SHORT   40

static int multiple;
static sem_t communicated, finalized;

/* Both directions of a pair, completed in way 0, 1, 2 or 3. */
static void swap(MPI_Comm comm, int peer, int way)
{
	int in = -1, out = peer, n, index[2], left = 2, flag;
	MPI_Request r[2];

	MPI_Irecv(&in, 1, MPI_INT, peer, way, comm, &r[0]);
	MPI_Isend(&out, 1, MPI_INT, peer, way, comm, &r[1]);
	if (way == 0)
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	for (; way == 1 && left; left--)
		MPI_Waitany(2, r, index, MPI_STATUS_IGNORE);
	for (; way == 2 && left; left -= n)
		MPI_Waitsome(2, r, &n, index, MPI_STATUSES_IGNORE);
	for (flag = 0; way == 3 && !flag;)
		MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE);
	CHECK(in == rank);
}

static void again(MPI_Comm comm, int peer)
{
	int in = -1, out = peer, i;
	MPI_Request r[2];

	MPI_Recv_init(&in, 1, MPI_INT, peer, 7, comm, &r[0]);
	MPI_Send_init(&out, 1, MPI_INT, peer, 7, comm, &r[1]);
	for (i = 0; i < 2; i++) {
		MPI_Startall(2, r);
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	}
	MPI_Request_free(&r[0]);
	MPI_Request_free(&r[1]);
	MPI_Irecv(&in, 1, MPI_INT, peer, 8, comm, &r[0]);
	MPI_Cancel(&r[0]);
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);
	CHECK(in == rank);
}

static void *crowd(void *arg)
{
	MPI_Comm parent = *(MPI_Comm *)arg, comm;
	MPI_Request r;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		if (i % 2) {
			MPI_Comm_dup(parent, &comm);
		} else {
			MPI_Comm_idup(parent, &comm, &r);
			MPI_Wait(&r, MPI_STATUS_IGNORE);
		}
		swap(comm, partner, i % 4);
		again(comm, partner);
		MPI_Comm_free(&comm);
	}
	return NULL;
}

static void *brief(void *arg)
{
	(void)arg;
	MPI_Sendrecv_replace(&(int){0}, 1, MPI_INT, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
	return NULL;
}

static void *last(void *arg)
{
	brief(arg);
	sem_post(&communicated);
	sem_wait(&finalized);
	return NULL;
}

static void begin_and_join(int n, void *(*run)(void *), MPI_Comm *comms)
{
	pthread_t thread[THREADS];
	int i;

	for (i = 0; i < n; i++)
		if (multiple)
			pthread_create(&thread[i], NULL, run, &comms[i]);
		else
			run(&comms[i]);
	for (i = 0; multiple && i < n; i++)
		pthread_join(thread[i], NULL);
}

int main(int argc, char **argv)
{
	MPI_Comm comms[THREADS];
	pthread_t survivor;
	int i, provided, level;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	know_self();
	MPI_Query_thread(&level);
	CHECK(level == provided);
	multiple = provided == MPI_THREAD_MULTIPLE;
	for (i = 0; i < THREADS; i++)
		MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
	begin_and_join(THREADS, crowd, comms);
	for (i = 0; i < SHORT; i++)
		begin_and_join(2, brief, comms);
	for (i = 0; i < THREADS; i++)
		MPI_Comm_free(&comms[i]);
	sem_init(&communicated, 0, 0);
	sem_init(&finalized, 0, !multiple);
	if (multiple)
		pthread_create(&survivor, NULL, last, NULL);
	else
		last(NULL);
	sem_wait(&communicated);
	MPI_Barrier(MPI_COMM_WORLD);
	expect("MPI_ISEND", THREADS * ROUNDS * 3);
	expect("MPI_ISEND_COMPLETE", THREADS * ROUNDS * 3);
	expect("MPI_IRECV_REQUEST", THREADS * ROUNDS * 4);
	expect("MPI_IRECV", THREADS * ROUNDS * 3);
	expect("MPI_REQUEST_CANCELLED", THREADS * ROUNDS);
	expect("MPI_SEND", 2 * SHORT + 1);
	expect("MPI_RECV", 2 * SHORT + 1);
	MPI_Finalize();
	sem_post(&finalized);
	if (multiple)
		pthread_join(survivor, NULL);
	return failures != 0;
}
