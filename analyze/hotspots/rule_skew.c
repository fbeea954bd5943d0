/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The skew hotspot: one rank is sent far more than its share, and its messages wait there.
 * What an even division of the volume would leave of that waiting is not saved; what others wait
 * for ranks that were held up there is (spread_saving.c). Runs after rule_incast and rule_server
 * and leaves out the ranks that those explain.
 */
#include "analyze/hotspots/rules.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyze/hotspots/spread_saving.h"
#include "common/number.h"

#define RANKS_MIN    4
#define MESSAGES_MIN 20
#define GINI_MIN     0.3
#define SHARE_FACTOR 2.5 /* times an even share of the bytes */

struct skew {
	const struct evidence_base *b;
	double *bytes; /* per rank, and 1 for each message: empty ones cost too */
	double *sorted;
	double *held_s; /* per rank: held up by messages to those at work */
	double *by_key; /* bytes to it by sending place */
	struct spread_part *part;
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

/* What ranks are held up by messages to the n ranks, s. *most: the place that sends them most. */
static double sum_held_s(struct skew *x, const struct spread_part *part, uint32_t n, uint32_t *most)
{
	const struct messages *m = x->b->m;
	double held_s = 0;

	*most = m->m[m->by_dst[part->dst]].place;
	for (uint32_t r = 0; r < x->b->t->n_ranks; r++)
		x->held_s[r] = 0;
	for (uint32_t k = 0; k < trace_places(x->b->t); k++)
		x->by_key[k] = 0;
	for (uint32_t k = 0; k < n; k++)
		for (uint32_t i = m->by_dst[part[k].dst]; i < m->by_dst[part[k].dst + 1]; i++) {
			uint32_t key = m->m[i].place;

			x->held_s[m->m[i].src] += x->b->a->held_ns[i] * 1e-9;
			x->by_key[key] += m->m[i].bytes + 1.0;
			if (x->by_key[key] > x->by_key[*most])
				*most = key;
		}
	for (uint32_t r = 0; r < x->b->t->n_ranks; r++)
		held_s += x->held_s[r];
	return held_s;
}

/* What is said of one rank, or of several together, whose costliest is the first. */
struct facts {
	double share, even; /* of the bytes */
	double caused_s, held_s;
	uint32_t key; /* the place that sends most */
};

static void write_words(const struct skew *x, const struct facts *f, uint32_t dst, uint32_t n,
			struct hotspot *h)
{
	char others[40] = "";

	if (n > 1)
		snprintf(others, sizeof(others), " and %u others", n - 1);
	snprintf(h->title, sizeof(h->title),
		 "rank %u%s get%s %.0f %% of the bytes, %.1f times %s share", dst, others,
		 n > 1 ? "" : "s", 100 * f->share, f->share / f->even, n > 1 ? "their" : "its");
	snprintf(h->why, sizeof(h->why),
		 "volume is uneven (Gini %.2f); messages to rank %u%s queue for %s and hold ranks "
		 "up for %s in all; no more than an even share would remain",
		 x->gini, dst, others, number_seconds(f->caused_s).text,
		 number_seconds(f->held_s).text);
	snprintf(
		h->advice, sizeof(h->advice),
		"spread what rank %u%s own%s over more ranks, or combine before sending; "
		"while it is so uneven, wait for each message (synchronous) rather than queue many",
		dst, others, n > 1 ? "" : "s");
}

static void describe(void *skew, const struct spread_part *part, uint32_t n, struct hotspot *h)
{
	struct skew *x = skew;
	const struct evidence_base *b = x->b;
	struct facts f = {.even = (double)n / b->t->n_ranks};
	double bytes = 0;

	for (uint32_t k = 0; k < n; k++) {
		bytes += x->bytes[part[k].dst];
		f.caused_s += part[k].caused_s;
	}
	f.share = bytes / x->all;
	f.held_s = sum_held_s(x, part, n, &f.key);
	h->kind = "skew";
	h->site = rule_key_site(b->t, f.key);
	h->region = senders_region(&b->senders, f.key);
	write_words(x, &f, part->dst, n, h);
	hotspot_evidence(h, "bytes_share", f.share);
	hotspot_evidence(h, "even_share", f.even);
	hotspot_evidence(h, "volume_gini", x->gini);
	hotspot_evidence(h, "wait_caused_s", f.caused_s);
	hotspot_evidence(h, "held_s", f.held_s);
	hotspot_evidence(h, "site_share_of_bytes", x->by_key[f.key] / bytes);
}

static int judge(struct skew *x, struct findings *out, struct err *err)
{
	const struct evidence_base *b = x->b;
	uint32_t n = 0;

	sum_columns(x);
	if (x->gini < GINI_MIN)
		return 0;
	for (uint32_t r = 0; r < b->t->n_ranks; r++) {
		double caused_s = b->a->wait_caused_ns[r] * 1e-9;

		if (x->bytes[r] * b->t->n_ranks < SHARE_FACTOR * x->all ||
		    caused_s < RULE_LEAST_SHARE * b->rank_time_s ||
		    findings_has(out, "incast", r) || findings_has(out, "server", r))
			continue;
		x->part[n++] = (struct spread_part){r, 1.0 / b->t->n_ranks / (x->bytes[r] / x->all),
						    caused_s};
	}
	return spread_saving_find(b, x->part, n, NULL, describe, x, out, err);
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
	x.part = calloc(ranks, sizeof(*x.part));
	if (!x.bytes || !x.sorted || !x.held_s || !x.by_key || !x.part)
		err_set(err, "out of memory for %u ranks", b->t->n_ranks);
	else
		ret = judge(&x, out, err);
	free(x.part);
	free(x.by_key);
	free(x.held_s);
	free(x.sorted);
	free(x.bytes);
	return ret;
}
