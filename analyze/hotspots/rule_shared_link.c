/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shared link hotspot: messages are longer on their way than their ports can explain while
 * others fly that have neither end in common with them, and they are not when none do. So it is in
 * between that they meet: an uplink, a backplane. Runs after the rules of ends that many share
 * (order, incast, server, skew) and leaves out what those explain. Who flies alone finds its own
 * ports free, too: where hardly any do, to be slower than those proves nothing, and enough of it
 * has to be contention in the network by every reading of the trace. Nor is it the network where
 * ranks may have been without their cores for as long: whoever takes cores holds up several.
 */
#include "analyze/hotspots/rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/gains/flights.h"
#include "common/number.h"
#include "common/table.h"

#define MESSAGES_MIN 3    /* that were held up */
#define HELD_SHARE   0.2  /* of its time alone, from which on a message is held up */
#define CROWD_MIN    1.0  /* flights with other ends, on average, for a crowd; */
#define ALONE_MAX    0.5  /* and for being alone */
#define ALONE_BETTER 0.5  /* times as long held up as in a crowd, at most */
#define ALONE_ENOUGH 0.05 /* of those in a crowd: so many show what alone is like */
#define CERTAIN      0.1  /* of what the network held up, at least, where hardly any fly alone */
#define ROUNDING     1e-6 /* of sums of seconds, at most */

/* All that flew up to an instant, flights x ns. */
struct flown {
	double sum, at;
	double flying;
};

struct shared {
	const struct evidence_base *b;
	struct flight_edge *edge;
	uint32_t flights;
	struct flown all, *out, *in; /* from each rank, to each rank */
	double *crowd; /* per message: flights with other ends, on average; below 0: none */
	uint8_t *sends, *takes; /* per rank */
	double *lost_s;         /* per rank that waits */
	double *by_key;
	double held_s;                      /* in the network, of those held up */
	double crowded, alone, alone_share; /* messages; sum of their delays in times alone */
	double crowded_share;
	uint32_t held;
};

static double upto(struct flown *f, double ns)
{
	f->sum += f->flying * (ns - f->at);
	f->at = ns;
	return f->sum;
}

static void count(struct flown *f, double ns, int change)
{
	upto(f, ns);
	f->flying += change;
}

static int is_explained(const struct shared *x, const struct findings *found, uint32_t i)
{
	const struct message *m = &x->b->m->m[i];
	const struct call *send = &x->b->t->calls[m->send_call];

	for (uint32_t k = 0; k < found->n; k++)
		if (!strcmp(found->h[k].kind, "order") && found->h[k].site == send->site &&
		    found->h[k].region == send->region)
			return 1;
	return findings_explain_sends(found, x->b, m->dst);
}

/* The flights through the network, in order of time. */
static void list_flights(struct shared *x)
{
	const struct evidence_base *b = x->b;

	for (uint32_t i = 0; i < b->m->n; i++) {
		const struct message *m = &b->m->m[i];

		x->crowd[i] = -1;
		if (evidence_price(b, i)->class != LOCALITY_NETWORK)
			continue;
		x->edge[2 * x->flights] = (struct flight_edge){m->sent_ns, i, 1};
		x->edge[2 * x->flights++ + 1] =
			(struct flight_edge){flights_end_ns(b->t, b->m, b->a, i), i, -1};
		messages_fetch(b->t, b->m, i);
	}
	flights_sort(x->edge, 2 * (size_t)x->flights);
}

/*
 * How many others flew meanwhile that share no end: all, less those from here, less those to there.
 */
static void measure_crowds(struct shared *x)
{
	for (size_t k = 0; k < 2 * (size_t)x->flights; k++) {
		const struct flight_edge *e = &x->edge[k];
		const struct message *m = &x->b->m->m[e->flight];
		double began = m->sent_ns, when = (double)e->ns;
		double others = upto(&x->all, when) - upto(&x->out[m->src], when) -
				upto(&x->in[m->dst], when);

		if (e->change > 0)
			x->crowd[e->flight] = others;
		else if (when > began) /* itself was counted off twice */
			x->crowd[e->flight] =
				fmax(0, (others - x->crowd[e->flight]) / (when - began) + 1);
		count(&x->all, when, e->change);
		count(&x->out[m->src], when, e->change);
		count(&x->in[m->dst], when, e->change);
	}
}

static void weigh(struct shared *x, const struct findings *found)
{
	const struct evidence_base *b = x->b;

	for (uint32_t i = 0; i < b->m->n; i++) {
		const struct message *m = &b->m->m[i];
		const struct idle_price *p = evidence_price(b, i);
		double network_s =
			(double)slices_part(&b->a->message, i, COST_network_contention) * 1e-9;
		double contention_s = (double)attribution_contention_ns(b->a, i) * 1e-9;
		double share = p->known ? network_s / fmax(p->L_s + p->at.g_s, 1e-9) : 0;

		if (x->crowd[i] < 0 || !p->known || is_explained(x, found, i))
			continue;
		if (x->crowd[i] <= ALONE_MAX) {
			x->alone++;
			x->alone_share += share;
		}
		if (x->crowd[i] < CROWD_MIN)
			continue;
		x->crowded++;
		x->crowded_share += share;
		x->sends[m->src] = x->takes[m->dst] = 1;
		if (share < HELD_SHARE)
			continue;
		x->held++;
		x->held_s += network_s;
		x->by_key[m->place] += network_s;
		x->lost_s[m->dst] +=
			(double)b->a->held_ns[i] * 1e-9 * fmin(1, network_s / contention_s);
	}
}

/* "0-3, 8": as many as there is room for. */
static void list_ranks(const uint8_t *is_in, uint32_t ranks, size_t size, char text[size])
{
	size_t at = 0;

	text[0] = '\0';
	for (uint32_t r = 0, end; r < ranks; r = end + 1) {
		char one[32];
		int n;

		end = r;
		if (!is_in[r])
			continue;
		while (end + 1 < ranks && is_in[end + 1])
			end++;
		n = end > r ? snprintf(one, sizeof(one), "%s%u-%u", at ? ", " : "", r, end)
			    : snprintf(one, sizeof(one), "%s%u", at ? ", " : "", r);
		if (at + (size_t)n + 5 >= size) {
			snprintf(text + at, size - at, " ...");
			return;
		}
		memcpy(text + at, one, (size_t)n + 1);
		at += (size_t)n;
	}
}

static uint32_t number_of(const uint8_t *is_in, uint32_t ranks)
{
	uint32_t n = 0;

	for (uint32_t r = 0; r < ranks; r++)
		n += is_in[r];
	return n;
}

static void name_site(const struct shared *x, struct hotspot *h)
{
	uint32_t key = 0;

	for (uint32_t k = 0; k < trace_places(x->b->t); k++)
		if (x->by_key[k] > x->by_key[key])
			key = k;
	h->site = rule_key_site(x->b->t, key);
	h->region = senders_region(&x->b->senders, key);
}

/* Leave out of each rank's loss the share that all ranks' waits for their cores may be. */
static void leave_out_awaited(struct shared *x)
{
	double away_s = 0, lost_s = 0, left;

	for (uint32_t r = 0; r < x->b->t->n_ranks; r++) {
		away_s += (double)x->b->t->ranks[r].core_awaited_ns * 1e-9;
		lost_s += x->lost_s[r];
	}
	left = lost_s > 0 ? fmax(0, 1 - away_s / lost_s) : 0;
	for (uint32_t r = 0; r < x->b->t->n_ranks; r++)
		x->lost_s[r] *= left;
}

/* The most of any rank. A message may hold up both its ends: here it is all the receiver's. */
static double most_lost_s(const struct shared *x)
{
	double most = 0;

	for (uint32_t r = 0; r < x->b->t->n_ranks; r++)
		most = fmax(most,
			    fmin(x->lost_s[r], x->b->a->rank_budget[r].contention.high_ns * 1e-9));
	return most;
}

/* Do enough fly alone to see how long that takes? */
static int is_compared(const struct shared *x)
{
	return x->alone >= fmax(MESSAGES_MIN, ALONE_ENOUGH * x->crowded);
}

/* What was contention in the network by every reading. */
static int64_t least_ns(const struct evidence_base *b)
{
	return b->a->blame.parts[COST_network_contention].low_ns;
}

static int report(struct shared *x, struct findings *out, struct err *err)
{
	const struct evidence_base *b = x->b;
	uint32_t ranks = b->t->n_ranks;
	struct hotspot h = {.kind = "shared_link", .rank = TRACE_NONE};
	double most_s = most_lost_s(x);
	char from[64], to[64];

	name_site(x, &h);
	leave_out_awaited(x);
	rule_saves(b, x->lost_s, &h);
	if (h.saves_mid_s < RULE_LEAST_SHARE * b->wall_s)
		return 0;
	h.saves_high_s = fmin(fmax(h.saves_mid_s, most_s), b->wall_s);
	list_ranks(x->sends, ranks, sizeof(from), from);
	list_ranks(x->takes, ranks, sizeof(to), to);
	snprintf(h.title, sizeof(h.title), "messages of different ranks meet in the network");
	snprintf(h.why, sizeof(h.why),
		 "from ranks %s to ranks %s; %u of %.0f messages are held up for %s while others "
		 "fly between other ranks, %.2g times their time alone; %s",
		 from, to, x->held, x->crowded, number_seconds(x->held_s).text,
		 x->crowded_share / x->crowded,
		 is_compared(x) ? "far less when none do" : "some of them certainly");
	snprintf(h.advice, sizeof(h.advice),
		 "place ranks that talk on the same side of the link (hotspot mapping), let fewer "
		 "send at a time, or combine what crosses it");
	hotspot_evidence(&h, "messages_held", x->held);
	hotspot_evidence(&h, "messages_crowded", x->crowded);
	hotspot_evidence(&h, "senders", number_of(x->sends, ranks));
	hotspot_evidence(&h, "receivers", number_of(x->takes, ranks));
	hotspot_evidence(&h, "network_contention_s", x->held_s);
	hotspot_evidence(&h, "network_contention_least_s", (double)least_ns(b) * 1e-9);
	hotspot_evidence(&h, "delay_in_crowd", x->crowded_share / x->crowded);
	if (x->alone > 0)
		hotspot_evidence(&h, "delay_alone", x->alone_share / x->alone);
	return findings_add(out, &h, err);
}

/* Is all network contention together, some of it explained, less than a finding? */
static int is_trifle(const struct evidence_base *b, int64_t all_ns)
{
	return (double)all_ns * 1e-9 < RULE_LEAST_SHARE * b->rank_time_s * (1 - ROUNDING);
}

static int judge(struct shared *x, struct findings *out, struct err *err)
{
	const struct evidence_base *b = x->b;

	list_flights(x);
	measure_crowds(x);
	weigh(x, out);
	if (x->held < MESSAGES_MIN || x->held_s < RULE_LEAST_SHARE * b->rank_time_s ||
	    number_of(x->sends, b->t->n_ranks) < 2 || number_of(x->takes, b->t->n_ranks) < 2)
		return 0;
	if (x->alone > 0 &&
	    x->alone_share / x->alone > ALONE_BETTER * x->crowded_share / x->crowded)
		return 0;
	if (!is_compared(x) &&
	    (is_trifle(b, least_ns(b)) || (double)least_ns(b) * 1e-9 < CERTAIN * x->held_s))
		return 0;
	return report(x, out, err);
}

int rule_shared_link(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct shared x = {.b = b};
	size_t ranks = b->t->n_ranks + 1u;
	int ret = -1;

	if (is_trifle(b, b->a->blame.parts[COST_network_contention].ns))
		return 0;
	x.edge = table_calloc(2 * (size_t)b->m->n + 1, sizeof(*x.edge));
	x.crowd = table_calloc((size_t)b->m->n + 1, sizeof(*x.crowd));
	x.out = calloc(ranks, sizeof(*x.out));
	x.in = calloc(ranks, sizeof(*x.in));
	x.sends = calloc(ranks, sizeof(*x.sends));
	x.takes = calloc(ranks, sizeof(*x.takes));
	x.lost_s = calloc(ranks, sizeof(*x.lost_s));
	x.by_key = calloc(trace_places(b->t) + 1u, sizeof(*x.by_key));
	if (!x.edge || !x.crowd || !x.out || !x.in || !x.sends || !x.takes || !x.lost_s ||
	    !x.by_key)
		err_set(err, "out of memory for %u messages", b->m->n);
	else
		ret = judge(&x, out, err);
	free(x.by_key);
	free(x.lost_s);
	free(x.takes);
	free(x.sends);
	free(x.in);
	free(x.out);
	table_free(x.crowd);
	table_free(x.edge);
	return ret;
}
