/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/traces/mkcrowding.h"

#define BURST    8
#define STALL_NS 60000  /* until the buffer is free again */
#define AWAY_NS  200000 /* the processor has another rank's work */

static void compute(struct mksim *s)
{
	for (uint32_t r = 0; r < s->ranks; r++)
		s->now_ns[r] += MKSIM_COMPUTE_NS;
}

/* An eager send, and the receive that waits for it and is done o_r after handled_ns. */
static void send_and_receive(struct mksim *s, struct mkfate *f, int64_t left_ns, int64_t handled_ns)
{
	struct mkop send = mksim_op(OP_SEND, f->dst, 0), recv = mksim_op(OP_RECV, f->src, 0);

	f->completed_ns = handled_ns + MKSIM_O_R_NS;
	mksim_call(s, f->src, left_ns, "MPI_Send", &send);
	mksim_call(s, f->dst, f->completed_ns, "MPI_Recv", &recv);
}

void mkcrowding_shared_uplink(struct mksim *s)
{
	uint32_t half = s->ranks / 2, r;
	int64_t free_ns = 0;

	compute(s);
	for (r = 0; r < half; r++) {
		struct mkfate *f = mksim_fate(s, r, r + half, s->now_ns[r]);
		int64_t left_ns = s->now_ns[r] + MKSIM_O_S_NS;
		int64_t begins_ns = free_ns > left_ns ? free_ns : left_ns;

		free_ns = begins_ns + MKSIM_G_NS;
		f->ns[COST_network_contention] = begins_ns - left_ns;
		send_and_receive(s, f, left_ns, mksim_transfer(s, f->dst, begins_ns).ends_ns);
	}
	mksim_barrier(s);
}

void mkcrowding_back_pressure(struct mksim *s)
{
	uint32_t r;
	int k;

	compute(s);
	for (r = 0; r + 1 < s->ranks; r += 2) {
		for (k = 0; k < BURST; k++) {
			struct mkfate *f = mksim_fate(s, r, r + 1, s->now_ns[r]);
			int64_t leaves_ns = s->now_ns[r] + MKSIM_O_S_NS, left_ns = leaves_ns;

			/* The sender's port still has the first message when the second comes. */
			if (k == 1)
				f->ns[COST_sender_port] = MKSIM_G_NS - MKSIM_O_S_NS;
			if (k > 0) {
				f->ns[COST_back_pressure] = STALL_NS - f->ns[COST_sender_port];
				leaves_ns += STALL_NS;
				left_ns = leaves_ns + MKSIM_G_NS;
			}
			send_and_receive(s, f, left_ns,
					 mksim_transfer(s, r + 1, leaves_ns).ends_ns);
		}
	}
	mksim_barrier(s);
}

void mkcrowding_inattention(struct mksim *s)
{
	uint32_t r;

	compute(s);
	for (r = 0; r + 1 < s->ranks; r += 2) {
		struct mkop send = mksim_op(OP_SEND, r + 1, 0), recv = mksim_op(OP_IRECV, r, 1);
		struct mkop done = mksim_op(OP_IRECV_DONE, r, 1);
		struct mkfate *f = mksim_fate(s, r, r + 1, s->now_ns[r]);
		int64_t left_ns = s->now_ns[r] + MKSIM_O_S_NS;
		int64_t arrived_ns = mksim_transfer(s, r + 1, left_ns).ends_ns;

		mksim_call(s, r, left_ns, "MPI_Send", &send);
		mksim_call(s, r + 1, s->now_ns[r + 1] + MKSIM_POST_NS, "MPI_Irecv", &recv);
		s->now_ns[r + 1] += MKSIM_LATE_NS;
		f->ns[COST_inattention] = s->now_ns[r + 1] - arrived_ns;
		f->completed_ns = s->now_ns[r + 1] + MKSIM_O_R_NS;
		mksim_wait(s, r + 1, f->completed_ns, 1, &done);
	}
	mksim_barrier(s);
}

void mkcrowding_oversubscription(struct mksim *s)
{
	uint32_t r;

	compute(s);
	for (r = 0; r + 1 < s->ranks; r += 2) {
		struct mkfate *f = mksim_fate(s, r, r + 1, s->now_ns[r]);
		int64_t left_ns = s->now_ns[r] + MKSIM_O_S_NS;

		f->ns[COST_handler_contention] = AWAY_NS;
		send_and_receive(s, f, left_ns,
				 mksim_transfer(s, r + 1, left_ns).ends_ns + AWAY_NS);
	}
	mksim_barrier(s);
}
