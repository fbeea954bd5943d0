/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/recording.h"

#define NS_PER_S 1e9

/* Calls of one rank, as the recorder passes through them. */
static uint64_t passes(const struct trace *t, const struct rank *r)
{
	uint64_t n = r->calls;
	uint32_t i, flood;

	for (i = r->first_call; i < r->first_call + r->calls; i++) {
		flood = t->calls[i].flood;
		n += flood == TRACE_NONE ? 0 : t->floods[flood].polls - 1;
	}
	return n;
}

int recording_of(const struct trace *t, struct recording *out)
{
	struct recording sum = {0};
	uint64_t calls;
	double s = 0;
	uint32_t r;

	for (r = 0; r < t->n_ranks; r++) {
		const struct rank *rank = &t->ranks[r];
		const struct rank_cost *cost = &rank->cost;

		if (cost->call_ns <= 0)
			return 0;
		calls = passes(t, rank);
		sum.calls += calls;
		sum.requests += rank->requests;
		sum.call_s += cost->call_ns / NS_PER_S / t->n_ranks;
		sum.request_s += cost->request_ns / NS_PER_S / t->n_ranks;
		sum.writing_s += cost->writing_ns / NS_PER_S;
		sum.aside_s += cost->aside_ns / NS_PER_S;
		s += ((double)calls * cost->call_ns + (double)rank->requests * cost->request_ns) /
		     NS_PER_S;
	}
	if (!t->n_ranks || t->wall_ns <= 0)
		return 0;
	sum.share =
		(s + sum.writing_s + sum.aside_s) / ((double)t->wall_ns / NS_PER_S * t->n_ranks);
	*out = sum;
	return 1;
}
