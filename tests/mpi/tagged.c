/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads that each make communicators of the same members, at once and told apart by nothing but
 * the tags: what was sent in each is received in it.
 */
#include "behave.h"

#include <pthread.h>

#define THREADS 4
#define ROUNDS  10

static MPI_Group pair;
static pthread_barrier_t together;

static void *make(void *arg)
{
	int me = *(int *)arg, i, n, in = -1;
	MPI_Comm comm;

	for (i = 0; i < ROUNDS; i++) {
		pthread_barrier_wait(&together);
		/* Not in the order in which the partner's threads come to it. */
		usleep((unsigned)((me + (rank & 1) * THREADS / 2) % THREADS) * 2000);
		MPI_Comm_create_group(MPI_COMM_WORLD, pair, 100 + me, &comm);
		for (n = 0; n <= me; n++) /* in no two of them as many */
			if (rank & 1)
				MPI_Recv(&in, 1, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE);
			else
				MPI_Send(&me, 1, MPI_INT, 1, 1, comm);
		CHECK(in == (rank & 1 ? me : -1));
		MPI_Comm_free(&comm);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int provided, i, numbers[THREADS], members[2];
	pthread_t threads[THREADS];
	MPI_Group world;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	know_self();
	if (provided < MPI_THREAD_MULTIPLE) {
		printf("threads may not call at once\n");
		return finish();
	}
	members[0] = rank & ~1;
	members[1] = rank | 1;
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 2, members, &pair);
	pthread_barrier_init(&together, NULL, THREADS);
	for (i = 0; i < THREADS; i++) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, make, &numbers[i]);
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	MPI_Group_free(&pair);
	MPI_Group_free(&world);
	expect(rank & 1 ? "MPI_RECV" : "MPI_SEND", ROUNDS * THREADS * (THREADS + 1) / 2);
	expect("not-received-in-its-communicator", 0);
	if (rank == 0) /* each of a pair's, and the two that are always there */
		expect("communicators", 2 + THREADS * ROUNDS * ranks / 2);
	return finish();
}
