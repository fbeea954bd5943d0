/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the habits of advised.c are made of: who sends how much to whom, begun and finished. */
#ifndef TESTS_SMPI_ADVISED_JOB_H
#define TESTS_SMPI_ADVISED_JOB_H

#include "share/examples/example.h"

#ifdef SIMULATED
#include <simgrid/link.h>
#endif

enum { TAG = 1 };

struct job {
	int habit, advised;
	int rounds, count, bytes, peers, work_us, uneven_us, after_us, share, blocking, seed;
	int port_per_s, each;
	int rank, ranks, round;
	char *out, *in; /* in has room for each request of a round */
	MPI_Request *request;
	int requests, wrong;
};

/* From 0 to 1, the same for everybody who asks for this rank's in this round. */
static inline double chance(const struct job *job, int rank, int which)
{
	uint64_t s = example_mix(((uint64_t)job->seed << 48) + ((uint64_t)rank << 32) +
				 ((uint64_t)job->round << 16) + (uint64_t)which);

	return (double)(s >> 11) / 9007199254740992.0;
}

static inline int neighbour(const struct job *job, int distance)
{
	return ((job->rank + distance) % job->ranks + job->ranks) % job->ranks;
}

static inline double uneven_s(const struct job *job)
{
	return (job->work_us + job->uneven_us * chance(job, job->rank, 0)) * 1e-6;
}

static inline void begin_send(struct job *job, int to, int bytes, int synchronous)
{
	memset(job->out, job->rank + job->round, (size_t)bytes);
	(synchronous ? MPI_Issend : MPI_Isend)(job->out, bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD,
					       &job->request[job->requests++]);
}

static inline void begin_receive(struct job *job, int from, int bytes)
{
	MPI_Irecv(job->in + (size_t)job->requests * bytes, bytes, MPI_BYTE, from, TAG,
		  MPI_COMM_WORLD, &job->request[job->requests]);
	job->requests++;
}

static inline void finish(struct job *job)
{
	MPI_Waitall(job->requests, job->request, MPI_STATUSES_IGNORE);
	job->requests = 0;
}

/* What came first was from that rank. */
static inline void check(struct job *job, int from, int bytes)
{
	char is = (char)(from + job->round);

	job->wrong += bytes > 0 && (job->in[0] != is || job->in[bytes - 1] != is);
}

/*
 * Do data come into this rank, which has its host for itself? The simulated machine moves them
 * whatever its ranks do; others only while these are in MPI, from when they have seen the request.
 * What begins there meanwhile would stay slow.
 */
static inline void let_in(const struct job *job, int open)
{
#ifdef SIMULATED
	char name[32];
	sg_link_t port;

	snprintf(name, sizeof(name), "down%d", job->rank);
	port = sg_link_by_name(name);
	sg_link_set_bandwidth(port, open ? job->port_per_s : 1);
#else
	(void)job;
	(void)open;
#endif
}

#endif
