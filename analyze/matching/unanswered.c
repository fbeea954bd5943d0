/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/unanswered.h"

#include "common/table.h"

static struct message as_message(const struct trace *t, const struct send *send)
{
	const struct call *call = &t->calls[send->call];

	return (struct message){
		.bytes = send->bytes,
		.src = call->rank,
		.dst = send->dst,
		.comm = send->comm,
		.tag = send->tag,
		.send_call = send->call,
		.send_done = send->done,
		.recv_call = TRACE_NONE,
		.recv_done = TRACE_NONE,
		.place = trace_place(t, send->call),
		.sent_ns = call->enter_ns,
		.done_ns = INT64_MAX,
		.send_done_ns = send->done_ns,
		.not_here_ns = INT64_MIN,
	};
}

int unanswered_find(const struct unanswered *u, struct messages *out)
{
	uint32_t sends = u->first[u->t->n_ranks], n = 0, i;

	if (u->t->dated)
		return 0;
	for (i = 0; i < sends; i++)
		n += u->next[i] != UNANSWERED_NOT;
	if (!n)
		return 0;
	out->unanswered = table_alloc(n, sizeof(*out->unanswered));
	if (!out->unanswered)
		return -1;
	for (i = 0; i < sends; i++)
		if (u->next[i] != UNANSWERED_NOT)
			out->unanswered[out->n_unanswered++] =
				as_message(u->t, &u->t->ends.sends[u->sends[i]]);
	return 0;
}
