/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * clocks ROUNDS PAUSE_US [STEP_NS]: barriers and messages both ways between each rank and the
 * next; every rank writes truth.RANK, the true times just around each barrier. In the middle
 * rank 1's clock is set by STEP_NS, if it is a fake one. With THREADS in the environment as many
 * threads more call collectives meanwhile, each on a communicator of its own, in an order of which
 * no two ranks have the same.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

void fake_clock_step(int64_t ns) __attribute__((weak));

static long long now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

#define THREADS_MOST 8

static MPI_Comm comms[THREADS_MOST];
static atomic_int ended;

/* Collectives until all ranks' programs have ended theirs, at a pace of its own. */
static void *talk(void *data)
{
	MPI_Comm comm = *(MPI_Comm *)data;
	unsigned seed = (unsigned)((MPI_Comm *)data - comms);
	int mine = 0, all = 0, rank;

	MPI_Comm_rank(comm, &rank);
	seed = 1 + seed * 31 + (unsigned)rank;
	while (!all) {
		mine = atomic_load(&ended);
		MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm);
		usleep((useconds_t)rand_r(&seed) % 3000);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	const char *asked = getenv("THREADS");
	int threads = asked ? atoi(asked) : 0, provided;
	pthread_t thread[THREADS_MOST];
	int rounds = argc > 1 ? atoi(argv[1]) : 10, pause_us = argc > 2 ? atoi(argv[2]) : 1000;
	int64_t step = argc > 3 ? atoll(argv[3]) : 0;
	int rank, ranks, i, sum = 0, in = 0;
	char name[32];
	FILE *f;

	MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
	if (threads > THREADS_MOST || (threads && provided != MPI_THREAD_MULTIPLE))
		MPI_Abort(MPI_COMM_WORLD, 2);
	for (i = 0; i < threads; i++) {
		MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
		pthread_create(&thread[i], NULL, talk, &comms[i]);
	}
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	snprintf(name, sizeof(name), "truth.%d", rank);
	f = fopen(name, "w");
	if (!f)
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (i = 0; i < rounds; i++) {
		long long before = now(), after;

		MPI_Barrier(MPI_COMM_WORLD);
		after = now();
		fprintf(f, "%d %d %lld %lld\n", rank, i, before, after);
		MPI_Sendrecv(&i, 1, MPI_INT, (rank + 1) % ranks, 1, &in, 1, MPI_INT,
			     (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Sendrecv(&i, 1, MPI_INT, (rank + ranks - 1) % ranks, 2, &in, 1, MPI_INT,
			     (rank + 1) % ranks, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		sum += in;
		if (i == rounds / 2 && rank == 1 && step && fake_clock_step)
			fake_clock_step(step);
		usleep((useconds_t)pause_us);
	}
	fclose(f);
	atomic_store(&ended, 1);
	for (i = 0; i < threads; i++) {
		pthread_join(thread[i], NULL);
		MPI_Comm_free(&comms[i]);
	}
	MPI_Finalize();
	if (rank == 0)
		printf("sum %d\n", sum);
	return 0;
}
