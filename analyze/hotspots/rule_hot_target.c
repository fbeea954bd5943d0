/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A skew hotspot of one-sided communication: far more than its share of the operations goes to one
 * rank's memory, and ranks wait for each other's locks on it. Spread over all targets they hardly
 * meet any more: the waits until the lock was given back are likely saved, at most the whole calls
 * that waited, with the handing over; where ranks share cores who waits takes them from others,
 * too. Nothing of it is certain, as what the lock protects may have to be in one place.
 */
#include "analyze/hotspots/rules.h"
#include "common/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RANKS_MIN      4
#define OPERATIONS_MIN 20
#define SHARE_FACTOR   2.5 /* times an even share of the operations */

/* Waits for locks on the busiest target. */
struct waits {
	double *lost_s;   /* per rank that waits, until the lock was given back */
	double *calls_s;  /* and the whole calls, as often as ranks share its core */
	double *by_place; /* and by place of the call */
	uint32_t call;    /* one at the place with most */
};

static void add_waits(const struct evidence_base *b, uint32_t target, struct waits *w)
{
	const struct onesided *o = &b->a->onesided;
	uint32_t most = TRACE_NONE;

	for (uint32_t i = 0; i < o->n; i++) {
		const struct onesided_call *x = &o->calls[i];
		const struct call *c = &b->t->calls[x->call];
		uint32_t place = trace_place(b->t, x->call);
		double s = (double)(x->until_ns - c->enter_ns) * 1e-9;

		if (x->cause != ONESIDED_LOCKED || x->target != target)
			continue;
		w->lost_s[c->rank] += s;
		w->calls_s[c->rank] += (double)(c->leave_ns - c->enter_ns) * 1e-9 *
				       fmax(b->t->ranks[c->rank].crowd, 1);
		w->by_place[place] += s;
		if (most == TRACE_NONE || w->by_place[place] >= w->by_place[most]) {
			most = place;
			w->call = x->call;
		}
	}
}

static void write_words(const struct evidence_base *b, const struct target_load *l,
			struct hotspot *h)
{
	uint32_t r = l->most;
	double share = l->operations[r] / l->all_operations;

	snprintf(h->title, sizeof(h->title),
		 "rank %u is the target of %.0f %% of one-sided operations, %.1f times its share",
		 r, 100 * share, share * b->t->n_ranks);
	snprintf(h->why, sizeof(h->why),
		 "%s of %s operations of other ranks, %s, go to rank %u; all ranks wait %s for "
		 "locks on it that others hold, %.0f %% of such waits; spread over all targets "
		 "they would hardly meet",
		 number_count(l->operations[r]).text, number_count(l->all_operations).text,
		 number_bytes(l->bytes[r]).text, r, number_seconds(l->lock_s[r]).text,
		 100 * l->lock_s[r] / l->all_lock_s);
	snprintf(h->advice, sizeof(h->advice),
		 "spread what rank %u keeps over more targets; do less while holding the lock; "
		 "where operations are atomic a shared lock (MPI_LOCK_SHARED, MPI_Win_lock_all) "
		 "is enough",
		 r);
}

static int report(const struct evidence_base *b, const struct target_load *l, struct waits *w,
		  struct findings *out, struct err *err)
{
	struct hotspot h = {.kind = "skew", .rank = l->most};
	double most_s;

	add_waits(b, l->most, w);
	rule_saves(b, w->calls_s, &h);
	most_s = h.saves_high_s;
	rule_saves(b, w->lost_s, &h);
	h.saves_high_s = most_s;
	h.site = rule_key_site(b->t, trace_place(b->t, w->call));
	h.region = b->t->calls[w->call].region;
	write_words(b, l, &h);
	hotspot_evidence(&h, "operations_share", l->operations[l->most] / l->all_operations);
	hotspot_evidence(&h, "even_share", 1.0 / b->t->n_ranks);
	hotspot_evidence(&h, "bytes_share",
			 l->all_bytes > 0 ? l->bytes[l->most] / l->all_bytes : 0);
	hotspot_evidence(&h, "lock_wait_s", l->lock_s[l->most]);
	hotspot_evidence(&h, "lock_wait_share", l->lock_s[l->most] / b->rank_time_s);
	return findings_add(out, &h, err);
}

static int is_hot(const struct evidence_base *b, const struct target_load *l)
{
	return l->operations[l->most] >= OPERATIONS_MIN &&
	       l->operations[l->most] * b->t->n_ranks >= SHARE_FACTOR * l->all_operations &&
	       l->lock_s[l->most] >= RULE_LEAST_SHARE * b->rank_time_s;
}

int rule_hot_target(const struct evidence_base *b, struct findings *out, struct err *err)
{
	const struct target_load *l = &b->a->targets;
	struct waits w = {0};
	int ret = 0;

	if (!b->a->onesided.n || b->t->n_ranks < RANKS_MIN)
		return 0;
	if (is_hot(b, l)) {
		w.lost_s = calloc(b->t->n_ranks + 1u, sizeof(*w.lost_s));
		w.calls_s = calloc(b->t->n_ranks + 1u, sizeof(*w.calls_s));
		w.by_place = calloc(trace_places(b->t) + 1u, sizeof(*w.by_place));
		ret = w.lost_s && w.calls_s && w.by_place
			      ? report(b, l, &w, out, err)
			      : err_set(err, "out of memory for %u ranks", b->t->n_ranks);
	}
	free(w.by_place);
	free(w.calls_s);
	free(w.lost_s);
	return ret;
}
