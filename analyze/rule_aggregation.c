/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Not contention: many small messages to one destination, one right after the other, that
 * could be one. Joined, k messages cost one overhead at each end instead of k, and the ports
 * g(sum of the sizes) instead of the sum of the g (LogGP: g is much more than G for small ones).
 * A burst ends where something is received or the rank computes for longer than a message
 * is on its way: joining across that would delay the first one.
 */
#include "analyze/rules.h"
#include "common/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOINED_MIN 3 /* messages that one would replace, on average */
#define PACE_GAIN \
	1.5 /* what they take one after the other over what one does: else they are long */

/* The messages of the burst at work to one destination. */
struct pile {
	uint32_t n;
	double bytes;
	double g_s;       /* sum of their gaps, */
	double pace_s;    /* and of these or their overheads, what is longer */
	double send_s;    /* their calls' overheads: at the sender, */
	double receive_s; /* at the receiver */
	uint32_t first;   /* the message; */
	int64_t last_ns;
};

/* Sums over one place. */
struct sums {
	double messages; /* in bursts, */
	double bytes;
	double joined; /* that could replace them */
	double overhead_s;
	double port_s;
};

struct joining {
	const struct evidence_base *b;
	struct pile *pile; /* per destination */
	uint32_t *touched; /* destinations of the burst */
	uint32_t n_touched;
	double *lost_s; /* per rank: overheads that would not be */
	double *port_s; /* per rank: the same for its port */
	struct sums sums;
};

static double overhead_s(const struct evidence_base *b, uint32_t call, enum cost part)
{
	return call == TRACE_NONE ? 0 : slices_part(&b->a->call, call, part) * 1e-9;
}

/* One message after the other: the slowest of port and both ends. */
static double pace_s(const struct idle_price *p)
{
	return fmax(p->at.g_s, fmax(p->at.o_s_s, p->at.o_r_s));
}

static void put_on(const struct evidence_base *b, struct pile *p, uint32_t i)
{
	const struct message *x = &b->m->m[i];
	const struct idle_price *price = evidence_price(b, i);
	double done_s = overhead_s(b, x->recv_done, COST_receive_overhead);

	p->bytes += x->bytes;
	p->g_s += price->at.g_s;
	p->pace_s += pace_s(price);
	p->send_s += overhead_s(b, x->send_call, COST_send_overhead);
	p->receive_s += overhead_s(b, x->recv_call == x->recv_done ? TRACE_NONE : x->recv_call,
				   COST_receive_overhead);
	/* A call that completes many has all their overheads. */
	p->receive_s += trace_call_kind(b->t, x->recv_done) == REGION_RECV
				? done_s
				: fmin(price->at.o_r_s, done_s);
	if (x->done_ns > p->last_ns)
		p->last_ns = x->done_ns;
}

/* One message alone has nothing to be joined with: it counts when another one comes. */
static void add(struct joining *j, uint32_t i)
{
	uint32_t dst = j->b->m->m[i].dst;
	struct pile *p = &j->pile[dst];

	if (!p->n++) {
		j->touched[j->n_touched++] = dst;
		p->first = i;
		return;
	}
	if (p->n == 2)
		put_on(j->b, p, p->first);
	put_on(j->b, p, i);
}

/* The burst is over: what would one message to each destination have saved? */
static void join(struct joining *j, uint32_t src, uint32_t dst)
{
	const struct pile *p = &j->pile[dst];
	struct idle_price one = evidence_price_of(j->b, src, dst, p->bytes);
	double left = 1 - 1.0 / p->n;
	double send_s = p->send_s * left, receive_s = p->receive_s * left, port_s;
	int64_t first_ns = j->b->m->m[p->first].sent_ns;

	if (one.known && p->pace_s <= PACE_GAIN * pace_s(&one))
		return;
	port_s = fmin(p->g_s - one.at.g_s, (p->last_ns - first_ns) * 1e-9 - one.L_s - one.at.g_s);
	/* A longer message's own overhead may be more than a short one's. */
	send_s = fmin(send_s, fmax(p->send_s - one.at.o_s_s, 0));
	receive_s = fmin(receive_s, fmax(p->receive_s - one.at.o_r_s, 0));
	/* It passes the port when all of it is there; most of the short ones did meanwhile. */
	send_s = fmax(send_s - fmax(one.at.g_s - p->g_s / p->n, 0), 0);
	j->lost_s[src] += send_s;
	j->lost_s[dst] += receive_s;
	j->port_s[src] += fmax(port_s, 0);
	j->sums.messages += p->n;
	j->sums.bytes += p->bytes;
	j->sums.joined++;
	j->sums.overhead_s += send_s + receive_s;
	j->sums.port_s += fmax(port_s, 0);
}

static void settle(struct joining *j, uint32_t src)
{
	for (uint32_t k = 0; k < j->n_touched; k++) {
		uint32_t dst = j->touched[k];

		if (j->pile[dst].n >= 2)
			join(j, src, dst);
		memset(&j->pile[dst], 0, sizeof(*j->pile));
	}
	j->n_touched = 0;
}

/* May messages k - 1 and k of the senders' list be in one burst? */
static int continues(const struct evidence_base *b, uint32_t k)
{
	const struct message *x = &b->m->m[b->senders.message[k]];
	const struct message *before = &b->m->m[b->senders.message[k - 1]];
	const struct idle_price *p = evidence_price(b, b->senders.message[k - 1]);

	if (x->src != before->src ||
	    b->senders.breaks[x->send_call] != b->senders.breaks[before->send_call])
		return 0;
	return presence_between_ns(&b->a->presence, before->send_call, x->send_call) * 1e-9 <=
	       p->L_s + p->at.g_s;
}

static int report(const struct joining *j, uint32_t key, struct findings *out, struct err *err)
{
	const struct evidence_base *b = j->b;
	const struct sums *s = &j->sums;
	struct hotspot h = {.kind = "aggregation", .rank = TRACE_NONE};
	double most_s = 0;

	h.site = senders_site(&b->senders, key);
	h.region = senders_region(&b->senders, key);
	for (uint32_t r = 0; r < b->t->n_ranks; r++)
		most_s = fmax(most_s, fmax(j->lost_s[r], j->port_s[r]));
	rule_saves(b, j->lost_s, &h);
	h.saves_high_s = fmin(fmax(h.saves_high_s, most_s), b->wall_s);
	snprintf(h.title, sizeof(h.title), "%.0f messages of %.0f bytes each where %.0f would do",
		 s->messages, s->bytes / s->messages, s->joined);
	snprintf(h.why, sizeof(h.why),
		 "not contention: %s messages in a row go to the same destination; one instead "
		 "saves %s of overhead of all ranks, and %s of their ports",
		 number_words(s->messages / s->joined).text, number_seconds(s->overhead_s).text,
		 number_seconds(s->port_s).text);
	snprintf(h.advice, sizeof(h.advice),
		 "collect what goes to one destination and send it once: MPI_Pack, a derived "
		 "datatype or an array of records");
	hotspot_evidence(&h, "messages", s->messages);
	hotspot_evidence(&h, "joined", s->joined);
	hotspot_evidence(&h, "messages_in_a_row", s->messages / s->joined);
	hotspot_evidence(&h, "mean_bytes", s->bytes / s->messages);
	hotspot_evidence(&h, "overhead_s", s->overhead_s);
	hotspot_evidence(&h, "port_s", s->port_s);
	return findings_add(out, &h, err);
}

static int judge_place(struct joining *j, uint32_t key, struct findings *out, struct err *err)
{
	const struct evidence_base *b = j->b;
	uint32_t end = b->senders.at[key + 1];

	memset(&j->sums, 0, sizeof(j->sums));
	memset(j->lost_s, 0, b->t->n_ranks * sizeof(*j->lost_s));
	memset(j->port_s, 0, b->t->n_ranks * sizeof(*j->port_s));
	for (uint32_t k = b->senders.at[key]; k < end; k++) {
		messages_fetch_in(b->m, b->senders.message, end, k);
		add(j, b->senders.message[k]);
		if (k + 1 == end || !continues(b, k + 1))
			settle(j, b->m->m[b->senders.message[k]].src);
	}
	if (j->sums.messages < JOINED_MIN * j->sums.joined || j->sums.joined == 0 ||
	    fmax(j->sums.overhead_s, j->sums.port_s) < RULE_LEAST_SHARE * b->wall_s)
		return 0;
	return report(j, key, out, err);
}

int rule_aggregation(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct joining j = {.b = b};
	size_t ranks = b->t->n_ranks + 1u;
	int ret = -1;

	j.pile = calloc(ranks, sizeof(*j.pile));
	j.touched = calloc(ranks, sizeof(*j.touched));
	j.lost_s = calloc(ranks, sizeof(*j.lost_s));
	j.port_s = calloc(ranks, sizeof(*j.port_s));
	if (!j.pile || !j.touched || !j.lost_s || !j.port_s) {
		err_set(err, "out of memory for %u ranks", b->t->n_ranks);
		goto out;
	}
	for (uint32_t key = 0; key < b->senders.keys; key++)
		if (judge_place(&j, key, out, err))
			goto out;
	ret = 0;
out:
	free(j.port_s);
	free(j.lost_s);
	free(j.touched);
	free(j.pile);
	return ret;
}
