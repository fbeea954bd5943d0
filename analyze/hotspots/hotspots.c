/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/hotspots/hotspots.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/gains/shared_cores.h"
#include "analyze/hotspots/rules.h"
#include "analyze/tools/share.h"

enum nature { CONTENTION, HABIT };

/*
 * In the order in which they look: those of contention leave out what earlier ones explain; of
 * the others those that take long come first, so that no hand is left alone with one of them.
 */
static const struct rule {
	const char *kind;
	enum nature nature;
	int spares_sends; /* 1: what is saved is what ranks wait in the sends at its place */
	int is_of_cores;  /* 1: what it takes for contention may be waiting for cores */
	int keeps_work;   /* 1: what each rank computes stays as it is */
	int (*look)(const struct evidence_base *, struct findings *, struct err *);
} rules[] = {
	// clang-format off
	{"order", CONTENTION, 1, 1, 1, rule_order},
	{"server", CONTENTION, 0, 0, 0, rule_server},
	{"incast", CONTENTION, 1, 1, 1, rule_incast},
	{"skew", CONTENTION, 1, 1, 1, rule_skew},
	{"skew", CONTENTION, 0, 0, 1, rule_uneven_counts},
	{"skew", CONTENTION, 0, 0, 1, rule_hot_target},
	{"back_pressure", CONTENTION, 1, 0, 1, rule_back_pressure},
	{"shared_link", CONTENTION, 0, 0, 1, rule_shared_link},
	{"synchronous", HABIT, 1, 0, 1, rule_synchronous},
	{"asynchronous", HABIT, 1, 0, 1, rule_asynchronous},
	{"polling", HABIT, 0, 0, 0, rule_polling},
	{"sleep", HABIT, 0, 0, 1, rule_sleep},
	{"receive_order", HABIT, 0, 0, 0, rule_receive_order},
	{"chain", HABIT, 0, 0, 1, rule_chain},
	{"aggregation", HABIT, 1, 0, 1, rule_aggregation},
	{"aggregation", HABIT, 0, 0, 1, rule_small_calls},
	{"block_size", HABIT, 0, 0, 1, rule_block_size},
	{"late_posting", HABIT, 0, 0, 1, rule_late_posting},
	{"overlap", HABIT, 0, 0, 1, rule_overlap},
	{"imbalance", HABIT, 0, 0, 0, rule_imbalance},
	{"imbalance", HABIT, 0, 0, 0, rule_rounds},
	{"mapping", HABIT, 0, 0, 1, rule_mapping},
	// clang-format on
};

#define ALIKE       1.25 /* savings within one such step are */
#define CORES_WORTH 0.05 /* of the contention: to be named */

#define RULES (sizeof(rules) / sizeof(*rules))

/* Savings of one step are alike. */
static int magnitude(const struct hotspot *h)
{
	return h->saves_mid_s > 0 ? (int)floor(log(h->saves_mid_s) / log(ALIKE)) : INT_MIN;
}

/* By the likely saving; of those alike the surer one first. */
static int by_saving(const void *a, const void *b)
{
	const struct hotspot *x = a, *y = b;
	int mx = magnitude(x), my = magnitude(y);

	if (mx != my)
		return mx < my ? 1 : -1;
	if (x->severity != y->severity)
		return x->severity < y->severity ? 1 : -1;
	if (x->saves_mid_s != y->saves_mid_s)
		return x->saves_mid_s < y->saves_mid_s ? 1 : -1;
	return x->saves_high_s < y->saves_high_s ? 1 : x->saves_high_s > y->saves_high_s ? -1 : 0;
}

/* High only where at least some of the saving is certain. */
static enum severity severity_of(const struct hotspot *h, double wall_s)
{
	if (h->saves_mid_s >= 0.05 * wall_s && h->saves_low_s > 0)
		return SEVERITY_HIGH;
	return h->saves_mid_s >= 0.02 * wall_s ? SEVERITY_MEDIUM : SEVERITY_LOW;
}

/* As much of the contention as may be waiting for cores is likely none, and may be all of it. */
static void doubt_cores(const struct evidence_base *b, struct hotspot *h)
{
	double share = attribution_core_doubt(b->a);
	size_t used = strlen(h->why);

	if (share <= 0)
		return;
	h->saves_low_s *= 1 - share;
	h->saves_mid_s *= 1 - share;
	hotspot_evidence(h, "waiting_for_cores_share", share);
	if (share >= CORES_WORTH)
		snprintf(h->why + used, sizeof(h->why) - used,
			 "; up to %.0f %% of the contention may be waiting for a core",
			 100 * share);
}

/*
 * What no message can shorten, s: MPI's start and end, and what a rank surely computes, of the one
 * that does so for longest. Who slept may have waited, for what is not MPI's.
 */
static double needed_s(const struct evidence_base *b)
{
	double most_s = 0.0;

	for (uint32_t r = 0; r < b->t->n_ranks; r++) {
		const struct part *parts = b->a->rank_budget[r].parts;
		double own_s = (double)parts[COST_compute].low_ns * 1e-9;

		most_s = fmax(most_s, (double)parts[COST_start_end].ns * 1e-9 +
					      shared_cores_sure_s(b, r, own_s));
	}
	return most_s;
}

static void bound(struct hotspot *h, double most_s)
{
	h->saves_high_s = fmin(h->saves_high_s, most_s);
	h->saves_mid_s = fmin(h->saves_mid_s, most_s);
	h->saves_low_s = fmin(h->saves_low_s, most_s);
}

/* The first before the k-th that spares the same sends: each is as if the other were not. */
static uint32_t same_sends(const struct findings *f, uint32_t k)
{
	const struct hotspot *h = &f->h[k];

	for (uint32_t i = 0; h->site != TRACE_NONE && h->spares_sends && i < k; i++)
		if (f->h[i].site == h->site && f->h[i].region == h->region && f->h[i].spares_sends)
			return i;
	return TRACE_NONE;
}

/*
 * Where a habit is in the way of the same sends as contention that costs about as much, that is the
 * cause, and comes first.
 */
static void put_causes_first(struct findings *f)
{
	for (uint32_t k = 1; k < f->n; k++) {
		struct hotspot cause = f->h[k];
		uint32_t at = same_sends(f, k);

		if (at == TRACE_NONE || !cause.is_contention || f->h[at].is_contention ||
		    cause.saves_mid_s * ALIKE < f->h[at].saves_mid_s)
			continue;
		memmove(&f->h[at + 1], &f->h[at], (k - at) * sizeof(*f->h));
		f->h[at] = cause;
	}
}

/* The rules at work: those of habits side by side, those of contention one after the other. */
struct looking {
	const struct evidence_base *base;
	double needed_s;
	struct findings found[RULES];    /* by each rule; all contention is the first one's, */
	struct unjudged unjudged[RULES]; /* but what each left open is its own */
};

static int is_contention(uint32_t rule)
{
	return rule < RULES && rules[rule].nature == CONTENTION;
}

static int look(void *looking, unsigned hand, uint32_t rule, struct err *err)
{
	struct looking *l = looking;
	double most_s = fmax(0, l->base->wall_s - l->needed_s);
	uint32_t k = rule;

	(void)hand;
	if (rule > 0 && is_contention(rule))
		return 0; /* done with the first */
	do {
		uint32_t first = l->found[rule].n;

		l->found[rule].unjudged = (struct unjudged){NULL};
		if (rules[k].look(l->base, &l->found[rule], err))
			return -1;
		for (uint32_t i = first; i < l->found[rule].n; i++) {
			if (rules[k].is_of_cores)
				doubt_cores(l->base, &l->found[rule].h[i]);
			if (rules[k].keeps_work)
				bound(&l->found[rule].h[i], most_s);
		}
		l->unjudged[k] = l->found[rule].unjudged;
	} while (is_contention(++k));
	return 0;
}

/* All that was found, in the order of the rules. Returns 0, or -1 with *err set. */
static int gather(struct looking *l, struct findings *out, struct err *err)
{
	for (size_t k = 0; k < RULES; k++)
		for (uint32_t i = 0; i < l->found[k].n; i++) {
			l->found[k].h[i].is_contention = is_contention((uint32_t)k);
			l->found[k].h[i].spares_sends = rules[k].spares_sends;
			if (findings_add(out, &l->found[k].h[i], err))
				return -1;
			l->found[k].h[i].order = NULL; /* out's now, both */
			l->found[k].h[i].about = NULL;
		}
	return 0;
}

/* Kinds of which there is no hotspot, or places, only as the machine is not known well enough. */
static void list_unjudged(const struct looking *l, struct hotspots *out)
{
	double least_s = RULE_LEAST_SHARE * l->base->rank_time_s;

	for (size_t k = 0; k < RULES && out->n_unjudged < UNJUDGED_MAX; k++) {
		const struct unjudged *u = &l->unjudged[k];
		uint32_t i = 0;

		while (u->kind && !u->is_apart && i < out->n &&
		       strcmp(out->h[i].kind, u->kind) != 0)
			i++;
		if (u->kind && (u->is_apart || i == out->n) && u->at_stake_s >= least_s)
			out->unjudged[out->n_unjudged++] = *u;
	}
}

static void release(struct hotspot *h)
{
	free(h->about);
	free(h->order);
}

int hotspots_find(const struct evidence_base *base, struct hotspots *out, struct err *err)
{
	struct looking l = {.base = base, .needed_s = needed_s(base)};
	struct findings found = {0};
	int ret = -1;

	if (share_run(share_hands(), RULES, look, &l, err) || gather(&l, &found, err))
		goto out;
	for (uint32_t k = 0; k < found.n;)
		if (hotspot_is_trifle(&found.h[k], base->wall_s)) {
			release(&found.h[k]);
			found.h[k] = found.h[--found.n];
		} else {
			k++;
		}
	for (uint32_t k = 0; k < found.n; k++)
		found.h[k].severity = severity_of(&found.h[k], base->wall_s);
	if (found.n)
		qsort(found.h, found.n, sizeof(*found.h), by_saving);
	put_causes_first(&found);
	for (uint32_t k = 0; k < found.n; k++)
		found.h[k].same_sends_as = same_sends(&found, k);
	*out = (struct hotspots){.h = found.h, .n = found.n};
	list_unjudged(&l, out);
	ret = 0;
out:
	if (ret)
		hotspots_release(&(struct hotspots){.h = found.h, .n = found.n});
	for (size_t k = 0; k < RULES; k++)
		hotspots_release(&(struct hotspots){.h = l.found[k].h, .n = l.found[k].n});
	return ret;
}

void hotspots_release(struct hotspots *h)
{
	for (uint32_t k = 0; k < h->n; k++)
		release(&h->h[k]);
	free(h->h);
	memset(h, 0, sizeof(*h));
}
