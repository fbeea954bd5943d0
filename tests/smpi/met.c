/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps of work, messages to the next ranks of a ring, and a collective of all: with any number of
 * ranks each has as much to do. For tests/smpi/copies, which compares how long more and fewer ranks
 * take with what contend said of one number.
 */
#include "share/examples/example.h"

enum { TAG = 1 };

struct job {
	int steps, work_us, uneven_us, peers, bytes, collective, each, rows;
	int rank, ranks, step;
	double *out, *in; /* their ones, and room */
	MPI_Comm row;     /* of so many ranks that follow each other, or MPI_COMM_NULL */
};

enum { BARRIER, BCAST, ALLREDUCE, REDUCE, ALLGATHER, ALLTOALL };
static const char *const collectives[] = {"barrier", "bcast",     "allreduce",
					  "reduce",  "allgather", "alltoall"};

static const struct example_option options[] = {
	{"steps", offsetof(struct job, steps), 1, 1000000, 20, NULL, "how often"},
	{"work", offsetof(struct job, work_us), 0, 1000000, 1000, NULL, "of each rank, us"},
	{"uneven", offsetof(struct job, uneven_us), 0, 1000000, 0, NULL, "and up to so much more"},
	{"peers", offsetof(struct job, peers), 0, 64, 1, NULL, "that a rank sends to"},
	{"bytes", offsetof(struct job, bytes), 0, 1 << 24, 8000, NULL, "to each"},
	{"collective", offsetof(struct job, collective), 0, ALLTOALL, ALLREDUCE, collectives,
	 "of all"},
	{"each", offsetof(struct job, each), 1, 1 << 22, 1, NULL,
	 "its doubles, of or to each rank"},
	{"rows", offsetof(struct job, rows), 0, 1024, 0, NULL,
	 "ranks of an MPI_Allreduce before it"},
	{NULL, 0, 0, 0, 0, NULL, NULL}};

static void exchange(struct job *job)
{
	MPI_Request request[2 * 64];
	int n = 0;

	for (int d = 1; d <= job->peers; d++) {
		int to = (job->rank + d) % job->ranks;
		int from = (job->rank + job->ranks - d) % job->ranks;

		MPI_Irecv((char *)job->in + (size_t)(d - 1) * job->bytes, job->bytes, MPI_BYTE,
			  from, TAG, MPI_COMM_WORLD, &request[n++]);
		MPI_Isend(job->out, job->bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &request[n++]);
	}
	MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
}

static void meet(struct job *job)
{
	void *out = job->out, *in = job->in;
	int n = job->each;

	if (job->row != MPI_COMM_NULL)
		MPI_Allreduce(out, in, n, MPI_DOUBLE, MPI_SUM, job->row);
	switch (job->collective) {
	case ALLREDUCE:
		MPI_Allreduce(out, in, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		break;
	case BARRIER:
		MPI_Barrier(MPI_COMM_WORLD);
		break;
	case BCAST:
		MPI_Bcast(out, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
		break;
	case REDUCE:
		MPI_Reduce(out, in, n, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
		break;
	case ALLGATHER:
		MPI_Allgather(out, n, MPI_DOUBLE, in, n, MPI_DOUBLE, MPI_COMM_WORLD);
		break;
	case ALLTOALL:
		MPI_Alltoall(out, n, MPI_DOUBLE, in, n, MPI_DOUBLE, MPI_COMM_WORLD);
		break;
	}
}

static void make_room(struct job *job)
{
	size_t all = (size_t)job->each * (size_t)job->ranks;
	size_t n = all + (size_t)job->bytes * (size_t)job->peers / sizeof(double) + 1;

	job->out = example_alloc(n, sizeof(*job->out));
	job->in = example_alloc(n, sizeof(*job->in));
	for (size_t k = 0; k < n; k++)
		job->out[k] = 1;
	job->row = MPI_COMM_NULL;
	if (job->rows)
		MPI_Comm_split(MPI_COMM_WORLD, job->rank / job->rows, job->rank, &job->row);
}

static double chance(const struct job *job)
{
	uint64_t s = example_mix(((uint64_t)job->rank << 32) + (uint64_t)job->step);

	return (double)(s >> 11) / 9007199254740992.0;
}

/* All ranks hand in 1: what rank 0 has of the last one. */
static int is_wrong(const struct job *job)
{
	if (job->rank || job->collective == BARRIER || job->collective == BCAST)
		return 0;
	return job->in[0] != (job->collective <= REDUCE ? job->ranks : 1);
}

int main(int argc, char **argv)
{
	static const char does[] = "Work, messages and a collective, step by step.";
	struct job job = {0};
	double start_s;
	char what[80];
	int go, ret;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
	go = example_parse("met", does, options, &job, argc, argv);
	ret = go < 0 ? 2 : 0;
	if (go > 0) {
		make_room(&job);
		start_s = MPI_Wtime();
		for (job.step = 0; job.step < job.steps; job.step++) {
			example_spend((job.work_us + job.uneven_us * chance(&job)) * 1e-6);
			exchange(&job);
			meet(&job);
		}
		start_s = MPI_Wtime() - start_s;
		snprintf(what, sizeof(what), "met: %d ranks, %.9f s", job.ranks, start_s);
		ret = example_conclude(what, start_s, is_wrong(&job));
	}
	MPI_Finalize();
	return ret;
}
