/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the ranks of a job that hung stood, and who waited for whom, for programs to read. */
#include "analyze/document/document_parts.h"

static json_t *nothing_or(uint32_t rank)
{
	return rank == TRACE_NONE ? json_null() : json_integer(rank);
}

/* Outside MPI there is no call. */
static json_t *place_of(const struct trace *t, const struct stand *at)
{
	if (!stand_is_in_mpi(at) || at->call == TRACE_NONE)
		return json_null();
	return document_callsite(t, t->calls[at->call].site, t->calls[at->call].region);
}

static json_t *row_of(const struct trace *t, const struct stand *at, uint32_t rank)
{
	return json_pack("{s:I, s:f, s:b, s:b, s:o, s:o}", "rank", (json_int_t)rank, "since_s",
			 (double)at->since_ns / NS_PER_S, "in_mpi", stand_is_in_mpi(at), "polls",
			 at->is_polling, "callsite", place_of(t, at), "waits_for",
			 nothing_or(at->peer));
}

json_t *document_standstill(const struct trace *t, const struct hanging *h)
{
	json_t *ranks;
	uint32_t r;

	if (!*h->text)
		return json_null();
	ranks = json_array();
	for (r = 0; r < t->n_ranks; r++)
		if (hanging_stands(h, r))
			json_array_append_new(ranks, row_of(t, &h->s.at[r], r));
	return json_pack(
		"{s:o, s:o, s:o}", "s",
		h->still_ns ? json_real((double)h->still_ns / NS_PER_S) : json_null(), "share",
		h->still_ns ? json_real(document_share(h->still_ns, t->wall_ns)) : json_null(),
		"ranks", ranks);
}
