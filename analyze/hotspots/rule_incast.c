/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The incast hotspot: many ranks send to one at the same time, and wait there for each
 * other. Unlike an order hotspot it is always the same rank. Runs after rule_order and
 * rule_server and leaves out what they explain.
 */
#include "analyze/hotspots/rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/gains/flights.h"
#include "analyze/hotspots/spread_saving.h"
#include "analyze/tools/instants.h"
#include "common/number.h"
#include "common/table.h"

#define FAN_IN_MIN    4
#define FAN_IN_FACTOR 3    /* times the median receiver's */
#define EVEN          1.05 /* times its even share of all that is sent is no more than that */
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
	double *by_key;     /* per sending site: sums of one finding */
	struct spread_part *part;
	double bytes; /* of all messages */
};

/* When message i, which is there at end_ns, was no longer behind others of its own sender. */
static int64_t left_ns(const struct evidence_base *b, uint32_t i, int64_t end_ns)
{
	int64_t ns = b->m->m[i].sent_ns + slices_part(&b->a->message, i, COST_sender_port);

	return earlier(ns, end_ns - 1);
}

/* The fan-in of distinct sources that is reached for TAIL of the time anything is in flight. */
static uint32_t fan_in_of(struct incast *x, uint32_t dst)
{
	const struct messages *m = x->b->m;
	uint32_t first = m->by_dst[dst], n = m->by_dst[dst + 1] - first, sources = 0, k;
	double busy = 0, tail = 0;

	memset(x->at_fan_in, 0, (x->b->t->n_ranks + 1) * sizeof(*x->at_fan_in));
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

/* What the messages to some receivers cost, and who sends the costliest. */
struct blame {
	double caused_s; /* contention of the messages themselves */
	double held_s;   /* of that, what ranks waited for */
	double bytes;
	uint32_t fan_in; /* the highest */
	uint32_t key;    /* sending site with the most */
	double site_s;
};

static void blame_receiver(const struct incast *in, uint32_t dst, struct blame *x)
{
	const struct evidence_base *b = in->b;

	x->fan_in = in->fan_in[dst] > x->fan_in ? in->fan_in[dst] : x->fan_in;
	for (uint32_t i = b->m->by_dst[dst]; i < b->m->by_dst[dst + 1]; i++) {
		const struct message *msg = &b->m->m[i];
		uint32_t key = msg->place;
		double caused_s = attribution_contention_ns(b->a, i) * 1e-9;

		x->bytes += msg->bytes;
		if (in->explained[key])
			continue;
		x->caused_s += caused_s;
		x->held_s += b->a->held_ns[i] * 1e-9;
		in->by_key[key] += caused_s;
		if (in->by_key[key] > x->site_s) {
			x->site_s = in->by_key[key];
			x->key = key;
		}
	}
}

static struct blame blame_receivers(const struct incast *in, const struct spread_part *part,
				    uint32_t n)
{
	struct blame x = {.key = 0};

	memset(in->by_key, 0, ((size_t)in->b->senders.keys + 1) * sizeof(*in->by_key));
	for (uint32_t k = 0; k < n; k++)
		blame_receiver(in, part[k].dst, &x);
	return x;
}

static uint32_t messages_to(const struct incast *x, uint32_t dst)
{
	return x->b->m->by_dst[dst + 1] - x->b->m->by_dst[dst];
}

/*
 * Does none of these ranks get more than others do, of the bytes, which ports are busy with, and of
 * the messages, which have to be handled? Nothing of it is to be spread then.
 */
static int are_even_shares(const struct incast *x, const struct spread_part *part, uint32_t n)
{
	const struct messages *m = x->b->m;

	for (uint32_t k = 0; k < n; k++) {
		double bytes = 0;

		for (uint32_t i = m->by_dst[part[k].dst]; i < m->by_dst[part[k].dst + 1]; i++)
			bytes += m->m[i].bytes;
		if (bytes * x->b->t->n_ranks > EVEN * x->bytes ||
		    (double)messages_to(x, part[k].dst) * x->b->t->n_ranks > EVEN * m->n)
			return 0;
	}
	return 1;
}

static void write_advice(const struct incast *x, const struct spread_part *part, uint32_t n,
			 struct hotspot *h)
{
	int is_even = are_even_shares(x, part, n);
	uint32_t dst = part->dst;
	char others[40] = "";

	if (n > 1)
		snprintf(others, sizeof(others), " and %s the %u others", is_even ? "to" : "of",
			 n - 1);
	if (is_even)
		snprintf(h->advice, sizeof(h->advice),
			 "send to rank %u%s at different times: each rank another one first, or "
			 "the next when the one before is there (spreading saves nothing: no more "
			 "than an even share goes there)",
			 dst, others);
	else
		snprintf(h->advice, sizeof(h->advice),
			 "spread %s%u%s%s over more ranks, combine on the way (a tree or a "
			 "collective), "
			 "or send at different times",
			 n > 1 ? "the part of rank " : "rank ", dst, n > 1 ? "" : "'s part",
			 others);
}

static void write_words(const struct incast *x, const struct spread_part *part, uint32_t n,
			const struct blame *blame, struct hotspot *h)
{
	uint32_t dst = part->dst;
	char others[40] = "";

	if (n > 1)
		snprintf(others, sizeof(others), " and to %u others each", n - 1);
	snprintf(h->title, sizeof(h->title), "up to %u ranks send to rank %u%s at the same time",
		 blame->fan_in, dst, others);
	snprintf(h->why, sizeof(h->why),
		 "fan-in %u (median rank %u), %s of the bytes; %s messages queue for %s, "
		 "which holds ranks up for %s in all",
		 blame->fan_in, x->median,
		 number_share(x->bytes > 0 ? blame->bytes / x->bytes : 0).text,
		 n > 1 ? "their" : "its", number_seconds(blame->caused_s).text,
		 number_seconds(blame->held_s).text);
	write_advice(x, part, n, h);
}

/* The receivers' finding: of one, or of several together, whose costliest is the first. */
static void describe(void *incast, const struct spread_part *part, uint32_t n, struct hotspot *h)
{
	const struct incast *x = incast;
	const struct evidence_base *b = x->b;
	struct blame blame = blame_receivers(x, part, n);

	h->kind = "incast";
	h->site = senders_site(&b->senders, blame.key);
	h->region = senders_region(&b->senders, blame.key);
	write_words(x, part, n, &blame, h);
	hotspot_evidence(h, "fan_in", blame.fan_in);
	hotspot_evidence(h, "fan_in_median", x->median);
	hotspot_evidence(h, "wait_caused_s", blame.caused_s);
	hotspot_evidence(h, "wait_caused_share", blame.caused_s / b->rank_time_s);
	hotspot_evidence(h, "held_s", blame.held_s);
	hotspot_evidence(h, "bytes_share", x->bytes > 0 ? blame.bytes / x->bytes : 0);
	hotspot_evidence(h, "site_share_of_wait",
			 blame.caused_s > 0 ? blame.site_s / blame.caused_s : 0);
}

/*
 * A receiver that others crowd around gets what is left when all get as much, of empty messages as
 * many. Nothing is saved for certain: it has to take it all in any case.
 */
static struct spread_part part_of(const struct incast *x, uint32_t dst)
{
	struct spread_part part = {.dst = dst};
	struct blame blame = blame_receivers(x, &part, 1);

	part.caused_s = blame.caused_s;
	part.left =
		blame.bytes > 0 ? x->bytes / blame.bytes : (double)x->b->m->n / messages_to(x, dst);
	part.left = fmin(part.left / x->b->t->n_ranks, 1);
	return part;
}

/* Is it much that messages to this rank wait? */
static int is_waited_for(const struct evidence_base *b, uint32_t rank)
{
	return b->a->wait_caused_ns[rank] * 1e-9 >= RULE_LEAST_SHARE * b->rank_time_s;
}

static int judge_all(struct incast *x, struct findings *out, struct err *err)
{
	const struct evidence_base *b = x->b;
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->m->n; i++)
		x->bytes += b->m->m[i].bytes;
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
		x->part[n] = part_of(x, r);
		n += x->part[n].caused_s >= RULE_LEAST_SHARE * b->rank_time_s;
	}
	return spread_saving_find(b, x->part, n, x->explained, describe, x, out, err);
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
	x.edge = table_calloc(2 * (size_t)messages_most(b->m, b->t->n_ranks) + 1, sizeof(*x.edge));
	x.flying = calloc(ranks, sizeof(*x.flying));
	x.at_fan_in = calloc(ranks + 1, sizeof(*x.at_fan_in));
	x.fan_in = calloc(ranks, sizeof(*x.fan_in));
	x.sorted = calloc(ranks, sizeof(*x.sorted));
	x.explained = calloc((size_t)b->senders.keys + 1, sizeof(*x.explained));
	x.by_key = calloc((size_t)b->senders.keys + 1, sizeof(*x.by_key));
	x.part = calloc(ranks, sizeof(*x.part));
	if (!x.edge || !x.flying || !x.at_fan_in || !x.fan_in || !x.sorted || !x.explained ||
	    !x.by_key || !x.part)
		err_set(err, "out of memory for %u ranks", b->t->n_ranks);
	else
		ret = judge_all(&x, out, err);
	free(x.part);
	free(x.by_key);
	free(x.explained);
	free(x.sorted);
	free(x.fan_in);
	free(x.at_fan_in);
	free(x.flying);
	table_free(x.edge);
	return ret;
}
