/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/hindered.h"

#include <stdlib.h>

#include "analyze/tools/instants.h"

#define NOTICEABLE 0.05 /* of the contention at a rank, in calls of either end */

/* Was any rank kept at all? */
static int is_any_kept(const struct trace *t, int64_t (*kept_ns)(const struct rank *r))
{
	for (uint32_t r = 0; r < t->n_ranks; r++)
		if (kept_ns(&t->ranks[r]) > 0)
			return 1;
	return 0;
}

/* Whom it kept noticeably long beside the contention of its messages. */
static void find_kept(struct hindered *h, const struct trace *t, const struct messages *m,
		      const struct attribution *a, int64_t (*kept_ns)(const struct rank *r))
{
	int64_t *at = h->calls_ns; /* not needed yet */

	for (uint32_t i = 0; i < m->n; i++) {
		at[m->m[i].src] += a->held_ns[i];
		at[m->m[i].dst] += m->m[i].src == m->m[i].dst ? 0 : a->held_ns[i];
	}
	for (uint32_t r = 0; r < t->n_ranks; r++) {
		int64_t ns = kept_ns(&t->ranks[r]);

		if (ns > 0 && (double)ns >= NOTICEABLE * (double)at[r]) {
			h->rank_ns[r] = ns;
			h->any = 1;
		}
		at[r] = 0;
	}
}

/*
 * Calls of a rank come one after the other: it can have been held up for as long as it was kept
 * itself, and by each rank that it exchanges messages with for as long as that was. Those times are
 * taken to be the same: what keeps several ranks usually does so at once.
 */
static void find_calls(struct hindered *h, const struct trace *t, const struct messages *m,
		       const struct attribution *a)
{
	for (uint32_t r = 0; r < t->n_ranks; r++)
		h->calls_ns[r] = h->rank_ns[r];
	for (uint32_t d = 0; d < t->n_ranks; d++) {
		uint32_t first = m->by_dst[d], end = m->by_dst[d + 1];

		for (uint32_t i = first; i < end; i++)
			h->from_ns[m->m[i].src] += a->held_ns[i];
		for (uint32_t i = first; i < end; i++) {
			uint32_t s = m->m[i].src;
			int64_t ns = h->from_ns[s];

			h->from_ns[s] = 0;
			h->calls_ns[s] = later(h->calls_ns[s], earlier(ns, h->rank_ns[d]));
			h->calls_ns[d] = later(h->calls_ns[d], earlier(ns, h->rank_ns[s]));
		}
	}
}

int hindered_find(struct hindered *h, const struct trace *t, const struct messages *m,
		  const struct attribution *a, int64_t (*kept_ns)(const struct rank *r),
		  struct err *err)
{
	size_t ranks = t->n_ranks;

	*h = (struct hindered){.calls_ns = calloc(3 * ranks + 1, sizeof(*h->calls_ns))};
	if (!h->calls_ns)
		return err_set(err, "out of memory for the waits of %zu ranks", ranks);
	h->rank_ns = h->calls_ns + ranks;
	h->from_ns = h->rank_ns + ranks;
	if (is_any_kept(t, kept_ns))
		find_kept(h, t, m, a, kept_ns);
	if (h->any)
		find_calls(h, t, m, a);
	return 0;
}

void hindered_release(struct hindered *h)
{
	free(h->calls_ns);
	*h = (struct hindered){0};
}

int64_t hindered_share_ns(int64_t some_ns, int64_t all_ns, int64_t ns)
{
	return all_ns > 0 ? (int64_t)((double)some_ns / (double)all_ns * (double)ns) : 0;
}
