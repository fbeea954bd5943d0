/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One habit after the other that a hotspot rule gives advice about: as it is, and with --advised as
 * its advice has it, the same work and the same bytes. For tests/smpi/advice, which compares how
 * much sooner the second one ends with what contend said of the first.
 */
#include "tests/smpi/advised_farm.h"

/* Value by value with the neighbours: each when the one before has come. */
static void exchange_each(struct job *job, int n, int bytes)
{
	for (int k = 0; k < n; k++) {
		for (int d = 1; d <= job->peers; d++)
			begin_receive(job, neighbour(job, -d), bytes);
		for (int d = 1; d <= job->peers; d++)
			begin_send(job, neighbour(job, d), bytes, 0);
		finish(job);
		check(job, neighbour(job, -1), bytes);
	}
}

/* Many small ones to each neighbour, or one. */
static void aggregation(struct job *job)
{
	int n = job->advised ? 1 : job->count, bytes = job->bytes * job->count / n;

	example_spend(uneven_s(job));
	if (job->each) {
		exchange_each(job, n, bytes);
		return;
	}
	for (int d = 1; d <= job->peers && !job->blocking; d++)
		for (int k = 0; k < n; k++)
			begin_receive(job, neighbour(job, -d), bytes);
	for (int d = 1; d <= job->peers; d++)
		for (int k = 0; k < n; k++)
			if (job->blocking)
				MPI_Send(memset(job->out, job->rank + job->round, (size_t)bytes),
					 bytes, MPI_BYTE, neighbour(job, d), TAG, MPI_COMM_WORLD);
			else
				begin_send(job, neighbour(job, d), bytes, 0);
	for (int d = 1; d <= job->peers && job->blocking; d++)
		for (int k = 0; k < n; k++) {
			MPI_Recv(job->in, bytes, MPI_BYTE, neighbour(job, -d), TAG, MPI_COMM_WORLD,
				 MPI_STATUS_IGNORE);
			check(job, neighbour(job, -d), bytes);
		}
	finish(job);
}

/* Sends that wait for their receivers one after the other, or all at once, and work meanwhile. */
static void synchronous(struct job *job)
{
	example_spend(uneven_s(job));
	for (int d = 1; d <= job->peers; d++)
		begin_receive(job, neighbour(job, -d), job->bytes);
	memset(job->out, job->rank + job->round, (size_t)job->bytes);
	for (int d = 1; d <= job->peers; d++)
		if (job->advised)
			begin_send(job, neighbour(job, d), job->bytes, 1);
		else
			MPI_Ssend(job->out, job->bytes, MPI_BYTE, neighbour(job, d), TAG,
				  MPI_COMM_WORLD);
	example_spend(job->after_us * 1e-6);
	finish(job);
	check(job, neighbour(job, -1), job->bytes);
}

/* Receives posted after all are there, or before. */
static void late_posting(struct job *job)
{
	for (int d = 1; d <= job->peers && job->advised; d++)
		begin_receive(job, neighbour(job, -d), job->bytes);
	for (int d = 1; d <= job->peers; d++)
		begin_send(job, neighbour(job, d), job->bytes, 0);
	example_spend(uneven_s(job));
	if (!job->blocking)
		MPI_Barrier(MPI_COMM_WORLD);
	for (int d = 1; d <= job->peers && !job->advised; d++) {
		MPI_Recv(job->in, job->bytes, MPI_BYTE, neighbour(job, -d), TAG, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		check(job, neighbour(job, -d), job->bytes);
	}
	finish(job);
	example_spend(job->after_us * 1e-6);
}

/* Where rank's k-th message goes: share % of all to the first ranks, or evenly to all. */
static int destination(const struct job *job, int rank, int k)
{
	double x = chance(job, rank, k + 1);

	if (!job->advised && x * 100 < job->share)
		return (int)(x * 100 / job->share * job->peers);
	x = chance(job, rank, k + 1 + job->count);
	return (rank + 1 + (int)(x * (job->ranks - 1))) % job->ranks;
}

static void skew(struct job *job)
{
	for (int r = 0; r < job->ranks; r++)
		for (int k = 0; k < job->count; k++)
			if (destination(job, r, k) == job->rank && r != job->rank)
				begin_receive(job, r, job->bytes);
	example_spend(uneven_s(job));
	memset(job->out, job->rank + job->round, (size_t)job->bytes);
	for (int k = 0; k < job->count; k++) {
		int to = destination(job, job->rank, k);

		if (to == job->rank)
			continue;
		if (job->blocking)
			MPI_Ssend(job->out, job->bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
		else
			begin_send(job, to, job->bytes, 0);
	}
	finish(job);
}

/*
 * Everybody's part to one rank, which takes them as they come, one after the other or posted
 * before; or a piece of each part to each rank.
 */
static void gather(struct job *job)
{
	int bytes = job->advised ? job->bytes / job->ranks : job->bytes;
	int takes = job->advised || job->rank == 0, posted = job->advised || !job->blocking;

	for (int d = 1; d < job->ranks && takes && posted; d++)
		begin_receive(job, neighbour(job, -d), bytes);
	example_spend(uneven_s(job));
	for (int d = 1; d < job->ranks && takes && !posted; d++)
		MPI_Recv(job->in, bytes, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	for (int d = 1; d < job->ranks; d++)
		if (job->advised || neighbour(job, d) == 0)
			begin_send(job, neighbour(job, d), bytes, 0);
	finish(job);
	MPI_Barrier(MPI_COMM_WORLD);
}

/* Of how many bytes each gives to a rank: share % of all to one, each time the next; or evenly. */
static int count_to(const struct job *job, int rank)
{
	int all = job->bytes * job->ranks, most = (int)((double)all * job->share / 100);

	if (job->advised)
		return job->bytes;
	return rank == job->round % job->ranks ? most : (all - most) / (job->ranks - 1);
}

static void counts(struct job *job)
{
	int n = job->ranks, mine = count_to(job, job->rank), at = 0;
	int *to = example_alloc(n, sizeof(*to)), *to_at = example_alloc(n, sizeof(*to_at));
	int *from = example_alloc(n, sizeof(*from)), *from_at = example_alloc(n, sizeof(*from_at));

	for (int r = 0; r < n; r++, at += to[r - 1]) {
		to[r] = count_to(job, r);
		to_at[r] = at;
		from[r] = mine;
		from_at[r] = mine * r;
	}
	example_spend(uneven_s(job));
	memset(job->out, job->rank + job->round, (size_t)at);
	MPI_Alltoallv(job->out, to, to_at, MPI_BYTE, job->in, from, from_at, MPI_BYTE,
		      MPI_COMM_WORLD);
	check(job, 0, mine);
	free(from_at);
	free(from);
	free(to_at);
	free(to);
}

/*
 * Looks for a message between pieces of work, or waits for it in the end. Nothing to do: --count=0.
 */
static void polling(struct job *job)
{
	int pieces = job->advised || !job->count ? 1 : job->count, there = 0;

	begin_receive(job, neighbour(job, -1), job->bytes);
	if (job->after_us)
		example_spend(job->after_us * 1e-6 * chance(job, job->rank, 0));
	begin_send(job, neighbour(job, 1), job->bytes, 0);
	for (int k = 0; k < pieces; k++) {
		example_spend(uneven_s(job) / pieces);
		if (!job->advised && !there)
			MPI_Test(&job->request[0], &there, MPI_STATUS_IGNORE);
	}
	while (!job->advised && !there)
		MPI_Test(&job->request[0], &there, MPI_STATUS_IGNORE);
	finish(job);
	check(job, neighbour(job, -1), job->bytes);
}

/*
 * Exchanges with a far rank, and a little with the nearest: where they are is the launcher's
 * matter.
 */
static void mapping(struct job *job)
{
	int partner = neighbour(job, job->ranks / 2);

	example_spend(uneven_s(job));
	for (int k = 0; k < job->count; k++) {
		begin_receive(job, partner, job->bytes);
		begin_send(job, partner, job->bytes, 0);
		finish(job);
		check(job, partner, job->bytes);
	}
	for (int d = 1; d <= job->peers; d++) {
		begin_receive(job, neighbour(job, -d), job->bytes);
		begin_send(job, neighbour(job, d), job->bytes, 0);
	}
	finish(job);
}

/* Long messages begun before the work, with calls of MPI during it or without. */
static void overlap(struct job *job)
{
	int pieces = job->advised ? job->count : 1, there;

	MPI_Barrier(MPI_COMM_WORLD);
	for (int d = 1; d <= job->peers; d++)
		begin_receive(job, neighbour(job, -d), job->bytes);
	for (int d = 1; d <= job->peers; d++)
		begin_send(job, neighbour(job, d), job->bytes, 0);
	example_spend(10e-6);
	let_in(job, 0);
	for (int k = 0; k < pieces; k++) {
		if (k > 0)
			MPI_Test(&job->request[0], &there, MPI_STATUS_IGNORE);
		if (k > 0)
			let_in(job, 1);
		example_spend(uneven_s(job) / pieces);
	}
	let_in(job, 1);
	finish(job);
	check(job, neighbour(job, -1), job->bytes);
}

/* To all others, one after the other: all begin with rank 0, or each with the next one. */
static void order(struct job *job)
{
	example_spend(uneven_s(job));
	for (int d = 1; d < job->ranks; d++)
		begin_receive(job, neighbour(job, -d), job->bytes);
	memset(job->out, job->rank + job->round, (size_t)job->bytes);
	for (int k = 0; k < job->ranks; k++) {
		int to = job->advised ? neighbour(job, k) : k;

		if (to != job->rank)
			(job->blocking ? MPI_Ssend : MPI_Send)(job->out, job->bytes, MPI_BYTE, to,
							       TAG, MPI_COMM_WORLD);
	}
	finish(job);
	check(job, neighbour(job, -1), job->bytes);
}

/* Some ranks work longer, or all the same. */
static void imbalance(struct job *job)
{
	int longer = job->rank < job->peers;
	double extra_s = job->uneven_us * 1e-6;

	if (job->advised)
		extra_s = extra_s * job->peers / job->ranks;
	else if (!longer)
		extra_s = 0;
	example_spend(job->work_us * 1e-6 + extra_s);
	if (job->blocking)
		MPI_Barrier(MPI_COMM_WORLD);
	begin_receive(job, neighbour(job, -1), job->bytes);
	begin_send(job, neighbour(job, 1), job->bytes, 0);
	finish(job);
}

/*
 * Takes from the rank before and then sends to the next one what does not need that, or the other
 * way round with no --count, or does both at once; or all pass on what the first one has, with
 * --each.
 */
static void chain(struct job *job)
{
	int before = job->rank - 1, next = job->rank + 1 < job->ranks ? job->rank + 1 : -1;

	example_spend(uneven_s(job));
	if (job->advised && job->each) {
		MPI_Bcast(job->in, job->bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
	} else if (job->advised) {
		if (before >= 0)
			begin_receive(job, before, job->bytes);
		if (next >= 0)
			begin_send(job, next, job->bytes, 0);
		finish(job);
	} else {
		if (next >= 0 && !job->count)
			MPI_Ssend(job->out, job->bytes, MPI_BYTE, next, TAG, MPI_COMM_WORLD);
		if (before >= 0)
			MPI_Recv(job->in, job->bytes, MPI_BYTE, before, TAG, MPI_COMM_WORLD,
				 MPI_STATUS_IGNORE);
		if (next >= 0 && job->count)
			MPI_Send(job->each ? job->in : job->out, job->bytes, MPI_BYTE, next, TAG,
				 MPI_COMM_WORLD);
	}
	if (job->blocking)
		MPI_Barrier(MPI_COMM_WORLD);
	else
		exchange_each(job, 1, job->bytes);
}

static const char *const names[] = {"aggregation",   "synchronous",  "late_posting", "skew",
				    "polling",       "mapping",      "imbalance",    "overlap",
				    "order",         "asynchronous", "counts",       "gather",
				    "receive_order", "chain",        "rounds"};
static void (*const habits[])(struct job *) = {aggregation,   synchronous,  late_posting, skew,
					       polling,       mapping,      imbalance,    overlap,
					       order,         asynchronous, counts,       gather,
					       receive_order, chain,        rounds};

/* Messages that there is room for. */
static int most_messages(const struct job *job)
{
	void (*habit)(struct job *) = habits[job->habit];

	if (habit == counts)
		return job->ranks * job->ranks;
	return (job->count + 1) * 2 *
		       (habit == skew || habit == order || habit == gather || habit == receive_order
				? job->ranks
				: job->peers) +
	       2;
}

static const struct example_option options[] = {
#define AT(field) offsetof(struct job, field)
	{"habit", AT(habit), 0, 14, 0, names, "which"},
	{"advised", AT(advised), 1, 1, 0, NULL, "as the advice has it"},
	{"rounds", AT(rounds), 1, 1000000, 20, NULL, "how many times"},
	{"count", AT(count), 0, 10000, 10, NULL, "messages, or polls, of each round"},
	{"bytes", AT(bytes), 0, 1 << 24, 64, NULL, "of a message"},
	{"peers", AT(peers), 0, 10000, 1, NULL, "ranks that each sends to, or the first ones"},
	{"work", AT(work_us), 0, 100000000, 100, NULL, "us, before each round"},
	{"uneven", AT(uneven_us), 0, 100000000, 0, NULL, "us more, at most"},
	{"after", AT(after_us), 0, 100000000, 0, NULL, "us of work that needs no message"},
	{"share", AT(share), 0, 100, 50, NULL,
	 "% of messages or bytes that go to the first ranks, or one"},
	{"blocking", AT(blocking), 1, 1, 0, NULL, "the calls that are not meant wait, too"},
	{"port", AT(port_per_s), 1, 2000000000, 40000000, NULL, "bytes/s, where that is simulated"},
	{"each", AT(each), 1, 1, 0, NULL, "waits for each message before the next"},
	{"seed", AT(seed), 0, 1 << 15, 1, NULL, "of what is by chance"},
	{NULL, 0, 0, 0, 0, NULL, NULL}};

int main(int argc, char **argv)
{
	struct job job = {0};
	double start_s;
	int ret = 2, most;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
	if (example_parse("advised", "A habit, or what is advised instead.", options, &job, argc,
			  argv) > 0) {
		most = most_messages(&job);
		job.out = example_alloc((size_t)job.bytes * (job.count + job.ranks + 1), 1);
		job.in = example_alloc((size_t)job.bytes * most, 1);
		job.request = example_alloc(most, sizeof(*job.request));
		MPI_Barrier(MPI_COMM_WORLD);
		start_s = MPI_Wtime();
		for (; job.round < job.rounds; job.round++)
			habits[job.habit](&job);
		MPI_Barrier(MPI_COMM_WORLD);
		ret = example_conclude(names[job.habit], MPI_Wtime() - start_s, job.wrong);
		free(job.request);
		free(job.in);
		free(job.out);
	}
	MPI_Finalize();
	return ret;
}
