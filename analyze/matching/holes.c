/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/holes.h"

#include "analyze/tools/find_first.h"
#include "analyze/tools/sorting.h"
#include "analyze/trace.h"
#include "common/table.h"

int holes_init(struct holes *h, const struct endpoints *e)
{
	h->gaps = table_calloc(e->n_gaps + 1, sizeof(*h->gaps));
	return h->gaps ? 0 : -1;
}

static int by_channel(const struct gap *x, const struct gap *y)
{
	struct channel_key a = {x->comm, x->src, x->tag}, b = {y->comm, y->src, y->tag};

	return channel_key_order(&a, &b);
}

static int by_window(const void *a, const void *b)
{
	const struct gap *x = a, *y = b;
	int order = by_channel(x, y);

	return order ? order : x->window < y->window ? -1 : x->window > y->window;
}

void holes_order(struct holes *h, const struct endpoints *e, uint32_t rank)
{
	uint32_t first = e->of[rank].gap, i;

	h->lost = TRACE_NONE;
	h->n = e->of[rank + 1].gap - first;
	for (i = 0; i < h->n; i++) {
		h->gaps[i] = e->gaps[first + i];
		if (h->gaps[i].comm == TRACE_NONE && h->gaps[i].window < h->lost)
			h->lost = h->gaps[i].window;
	}
	sort(h->gaps, h->n, sizeof(*h->gaps), by_window);
}

uint32_t holes_pass(struct holes *h, const struct recv *recv, struct channels *c,
		    const uint32_t *next, uint32_t *before)
{
	const struct gap wanted = {.src = recv->src, .comm = recv->comm, .tag = recv->tag};
	struct channel_key key = {recv->comm, recv->src, recv->tag};
	uint32_t sends = 0;
	size_t at = 0;

	FIND_FIRST(at, h->n, by_channel(&h->gaps[at], &wanted) >= 0);
	for (;
	     at < h->n && !by_channel(&h->gaps[at], &wanted) && h->gaps[at].window <= recv->window;
	     at++) {
		if (h->gaps[at].n)
			sends += channels_skip(c, key, next, before, h->gaps[at].n);
		h->gaps[at].n = 0;
	}
	return sends;
}

void holes_release(struct holes *h)
{
	table_free(h->gaps);
}
