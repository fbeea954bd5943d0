/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For whom the ranks of a collective waited, where the one they waited for waited itself. */
#include "analyze/document/document_parts.h"
#include "analyze/flow/gathering.h"
#include "analyze/tools/instants.h"

#define MOST 0.5 /* of the time in which it was waited for */

uint32_t document_awaited(const struct analysis *a, uint32_t call, int64_t since_ns)
{
	const struct trace *t = a->trace;
	const struct call *c = &t->calls[call], *before = c - 1;
	uint32_t kept_by, collective, rank;
	int64_t until_ns;

	if (call == t->ranks[c->rank].first_call)
		return c->rank;
	collective = call_collective(before);
	until_ns = before->enter_ns +
		   slices_part(&a->attribution->call, call - 1, COST_collective_wait);
	if (collective == TRACE_NONE || (double)(until_ns - later(before->enter_ns, since_ns)) <
						MOST * (double)(c->enter_ns - since_ns))
		return c->rank;
	kept_by = attribution_kept_by(a->attribution, call - 1);
	if (kept_by != TRACE_NONE)
		return t->calls[kept_by].rank;
	rank = gathering_awaited(t, &a->collectives->c[collective]);
	return rank != TRACE_NONE ? rank : c->rank;
}
