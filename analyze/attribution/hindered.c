/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/hindered.h"

#include <stdlib.h>

#include "analyze/attribution/envelope.h"
#include "analyze/tools/instants.h"

#define NOTICEABLE 0.05 /* of the contention at a rank, in calls of either end */

struct hindered {
	int64_t *calls_ns; /* of each rank's calls: at most so much may be that */
	int any;           /* it is noticeable, for a rank at least */
	int64_t *rank_ns;  /* for so long it kept each rank, where that is noticeable */
	int64_t *from_ns;  /* of the receiver at work: contention of messages from each rank */
};

/* What keeps ranks. */
struct cause {
	/* How long it kept one; 0: not known. */
	int64_t (*kept_ns)(const struct rank *r);
	/* What it may be part of. */
	int64_t (*of_ns)(const struct view *v);
	/* At most so much of that may be it; returns how much. */
	int64_t (*doubt)(struct view *v, int64_t ns);
};

static int64_t core_ns(const struct rank *r)
{
	return r->core_awaited_ns;
}

static int64_t contention_ns(const struct view *v)
{
	return v->contention.ns;
}

static const struct cause waiting_for_cores = {core_ns, contention_ns, envelope_doubt};

static int64_t searched_ns(const struct rank *r)
{
	return r->searched_ns;
}

static int64_t network_ns(const struct view *v)
{
	return v->parts[COST_network_contention].ns;
}

static int64_t doubt_network(struct view *v, int64_t ns)
{
	return envelope_exchange(v, COST_network_contention, COST_handler_contention, ns);
}

static const struct cause searching = {searched_ns, network_ns, doubt_network};

/* Was any rank kept at all? */
static int is_any_kept(const struct trace *t, const struct cause *x)
{
	for (uint32_t r = 0; r < t->n_ranks; r++)
		if (x->kept_ns(&t->ranks[r]) > 0)
			return 1;
	return 0;
}

/* Whom it kept noticeably long beside the contention of its messages. */
static void find_kept(struct hindered *h, const struct trace *t, const struct messages *m,
		      const struct attribution *a, const struct cause *x)
{
	int64_t *at = h->calls_ns; /* not needed yet */

	for (uint32_t i = 0; i < m->n; i++) {
		at[m->m[i].src] += a->held_ns[i];
		at[m->m[i].dst] += m->m[i].src == m->m[i].dst ? 0 : a->held_ns[i];
	}
	for (uint32_t r = 0; r < t->n_ranks; r++) {
		int64_t ns = x->kept_ns(&t->ranks[r]);

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

/* Of the messages' time ns the same share as some_ns is of the ranks' all_ns. */
static int64_t share_ns(int64_t some_ns, int64_t all_ns, int64_t ns)
{
	return all_ns > 0 ? (int64_t)((double)some_ns / (double)all_ns * (double)ns) : 0;
}

/*
 * What the cause may be of the budget's contention; the views are in doubt then. Returns 0, or -1.
 */
static int find_doubt(const struct trace *t, const struct messages *m, struct attribution *a,
		      const struct cause *x, int64_t *doubt_ns, struct err *err)
{
	size_t ranks = t->n_ranks;
	struct hindered h = {.calls_ns = calloc(3 * ranks + 1, sizeof(*h.calls_ns))};

	if (!h.calls_ns)
		return err_set(err, "out of memory for the waits of %zu ranks", ranks);
	h.rank_ns = h.calls_ns + ranks;
	h.from_ns = h.rank_ns + ranks;
	*doubt_ns = 0;
	if (is_any_kept(t, x))
		find_kept(&h, t, m, a, x);
	if (h.any) {
		find_calls(&h, t, m, a);
		for (uint32_t r = 0; r < t->n_ranks; r++)
			*doubt_ns += x->doubt(&a->rank_budget[r], h.calls_ns[r]);
		x->doubt(&a->budget, *doubt_ns);
		x->doubt(&a->blame, share_ns(*doubt_ns, x->of_ns(&a->budget), x->of_ns(&a->blame)));
	}
	free(h.calls_ns);
	return 0;
}

int hindered_doubt(const struct trace *t, const struct messages *m, struct attribution *a,
		   struct err *err)
{
	if (find_doubt(t, m, a, &searching, &a->searched_ns, err))
		return -1;
	return find_doubt(t, m, a, &waiting_for_cores, &a->awaited_ns, err);
}
