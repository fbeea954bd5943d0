/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The incast hotspot: many ranks send to one at the same time, and wait there for each
 * other. Unlike an order hotspot it is always the same rank. Runs after rule_order and
 * rule_server and leaves out what they explain.
 */
#include "analyze/rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/flights.h"
#include "analyze/spread_saving.h"
#include "common/number.h"

#define FAN_IN_MIN    4
#define FAN_IN_FACTOR 3    /* times the median receiver's */
#define TAIL          0.05 /* share of the busy time whose highest fan-in is left out as a fluke */

struct incast {
	const struct evidence_base *b;
	struct flight_edge *edge; /* room for the messages of one receiver */
	uint32_t *flying;         /* per source: messages in flight to it */
	double *at_fan_in;        /* ns spent at each number of sources */
	uint32_t *fan_in;         /* per receiver */
	uint32_t *sorted;
	uint32_t median;    /* of fan_in */
	uint8_t *explained; /* per sending site: an order hotspot already */
};

/* The fan-in of distinct sources that is reached for TAIL of the time anything is in flight. */
static uint32_t fan_in_of(struct incast *x, uint32_t dst)
{
	const struct messages *m = x->b->m;
	uint32_t first = m->by_dst[dst], n = m->by_dst[dst + 1] - first, sources = 0, k;
	double busy = 0, tail = 0;

	memset(x->at_fan_in, 0, (x->b->t->n_ranks + 1) * sizeof(*x->at_fan_in));
	for (uint32_t i = 0; i < n; i++) {
		const struct message *msg = &m->m[first + i];

		x->edge[2 * i] = (struct flight_edge){msg->sent_ns, first + i, 1};
		x->edge[2 * i + 1] = (struct flight_edge){
			flights_end_ns(x->b->t, m, x->b->a, first + i), first + i, -1};
		messages_fetch(x->b->t, m, first + i);
	}
	flights_sort(x->edge, 2 * (size_t)n);
	for (size_t i = 0; i < 2 * (size_t)n; i++) {
		uint32_t *flying = &x->flying[m->m[x->edge[i].flight].src];

		if (i > 0 && sources > 0) {
			x->at_fan_in[sources] += x->edge[i].ns - x->edge[i - 1].ns;
			busy += x->edge[i].ns - x->edge[i - 1].ns;
		}
		sources -= *flying > 0;
		*flying += x->edge[i].change;
		sources += *flying > 0;
	}
	memset(x->flying, 0, x->b->t->n_ranks * sizeof(*x->flying));
	for (k = x->b->t->n_ranks; k > 0; k--) {
		tail += x->at_fan_in[k];
		if (tail > TAIL * busy)
			break;
	}
	return k;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static uint32_t median_fan_in(struct incast *x)
{
	uint32_t n = x->b->t->n_ranks;

	memcpy(x->sorted, x->fan_in, n * sizeof(*x->sorted));
	qsort(x->sorted, n, sizeof(*x->sorted), by_number);
	return x->sorted[n / 2];
}

/* What the messages to one receiver cost, and who sends the costliest. */
struct blame {
	double caused_s; /* contention of the messages themselves */
	double held_s;   /* of that, what ranks waited for */
	uint32_t key;    /* sending site with the most */
	double site_s;
};

/* Sums per site, in an array that the caller gives zeroed. */
static void blame_receiver(const struct incast *in, uint32_t dst, double *by_key, struct blame *out)
{
	const struct evidence_base *b = in->b;
	struct blame x = {.key = 0};

	for (uint32_t i = b->m->by_dst[dst]; i < b->m->by_dst[dst + 1]; i++) {
		const struct message *msg = &b->m->m[i];
		uint32_t key = msg->place;
		double caused_s = attribution_contention_ns(b->a, i) * 1e-9;

		if (in->explained[key])
			continue;
		x.caused_s += caused_s;
		x.held_s += b->a->held_ns[i] * 1e-9;
		by_key[key] += caused_s;
		if (by_key[key] > x.site_s) {
			x.site_s = by_key[key];
			x.key = key;
		}
	}
	*out = x;
}

static int report(const struct incast *x, uint32_t dst, const struct blame *blame,
		  struct findings *out, struct err *err)
{
	const struct evidence_base *b = x->b;
	double bytes = 0, all = 0, left;
	struct spread_saving saves;
	struct hotspot h = {
		.kind = "incast",
		.site = senders_site(&b->senders, blame->key),
		.region = senders_region(&b->senders, blame->key),
		.rank = dst,
	};

	for (uint32_t i = 0; i < b->m->n; i++) {
		all += b->m->m[i].bytes;
		bytes += b->m->m[i].dst == dst ? b->m->m[i].bytes : 0;
	}
	/*
	 * Less what is left when all get as much; nothing for certain: the receiver has to take it
	 * all in any case.
	 */
	left = bytes > 0 ? fmin(all / bytes / b->t->n_ranks, 1) : 0;
	if (spread_saving_find(b, dst, left, x->explained, &saves, err))
		return -1;
	h.saves_mid_s = saves.mid_s;
	h.saves_high_s = saves.high_s;
	snprintf(h.title, sizeof(h.title), "up to %u ranks send to rank %u at the same time",
		 x->fan_in[dst], dst);
	snprintf(h.why, sizeof(h.why),
		 "fan-in %u (median rank %u), %.0f %% of the bytes; its messages queue for %s, "
		 "which holds ranks up for %s",
		 x->fan_in[dst], x->median, all > 0 ? 100 * bytes / all : 0,
		 number_seconds(blame->caused_s).text, number_seconds(blame->held_s).text);
	snprintf(h.advice, sizeof(h.advice),
		 "spread rank %u's part over more ranks, combine on the way (a tree or a "
		 "collective), "
		 "or send at different times",
		 dst);
	hotspot_evidence(&h, "fan_in", x->fan_in[dst]);
	hotspot_evidence(&h, "fan_in_median", x->median);
	hotspot_evidence(&h, "wait_caused_s", blame->caused_s);
	hotspot_evidence(&h, "wait_caused_share", blame->caused_s / b->rank_time_s);
	hotspot_evidence(&h, "held_s", blame->held_s);
	hotspot_evidence(&h, "bytes_share", all > 0 ? bytes / all : 0);
	hotspot_evidence(&h, "site_share_of_wait",
			 blame->caused_s > 0 ? blame->site_s / blame->caused_s : 0);
	return findings_add(out, &h, err);
}

/* Look at one receiver that others crowd around. */
static int judge_receiver(const struct incast *x, uint32_t dst, struct findings *out,
			  struct err *err)
{
	const struct evidence_base *b = x->b;
	double *by_key = calloc((size_t)b->senders.keys + 1, sizeof(*by_key));
	struct blame blame;
	int ret = -1;

	if (!by_key) {
		err_set(err, "out of memory for %u call sites", b->senders.keys);
		goto out;
	}
	blame_receiver(x, dst, by_key, &blame);
	ret = 0;
	if (blame.caused_s >= RULE_LEAST_SHARE * b->rank_time_s)
		ret = report(x, dst, &blame, out, err);
out:
	free(by_key);
	return ret;
}

/* Is it much that messages to this rank wait? */
static int is_waited_for(const struct evidence_base *b, uint32_t rank)
{
	return b->a->wait_caused_ns[rank] * 1e-9 >= RULE_LEAST_SHARE * b->rank_time_s;
}

static int judge_all(struct incast *x, struct findings *out, struct err *err)
{
	const struct evidence_base *b = x->b;

	for (uint32_t k = 0; k < out->n; k++)
		if (!strcmp(out->h[k].kind, "order"))
			x->explained[out->h[k].site < b->t->n_sites
					     ? out->h[k].site
					     : b->t->n_sites + out->h[k].region] = 1;
	for (uint32_t r = 0; r < b->t->n_ranks; r++)
		x->fan_in[r] = fan_in_of(x, r);
	x->median = median_fan_in(x);
	for (uint32_t r = 0; r < b->t->n_ranks; r++) {
		if (x->fan_in[r] < FAN_IN_MIN || x->fan_in[r] < FAN_IN_FACTOR * x->median ||
		    !is_waited_for(b, r) || findings_has(out, "server", r)) /* who asks and waits */
			continue;
		if (judge_receiver(x, r, out, err))
			return -1;
	}
	return 0;
}

int rule_incast(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct incast x = {.b = b};
	size_t ranks = (size_t)b->t->n_ranks + 1;
	uint32_t r = 0;
	int ret = -1;

	while (r < b->t->n_ranks && !is_waited_for(b, r))
		r++;
	if (r == b->t->n_ranks)
		return 0;
	x.edge = calloc(2 * (size_t)messages_most(b->m, b->t->n_ranks) + 1, sizeof(*x.edge));
	x.flying = calloc(ranks, sizeof(*x.flying));
	x.at_fan_in = calloc(ranks + 1, sizeof(*x.at_fan_in));
	x.fan_in = calloc(ranks, sizeof(*x.fan_in));
	x.sorted = calloc(ranks, sizeof(*x.sorted));
	x.explained = calloc((size_t)b->senders.keys + 1, sizeof(*x.explained));
	if (!x.edge || !x.flying || !x.at_fan_in || !x.fan_in || !x.sorted || !x.explained)
		err_set(err, "out of memory for %u ranks", b->t->n_ranks);
	else
		ret = judge_all(&x, out, err);
	free(x.explained);
	free(x.sorted);
	free(x.fan_in);
	free(x.at_fan_in);
	free(x.flying);
	free(x.edge);
	return ret;
}
