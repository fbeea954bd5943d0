/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order hotspot: every rank sends to the others in the same order, so that at any time
 * most messages crowd before one receiver, although in the end all receive the same amount.
 * The matrix looks perfect; only time shows it (EM3D in the LoGPC paper, section 5.3).
 */
#include "analyze/hotspots/rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/gains/order_saving.h"
#include "analyze/gains/order_test.h"

#define RANKS_MIN     4
#define MESSAGES_MIN  10
#define SIGMAS        5.0  /* above chance to count at all, by */
#define CROWD_FACTOR  1.25 /* this much as a ratio, and by */
#define CROWD_MARGIN  0.08 /* this much as a difference, or */
#define CROWD_TWICE   2.0  /* this as a ratio: among many ranks chance is next to nothing */
#define AGREEMENT_MIN 0.5
#define GINI_MAX      0.35 /* above, some receivers simply get more: not the order's fault */

/* Sums over the messages of one site. */
struct site_time {
	uint32_t key;
	double held_s;       /* contention with which they held up ranks */
	double contention_s; /* of their own time, */
	double total_s;      /* and all of that */
	double gini;         /* of the bytes received by each rank */
};

static int sum_site(const struct evidence_base *b, uint32_t key, struct site_time *out,
		    struct err *err)
{
	double *received = calloc((size_t)b->t->n_ranks + 1, sizeof(*received));
	struct site_time x = {.key = key};

	if (!received)
		return err_set(err, "out of memory for %u ranks", b->t->n_ranks);
	for (uint32_t k = b->senders.at[key]; k < b->senders.at[key + 1]; k++) {
		uint32_t i = b->senders.message[k];

		messages_fetch_in(b->m, b->senders.message, b->senders.at[key + 1], k);
		if (b->senders.at[key + 1] - k > MESSAGES_AHEAD)
			prefetch(&b->a->held_ns[b->senders.message[k + MESSAGES_AHEAD]]);
		x.held_s += b->a->held_ns[i] * 1e-9;
		received[b->m->m[i].dst] += b->m->m[i].bytes + 1.0;
	}
	x.gini = rule_gini(received, b->t->n_ranks);
	free(received);
	*out = x;
	return 0;
}

/* What of their own time was contention: only of a site that is worth a line. */
static void sum_messages(const struct evidence_base *b, struct site_time *x)
{
	for (uint32_t k = b->senders.at[x->key]; k < b->senders.at[x->key + 1]; k++) {
		uint32_t i = b->senders.message[k];

		x->contention_s += attribution_contention_ns(b->a, i) * 1e-9;
		x->total_s += (b->m->m[i].done_ns - b->m->m[i].sent_ns) * 1e-9;
	}
}

static int stands_out(const struct by_chance *c)
{
	return c->value > c->mean + SIGMAS * c->deviation;
}

static int is_crowded(const struct order_test *x)
{
	const struct by_chance *c = &x->concentration;

	return stands_out(c) && c->value > c->mean * CROWD_FACTOR &&
	       c->value > fmin(c->mean + CROWD_MARGIN, c->mean * CROWD_TWICE) &&
	       stands_out(&x->agreement) && x->agreement.value >= AGREEMENT_MIN;
}

static void write_words(const struct evidence_base *b, const struct order_test *test,
			const struct site_time *time, const struct order_saving *saving,
			struct hotspot *h)
{
	int n;

	if (test->ascending > 0.9)
		snprintf(h->title, sizeof(h->title),
			 "all ranks send to 0,1,2,... in the same order");
	else if (test->ascending < 0.1)
		snprintf(h->title, sizeof(h->title),
			 "all ranks send to %u,%u,%u,... in the same order", b->t->n_ranks - 1,
			 b->t->n_ranks - 2, b->t->n_ranks - 3);
	else
		snprintf(h->title, sizeof(h->title),
			 "all ranks send to the others in the same order");
	n = snprintf(h->why, sizeof(h->why),
		     "temporal concentration %.2f (random order %.2f), volume even (Gini %.2f); "
		     "queue at the popular rank %.1f deep",
		     test->concentration.value, test->concentration.mean, time->gini, test->depth);
	if (saving->closure > ORDER_CLOSURE_GOOD && n > 0 && (size_t)n < sizeof(h->why))
		snprintf(h->why + n, sizeof(h->why) - n, "; replay off by %.0f %%: %s",
			 100 * saving->closure,
			 saving->fitted ? "the ports' time is what it needs to fit"
			 : saving->closure > ORDER_CLOSURE_USELESS ? "saving is a bound only"
								   : "saving is rough");
	snprintf(h->advice, sizeof(h->advice), "%s",
		 time->gini < 0.15
			 ? "let each rank start at (rank+1) mod P, or shuffle its destinations"
			 : "shuffle the destinations on every rank");
}

static void write_evidence(const struct evidence_base *b, const struct order_test *test,
			   const struct site_time *time, const struct order_saving *saving,
			   struct hotspot *h)
{
	const struct by_chance *c = &test->concentration;

	hotspot_evidence(h, "temporal_concentration", c->value);
	hotspot_evidence(h, "temporal_concentration_random", c->mean);
	hotspot_evidence(h, "sigmas_above_random", (c->value - c->mean) / fmax(c->deviation, 1e-3));
	hotspot_evidence(h, "order_agreement", test->agreement.value);
	hotspot_evidence(h, "order_agreement_random", test->agreement.mean);
	hotspot_evidence(h, "volume_gini", time->gini);
	hotspot_evidence(h, "queue_depth", test->depth);
	hotspot_evidence(h, "contention_share", time->held_s / b->rank_time_s);
	hotspot_evidence(h, "stall_share",
			 time->total_s > 0 ? time->contention_s / time->total_s : 0);
	hotspot_evidence(h, "destinations", test->destinations);
	hotspot_evidence(h, "episodes", test->episodes);
	hotspot_evidence(h, "replay_closure_error", saving->closure);
}

static int judge_episodes(const struct evidence_base *b, struct site_time *time,
			  const struct episodes *e, struct findings *out, struct err *err)
{
	struct hotspot h = {.kind = "order", .rank = TRACE_NONE};
	int shared = trace_any_shares_core(b->t);
	struct order_saving saving;
	struct order_test test;

	if (order_test_run(b, e, AGREEMENT_MIN, &test, err))
		return -1;
	if (test.episodes < RANKS_MIN || !is_crowded(&test))
		return 0;
	sum_messages(b, time);
	if (order_saving_find(b, e, time->gini < 0.15 ? ORDER_STAGGER : ORDER_SHUFFLE, &saving,
			      err))
		return -1;
	/* Those that share cores take messages in by turns, which looks like an order's queues. */
	if (shared && !order_saving_is_replayed(&saving))
		return 0;
	order_saving_bound(&saving, time->held_s / b->t->n_ranks);
	h.site = senders_site(&b->senders, time->key);
	h.region = senders_region(&b->senders, time->key);
	h.saves_low_s = shared ? 0 : saving.low_s;
	h.saves_mid_s = saving.mid_s;
	h.saves_high_s = fmax(saving.mid_s, saving.high_s);
	write_words(b, &test, time, &saving, &h);
	write_evidence(b, &test, time, &saving, &h);
	return findings_add(out, &h, err);
}

static int judge_site(const struct evidence_base *b, uint32_t key, struct findings *out,
		      struct err *err)
{
	struct site_time time;
	struct episodes e;
	int ret;

	if (sum_site(b, key, &time, err))
		return -1;
	if (time.held_s < RULE_LEAST_SHARE * b->rank_time_s || time.gini > GINI_MAX)
		return 0;
	if (episodes_cut(&e, &b->senders, key, err))
		return -1;
	ret = judge_episodes(b, &time, &e, out, err);
	episodes_release(&e);
	return ret;
}

int rule_order(const struct evidence_base *b, struct findings *out, struct err *err)
{
	if (b->t->n_ranks < RANKS_MIN)
		return 0;
	for (uint32_t key = 0; key < b->senders.keys; key++) {
		if (b->senders.at[key + 1] - b->senders.at[key] < MESSAGES_MIN)
			continue;
		if (judge_site(b, key, out, err))
			return -1;
	}
	return 0;
}
