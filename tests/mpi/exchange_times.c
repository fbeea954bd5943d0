/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a total exchange takes among the first n ranks, for several n and sizes: a line
 * n,m,T,AGAIN,ALL,LOW,HIGH each, T the median over the repetitions of the slowest rank's time,
 * s; n = 2 is one message alone. AGAIN segments were sent again by TCP meanwhile, in all
 * repetitions and on all these ranks' hosts, of ALL. LOW and HIGH are the second and the last but
 * one of the times: 8 have the true median between these with 93 %. Then the segments of the whole
 * program.
 *
 * All messages are posted at once, to the next ranks first, so the algorithm is the same in
 * every library and for every n and m (Steffenel 2006, direct exchange). The repetitions go around
 * all n and sizes: a moment when the machine had something else to do is not all of one of them.
 *
 *	exchange_times REPEAT "RANKS..." "BYTES..."
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 32, TAG = 1 };

struct list {
	int n, at[MOST];
};

struct segments {
	long again, all;
};

struct job {
	int rank, size, repeat;
	struct list ranks, bytes;
	char *out, *in;
	MPI_Request *request;
	MPI_Status *status;
	double *time_s;        /* of each n, size and repetition */
	struct segments *sent; /* of each n and size, on this host */
};

static struct list list_of(const char *words)
{
	struct list list = {0};
	char *end;
	long value;

	while (list.n < MOST && (value = strtol(words, &end, 10)) > 0 && end != words) {
		list.at[list.n++] = (int)value;
		words = end;
	}
	return list;
}

static int largest(struct list list)
{
	int most = 0;

	for (int i = 0; i < list.n; i++)
		most = list.at[i] > most ? list.at[i] : most;
	return most;
}

/* Half of there and back: a message alone. */
static double ping(struct job *job, MPI_Comm comm, int rank, int bytes)
{
	double start_s = MPI_Wtime();

	for (int from = 0; from < 2; from++)
		if (rank == from)
			MPI_Send(job->out, bytes, MPI_BYTE, !rank, TAG, comm);
		else
			MPI_Recv(job->in, bytes, MPI_BYTE, !rank, TAG, comm, MPI_STATUS_IGNORE);
	return (MPI_Wtime() - start_s) / 2;
}

static double all(struct job *job, MPI_Comm comm, int rank, int ranks, int bytes)
{
	double start_s = MPI_Wtime();
	size_t m = (size_t)bytes;
	int n = 0;

	for (int i = 1; i < ranks; i++)
		MPI_Irecv(job->in + i * m, bytes, MPI_BYTE, (rank + ranks - i) % ranks, TAG, comm,
			  &job->request[n++]);
	for (int i = 1; i < ranks; i++)
		MPI_Isend(job->out + i * m, bytes, MPI_BYTE, (rank + i) % ranks, TAG, comm,
			  &job->request[n++]);
	MPI_Waitall(n, job->request, job->status);
	return MPI_Wtime() - start_s;
}

/* On all ranks of comm: how long the slowest needed. */
static double exchange(struct job *job, MPI_Comm comm, int bytes)
{
	double took_s;
	int rank, ranks;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &ranks);
	MPI_Barrier(comm);
	took_s = ranks == 2 ? ping(job, comm, rank, bytes) : all(job, comm, rank, ranks, bytes);
	MPI_Allreduce(MPI_IN_PLACE, &took_s, 1, MPI_DOUBLE, MPI_MAX, comm);
	return took_s;
}

/* What TCP has sent since this host is up. */
static struct segments segments(void)
{
	FILE *f = fopen("/proc/self/net/snmp", "r");
	struct segments s = {0};
	char line[1024];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "Tcp: %*d %*d %*d %*d %*d %*d %*d %*d %*d %*d %ld %ld", &s.all,
			   &s.again) == 2)
			break;
	if (f)
		fclose(f);
	return s;
}

/* On rank 0: what all ranks have sent. */
static struct segments all_sent(struct segments mine)
{
	long numbers[2] = {mine.again, mine.all}, sum[2] = {0};

	MPI_Reduce(numbers, sum, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	return (struct segments){sum[0], sum[1]};
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double *times_of(const struct job *job, int i, int j)
{
	return job->time_s + (size_t)(i * job->bytes.n + j) * (size_t)job->repeat;
}

static struct segments *sent_of(const struct job *job, int i, int j)
{
	return &job->sent[i * job->bytes.n + j];
}

static void measure(struct job *job)
{
	struct segments before, after, *sent;
	MPI_Comm some;
	double s;

	for (int r = -1; r < job->repeat; r++) /* once to warm up */
		for (int i = 0; i < job->ranks.n; i++) {
			MPI_Comm_split(MPI_COMM_WORLD, job->rank < job->ranks.at[i], job->rank,
				       &some);
			for (int j = 0; j < job->bytes.n && job->rank < job->ranks.at[i]; j++) {
				before = segments();
				s = exchange(job, some, job->bytes.at[j]);
				if (r < 0)
					continue;
				times_of(job, i, j)[r] = s;
				after = segments();
				sent = sent_of(job, i, j);
				sent->again += after.again - before.again;
				sent->all += after.all - before.all;
			}
			MPI_Comm_free(&some);
		}
}

static void print(const struct job *job)
{
	struct segments sent;

	for (int i = 0; i < job->ranks.n; i++)
		for (int j = 0; j < job->bytes.n; j++) {
			double *s = times_of(job, i, j);

			sent = all_sent(*sent_of(job, i, j));
			qsort(s, (size_t)job->repeat, sizeof(*s), ascending);
			if (job->rank == 0)
				printf("%d,%d,%.6f,%ld,%ld,%.6f,%.6f\n", job->ranks.at[i],
				       job->bytes.at[j], s[job->repeat / 2], sent.again, sent.all,
				       s[job->repeat > 2], s[job->repeat - 1 - (job->repeat > 2)]);
		}
	sent = all_sent(segments());
	if (job->rank == 0)
		printf("# %ld of %ld segments sent again\n", sent.again, sent.all);
}

int main(int argc, char **argv)
{
	struct job job = {0};
	size_t room;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &job.size);
	if (argc == 4) {
		job.repeat = atoi(argv[1]);
		job.ranks = list_of(argv[2]);
		job.bytes = list_of(argv[3]);
	}
	if (job.repeat < 1 || !job.ranks.n || !job.bytes.n || largest(job.ranks) > job.size) {
		fprintf(stderr, "usage: exchange_times REPEAT \"RANKS...\" \"BYTES...\"\n");
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	room = (size_t)job.size * (size_t)largest(job.bytes);
	job.out = calloc(room, 1);
	job.in = calloc(room, 1);
	job.request = calloc(2 * (size_t)job.size, sizeof(MPI_Request));
	job.status = calloc(2 * (size_t)job.size, sizeof(MPI_Status));
	job.time_s = calloc((size_t)(job.ranks.n * job.bytes.n * job.repeat), sizeof(double));
	job.sent = calloc((size_t)(job.ranks.n * job.bytes.n), sizeof(*job.sent));
	if (!job.out || !job.in || !job.request || !job.status || !job.time_s || !job.sent)
		MPI_Abort(MPI_COMM_WORLD, 1);
	measure(&job);
	print(&job);
	free(job.sent);
	free(job.time_s);
	free(job.status);
	free(job.request);
	free(job.in);
	free(job.out);
	MPI_Finalize();
	return 0;
}
