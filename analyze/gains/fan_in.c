/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/fan_in.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/gains/flights.h"
#include "analyze/tools/instants.h"
#include "common/table.h"

#define TAIL 0.05 /* of the busy time */

struct fan_in {
	const struct evidence_base *b;
	struct flight_edge *edge; /* room for the messages of one receiver */
	uint32_t *flying;         /* per source: messages in flight to it */
	double *at;               /* ns spent at each number of sources */
};

/* When message i, which is there at end_ns, was no longer behind others of its own sender. */
static int64_t left_ns(const struct evidence_base *b, uint32_t i, int64_t end_ns)
{
	int64_t ns = b->m->m[i].sent_ns + slices_part(&b->a->message, i, COST_sender_port);

	return earlier(ns, end_ns - 1);
}

static uint32_t fan_in_of(struct fan_in *x, uint32_t dst)
{
	const struct messages *m = x->b->m;
	uint32_t first = m->by_dst[dst], n = m->by_dst[dst + 1] - first, sources = 0, k;
	double busy = 0, tail = 0;

	memset(x->at, 0, (x->b->t->n_ranks + 1) * sizeof(*x->at));
	for (uint32_t i = 0; i < n; i++) {
		int64_t end_ns = flights_end_ns(x->b->t, m, x->b->a, first + i);

		x->edge[2 * i] =
			(struct flight_edge){left_ns(x->b, first + i, end_ns), first + i, 1};
		x->edge[2 * i + 1] = (struct flight_edge){end_ns, first + i, -1};
		messages_fetch(x->b->t, m, first + i);
	}
	flights_sort(x->edge, 2 * (size_t)n);
	for (size_t i = 0; i < 2 * (size_t)n; i++) {
		uint32_t *flying = &x->flying[m->m[x->edge[i].flight].src];

		if (i > 0 && sources > 0) {
			x->at[sources] += x->edge[i].ns - x->edge[i - 1].ns;
			busy += x->edge[i].ns - x->edge[i - 1].ns;
		}
		sources -= *flying > 0;
		*flying += x->edge[i].change;
		sources += *flying > 0;
	}
	memset(x->flying, 0, x->b->t->n_ranks * sizeof(*x->flying));
	for (k = x->b->t->n_ranks; k > 0; k--) {
		tail += x->at[k];
		if (tail > TAIL * busy)
			break;
	}
	return k;
}

int fan_in_find(const struct evidence_base *b, uint32_t *fan_in, struct err *err)
{
	struct fan_in x = {.b = b};
	size_t ranks = (size_t)b->t->n_ranks + 1;
	int ret = -1;

	x.edge = table_calloc(2 * (size_t)messages_most(b->m, b->t->n_ranks) + 1, sizeof(*x.edge));
	x.flying = calloc(ranks, sizeof(*x.flying));
	x.at = calloc(ranks + 1, sizeof(*x.at));
	if (!x.edge || !x.flying || !x.at) {
		err_set(err, "out of memory for %u ranks", b->t->n_ranks);
		goto out;
	}
	for (uint32_t r = 0; r < b->t->n_ranks; r++)
		fan_in[r] = fan_in_of(&x, r);
	ret = 0;
out:
	free(x.at);
	free(x.flying);
	table_free(x.edge);
	return ret;
}
