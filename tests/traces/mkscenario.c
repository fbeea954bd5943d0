/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/traces/mkscenario.h"

#include "tests/traces/mkcrowding.h"
#include "tests/traces/mksim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 20
#define SELDOM 100

/* The receiver waits in its Recv for a sender that computes. */
static void late_sender(struct mksim *s)
{
	struct mkop send, recv;
	struct mktransfer t;
	struct mkfate *f;
	uint32_t r;

	for (r = 0; r + 1 < s->ranks; r += 2) {
		s->now_ns[r] += MKSIM_COMPUTE_NS + MKSIM_LATE_NS;
		s->now_ns[r + 1] += MKSIM_COMPUTE_NS;
		send = mksim_op(OP_SEND, r + 1, 0);
		recv = mksim_op(OP_RECV, r, 0);
		t = mksim_transfer(s, r + 1, s->now_ns[r] + MKSIM_O_S_NS);
		f = mksim_fate(s, r, r + 1, s->now_ns[r]);
		f->completed_ns = t.ends_ns + MKSIM_O_R_NS;
		f->awaited_ns = s->now_ns[r] - s->now_ns[r + 1];
		mksim_call(s, r, s->now_ns[r] + MKSIM_O_S_NS, "MPI_Send", &send);
		mksim_call(s, r + 1, t.ends_ns + MKSIM_O_R_NS, "MPI_Recv", &recv);
	}
}

/* The sender waits in its Ssend for a receiver that computes: request, reply, data. */
static void late_receiver(struct mksim *s)
{
	struct mkop send, recv;
	struct mkfate *f;
	uint32_t r;
	int64_t ends_ns;

	for (r = 0; r + 1 < s->ranks; r += 2) {
		s->now_ns[r] += MKSIM_COMPUTE_NS;
		s->now_ns[r + 1] += MKSIM_COMPUTE_NS + MKSIM_LATE_NS;
		send = mksim_op(OP_SEND, r + 1, 0);
		recv = mksim_op(OP_RECV, r, 0);
		ends_ns = s->now_ns[r + 1] + 2 * MKSIM_L_NS + MKSIM_G_NS;
		f = mksim_fate(s, r, r + 1, s->now_ns[r]);
		f->completed_ns = ends_ns + MKSIM_O_R_NS;
		f->ns[COST_wire] = 3 * MKSIM_L_NS + MKSIM_G_NS; /* the request comes first */
		f->ns[COST_late_partner] =
			s->now_ns[r + 1] - s->now_ns[r] - MKSIM_O_S_NS - MKSIM_L_NS;
		mksim_call(s, r, ends_ns, "MPI_Ssend", &send);
		mksim_call(s, r + 1, ends_ns + MKSIM_O_R_NS, "MPI_Recv", &recv);
	}
}

/* All send to rank 0 at the same time; its port takes one message after the other. */
static void incast(struct mksim *s)
{
	struct mkop record;
	struct mkfate *f;
	uint32_t r;

	for (r = 0; r < s->ranks; r++)
		s->now_ns[r] += MKSIM_COMPUTE_NS;
	for (r = 1; r < s->ranks; r++) {
		struct mktransfer t = mksim_transfer(s, 0, s->now_ns[r] + MKSIM_O_S_NS);

		f = mksim_fate(s, r, 0, s->now_ns[r]);
		f->completed_ns = t.ends_ns + MKSIM_O_R_NS; /* o_r < g: the receiver keeps up */
		f->ns[COST_receiver_port] = t.begins_ns - t.arrives_ns;
		record = mksim_op(OP_SEND, 0, 0);
		mksim_call(s, r, s->now_ns[r] + MKSIM_O_S_NS, "MPI_Send", &record);
		record = mksim_op(OP_RECV, r, 0);
		mksim_call(s, 0, f->completed_ns, "MPI_Recv", &record);
	}
	mksim_barrier(s);
}

/* Everyone to the right, from the left: nobody is in anybody's way. */
static void quiet(struct mksim *s)
{
	uint32_t r, left, right;

	for (r = 0; r < s->ranks; r++) {
		struct mkop record = mksim_op(OP_IRECV, 0, 1);

		s->now_ns[r] += MKSIM_COMPUTE_NS;
		mksim_call(s, r, s->now_ns[r] + MKSIM_POST_NS, "MPI_Irecv", &record);
	}
	for (r = 0; r < s->ranks; r++) {
		struct mkop record = mksim_op(OP_ISEND, right = (r + 1) % s->ranks, 2);
		struct mktransfer t = mksim_transfer(s, right, s->now_ns[r] + MKSIM_O_S_NS);

		mksim_fate(s, r, right, s->now_ns[r])->completed_ns = t.ends_ns + MKSIM_O_R_NS;
		mksim_call(s, r, s->now_ns[r] + MKSIM_O_S_NS, "MPI_Isend", &record);
	}
	for (r = 0; r < s->ranks; r++) {
		left = (r + s->ranks - 1) % s->ranks;
		struct mkop records[] = {mksim_op(OP_IRECV_DONE, left, 1),
					 mksim_op(OP_ISEND_DONE, 0, 2)};
		int64_t leave_ns = s->port_free_ns[r] + MKSIM_O_R_NS;

		mksim_wait(s, r, leave_ns, 2, records);
	}
}

/* The same after so much longer computation that clocks have time to bend. */
static void seldom(struct mksim *s)
{
	for (uint32_t r = 0; r < s->ranks; r++)
		s->now_ns[r] += (SELDOM - 1) * MKSIM_COMPUTE_NS;
	quiet(s);
}

/* dest[r][k]: whom rank r sends to in step k. */
static void orders(struct mksim *s, uint32_t *dest, int shuffled)
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
static uint32_t next_sender(const struct mksim *s, const uint32_t *sent)
{
	uint32_t r, next = TRACE_NONE;

	for (r = 0; r < s->ranks; r++) {
		if (sent[r] < s->ranks - 1 &&
		    (next == TRACE_NONE || s->now_ns[r] < s->now_ns[next]))
			next = r;
	}
	return next;
}

static void wait_for_all(struct mksim *s, size_t first_fate)
{
	uint32_t r, n = s->ranks - 1, k;
	size_t i;

	for (r = 0; r < s->ranks; r++) {
		int64_t leave_ns =
			(s->now_ns[r] > s->port_free_ns[r] ? s->now_ns[r] : s->port_free_ns[r]) +
			MKSIM_O_R_NS;
		struct mkop records[n];

		for (k = 0; k < n; k++)
			records[k] = mksim_op(OP_IRECV_DONE, k + (k >= r), k + 1);
		mksim_wait(s, r, leave_ns, n, records);
		for (i = first_fate; i < s->out->n; i++) {
			struct mkfate *f = &s->out->fates[i];

			if (f->dst != r)
				continue;
			f->ns[COST_uncollected] = leave_ns - MKSIM_O_R_NS - f->completed_ns;
			f->completed_ns = leave_ns;
		}
	}
}

/*
 * An exchange of all with all by Ssend. Shuffled, each step is a permutation and no port
 * is ever busy; in ascending order everybody queues for the same ports.
 */
static void exchange(struct mksim *s, int shuffled)
{
	uint32_t n = s->ranks - 1, r, k, *sent = calloc(s->ranks, sizeof(*sent));
	uint32_t *dest = calloc((size_t)s->ranks * n, sizeof(*dest));
	size_t first_fate = s->out->n;
	struct mkop record;

	orders(s, dest, shuffled);
	for (r = 0; r < s->ranks; r++) {
		s->now_ns[r] += MKSIM_COMPUTE_NS;
		for (k = 0; k < n; k++) {
			record = mksim_op(OP_IRECV, 0, k + 1);
			mksim_call(s, r, s->now_ns[r] + MKSIM_POST_NS, "MPI_Irecv", &record);
		}
	}
	while ((r = next_sender(s, sent)) != TRACE_NONE) {
		uint32_t dst = dest[r * n + sent[r]++];
		struct mktransfer t = mksim_transfer(s, dst, s->now_ns[r] + MKSIM_O_S_NS);
		struct mkfate *f = mksim_fate(s, r, dst, s->now_ns[r]);

		f->ns[COST_receiver_port] = t.begins_ns - t.arrives_ns;
		f->completed_ns = t.ends_ns; /* until it is collected */
		record = mksim_op(OP_SEND, dst, 0);
		mksim_call(s, r, t.ends_ns + MKSIM_L_NS, "MPI_Ssend", &record);
	}
	wait_for_all(s, first_fate);
	mksim_barrier(s);
	free(dest);
	free(sent);
}

static void exchange_in_order(struct mksim *s)
{
	exchange(s, 0);
}

static void exchange_shuffled(struct mksim *s)
{
	exchange(s, 1);
}

/*
 * Rank r's clock is off by r times 50 us and 20 parts in a million, as its offsets at both ends
 * say. What an odd one's is off in between nothing says: up to 10 us; or, bent, as x - x^3, by 36
 * us one way and then the other, more than a message takes.
 */
static int64_t known_offset_ns(uint32_t rank, int64_t ns)
{
	return rank * (50000 + ns / 50000);
}

static int64_t drifting_clock(uint32_t rank, int64_t ns)
{
	int64_t half_ns = ROUNDS * MKSIM_COMPUTE_NS, away_ns = (ns - half_ns) / 1000;
	int64_t bend_ns = 10000 - 10000 * away_ns * away_ns / (half_ns / 1000 * (half_ns / 1000));

	return ns + known_offset_ns(rank, ns) + (rank % 2 && bend_ns > 0 ? bend_ns : 0);
}

static int64_t bent_clock(uint32_t rank, int64_t ns)
{
	double half_ns = ROUNDS * SELDOM * MKSIM_COMPUTE_NS / 2.0,
	       x = ((double)ns - half_ns) / half_ns;

	return ns + known_offset_ns(rank, ns) + (rank % 2 ? (int64_t)(93600 * (x - x * x * x)) : 0);
}

#define EAGER      65536
#define RENDEZVOUS 0

const struct mkscenario mkscenarios[] = {
	{"late-sender", "pairs: the receiver waits for a sender that computes", late_sender, EAGER,
	 NULL, 0},
	{"late-receiver", "pairs: a synchronous sender waits for a receiver that computes",
	 late_receiver, RENDEZVOUS, NULL, 0},
	{"incast", "all send to rank 0 at the same time", incast, EAGER, NULL, 0},
	{"order-hotspot", "all exchange with all in ascending order, synchronously",
	 exchange_in_order, EAGER, NULL, 0},
	{"order-random", "the same in shuffled order: nobody queues", exchange_shuffled, EAGER,
	 NULL, 0},
	{"quiet", "a ring in which nobody waits for a port", quiet, EAGER, NULL, 0},
	{"truncated", "the ring, and the events of rank 1 cut short", quiet, EAGER, NULL, 0},
	{"shared-uplink", "half of the ranks send to the other half through one link",
	 mkcrowding_shared_uplink, EAGER, NULL, 0},
	{"back-pressure", "pairs: sends stall for want of buffers, the receiver is there",
	 mkcrowding_back_pressure, EAGER, NULL, 0},
	{"inattention", "pairs: messages arrive while their receivers compute",
	 mkcrowding_inattention, EAGER, NULL, 0},
	{"drifted-clocks", "the ring, on nodes whose clocks drift apart and bend", quiet, EAGER,
	 drifting_clock, 0},
	{"bent-clocks", "the ring, on clocks that bend until messages arrive before they were sent",
	 seldom, EAGER, bent_clock, 0},
	{"oversubscription", "one node: receivers' processors are away when messages come",
	 mkcrowding_oversubscription, EAGER, NULL, 1},
	{NULL, NULL, NULL, 0, NULL, 0},
};

/* What the reader is to add: as it was measured at the begin and at the end. */
static void write_offsets(struct mksim *s)
{
	int64_t at_ns[] = {0, s->out->wall_ns};
	int i;

	for (uint32_t r = 0; s->clock && r < s->ranks; r++) {
		for (i = 0; i < 2; i++) {
			int64_t shown_ns = s->clock(r, at_ns[i]);

			mktrace_clock_offset(s->m, r, shown_ns, at_ns[i] - shown_ns);
		}
	}
}

static void play(struct mksim *s, const struct mkscenario *scenario)
{
	uint32_t r, i;

	s->clock = scenario->clock;
	for (r = 0; r < s->ranks; r++) {
		char host[32];

		snprintf(host, sizeof(host), "node%" PRIu32, scenario->one_node ? 0 : r);
		mktrace_host(s->m, r, host, s->clock ? host : "one clock for all");
		mksim_idle(s, r, MKSIM_COMPUTE_NS, "MPI_Init");
	}
	for (i = 0; i < ROUNDS; i++)
		scenario->round(s);
	for (r = 0; r < s->ranks; r++)
		s->out->wall_ns = s->now_ns[r] > s->out->wall_ns ? s->now_ns[r] : s->out->wall_ns;
	s->out->wall_ns++;
	for (r = 0; r < s->ranks; r++)
		mksim_idle(s, r, s->out->wall_ns, "MPI_Finalize");
	write_offsets(s);
}

/* The machine as it is, to the analyzer's parameters. */
static void describe_machine(const struct mkscenario *scenario, struct mkoutcome *out)
{
	out->machine = (struct mkmachine){
		.L_ns = MKSIM_L_NS + MKSIM_O_S_NS + MKSIM_O_R_NS,
		.handshake_ns = MKSIM_L_NS,
		.o_s_ns = MKSIM_O_S_NS,
		.o_r_ns = MKSIM_O_R_NS,
		.g_ns = MKSIM_G_NS,
		.eager_bytes = scenario->eager_bytes,
	};
}

int mkscenario_write(const char *name, const char *dir, uint32_t ranks, struct mkoutcome *out,
		     struct err *err)
{
	const struct mkscenario *row = mkscenarios;
	struct mksim s = {.ranks = ranks, .out = out, .state = 1};
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
	play(&s, row);
	describe_machine(row, out);
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
