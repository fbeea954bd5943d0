/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/unsent.h"

#include "analyze/tools/find_first.h"
#include "analyze/tools/growing.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

#include <stdlib.h>

/* Per rank: may sends of it be missing? NULL: out of memory. Caller: free. */
static uint8_t *lossy_ranks(const struct trace *t, int *any)
{
	uint8_t *lossy = calloc(t->n_ranks + 1u, 1);

	*any = 0;
	for (uint32_t r = 0; lossy && r < t->n_ranks; r++) {
		lossy[r] = t->ranks[r].loss.what != LOSS_NONE || trace_is_left_out(t, r);
		*any |= lossy[r];
	}
	return lossy;
}

static int by_call(const void *a, const void *b)
{
	const struct unsent *x = a, *y = b;

	if (x->call != y->call)
		return x->call < y->call ? -1 : 1;
	return (x->src > y->src) - (x->src < y->src);
}

/* Receives of such ranks' messages, each as a call and whose it was. Returns 0, or -1. */
static int list_received(const struct trace *t, const uint8_t *lossy, struct messages *out)
{
	size_t cap = 0;

	for (size_t i = 0; i < t->ends.n_recvs; i++) {
		const struct recv *x = &t->ends.recvs[i];

		if (x->done == TRACE_NONE || x->src == TRACE_NONE || !lossy[x->src])
			continue;
		if (GROW(out->unsent, out->n_unsent + 1, cap))
			return -1;
		out->unsent[out->n_unsent++] = (struct unsent){x->done, x->src};
	}
	sort(out->unsent, out->n_unsent, sizeof(*out->unsent), by_call);
	return 0;
}

/* The messages of such ranks whose sends are there, in the same way. Returns 0, or -1. */
static int list_sent(const uint8_t *lossy, const struct messages *m, struct unsent **sent,
		     size_t *n)
{
	size_t cap = 0;

	for (uint32_t i = 0; i < m->n; i++) {
		if (!lossy[m->m[i].src])
			continue;
		if (GROW(*sent, *n + 1, cap))
			return -1;
		(*sent)[(*n)++] = (struct unsent){m->m[i].recv_done, m->m[i].src};
	}
	sort(*sent, *n, sizeof(**sent), by_call);
	return 0;
}

/* Each of those, both sorted, stands for one that was received. */
static void leave_out(struct messages *out, const struct unsent *sent, size_t n)
{
	uint32_t left = 0;
	size_t k = 0;

	for (uint32_t i = 0; i < out->n_unsent; i++) {
		while (k < n && by_call(&sent[k], &out->unsent[i]) < 0)
			k++;
		if (k < n && by_call(&sent[k], &out->unsent[i]) == 0)
			k++;
		else
			out->unsent[left++] = out->unsent[i];
	}
	out->n_unsent = left;
}

/* The calls that are left with a receive when each message has taken one of its own. */
static int list_torn(const struct trace *t, struct messages *out)
{
	uint32_t *left;
	size_t cap = 0;
	int ret = 0;

	if (!out->unmatched_recvs && !out->one_ended)
		return 0;
	left = table_calloc((size_t)t->n_calls + 1, sizeof(*left));
	if (!left)
		return -1;
	for (size_t i = 0; i < t->ends.n_recvs; i++) {
		const struct recv *x = &t->ends.recvs[i];

		if (x->done != TRACE_NONE && !x->taker && !x->is_void)
			left[x->done]++;
	}
	for (uint32_t i = 0; i < out->n; i++)
		left[out->m[i].recv_done] -= left[out->m[i].recv_done] > 0;
	for (uint32_t call = 0; call < t->n_calls && !ret; call++) {
		if (!left[call])
			continue;
		ret = GROW(out->torn, out->n_torn + 1, cap) ? -1 : 0;
		if (!ret)
			out->torn[out->n_torn++] = call;
	}
	table_free(left);
	return ret;
}

int unsent_find(const struct trace *t, struct messages *out)
{
	struct unsent *sent = NULL;
	size_t n = 0;
	int any, ret = -1;
	uint8_t *lossy = lossy_ranks(t, &any);

	if (!lossy || list_torn(t, out))
		goto out;
	if (!any)
		ret = 0;
	else if (!list_received(t, lossy, out) && !list_sent(lossy, out, &sent, &n)) {
		leave_out(out, sent, n);
		ret = 0;
	}
out:
	table_free(sent);
	free(lossy);
	return ret;
}

void unsent_release(struct messages *m)
{
	table_free(m->unsent);
	table_free(m->torn);
}

uint32_t unsent_by(const struct messages *m, uint32_t call)
{
	uint32_t at = 0, src;

	FIND_FIRST(at, m->n_unsent, m->unsent[at].call >= call);
	if (at == m->n_unsent || m->unsent[at].call != call)
		return TRACE_NONE;
	src = m->unsent[at].src;
	while (++at < m->n_unsent && m->unsent[at].call == call)
		if (m->unsent[at].src != src)
			return UNSENT_BY_SEVERAL;
	return src;
}

int unsent_look_up_torn(const struct messages *m, uint32_t call)
{
	uint32_t at = 0;

	FIND_FIRST(at, m->n_torn, m->torn[at] >= call);
	return at < m->n_torn && m->torn[at] == call;
}
