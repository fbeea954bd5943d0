/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program drawn by lot: steps of all kinds in which MPI moves messages, of sizes on both sides of
 * the limit below which sends are on their way at once, in the world or in halves of it, each rank
 * computing for another time before. The same seed is the same program. For tests/smpi/drawn.sh.
 */
#include "share/examples/example.h"

enum { PEERS_MAX = 3, TAG = 1 };

struct job {
	int seed, steps, only, most_bytes, synchronous;
	uint64_t lot; /* the same on all ranks */
	MPI_Comm half, comm;
	int rank, ranks; /* in comm */
	int step, bytes, wrong;
	char *out, *in; /* a message to or from each rank, twice */
	MPI_Request request[4 * PEERS_MAX];
	int requests;
	char *shared; /* what the window is of */
	MPI_Win window;
};

static int draw(struct job *job, int n)
{
	return example_draw(&job->lot, n);
}

/* Every rank its own time, a few of them a long one. */
static void compute(const struct job *job, int most_us)
{
	uint64_t own = example_mix(job->lot + (uint64_t)job->rank);
	int us = example_draw(&own, most_us + 1);

	example_spend((example_draw(&own, 8) ? us : 5 * us) * 1e-6);
}

static int away(const struct job *job, int distance)
{
	return (job->rank + distance + job->ranks) % job->ranks;
}

static char *out(const struct job *job, int to)
{
	return memset(job->out + (size_t)to * job->most_bytes, job->rank + job->step,
		      (size_t)job->bytes);
}

static char *in(const struct job *job, int from)
{
	return job->in + (size_t)from * job->most_bytes;
}

static void check(struct job *job, const char *at, int from)
{
	char is = (char)(from + job->step);

	job->wrong += at[0] != is || at[job->bytes - 1] != is;
}

static void begin_receive(struct job *job, int from)
{
	MPI_Irecv(in(job, from), job->bytes, MPI_BYTE, from, TAG, job->comm,
		  &job->request[job->requests++]);
}

static void wait_each(struct job *job)
{
	for (int i = 0; i < job->requests; i++)
		MPI_Wait(&job->request[i], MPI_STATUS_IGNORE);
}

static void wait_any(struct job *job)
{
	for (int i = 0, which; i < job->requests; i++)
		MPI_Waitany(job->requests, job->request, &which, MPI_STATUS_IGNORE);
}

static void wait_some(struct job *job)
{
	int which[4 * PEERS_MAX];

	for (int left = job->requests, n; left > 0; left -= n)
		MPI_Waitsome(job->requests, job->request, &n, which, MPI_STATUSES_IGNORE);
}

static void finish(struct job *job)
{
	switch (draw(job, 4)) {
	case 0:
		wait_each(job);
		break;
	case 1:
		wait_any(job);
		break;
	case 2:
		wait_some(job);
		break;
	default:
		MPI_Waitall(job->requests, job->request, MPI_STATUSES_IGNORE);
	}
	job->requests = 0;
}

/* A blocking send of any kind, its receive posted before. */
static void send_blocking(struct job *job)
{
	int to = 1 + draw(job, job->ranks - 1), kind = draw(job, 3);
	typeof(&MPI_Send) send = kind == 2                       ? MPI_Rsend
				 : kind == 1 && job->synchronous ? MPI_Ssend
								 : MPI_Send;

	begin_receive(job, away(job, -to));
	if (kind == 2)
		MPI_Barrier(job->comm);
	compute(job, 50);
	send(out(job, away(job, to)), job->bytes, MPI_BYTE, away(job, to), TAG, job->comm);
	compute(job, 20);
	finish(job);
	check(job, in(job, away(job, -to)), away(job, -to));
}

static void send_receive(struct job *job)
{
	int to = 1 + draw(job, job->ranks - 1), from = away(job, -to);

	compute(job, 50);
	MPI_Sendrecv(out(job, away(job, to)), job->bytes, MPI_BYTE, away(job, to), TAG,
		     in(job, from), job->bytes, MPI_BYTE, from, TAG, job->comm, MPI_STATUS_IGNORE);
	check(job, in(job, from), from);
}

/* With some neighbours, non-blocking: posted before they are sent or after. */
static void exchange(struct job *job)
{
	int peers = 1 + draw(job, PEERS_MAX < job->ranks - 1 ? PEERS_MAX : job->ranks - 1);
	int synchronous = draw(job, 4) == 0 && job->synchronous, late = draw(job, 3) == 0;

	compute(job, 50);
	for (int d = 1; d <= peers && !late; d++)
		begin_receive(job, away(job, -d));
	for (int d = 1; d <= peers; d++)
		(synchronous ? MPI_Issend : MPI_Isend)(out(job, away(job, d)), job->bytes, MPI_BYTE,
						       away(job, d), TAG, job->comm,
						       &job->request[job->requests++]);
	compute(job, 50);
	for (int d = 1; d <= peers && late; d++)
		begin_receive(job, away(job, -d));
	compute(job, 50);
	finish(job);
	for (int d = 1; d <= peers; d++)
		check(job, in(job, away(job, -d)), away(job, -d));
}

/* From anybody, whoever comes first: asked for before or not. */
static void take_one(struct job *job, int probed)
{
	int from = MPI_ANY_SOURCE;
	MPI_Status s;

	if (probed) {
		MPI_Probe(MPI_ANY_SOURCE, TAG + job->step, job->comm, &s);
		from = s.MPI_SOURCE;
	}
	MPI_Recv(in(job, 0), job->bytes, MPI_BYTE, from, TAG + job->step, job->comm, &s);
	check(job, in(job, 0), s.MPI_SOURCE);
}

static void funnel(struct job *job)
{
	int root = draw(job, job->ranks), probed = draw(job, 2), work_us = draw(job, 30);

	compute(job, 50);
	for (int i = 1; i < job->ranks && job->rank == root; i++) {
		take_one(job, probed);
		example_spend(work_us * 1e-6);
	}
	if (job->rank != root)
		MPI_Send(out(job, root), job->bytes, MPI_BYTE, root, TAG + job->step, job->comm);
}

/* Not started again: where sends are, the simulator waits for ever. */
static void persistent(struct job *job)
{
	int to = away(job, 1 + draw(job, job->ranks - 1)), from = away(job, job->rank - to);

	MPI_Recv_init(in(job, from), job->bytes, MPI_BYTE, from, TAG, job->comm, &job->request[0]);
	MPI_Send_init(out(job, to), job->bytes, MPI_BYTE, to, TAG, job->comm, &job->request[1]);
	compute(job, 30);
	MPI_Startall(2, job->request);
	compute(job, 30);
	MPI_Waitall(2, job->request, MPI_STATUSES_IGNORE);
	check(job, in(job, from), from);
	MPI_Request_free(&job->request[0]);
	MPI_Request_free(&job->request[1]);
}

/* Each rank takes from the one before and passes on. */
static void chain(struct job *job)
{
	if (job->rank > 0) {
		MPI_Recv(in(job, job->rank - 1), job->bytes, MPI_BYTE, job->rank - 1, TAG,
			 job->comm, MPI_STATUS_IGNORE);
		check(job, in(job, job->rank - 1), job->rank - 1);
	}
	compute(job, 20);
	if (job->rank < job->ranks - 1)
		MPI_Send(out(job, job->rank + 1), job->bytes, MPI_BYTE, job->rank + 1, TAG,
			 job->comm);
}

static void collective(struct job *job)
{
	int bytes = job->bytes / 8;

	compute(job, 100);
	switch (draw(job, 4)) {
	case 0:
		MPI_Barrier(job->comm);
		break;
	case 1:
		MPI_Bcast(job->out, bytes, MPI_BYTE, draw(job, job->ranks), job->comm);
		break;
	case 2:
		MPI_Allreduce(job->out, job->in, bytes, MPI_BYTE, MPI_BOR, job->comm);
		break;
	default:
		MPI_Alltoall(job->out, bytes, MPI_BYTE, job->in, bytes, MPI_BYTE, job->comm);
	}
}

static void collective_begun(struct job *job)
{
	MPI_Request request;

	compute(job, 100);
	if (draw(job, 2))
		MPI_Ibarrier(job->comm, &request);
	else
		MPI_Ialltoall(job->out, job->bytes / 8, MPI_BYTE, job->in, job->bytes / 8, MPI_BYTE,
			      job->comm, &request);
	compute(job, 50);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Puts or gets between two fences, with somebody who is late. */
static void fences(struct job *job)
{
	int distance = 1 + draw(job, job->ranks - 1), peer = away(job, distance),
	    put = draw(job, 2);
	int times = 1 + draw(job, 3);

	MPI_Win_fence(0, job->window);
	for (int i = 0; i < times; i++) {
		compute(job, 50);
		if (put)
			MPI_Put(out(job, peer), job->bytes, MPI_BYTE, peer,
				(MPI_Aint)job->rank * job->most_bytes, job->bytes, MPI_BYTE,
				job->window);
		else
			MPI_Get(in(job, peer), job->bytes, MPI_BYTE, peer, 0, job->bytes, MPI_BYTE,
				job->window);
	}
	compute(job, 50);
	MPI_Win_fence(0, job->window);
}

/* Each locks another's window and puts. */
static void locks(struct job *job)
{
	int peer = away(job, 1 + draw(job, job->ranks - 1));

	compute(job, 50);
	MPI_Win_lock(draw(job, 2) ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, peer, 0, job->window);
	MPI_Put(out(job, peer), job->bytes, MPI_BYTE, peer, (MPI_Aint)job->rank * job->most_bytes,
		job->bytes, MPI_BYTE, job->window);
	compute(job, 20);
	MPI_Win_unlock(peer, job->window);
	MPI_Barrier(job->comm);
}

static const struct {
	const char *name;
	void (*take)(struct job *);
	int in_world;
} kinds[] = {{"send", send_blocking, 0},    {"sendrecv", send_receive, 0},
	     {"exchange", exchange, 0},     {"funnel", funnel, 0},
	     {"persistent", persistent, 0}, {"chain", chain, 0},
	     {"collective", collective, 0}, {"begun", collective_begun, 0},
	     {"fences", fences, 1},         {"locks", locks, 1}};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* Small ones as often as large ones. */
static int draw_bytes(struct job *job)
{
	int most = 16;

	for (int doublings = draw(job, 14); doublings > 0 && 2 * most <= job->most_bytes;
	     doublings--)
		most *= 2;
	return most / 2 + draw(job, most / 2 + 1);
}

static void one_step(struct job *job, int kind)
{
	int in_half = !kinds[kind].in_world && draw(job, 3) == 0;

	job->comm = in_half ? job->half : MPI_COMM_WORLD;
	MPI_Comm_rank(job->comm, &job->rank);
	MPI_Comm_size(job->comm, &job->ranks);
	job->bytes = draw_bytes(job);
	kinds[kind].take(job);
}

int main(int argc, char **argv)
{
	static const struct example_option options[] = {
		{"seed", offsetof(struct job, seed), 0, 1 << 30, 1, NULL, "which program"},
		{"steps", offsetof(struct job, steps), 1, 100000, 30, NULL, "how many steps"},
		{"only", offsetof(struct job, only), -1, KINDS - 1, -1, NULL, "of this kind only"},
		{"synchronous", offsetof(struct job, synchronous), 1, 1, 0, NULL, "sends, too"},
		{"most", offsetof(struct job, most_bytes), 16, 1 << 20, 100000, NULL, "bytes"},
		{NULL, 0, 0, 0, 0, NULL, NULL}};
	struct job job = {0};
	int rank, ranks, ret = 2;
	double begin_s;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (example_parse("drawn", "Steps of all kinds, drawn by lot.", options, &job, argc,
			  argv) <= 0)
		goto out;
	job.lot = example_mix((uint64_t)job.seed);
	job.out = example_alloc((size_t)ranks, (size_t)job.most_bytes);
	job.in = example_alloc((size_t)ranks, (size_t)job.most_bytes);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &job.half);
	job.shared = example_alloc((size_t)ranks, (size_t)job.most_bytes);
	MPI_Win_create(job.shared, (MPI_Aint)ranks * job.most_bytes, 1, MPI_INFO_NULL,
		       MPI_COMM_WORLD, &job.window);
	begin_s = MPI_Wtime();
	for (job.step = 0; job.step < job.steps; job.step++) {
		int kind = draw(&job, KINDS);

		one_step(&job, job.only < 0 ? kind : job.only);
	}
	ret = example_conclude("drawn", MPI_Wtime() - begin_s, job.wrong);
	MPI_Win_free(&job.window);
	MPI_Comm_free(&job.half);
	free(job.shared);
	free(job.in);
	free(job.out);
out:
	MPI_Finalize();
	return ret;
}
