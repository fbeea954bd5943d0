/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/traces/mksim.h"

#include <stdlib.h>

struct mktransfer mksim_transfer(struct mksim *s, uint32_t dst, int64_t leaves_ns)
{
	struct mktransfer t = {.arrives_ns = leaves_ns + MKSIM_L_NS};

	t.begins_ns = t.arrives_ns > s->port_free_ns[dst] ? t.arrives_ns : s->port_free_ns[dst];
	t.ends_ns = t.begins_ns + MKSIM_G_NS;
	s->port_free_ns[dst] = t.ends_ns;
	return t;
}

struct mkfate *mksim_fate(struct mksim *s, uint32_t src, uint32_t dst, int64_t sent_ns)
{
	struct mkoutcome *out = s->out;

	if (out->n == s->room) {
		s->room = s->room ? 2 * s->room : 256;
		out->fates = reallocarray(out->fates, s->room, sizeof(*out->fates));
		if (!out->fates)
			abort();
	}
	out->fates[out->n] = (struct mkfate){
		.src = src, .dst = dst, .tag = 7, .bytes = MKSIM_BYTES, .sent_ns = sent_ns};
	out->fates[out->n].ns[COST_send_overhead] = MKSIM_O_S_NS;
	out->fates[out->n].ns[COST_wire] = MKSIM_L_NS + MKSIM_G_NS;
	out->fates[out->n].ns[COST_receive_overhead] = MKSIM_O_R_NS;
	return &out->fates[out->n++];
}

struct mkop mksim_op(enum op_kind kind, uint32_t peer, uint64_t request)
{
	return (struct mkop){.kind = kind,
			     .peer = (int32_t)peer,
			     .tag = 7,
			     .bytes = MKSIM_BYTES,
			     .request = request};
}

static void keep(struct mksim *s, uint32_t rank, int64_t leave_ns, const char *function,
		 const char *site, uint32_t n, const struct mkop records[n])
{
	struct mkspan span = {s->now_ns[rank], leave_ns};

	if (s->clock)
		span = (struct mkspan){s->clock(rank, span.enter_ns), s->clock(rank, leave_ns)};
	mktrace_call(s->m, rank, span, function, site, n, records);
	s->now_ns[rank] = leave_ns;
}

void mksim_call(struct mksim *s, uint32_t rank, int64_t leave_ns, const char *function,
		const struct mkop *record)
{
	static const char *const sites[] = {[OP_SEND] = MKSIM_SITE_SEND,
					    [OP_RECV] = MKSIM_SITE_RECV,
					    [OP_ISEND] = MKSIM_SITE_SEND,
					    [OP_IRECV] = MKSIM_SITE_RECV,
					    [OP_COLL] = MKSIM_SITE_SYNC};

	keep(s, rank, leave_ns, function, sites[record->kind], 1, record);
}

void mksim_wait(struct mksim *s, uint32_t rank, int64_t leave_ns, uint32_t n,
		const struct mkop records[n])
{
	keep(s, rank, leave_ns, n > 1 ? "MPI_Waitall" : "MPI_Wait", MKSIM_SITE_WAIT, n, records);
}

void mksim_idle(struct mksim *s, uint32_t rank, int64_t leave_ns, const char *function)
{
	keep(s, rank, leave_ns, function, NULL, 0, NULL);
}

void mksim_barrier(struct mksim *s)
{
	struct mkop record = {.kind = OP_COLL, .peer = -1};
	int64_t last_ns = 0;
	uint32_t r;

	for (r = 0; r < s->ranks; r++)
		last_ns = s->now_ns[r] > last_ns ? s->now_ns[r] : last_ns;
	for (r = 0; r < s->ranks; r++)
		mksim_call(s, r, last_ns + 2 * MKSIM_L_NS, "MPI_Barrier", &record);
}
