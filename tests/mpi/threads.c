/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Four threads send at the same time, each its own tag; small sends share handles. Each has a
 * location.
 */
#include "behave.h"

#include <pthread.h>

#define THREADS 4
#define ROUNDS  500

static pthread_barrier_t all_done;
static int multiple;

static void *exchange(void *arg)
{
	int tag = *(int *)arg, i, in, out, index, done;
	MPI_Request r[2];
	MPI_Status s;

	for (i = 0; i < ROUNDS; i++) {
		out = 1000 * tag + i;
		MPI_Irecv(&in, 1, MPI_INT, partner, tag, MPI_COMM_WORLD, &r[0]);
		MPI_Isend(&out, 1, MPI_INT, partner, tag, MPI_COMM_WORLD, &r[1]);
		if (i % 2) {
			MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
		} else {
			for (done = 0; done < 2; done++)
				MPI_Waitany(2, r, &index, &s);
		}
		CHECK(in == out);
	}
	if (multiple) /* one that begins to send when another has ended has its location */
		pthread_barrier_wait(&all_done);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS];
	int tag[THREADS], i, provided, level;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	know_self();
	MPI_Query_thread(&level);
	CHECK(level == provided);
	multiple = provided == MPI_THREAD_MULTIPLE;
	pthread_barrier_init(&all_done, NULL, THREADS);
	for (i = 0; i < THREADS; i++) {
		tag[i] = i;
		if (!multiple)
			exchange(&tag[i]);
		else
			pthread_create(&thread[i], NULL, exchange, &tag[i]);
	}
	for (i = 0; multiple && i < THREADS; i++)
		pthread_join(thread[i], NULL);
	expect("locations", multiple ? 1 + THREADS : 1);
	expect("MPI_ISEND", THREADS * ROUNDS);
	expect("MPI_ISEND_COMPLETE", THREADS * ROUNDS);
	expect("MPI_IRECV_REQUEST", THREADS * ROUNDS);
	expect("MPI_IRECV", THREADS * ROUNDS);
	return finish();
}
