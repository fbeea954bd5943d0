/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For whom the ranks of a collective waited, where the one they waited for waited itself. */
#include "analyze/document/document_parts.h"
#include "analyze/flow/gathering.h"
#include "analyze/tools/instants.h"

#define MOST   0.5 /* of the time in which it was waited for */
#define LOOKED 8   /* calls that wait for nobody may be between */

/* The call before it of its thread that is no local one; TRACE_NONE: too far away, or none. */
static uint32_t call_before(const struct trace *t, uint32_t call)
{
	const struct call *c = &t->calls[call];
	uint32_t first = t->ranks[c->rank].first_call;

	for (uint32_t k = call; k > first && call - k < LOOKED; k--)
		if (trace_call_kind(t, k - 1) != REGION_MPI_LOCAL)
			return t->calls[k - 1].leave_ns <= c->enter_ns ? k - 1 : TRACE_NONE;
	return TRACE_NONE;
}

uint32_t document_awaited(const struct analysis *a, uint32_t call, int64_t since_ns)
{
	const struct trace *t = a->trace;
	const struct call *c = &t->calls[call];
	uint32_t before = call_before(t, call), kept_by, collective, rank;
	int64_t from_ns, until_ns;

	collective = before != TRACE_NONE ? call_collective(&t->calls[before]) : TRACE_NONE;
	if (collective == TRACE_NONE)
		return c->rank;
	from_ns = t->calls[before].enter_ns;
	until_ns = from_ns + slices_part(&a->attribution->call, before, COST_collective_wait);
	if ((double)(until_ns - later(from_ns, since_ns)) < MOST * (double)(c->enter_ns - since_ns))
		return c->rank;
	kept_by = attribution_kept_by(a->attribution, before);
	if (kept_by != TRACE_NONE)
		return t->calls[kept_by].rank;
	rank = gathering_awaited(t, &a->collectives->c[collective]);
	return rank != TRACE_NONE ? rank : c->rank;
}
