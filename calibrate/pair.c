/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/pair.h"

#include <stdlib.h>
#include <time.h>

enum { TAG_COMMAND = 1, TAG_DATA, TAG_BACK, TAG_WAKE };

#define CORES_TRIPS 100 /* of a cache line */

#define LATE_S 20e-3 /* as much a look may be, and is not beyond the time */

enum kind {
	KIND_ECHO,
	KIND_SEND_BACK,
	KIND_SINK,
	KIND_ABSENT,
	KIND_UNATTENDED,
	KIND_SHARE,
	KIND_FIND_CORES,
	KIND_CORES,
	KIND_DONE,
};

struct command {
	int32_t kind, n, absence, rests;
	uint64_t bytes;
	double time_s;
};

static void spin(double s)
{
	double end = MPI_Wtime() + s;

	while (MPI_Wtime() < end)
		;
}

double pair_timer(void)
{
	double cost = 1, before, after;
	int i;

	for (i = 0; i < 1000; i++) {
		before = MPI_Wtime();
		after = MPI_Wtime();
		cost = after - before < cost ? after - before : cost;
	}
	return cost;
}

static void receive(struct pair *p, size_t bytes, int tag)
{
	MPI_Recv(p->buffer, (int)bytes, MPI_BYTE, p->mirror, tag, p->comm, MPI_STATUS_IGNORE);
}

static void send(struct pair *p, size_t bytes, int tag)
{
	MPI_Send(p->buffer, (int)bytes, MPI_BYTE, p->mirror, tag, p->comm);
}

/*
 * After a rest an empty round trip makes the processors' way to each other warm again; the credit
 * that its few bytes take is back when it is. Two emulated hosts' empty round trips took 15 to 35
 * us after 260 us without it, and with it what they do one after another, 15 to 19 or 25 to 29.
 */
static void rest(struct pair *p)
{
	if (p->rest_s <= 0)
		return;
	spin(p->rest_s);
	send(p, 0, TAG_DATA);
	receive(p, 0, TAG_BACK);
}

static void answer_rest(struct pair *p, const struct command *c)
{
	if (!c->rests)
		return;
	receive(p, 0, TAG_DATA);
	send(p, 0, TAG_BACK);
}

/*
 * Not there for a while, in or out of MPI; then take n messages, and tell how long at most it
 * was out of MPI although it was to be in.
 */
static void be_absent(struct pair *p, const struct command *c)
{
	double now, last, end, longest = 0;
	int there, i;

	send(p, 0, TAG_BACK); /* from now on */
	last = MPI_Wtime();
	end = last + c->time_s;
	while ((now = MPI_Wtime()) < end) {
		if (c->absence == ABSENCE_COMPUTES)
			continue;
		longest = now - last > longest ? now - last : longest;
		last = now;
		MPI_Iprobe(MPI_ANY_SOURCE, TAG_WAKE, p->comm, &there, MPI_STATUS_IGNORE);
	}
	for (i = 0; i < c->n; i++)
		receive(p, c->bytes, TAG_DATA);
	MPI_Send(&longest, 1, MPI_DOUBLE, p->mirror, TAG_BACK, p->comm);
}

static void answer_one(struct pair *p, const struct command *c)
{
	MPI_Request request;
	double share;
	int i, there;

	for (i = 0; c->kind == KIND_ECHO && i < c->n; i++) {
		answer_rest(p, c);
		receive(p, c->bytes, TAG_DATA);
		send(p, 0, TAG_BACK);
	}
	for (i = 0; c->kind == KIND_SEND_BACK && i < c->n; i++) {
		answer_rest(p, c);
		receive(p, 0, TAG_DATA);
		send(p, c->bytes, TAG_BACK);
	}
	for (i = 0; c->kind == KIND_SINK && i < c->n; i++)
		receive(p, c->bytes, TAG_DATA);
	if (c->kind == KIND_SINK)
		send(p, 0, TAG_BACK);
	if (c->kind == KIND_ABSENT)
		be_absent(p, c);
	if (c->kind == KIND_FIND_CORES) {
		there = cacheline_find(&p->cores, c->bytes) == 0;
		MPI_Send(&there, 1, MPI_INT, p->mirror, TAG_BACK, p->comm);
	}
	if (c->kind == KIND_CORES)
		cacheline_answer(&p->cores, c->bytes, c->n);
	if (c->kind == KIND_SHARE) {
		share = core_share(p->begun);
		MPI_Send(&share, 1, MPI_DOUBLE, p->mirror, TAG_BACK, p->comm);
	}
	if (c->kind == KIND_UNATTENDED) {
		receive(p, 0, TAG_DATA); /* the receive is posted there */
		MPI_Isend(p->buffer, (int)c->bytes, MPI_BYTE, p->mirror, TAG_BACK, p->comm,
			  &request);
		spin(c->time_s);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
}

void pair_begin(struct pair *p, int mirror)
{
	p->mirror = mirror;
	p->begun = core_used();
}

void pair_answer(struct pair *p, int asks)
{
	struct command c;

	pair_begin(p, asks);
	for (;;) {
		MPI_Recv(&c, sizeof(c), MPI_BYTE, asks, TAG_COMMAND, p->comm, MPI_STATUS_IGNORE);
		if (c.kind == KIND_DONE)
			break;
		answer_one(p, &c);
	}
	cacheline_close(&p->cores);
}

static void command(struct pair *p, struct command c)
{
	MPI_Send(&c, sizeof(c), MPI_BYTE, p->mirror, TAG_COMMAND, p->comm);
}

/* n messages, each of a network at rest. */
static void command_alone(struct pair *p, enum kind kind, size_t bytes, int n)
{
	command(p, (struct command){.kind = kind, .n = n, .rests = p->rest_s > 0, .bytes = bytes});
}

double pair_core_share(struct pair *p)
{
	double mine = core_share(p->begun), others;

	command(p, (struct command){.kind = KIND_SHARE});
	MPI_Recv(&others, 1, MPI_DOUBLE, p->mirror, TAG_BACK, p->comm, MPI_STATUS_IGNORE);
	return mine < others ? mine : others;
}

void pair_done(struct pair *p)
{
	command(p, (struct command){.kind = KIND_DONE});
	cacheline_close(&p->cores);
}

/* Memory in common, once; without it the two are as if on two hosts. */
static int find_cores(struct pair *p)
{
	int there;

	if (!p->on_one_host || p->cores.at)
		return p->on_one_host;
	p->on_one_host = 0;
	if (cacheline_create(&p->cores))
		return 0;
	command(p, (struct command){.kind = KIND_FIND_CORES, .bytes = p->cores.key});
	MPI_Recv(&there, 1, MPI_INT, p->mirror, TAG_BACK, p->comm, MPI_STATUS_IGNORE);
	cacheline_hide(&p->cores);
	if (!there)
		cacheline_close(&p->cores);
	p->on_one_host = there;
	return there;
}

void pair_cores(struct pair *p, struct samples *s)
{
	if (!find_cores(p))
		return;
	command(p, (struct command){.kind = KIND_CORES, .n = CORES_TRIPS, .bytes = p->cores.asked});
	cacheline_ask(&p->cores, CORES_TRIPS, s);
}

/*
 * The clock is read in between while the message is on its way: that takes no time of the trip's.
 */
void pair_round_trips(struct pair *p, size_t bytes, int n, struct samples *rtt, struct samples *o_s)
{
	double start, sent, back;
	int i;

	command_alone(p, KIND_ECHO, bytes, n);
	for (i = 0; i < n; i++) {
		rest(p);
		start = MPI_Wtime();
		send(p, bytes, TAG_DATA);
		sent = MPI_Wtime();
		receive(p, 0, TAG_BACK);
		back = MPI_Wtime();
		samples_add(rtt, back - start - p->timer_s);
		samples_add(o_s, sent - start - p->timer_s);
	}
}

void pair_late_receives(struct pair *p, size_t bytes, int n, double wait_s, struct samples *o_r)
{
	double start;
	int i;

	command_alone(p, KIND_SEND_BACK, bytes, n);
	for (i = 0; i < n; i++) {
		rest(p);
		send(p, 0, TAG_DATA);
		spin(wait_s);
		start = MPI_Wtime();
		receive(p, bytes, TAG_BACK);
		samples_add(o_r, MPI_Wtime() - start - p->timer_s);
	}
}

void pair_posted_receives(struct pair *p, size_t bytes, int n, double wait_s, struct samples *o_r)
{
	MPI_Request request;
	double start;
	int i;

	command_alone(p, KIND_SEND_BACK, bytes, n);
	for (i = 0; i < n; i++) {
		rest(p);
		MPI_Irecv(p->buffer, (int)bytes, MPI_BYTE, p->mirror, TAG_BACK, p->comm, &request);
		send(p, 0, TAG_DATA);
		spin(wait_s);
		start = MPI_Wtime();
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		samples_add(o_r, MPI_Wtime() - start - p->timer_s);
	}
}

double pair_flood(struct pair *p, size_t bytes, int n)
{
	double start;
	int i;

	command(p, (struct command){.kind = KIND_SINK, .n = n, .bytes = bytes});
	start = MPI_Wtime();
	for (i = 0; i < n; i++)
		send(p, bytes, TAG_DATA);
	receive(p, 0, TAG_BACK);
	return MPI_Wtime() - start - p->timer_s;
}

/* Messages under way. */
struct sends {
	int n;
	MPI_Request *request;
	MPI_Status *status;
	int *index;
};

/* Look at them for time_s, but not beyond `back`, when the receiver may have returned. */
static struct look look_at(struct sends *s, double time_s, double back)
{
	double last = MPI_Wtime(), end = last + time_s, now, longest = 0;
	int some, completed = 0;

	do {
		MPI_Testsome(s->n, s->request, &some, s->index, s->status);
		now = MPI_Wtime();
		if (now >= back)
			return (struct look){.completed = -1};
		longest = now - last > longest ? now - last : longest;
		last = now;
		if (some != MPI_UNDEFINED)
			completed += some;
	} while (completed < s->n && now < end);
	return (struct look){completed, completed == s->n || longest < time_s / 2};
}

static struct look count_completed(struct pair *p, size_t bytes, struct sends *s, double time_s,
				   double back)
{
	struct look seen;
	double longest;
	int i;

	for (i = 0; i < s->n; i++)
		MPI_Isend(p->buffer, (int)bytes, MPI_BYTE, p->mirror, TAG_DATA, p->comm,
			  &s->request[i]);
	seen = look_at(s, time_s, back);
	MPI_Waitall(s->n, s->request, s->status);
	MPI_Recv(&longest, 1, MPI_DOUBLE, p->mirror, TAG_BACK, p->comm, MPI_STATUS_IGNORE);
	seen.whole &= seen.completed == s->n || longest < time_s / 2;
	return seen;
}

double pair_away_s(double time_s)
{
	return time_s + (time_s < LATE_S / 2 ? 2 * time_s : LATE_S);
}

struct look pair_completed(struct pair *p, size_t bytes, int n, enum absence absence, double time_s)
{
	struct sends s = {.n = n,
			  .request = malloc((size_t)n * sizeof(*s.request)),
			  .status = malloc((size_t)n * sizeof(*s.status)),
			  .index = malloc((size_t)n * sizeof(*s.index))};
	double away_s = pair_away_s(time_s), begun = MPI_Wtime();
	struct look seen = {.completed = -1};

	if (s.request && s.status && s.index) {
		command(p, (struct command){.kind = KIND_ABSENT,
					    .n = n,
					    .absence = absence,
					    .bytes = bytes,
					    .time_s = away_s});
		receive(p, 0, TAG_BACK);
		/* it left after `begun`, so until then it is away */
		seen = count_completed(p, bytes, &s, time_s, begun + away_s);
	}
	free(s.index);
	free(s.status);
	free(s.request);
	return seen;
}

double pair_unattended(struct pair *p, size_t bytes, double time_s)
{
	MPI_Request request;
	double start;

	command(p, (struct command){.kind = KIND_UNATTENDED, .bytes = bytes, .time_s = time_s});
	MPI_Irecv(p->buffer, (int)bytes, MPI_BYTE, p->mirror, TAG_BACK, p->comm, &request);
	send(p, 0, TAG_DATA);
	spin(time_s);
	start = MPI_Wtime();
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	return MPI_Wtime() - start - p->timer_s;
}

void pair_doze(MPI_Comm comm, int from, int tag)
{
	struct timespec nap = {0, 1000000};
	int there = 0;

	while (MPI_Iprobe(from, tag, comm, &there, MPI_STATUS_IGNORE) == MPI_SUCCESS && !there)
		nanosleep(&nap, NULL);
}

void pair_sleep(MPI_Comm comm)
{
	pair_doze(comm, 0, TAG_WAKE);
	MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG_WAKE, comm, MPI_STATUS_IGNORE);
}

void pair_wake(MPI_Comm comm, int rank)
{
	MPI_Send(NULL, 0, MPI_BYTE, rank, TAG_WAKE, comm);
}
