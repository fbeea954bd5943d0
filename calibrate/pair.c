/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/pair.h"

#include <stdlib.h>
#include <time.h>

enum { TAG_COMMAND = 1, TAG_DATA, TAG_BACK, TAG_WAKE };

enum kind { KIND_ECHO, KIND_SEND_BACK, KIND_SINK, KIND_ABSENT, KIND_UNATTENDED, KIND_DONE };

struct command {
	int32_t kind, n, absence, pad;
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

/* Not there for a while, in or out of MPI; then take n messages. */
static void be_absent(struct pair *p, const struct command *c)
{
	double end = MPI_Wtime() + c->time_s;
	int there, i;

	send(p, 0, TAG_BACK); /* from now on */
	while (MPI_Wtime() < end)
		if (c->absence == ABSENCE_PROGRESSES)
			MPI_Iprobe(MPI_ANY_SOURCE, TAG_WAKE, p->comm, &there, MPI_STATUS_IGNORE);
	for (i = 0; i < c->n; i++)
		receive(p, c->bytes, TAG_DATA);
}

static void answer_one(struct pair *p, const struct command *c)
{
	MPI_Request request;
	int i;

	for (i = 0; c->kind == KIND_ECHO && i < c->n; i++) {
		receive(p, c->bytes, TAG_DATA);
		send(p, 0, TAG_BACK);
	}
	for (i = 0; c->kind == KIND_SEND_BACK && i < c->n; i++) {
		receive(p, 0, TAG_DATA);
		send(p, c->bytes, TAG_BACK);
	}
	for (i = 0; c->kind == KIND_SINK && i < c->n; i++)
		receive(p, c->bytes, TAG_DATA);
	if (c->kind == KIND_SINK)
		send(p, 0, TAG_BACK);
	if (c->kind == KIND_ABSENT)
		be_absent(p, c);
	if (c->kind == KIND_UNATTENDED) {
		receive(p, 0, TAG_DATA); /* the receive is posted there */
		MPI_Isend(p->buffer, (int)c->bytes, MPI_BYTE, p->mirror, TAG_BACK, p->comm,
			  &request);
		spin(c->time_s);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
}

void pair_answer(struct pair *p, int asks)
{
	struct command c;

	p->mirror = asks;
	for (;;) {
		MPI_Recv(&c, sizeof(c), MPI_BYTE, asks, TAG_COMMAND, p->comm, MPI_STATUS_IGNORE);
		if (c.kind == KIND_DONE)
			return;
		answer_one(p, &c);
	}
}

static void command(struct pair *p, struct command c)
{
	MPI_Send(&c, sizeof(c), MPI_BYTE, p->mirror, TAG_COMMAND, p->comm);
}

void pair_done(struct pair *p)
{
	command(p, (struct command){.kind = KIND_DONE});
}

void pair_round_trips(struct pair *p, size_t bytes, int n, struct samples *rtt, struct samples *o_s)
{
	double start, sent, back;
	int i;

	command(p, (struct command){.kind = KIND_ECHO, .n = n, .bytes = bytes});
	for (i = 0; i < n; i++) {
		start = MPI_Wtime();
		send(p, bytes, TAG_DATA);
		sent = MPI_Wtime();
		receive(p, 0, TAG_BACK);
		back = MPI_Wtime();
		samples_add(rtt, back - start - 2 * p->timer_s);
		samples_add(o_s, sent - start - p->timer_s);
	}
}

void pair_late_receives(struct pair *p, size_t bytes, int n, double wait_s, struct samples *o_r)
{
	double start;
	int i;

	command(p, (struct command){.kind = KIND_SEND_BACK, .n = n, .bytes = bytes});
	for (i = 0; i < n; i++) {
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

	command(p, (struct command){.kind = KIND_SEND_BACK, .n = n, .bytes = bytes});
	for (i = 0; i < n; i++) {
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

int pair_completed(struct pair *p, size_t bytes, int n, enum absence absence, double time_s)
{
	MPI_Request *request = malloc((size_t)n * sizeof(*request));
	int i, done, completed = 0;
	double end;

	if (!request)
		return 0;
	/* absent for longer than we look, so that it can not be back too early */
	command(p, (struct command){.kind = KIND_ABSENT,
				    .n = n,
				    .absence = absence,
				    .bytes = bytes,
				    .time_s = 3 * time_s});
	receive(p, 0, TAG_BACK);
	end = MPI_Wtime() + time_s;
	for (i = 0; i < n; i++)
		MPI_Isend(p->buffer, (int)bytes, MPI_BYTE, p->mirror, TAG_DATA, p->comm,
			  &request[i]);
	while (completed < n && MPI_Wtime() < end) {
		MPI_Test(&request[completed], &done, MPI_STATUS_IGNORE);
		completed += done;
	}
	for (i = 0; i < n; i++)
		MPI_Wait(&request[i], MPI_STATUS_IGNORE);
	free(request);
	return completed;
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
