/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/unsent.h"

#include "analyze/tools/find_first.h"
#include "analyze/tools/growing.h"
#include "analyze/tools/sorting.h"

static int is_lossy(const struct trace *t, uint32_t rank)
{
	return t->ranks[rank].loss.what != LOSS_NONE || t->ranks[rank].absent;
}

static int by_call(const void *a, const void *b)
{
	const struct unsent *x = a, *y = b;

	if (x->call != y->call)
		return x->call < y->call ? -1 : 1;
	return (x->src > y->src) - (x->src < y->src);
}

/* sent: per call, messages of such ranks that it took. Returns 0, or -1: out of memory. */
static int find(const struct trace *t, uint32_t *sent, struct messages *out)
{
	size_t cap = 0;

	for (uint32_t i = 0; i < out->n; i++)
		sent[out->m[i].recv_done] += is_lossy(t, out->m[i].src);
	for (size_t i = 0; i < t->ends.n_recvs; i++) {
		const struct recv *x = &t->ends.recvs[i];

		if (x->done == TRACE_NONE || x->src == TRACE_NONE || !is_lossy(t, x->src))
			continue;
		if (sent[x->done] > 0) {
			sent[x->done]--;
			continue;
		}
		if (GROW(out->unsent, out->n_unsent + 1, cap))
			return -1;
		out->unsent[out->n_unsent++] = (struct unsent){x->done, x->src};
	}
	sort(out->unsent, out->n_unsent, sizeof(*out->unsent), by_call);
	return 0;
}

int unsent_find(const struct trace *t, struct messages *out)
{
	uint32_t *sent;
	int lossy = 0, ret;

	for (uint32_t r = 0; r < t->n_ranks; r++)
		lossy |= is_lossy(t, r);
	if (!lossy)
		return 0;
	sent = table_calloc((size_t)t->n_calls + 1, sizeof(*sent));
	ret = sent ? find(t, sent, out) : -1;
	table_free(sent);
	return ret;
}

uint32_t unsent_by(const struct messages *m, uint32_t call)
{
	uint32_t at = 0;

	FIND_FIRST(at, m->n_unsent, m->unsent[at].call >= call);
	return at < m->n_unsent && m->unsent[at].call == call ? m->unsent[at].src : TRACE_NONE;
}
