/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/mkscenario.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS     20
#define BYTES      4096
#define O_S_NS     1000  /* send overhead */
#define O_R_NS     1500  /* receive overhead */
#define POST_NS    200   /* to post a receive */
#define L_NS       20000 /* latency */
#define G_NS       8000  /* a message's time in the receiver's port */
#define COMPUTE_NS 50000
#define LATE_NS    300000

#define SITE_SEND "/opt/app/exchange:-+0x1100"
#define SITE_RECV "/opt/app/exchange:-+0x1200"
#define SITE_WAIT "/opt/app/exchange:-+0x1300"
#define SITE_SYNC "/opt/app/exchange:-+0x1400"

struct sim {
	struct mktrace *m;
	uint32_t ranks;
	int64_t *now_ns;       /* each rank's time */
	int64_t *port_free_ns; /* each rank's receiving port */
	struct mkoutcome *out;
	size_t room;
	uint32_t state;
};

/* A transfer to a port: when it arrives there, begins and ends. */
struct transfer {
	int64_t arrives_ns, begins_ns, ends_ns;
};

static struct transfer transfer(struct sim *s, uint32_t dst, int64_t leaves_ns)
{
	struct transfer t = {.arrives_ns = leaves_ns + L_NS};

	t.begins_ns = t.arrives_ns > s->port_free_ns[dst] ? t.arrives_ns : s->port_free_ns[dst];
	t.ends_ns = t.begins_ns + G_NS;
	s->port_free_ns[dst] = t.ends_ns;
	return t;
}

/* A new fate with the parts that every message has; valid until the next one. */
static struct mkfate *fate(struct sim *s, uint32_t src, uint32_t dst, int64_t sent_ns)
{
	struct mkoutcome *out = s->out;

	if (out->n == s->room) {
		s->room = s->room ? 2 * s->room : 256;
		out->fates = reallocarray(out->fates, s->room, sizeof(*out->fates));
		if (!out->fates)
			abort();
	}
	out->fates[out->n] = (struct mkfate){
		.src = src, .dst = dst, .tag = 7, .bytes = BYTES, .sent_ns = sent_ns};
	out->fates[out->n].ns[COST_send_overhead] = O_S_NS;
	out->fates[out->n].ns[COST_wire] = L_NS + G_NS;
	out->fates[out->n].ns[COST_receive_overhead] = O_R_NS;
	return &out->fates[out->n++];
}

static struct mkop op(enum op_kind kind, uint32_t peer, uint64_t request)
{
	return (struct mkop){
		.kind = kind, .peer = (int32_t)peer, .tag = 7, .bytes = BYTES, .request = request};
}

/* A call of one record that keeps its rank until leave_ns. */
static void call(struct sim *s, uint32_t rank, int64_t leave_ns, const char *function,
		 const struct mkop *record)
{
	static const char *const sites[] = {[OP_SEND] = SITE_SEND,
					    [OP_RECV] = SITE_RECV,
					    [OP_ISEND] = SITE_SEND,
					    [OP_IRECV] = SITE_RECV,
					    [OP_COLL] = SITE_SYNC};

	mktrace_call(s->m, rank, (struct mkspan){s->now_ns[rank], leave_ns}, function,
		     sites[record->kind], 1, record);
	s->now_ns[rank] = leave_ns;
}

static void barrier(struct sim *s)
{
	struct mkop record = {.kind = OP_COLL, .peer = -1};
	int64_t last_ns = 0;
	uint32_t r;

	for (r = 0; r < s->ranks; r++)
		last_ns = s->now_ns[r] > last_ns ? s->now_ns[r] : last_ns;
	for (r = 0; r < s->ranks; r++)
		call(s, r, last_ns + 2 * L_NS, "MPI_Barrier", &record);
}

/* The receiver waits in its Recv for a sender that computes. */
static void late_sender(struct sim *s)
{
	struct mkop send, recv;
	struct transfer t;
	uint32_t r;

	for (r = 0; r + 1 < s->ranks; r += 2) {
		s->now_ns[r] += COMPUTE_NS + LATE_NS;
		s->now_ns[r + 1] += COMPUTE_NS;
		send = op(OP_SEND, r + 1, 0);
		recv = op(OP_RECV, r, 0);
		t = transfer(s, r + 1, s->now_ns[r] + O_S_NS);
		fate(s, r, r + 1, s->now_ns[r])->completed_ns = t.ends_ns + O_R_NS;
		call(s, r, s->now_ns[r] + O_S_NS, "MPI_Send", &send);
		call(s, r + 1, t.ends_ns + O_R_NS, "MPI_Recv", &recv);
	}
}

/* The sender waits in its Ssend for a receiver that computes: request, reply, data. */
static void late_receiver(struct sim *s)
{
	struct mkop send, recv;
	struct mkfate *f;
	uint32_t r;
	int64_t ends_ns;

	for (r = 0; r + 1 < s->ranks; r += 2) {
		s->now_ns[r] += COMPUTE_NS;
		s->now_ns[r + 1] += COMPUTE_NS + LATE_NS;
		send = op(OP_SEND, r + 1, 0);
		recv = op(OP_RECV, r, 0);
		ends_ns = s->now_ns[r + 1] + 2 * L_NS + G_NS;
		f = fate(s, r, r + 1, s->now_ns[r]);
		f->completed_ns = ends_ns + O_R_NS;
		f->ns[COST_late_partner] = s->now_ns[r + 1] - s->now_ns[r] - O_S_NS;
		f->ns[COST_wire] = 2 * L_NS + G_NS;
		call(s, r, ends_ns, "MPI_Ssend", &send);
		call(s, r + 1, ends_ns + O_R_NS, "MPI_Recv", &recv);
	}
}

/* All send to rank 0 at the same time; its port takes one message after the other. */
static void incast(struct sim *s)
{
	struct mkop record;
	struct mkfate *f;
	uint32_t r;

	for (r = 0; r < s->ranks; r++)
		s->now_ns[r] += COMPUTE_NS;
	for (r = 1; r < s->ranks; r++) {
		struct transfer t = transfer(s, 0, s->now_ns[r] + O_S_NS);

		f = fate(s, r, 0, s->now_ns[r]);
		f->completed_ns = t.ends_ns + O_R_NS; /* o_r < g: the receiver keeps up */
		f->ns[COST_receiver_port] = t.begins_ns - t.arrives_ns;
		record = op(OP_SEND, 0, 0);
		call(s, r, s->now_ns[r] + O_S_NS, "MPI_Send", &record);
		record = op(OP_RECV, r, 0);
		call(s, 0, f->completed_ns, "MPI_Recv", &record);
	}
	barrier(s);
}

/* Everyone to the right, from the left: nobody is in anybody's way. */
static void quiet(struct sim *s)
{
	uint32_t r, left, right;

	for (r = 0; r < s->ranks; r++) {
		struct mkop record = op(OP_IRECV, 0, 1);

		s->now_ns[r] += COMPUTE_NS;
		call(s, r, s->now_ns[r] + POST_NS, "MPI_Irecv", &record);
	}
	for (r = 0; r < s->ranks; r++) {
		struct mkop record = op(OP_ISEND, right = (r + 1) % s->ranks, 2);
		struct transfer t = transfer(s, right, s->now_ns[r] + O_S_NS);

		fate(s, r, right, s->now_ns[r])->completed_ns = t.ends_ns + O_R_NS;
		call(s, r, s->now_ns[r] + O_S_NS, "MPI_Isend", &record);
	}
	for (r = 0; r < s->ranks; r++) {
		left = (r + s->ranks - 1) % s->ranks;
		struct mkop records[] = {op(OP_IRECV_DONE, left, 1), op(OP_ISEND_DONE, 0, 2)};
		int64_t leave_ns = s->port_free_ns[r] + O_R_NS;

		mktrace_call(s->m, r, (struct mkspan){s->now_ns[r], leave_ns}, "MPI_Waitall",
			     SITE_WAIT, 2, records);
		s->now_ns[r] = leave_ns;
	}
}

/* dest[r][k]: whom rank r sends to in step k. */
static void orders(struct sim *s, uint32_t *dest, int shuffled)
{
	uint32_t n = s->ranks - 1, r, k, i, shift[n], swap;

	for (k = 0; k < n; k++)
		shift[k] = k + 1;
	for (k = n - 1; k > 0; k--) {
		s->state = s->state * 1664525U + 1013904223U;
		i = (s->state >> 8) % (k + 1);
		swap = shift[k];
		shift[k] = shift[i];
		shift[i] = swap;
	}
	for (r = 0; r < s->ranks; r++) {
		for (k = 0; k < n; k++)
			dest[r * n + k] = shuffled ? (r + shift[k]) % s->ranks : k + (k >= r);
	}
}

/* The rank that sends next: the earliest, the lowest of those. TRACE_NONE: all have sent. */
static uint32_t next_sender(const struct sim *s, const uint32_t *sent)
{
	uint32_t r, next = TRACE_NONE;

	for (r = 0; r < s->ranks; r++) {
		if (sent[r] < s->ranks - 1 &&
		    (next == TRACE_NONE || s->now_ns[r] < s->now_ns[next]))
			next = r;
	}
	return next;
}

static void wait_for_all(struct sim *s, size_t first_fate)
{
	uint32_t r, n = s->ranks - 1, k;
	size_t i;

	for (r = 0; r < s->ranks; r++) {
		int64_t leave_ns =
			(s->now_ns[r] > s->port_free_ns[r] ? s->now_ns[r] : s->port_free_ns[r]) +
			O_R_NS;
		struct mkop records[n];

		for (k = 0; k < n; k++)
			records[k] = op(OP_IRECV_DONE, k + (k >= r), k + 1);
		mktrace_call(s->m, r, (struct mkspan){s->now_ns[r], leave_ns}, "MPI_Waitall",
			     SITE_WAIT, n, records);
		s->now_ns[r] = leave_ns;
		for (i = first_fate; i < s->out->n; i++) {
			struct mkfate *f = &s->out->fates[i];

			if (f->dst != r)
				continue;
			f->ns[COST_uncollected] = leave_ns - O_R_NS - f->completed_ns;
			f->completed_ns = leave_ns;
		}
	}
}

/*
 * An exchange of all with all by Ssend. Shuffled, each step is a permutation and no port
 * is ever busy; in ascending order everybody queues for the same ports.
 */
static void exchange(struct sim *s, int shuffled)
{
	uint32_t n = s->ranks - 1, r, k, *sent = calloc(s->ranks, sizeof(*sent));
	uint32_t *dest = calloc((size_t)s->ranks * n, sizeof(*dest));
	size_t first_fate = s->out->n;
	struct mkop record;

	orders(s, dest, shuffled);
	for (r = 0; r < s->ranks; r++) {
		s->now_ns[r] += COMPUTE_NS;
		for (k = 0; k < n; k++) {
			record = op(OP_IRECV, 0, k + 1);
			call(s, r, s->now_ns[r] + POST_NS, "MPI_Irecv", &record);
		}
	}
	while ((r = next_sender(s, sent)) != TRACE_NONE) {
		uint32_t dst = dest[r * n + sent[r]++];
		struct transfer t = transfer(s, dst, s->now_ns[r] + O_S_NS);
		struct mkfate *f = fate(s, r, dst, s->now_ns[r]);

		f->ns[COST_receiver_port] = t.begins_ns - t.arrives_ns;
		f->completed_ns = t.ends_ns; /* until it is collected */
		record = op(OP_SEND, dst, 0);
		call(s, r, t.ends_ns + L_NS, "MPI_Ssend", &record);
	}
	wait_for_all(s, first_fate);
	barrier(s);
	free(dest);
	free(sent);
}

static void round_of(struct sim *s, const char *name)
{
	if (!strcmp(name, "late-sender"))
		late_sender(s);
	else if (!strcmp(name, "late-receiver"))
		late_receiver(s);
	else if (!strcmp(name, "incast"))
		incast(s);
	else if (!strcmp(name, "order-hotspot"))
		exchange(s, 0);
	else if (!strcmp(name, "order-random"))
		exchange(s, 1);
	else
		quiet(s);
}

const struct mkscenario mkscenarios[] = {
	{"late-sender", "pairs: the receiver waits for a sender that computes"},
	{"late-receiver", "pairs: a synchronous sender waits for a receiver that computes"},
	{"incast", "all send to rank 0 at the same time"},
	{"order-hotspot", "all exchange with all in ascending order, synchronously"},
	{"order-random", "the same in shuffled order: nobody queues"},
	{"quiet", "a ring in which nobody waits for a port"},
	{"truncated", "the ring, and the events of rank 1 cut short"},
	{NULL, NULL},
};

static void play(struct sim *s, const char *name)
{
	uint32_t r, i;

	for (r = 0; r < s->ranks; r++) {
		char host[32];

		snprintf(host, sizeof(host), "node%" PRIu32, r);
		mktrace_host(s->m, r, host, "one clock for all");
		mktrace_call(s->m, r, (struct mkspan){0, COMPUTE_NS}, "MPI_Init", NULL, 0, NULL);
		s->now_ns[r] = COMPUTE_NS;
	}
	for (i = 0; i < ROUNDS; i++)
		round_of(s, name);
	for (r = 0; r < s->ranks; r++)
		s->out->wall_ns = s->now_ns[r] > s->out->wall_ns ? s->now_ns[r] : s->out->wall_ns;
	for (r = 0; r < s->ranks; r++)
		mktrace_call(s->m, r, (struct mkspan){s->now_ns[r], s->out->wall_ns + 1},
			     "MPI_Finalize", NULL, 0, NULL);
	s->out->wall_ns++;
}

int mkscenario_write(const char *name, const char *dir, uint32_t ranks, struct mkoutcome *out,
		     struct err *err)
{
	const struct mkscenario *row = mkscenarios;
	struct sim s = {.ranks = ranks, .out = out, .state = 1};
	char path[4096];

	while (row->name && strcmp(row->name, name))
		row++;
	if (!row->name)
		return err_set(err, "%s: no such scenario", name);
	if (ranks < 2)
		return err_set(err, "%u ranks, need at least 2", ranks);
	s.m = mktrace_new(dir, ranks, err);
	if (!s.m)
		return -1;
	*out = (struct mkoutcome){0};
	s.now_ns = calloc(ranks, sizeof(*s.now_ns));
	s.port_free_ns = calloc(ranks, sizeof(*s.port_free_ns));
	play(&s, name);
	free(s.now_ns);
	free(s.port_free_ns);
	snprintf(path, sizeof(path), "%s/traces/1.evt", dir);
	if (mktrace_close(s.m, err) ||
	    mktrace_run_json(dir, ranks, (double)out->wall_ns * 1e-9, "finalize", err) ||
	    (!strcmp(name, "truncated") && mktrace_cut(path, 1000, err))) {
		free(out->fates);
		return -1;
	}
	return 0;
}
