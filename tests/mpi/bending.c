/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bending ROUNDS PAUSE_US: two threads of each rank exchange messages with the next rank, both
 * ways, and there is no collective. Rank R writes passed.R: for each message that it sent and for
 * each that it received a line, the true times just before the one and just after the other call.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define THREADS 2

static int rank, ranks, rounds, pause_us;
static FILE *passed;

static long long now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static void exchange(int to, int from, int tag)
{
	long long before = now(), after;
	int out = tag, in = 0;

	MPI_Sendrecv(&out, 1, MPI_INT, to, tag, &in, 1, MPI_INT, from, tag, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
	after = now();
	fprintf(passed, "sent,%d,%d,%d,%lld\n", rank, to, tag, before);
	fprintf(passed, "received,%d,%d,%d,%lld\n", from, rank, tag, after);
}

static void *run(void *first_tag)
{
	int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks, i;
	int tag = *(int *)first_tag;

	for (i = 0; i < rounds; i++) {
		exchange(right, left, tag + 4 * i);
		exchange(left, right, tag + 4 * i + 1);
		usleep((useconds_t)pause_us);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int first_tag[THREADS] = {0, 2}, provided = 0, i;
	pthread_t thread[THREADS];
	char name[32];

	rounds = argc > 1 ? atoi(argv[1]) : 100;
	pause_us = argc > 2 ? atoi(argv[2]) : 1000;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	snprintf(name, sizeof(name), "passed.%d", rank);
	passed = fopen(name, "w");
	if (!passed || provided != MPI_THREAD_MULTIPLE)
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, run, &first_tag[i]);
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	fclose(passed);
	MPI_Finalize();
	return 0;
}
