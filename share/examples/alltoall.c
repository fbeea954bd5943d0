/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Total exchange: every rank has a message for every other, as Steffenel measures for the
 * contention signature (2006). --by=library is MPI_Alltoall; direct posts all messages at once,
 * to 0, 1, 2, ... or (--rotate) to the next ranks first; pairwise exchanges with one partner
 * after the other.
 */
#include "example.h"

enum by { BY_LIBRARY, BY_DIRECT, BY_PAIRWISE };

struct job {
	int bytes, repeat, by, rotate;
	int rank, ranks;
	char *out, *in;
	MPI_Request *request;
	MPI_Status *status;
};

static const char *const by_names[] = {"library", "direct", "pairwise"};

static const struct example_option options[] = {
#define AT(field) offsetof(struct job, field)
	{"bytes", AT(bytes), 1, 1 << 30, 65536, NULL, "in each message"},
	{"repeat", AT(repeat), 1, 1000000, 10, NULL, "exchanges"},
	{"by", AT(by), 0, 2, 0, by_names, "library, direct, pairwise"},
	{"rotate", AT(rotate), 1, 1, 0, NULL, "direct: each rank begins with the next one"},
	{NULL, 0, 0, 0, 0, NULL, NULL}};

static char pattern(int from, int to, int round)
{
	return (char)(from * 7 + to * 3 + round);
}

static void direct(struct job *job)
{
	size_t m = (size_t)job->bytes;
	int n = 0, r;

	for (int i = 0; i < job->ranks; i++)
		MPI_Irecv(job->in + i * m, job->bytes, MPI_BYTE, i, 0, MPI_COMM_WORLD,
			  &job->request[n++]);
	for (int i = 0; i < job->ranks; i++) {
		r = job->rotate ? (job->rank + 1 + i) % job->ranks : i;
		MPI_Isend(job->out + r * m, job->bytes, MPI_BYTE, r, 0, MPI_COMM_WORLD,
			  &job->request[n++]);
	}
	MPI_Waitall(n, job->request, job->status);
}

static void pairwise(struct job *job)
{
	size_t m = (size_t)job->bytes;

	for (int i = 0; i < job->ranks; i++) {
		int to = (job->rank + i) % job->ranks;
		int from = (job->rank + job->ranks - i) % job->ranks;

		MPI_Sendrecv(job->out + to * m, job->bytes, MPI_BYTE, to, 0, job->in + from * m,
			     job->bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
}

/* Is every byte of it that one? */
static int all_are(const char *in, size_t m, char byte)
{
	return in[0] == byte && !memcmp(in, in + 1, m - 1);
}

static int exchange(struct job *job, int round, double *time_s)
{
	size_t m = (size_t)job->bytes;
	double start_s;
	int wrong = 0;

	for (int r = 0; r < job->ranks; r++) {
		memset(job->out + r * m, pattern(job->rank, r, round), m);
		memset(job->in + r * m, ~pattern(r, job->rank, round), m);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	start_s = MPI_Wtime();
	if (job->by == BY_LIBRARY)
		MPI_Alltoall(job->out, job->bytes, MPI_BYTE, job->in, job->bytes, MPI_BYTE,
			     MPI_COMM_WORLD);
	else if (job->by == BY_DIRECT)
		direct(job);
	else
		pairwise(job);
	*time_s += MPI_Wtime() - start_s;
	for (int r = 0; r < job->ranks; r++)
		wrong += !all_are(job->in + r * m, m, pattern(r, job->rank, round));
	return wrong;
}

static int run(struct job *job)
{
	size_t all = (size_t)job->ranks * (size_t)job->bytes;
	double mine_s = 0, time_s;
	char what[160];
	int wrong = 0;

	job->out = example_alloc(all, 1);
	job->in = example_alloc(all, 1);
	job->request = example_alloc(2 * (size_t)job->ranks, sizeof(*job->request));
	job->status = example_alloc(2 * (size_t)job->ranks, sizeof(*job->status));
	for (int i = 0; i < job->repeat; i++)
		wrong += exchange(job, i, &mine_s);
	MPI_Allreduce(&mine_s, &time_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	snprintf(what, sizeof(what), "alltoall: %d ranks, %d bytes, %s%s, %.9f s each", job->ranks,
		 job->bytes, by_names[job->by], job->rotate ? " rotated" : "",
		 time_s / job->repeat);
	free(job->out);
	free(job->in);
	free(job->request);
	free(job->status);
	return example_conclude(what, time_s, wrong);
}

int main(int argc, char **argv)
{
	static const char does[] = "Every rank sends to every other.";
	struct job job = {0};
	int go, ret;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
	go = example_parse("alltoall", does, options, &job, argc, argv);
	ret = go < 0 ? 2 : go > 0 ? run(&job) : 0;
	MPI_Finalize();
	return ret;
}
