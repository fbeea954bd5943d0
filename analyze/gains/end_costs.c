/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/end_costs.h"

#include <math.h>

static double overhead_s(const struct evidence_base *b, uint32_t call, enum cost part)
{
	return call == TRACE_NONE ? 0 : slices_part(&b->a->call, call, part) * 1e-9;
}

double end_cost_sending_s(const struct evidence_base *b, uint32_t i)
{
	return overhead_s(b, b->m->m[i].send_call, COST_send_overhead);
}

double end_cost_posting_s(const struct evidence_base *b, uint32_t i)
{
	const struct message *x = &b->m->m[i];

	return overhead_s(b, x->recv_call == x->recv_done ? TRACE_NONE : x->recv_call,
			  COST_receive_overhead);
}

double end_cost_taking_s(const struct evidence_base *b, uint32_t i)
{
	uint32_t call = b->m->m[i].recv_done;
	double done_s = overhead_s(b, call, COST_receive_overhead);

	/* A call that completes many has all their overheads, and handles one after the other. */
	if (trace_call_kind(b->t, call) != REGION_RECV)
		done_s = fmin(evidence_price(b, i)->at.o_r_s,
			      slices_sum(&b->a->call, call, END_COST_HANDLING) * 1e-9);
	return done_s;
}
