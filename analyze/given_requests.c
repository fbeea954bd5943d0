/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/given_requests.h"

int given_requests_is(const struct trace *t, const struct op *op)
{
	return op->kind == OP_TEST_FAILED && op->call != TRACE_NONE && t->dated &&
	       region_waits(trace_call_kind(t, op->call));
}

int given_requests_note(struct endpoints *e, const struct trace *t, const struct op *op)
{
	uint32_t i;

	if (!given_requests_is(t, op))
		return 0;
	i = idhash_find(&e->open_recvs, op->request);
	if (i != IDHASH_NONE)
		e->recvs[i].given = 1;
	i = idhash_find(&e->open_sends, op->request);
	if (i != IDHASH_NONE)
		e->sends[i].given = 1;
	return 1;
}
