/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/own_pieces.h"

double own_pieces_s(const struct evidence_base *b, uint32_t call, int64_t reach_ns)
{
	const struct trace *t = b->t;
	const struct call *c = &t->calls[call];
	const struct flood *flood = trace_flood(t, c);
	int64_t own_ns = c->enter_ns > reach_ns ? c->enter_ns - reach_ns : 0;

	if (flood && c->leave_ns - c->enter_ns > flood->inside_ns)
		own_ns += c->leave_ns - c->enter_ns - flood->inside_ns;
	return own_ns * 1e-9;
}

/* Everybody waits for everybody there. */
static int ends_step(const struct evidence_base *b, const struct call *c)
{
	return call_collective(c) != TRACE_NONE && b->c->c[call_collective(c)].root < 0 &&
	       b->c->c[call_collective(c)].members == b->t->n_ranks;
}

void own_pieces_each(const struct evidence_base *b, uint32_t rank, own_pieces_visit *visit,
		     void *what)
{
	const struct trace *t = b->t;
	uint32_t first = t->ranks[rank].first_call, before = TRACE_NONE, step = 0;
	int64_t reach_ns = t->ranks[rank].calls ? t->calls[first].enter_ns : 0;

	for (uint32_t c = first; c < first + t->ranks[rank].calls; c++) {
		enum region_kind kind = trace_call_kind(t, c);

		if (kind == REGION_OTHER || kind == REGION_IO)
			continue;
		if (kind != REGION_INIT)
			visit(what,
			      &(struct own_piece){c, before, step, own_pieces_s(b, c, reach_ns)});
		step += ends_step(b, &t->calls[c]) != 0;
		if (t->calls[c].leave_ns > reach_ns)
			reach_ns = t->calls[c].leave_ns;
		before = c;
	}
}
