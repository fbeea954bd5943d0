/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The skew hotspot: one rank is sent far more than its share, and its messages wait there.
 * What an even division of the volume would leave of that waiting is not saved; what others wait for
 * ranks that were held up there is (spread_saving.c). Runs after
 * rule_incast and rule_server and leaves out the ranks that those explain.
 */
#include "analyze/rules.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyze/spread_saving.h"
#include "common/number.h"

#define RANKS_MIN    4
#define MESSAGES_MIN 20
#define GINI_MIN     0.3
#define SHARE_FACTOR 2.5 /* times an even share of the bytes */

struct skew {
	const struct evidence_base *b;
	double *bytes; /* per rank, and 1 for each message: empty ones cost too */
	double *sorted;
	double *held_s; /* per rank: held up by messages to the rank at work */
	double *by_key; /* bytes to it by sending place */
	double all, gini;
};

static void sum_columns(struct skew *x)
{
	const struct messages *m = x->b->m;

	for (uint32_t i = 0; i < m->n; i++) {
		x->bytes[m->m[i].dst] += m->m[i].bytes + 1.0;
		x->all += m->m[i].bytes + 1.0;
	}
	for (uint32_t r = 0; r < x->b->t->n_ranks; r++)
		x->sorted[r] = x->bytes[r];
	x->gini = rule_gini(x->sorted, x->b->t->n_ranks);
}

/* Who was held up by messages to dst. Returns the place that sends it most. */
static uint32_t sum_held(struct skew *x, uint32_t dst)
{
	const struct evidence_base *b = x->b;
	uint32_t most = b->m->m[b->m->by_dst[dst]].place;

	for (uint32_t r = 0; r < b->t->n_ranks; r++)
		x->held_s[r] = 0;
	for (uint32_t k = 0; k < trace_places(b->t); k++)
		x->by_key[k] = 0;
	for (uint32_t i = b->m->by_dst[dst]; i < b->m->by_dst[dst + 1]; i++) {
		const struct message *msg = &b->m->m[i];
		uint32_t key = msg->place;

		x->held_s[msg->src] += b->a->held_ns[i] * 1e-9;
		x->by_key[key] += msg->bytes + 1.0;
		if (x->by_key[key] > x->by_key[most])
			most = key;
	}
	return most;
}

static int report(struct skew *x, uint32_t dst, struct findings *out, struct err *err)
{
	const struct evidence_base *b = x->b;
	double share = x->bytes[dst] / x->all, even = 1.0 / b->t->n_ranks, held_s = 0;
	struct hotspot h = {.kind = "skew", .rank = dst};
	struct spread_saving saves;
	uint32_t key = sum_held(x, dst);

	if (spread_saving_find(b, dst, even / share, NULL, &saves, err))
		return -1;
	h.saves_mid_s = saves.mid_s;
	h.saves_high_s = saves.high_s;
	for (uint32_t r = 0; r < b->t->n_ranks; r++)
		held_s += x->held_s[r];
	h.site = rule_key_site(b->t, key);
	h.region = senders_region(&b->senders, key);
	snprintf(h.title, sizeof(h.title),
		 "rank %u gets %.0f %% of the bytes, %.1f times its share", dst, 100 * share,
		 share / even);
	snprintf(h.why, sizeof(h.why),
		 "volume is uneven (Gini %.2f); messages to rank %u queue for %s and hold ranks "
		 "up for %s; no more than an even share would remain",
		 x->gini, dst, number_seconds(b->a->wait_caused_ns[dst] * 1e-9).text,
		 number_seconds(held_s).text);
	snprintf(
		h.advice, sizeof(h.advice),
		"spread what rank %u owns over more ranks, or combine before sending; "
		"while it is so uneven, wait for each message (synchronous) rather than queue many",
		dst);
	hotspot_evidence(&h, "bytes_share", share);
	hotspot_evidence(&h, "even_share", even);
	hotspot_evidence(&h, "volume_gini", x->gini);
	hotspot_evidence(&h, "wait_caused_s", b->a->wait_caused_ns[dst] * 1e-9);
	hotspot_evidence(&h, "held_s", held_s);
	hotspot_evidence(&h, "site_share_of_bytes", x->by_key[key] / x->bytes[dst]);
	return findings_add(out, &h, err);
}

static int judge(struct skew *x, struct findings *out, struct err *err)
{
	const struct evidence_base *b = x->b;

	sum_columns(x);
	if (x->gini < GINI_MIN)
		return 0;
	for (uint32_t r = 0; r < b->t->n_ranks; r++) {
		if (x->bytes[r] * b->t->n_ranks < SHARE_FACTOR * x->all ||
		    b->a->wait_caused_ns[r] * 1e-9 < RULE_LEAST_SHARE * b->rank_time_s ||
		    findings_has(out, "incast", r) || findings_has(out, "server", r))
			continue;
		if (report(x, r, out, err))
			return -1;
	}
	return 0;
}

int rule_skew(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct skew x = {.b = b};
	size_t ranks = b->t->n_ranks + 1u;
	int ret = -1;

	if (b->t->n_ranks < RANKS_MIN || b->m->n < MESSAGES_MIN)
		return 0;
	x.bytes = calloc(ranks, sizeof(*x.bytes));
	x.sorted = calloc(ranks, sizeof(*x.sorted));
	x.held_s = calloc(ranks, sizeof(*x.held_s));
	x.by_key = calloc(trace_places(b->t) + 1u, sizeof(*x.by_key));
	if (!x.bytes || !x.sorted || !x.held_s || !x.by_key)
		err_set(err, "out of memory for %u ranks", b->t->n_ranks);
	else
		ret = judge(&x, out, err);
	free(x.by_key);
	free(x.held_s);
	free(x.sorted);
	free(x.bytes);
	return ret;
}
