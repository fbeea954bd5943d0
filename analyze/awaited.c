/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/awaited.h"

#include <stdlib.h>

#include "analyze/envelope.h"
#include "analyze/instants.h"

#define NOTICEABLE 0.05 /* of the contention at a rank, in calls of either end */

struct waits {
	int64_t *rank_ns;  /* that each rank was without a core, where that is noticeable */
	int64_t *in_doubt; /* of each rank's calls: may be waiting */
	int64_t *from_ns;  /* of the receiver at work: contention of messages from each rank */
};

static int waits_init(struct waits *w, size_t ranks, struct err *err)
{
	w->rank_ns = calloc(3 * ranks + 1, sizeof(*w->rank_ns));
	if (!w->rank_ns)
		return err_set(err, "out of memory for the waits of %zu ranks", ranks);
	w->in_doubt = w->rank_ns + ranks;
	w->from_ns = w->in_doubt + ranks;
	return 0;
}

/* Whose waiting is noticeable beside the contention of its messages. Returns whether anybody's is. */
static int find_waits(struct waits *w, const struct trace *t, const struct messages *m,
		      const struct attribution *a)
{
	int64_t *at = w->in_doubt; /* not needed yet */
	int found = 0;

	for (uint32_t i = 0; i < m->n; i++) {
		at[m->m[i].src] += a->held_ns[i];
		at[m->m[i].dst] += m->m[i].src == m->m[i].dst ? 0 : a->held_ns[i];
	}
	for (uint32_t r = 0; r < t->n_ranks; r++) {
		int64_t awaited_ns = t->ranks[r].core_awaited_ns;

		if (awaited_ns > 0 && (double)awaited_ns >= NOTICEABLE * (double)at[r]) {
			w->rank_ns[r] = awaited_ns;
			found = 1;
		}
		at[r] = 0;
	}
	return found;
}

/*
 * Calls of a rank come one after the other: it can have been held up for as long as it was without
 * a core itself, and by each rank that it exchanges messages with for as long as that was. Those
 * waits are taken to be at the same time: who takes several ranks' cores usually does so at once.
 */
static void find_doubt(struct waits *w, const struct trace *t, const struct messages *m,
		       const struct attribution *a)
{
	for (uint32_t r = 0; r < t->n_ranks; r++)
		w->in_doubt[r] = w->rank_ns[r];
	for (uint32_t d = 0; d < t->n_ranks; d++) {
		uint32_t first = m->by_dst[d], end = m->by_dst[d + 1];

		for (uint32_t i = first; i < end; i++)
			w->from_ns[m->m[i].src] += a->held_ns[i];
		for (uint32_t i = first; i < end; i++) {
			uint32_t s = m->m[i].src;
			int64_t ns = w->from_ns[s];

			w->from_ns[s] = 0;
			w->in_doubt[s] = later(w->in_doubt[s], earlier(ns, w->rank_ns[d]));
			w->in_doubt[d] = later(w->in_doubt[d], earlier(ns, w->rank_ns[s]));
		}
	}
}

/* Of the messages' time the same share is in doubt as of the ranks'. */
static void doubt_messages(struct attribution *a)
{
	const struct part *ranks = &a->budget.contention, *messages = &a->blame.contention;
	double share = ranks->ns > 0 ? (double)a->awaited_ns / (double)ranks->ns : 0;

	envelope_doubt(&a->blame, (int64_t)(share * (double)messages->ns));
}

int awaited_doubt(const struct trace *t, const struct messages *m, struct attribution *a,
		  struct err *err)
{
	struct waits w = {0};

	a->awaited_ns = 0;
	if (waits_init(&w, t->n_ranks, err))
		return -1;
	if (find_waits(&w, t, m, a)) {
		find_doubt(&w, t, m, a);
		for (uint32_t r = 0; r < t->n_ranks; r++)
			a->awaited_ns += envelope_doubt(&a->rank_budget[r], w.in_doubt[r]);
		envelope_doubt(&a->budget, a->awaited_ns);
		doubt_messages(a);
	}
	free(w.rank_ns);
	return 0;
}
