/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/over_time.h"

#include <string.h>

#include "analyze/tools/instants.h"

/* The piece that a time is in, ns. */
static uint32_t piece_at(const struct over_time *x, int64_t ns)
{
	int64_t k = ns / x->piece_ns;

	return ns < 0 ? 0 : k < x->n ? (uint32_t)k : x->n - 1;
}

/* So much of a part, evenly from one time to another; exactly all of it. */
static void spread(struct over_time *x, enum cost part, int64_t from_ns, int64_t to_ns, int64_t ns)
{
	uint32_t k = piece_at(x, from_ns), last = piece_at(x, to_ns - 1);
	double each = to_ns > from_ns ? (double)ns / (double)(to_ns - from_ns) : 0.0;
	int64_t done = 0;

	for (; k < last; k++) {
		int64_t upto = (int64_t)(each * (double)((k + 1) * x->piece_ns - from_ns));

		x->ns[k][part] += upto - done;
		done = upto;
	}
	x->ns[k][part] += ns - done;
}

/* What a call takes is not the program's own, but for what its parts say. k: a piece before it. */
static uint32_t add_call(struct over_time *x, const struct trace *t, const struct attribution *a,
			 uint32_t call, uint32_t k)
{
	const struct call *c = &t->calls[call];
	int64_t parts[COST_COUNT] = {0};

	while (k + 1 < x->n && c->enter_ns >= (k + 1) * x->piece_ns)
		k++;
	if (k + 1 == x->n || c->leave_ns <= (k + 1) * x->piece_ns) {
		slices_add(&a->call, call, x->ns[k]);
		x->ns[k][COST_compute] -= c->leave_ns - c->enter_ns;
		return k;
	}
	slices_add(&a->call, call, parts);
	parts[COST_compute] -= c->leave_ns - c->enter_ns;
	for (int part = 0; part < COST_COUNT; part++)
		if (parts[part])
			spread(x, part, c->enter_ns, c->leave_ns, parts[part]);
	return k;
}

/* All of a rank's time that was recorded, as if it had called nothing. */
static void add_recorded(struct over_time *x, const struct trace *t, uint32_t rank)
{
	const struct rank *r = &t->ranks[rank];
	int64_t end_ns = t->wall_ns - r->gone_ns, launched_ns = trace_launch_ns(t, rank);

	spread(x, COST_start_end, 0, launched_ns, launched_ns);
	spread(x, COST_compute, launched_ns, end_ns, end_ns - launched_ns);
	for (uint32_t i = r->first_op; i < r->first_op + r->ops; i++) {
		int64_t from_ns = t->ops[i].time_ns;

		if (t->ops[i].kind == OP_PAUSE)
			spread(x, COST_compute, from_ns, end_ns, from_ns - end_ns);
		else if (t->ops[i].kind == OP_RESUME)
			spread(x, COST_compute, from_ns, end_ns, end_ns - from_ns);
	}
}

void over_time_find(struct over_time *out, const struct trace *t, const struct attribution *a)
{
	memset(out, 0, sizeof(*out));
	if (t->wall_ns <= 0)
		return;
	out->piece_ns = (t->wall_ns + OVER_TIME_PIECES - 1) / OVER_TIME_PIECES;
	out->n = (uint32_t)((t->wall_ns + out->piece_ns - 1) / out->piece_ns);
	for (uint32_t r = 0; r < t->n_ranks; r++) {
		const struct rank *rank = &t->ranks[r];
		uint32_t k = 0;

		if (trace_is_left_out(t, r))
			continue;
		add_recorded(out, t, r);
		for (uint32_t c = rank->first_call; c < rank->first_call + rank->calls; c++)
			if (!trace_is_before_recording(t, c) &&
			    trace_call_kind(t, c) != REGION_OTHER)
				k = add_call(out, t, a, c, k);
	}
	for (uint32_t k = 0; k < out->n; k++)
		out->ns[k][COST_compute] = later(0, out->ns[k][COST_compute]);
}
