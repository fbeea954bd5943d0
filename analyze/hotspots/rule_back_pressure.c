/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Back-pressure: sends that need no receive wait all the same, as those before them fill their
 * receiver's buffers. What the run would save if these had room says a replay: next to nothing
 * where the receiver is what all wait for in the end. A send is believed to wait for room only if
 * the one before it to the same rank was not received yet, and if neither end lacks a core. Leaves
 * out receivers that rule_incast, rule_server or rule_skew name.
 */
#include "analyze/hotspots/rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/gains/retime.h"
#include "analyze/tools/instants.h"
#include "common/number.h"
#include "common/table.h"

#define PLACES_MAX 5  /* that are looked at, those with most to gain */
#define SENDS_MIN  10 /* that had to wait; fewer are no habit */

/* A send's wait for room: until its receiver looks, and takes what is before it; or perhaps. */
#define BLOCKED (1u << COST_inattention | 1u << COST_back_pressure)
#define PERHAPS (1u << COST_sender_port | 1u << COST_not_identifiable)

struct pressure {
	const struct evidence_base *b;
	const struct findings *out;
	uint32_t *last;   /* per destination: the message before */
	double *to_s;     /* per destination: blocked sends of the place at work */
	int64_t *less_ns; /* for the replay: per message, */
	int64_t *rest_ns; /* and per call */
};

/* The blocked sends of a place. */
struct blocked {
	uint32_t key;
	uint32_t sends, n;
	uint32_t receivers, most;  /* so many; the one that blocks longest, */
	uint32_t message;          /* and the message to it that waits longest */
	double blocked_s, alone_s; /* by all; of that until their receiver enters MPI */
};

/* The call in which message i may have waited for room, and for nothing else; or TRACE_NONE. */
static uint32_t waiting_call(const struct evidence_base *b, uint32_t i)
{
	const struct message *x = &b->m->m[i];
	enum region_kind kind;

	if (x->send_done == TRACE_NONE || x->src == x->dst || evidence_is_held(b, i))
		return TRACE_NONE;
	kind = trace_call_kind(b->t, x->send_done);
	return kind == REGION_SEND || kind == REGION_WAIT ? x->send_done : TRACE_NONE;
}

/* How long message k of the senders' list waited for room, by these parts of its call. */
static int64_t blocked_ns(const struct pressure *p, uint32_t k, unsigned parts)
{
	const struct evidence_base *b = p->b;
	uint32_t i = b->senders.message[k], before;
	const struct message *x = &b->m->m[i];
	uint32_t call = waiting_call(b, i);

	before = p->last[x->dst];
	p->last[x->dst] = i;
	if (call == TRACE_NONE || before == TRACE_NONE || b->m->m[before].src != x->src ||
	    b->m->m[before].done_ns <= x->sent_ns || trace_lacks_core(b->t, x->src) ||
	    trace_lacks_core(b->t, x->dst) || findings_explain_sends(p->out, b, x->dst) ||
	    slices_sum(&b->a->call, call, BLOCKED) == 0)
		return 0;
	return slices_sum(&b->a->call, call, parts);
}

/* Nothing was sent before the first message of a place. */
static void begin_place(struct pressure *p)
{
	for (uint32_t r = 0; r < p->b->t->n_ranks; r++)
		p->last[r] = TRACE_NONE;
}

static void add(struct pressure *p, struct blocked *x, uint32_t i, int64_t ns, int64_t *longest_ns)
{
	const struct evidence_base *b = p->b;
	uint32_t dst = b->m->m[i].dst;

	x->n++;
	x->receivers += p->to_s[dst] == 0;
	x->blocked_s += ns * 1e-9;
	x->alone_s += slices_part(&b->a->call, b->m->m[i].send_done, COST_inattention) * 1e-9;
	p->to_s[dst] += ns * 1e-9;
	if (x->n == 1 || p->to_s[dst] > p->to_s[x->most]) {
		*longest_ns = dst == x->most ? *longest_ns : 0;
		x->most = dst;
	}
	if (dst == x->most && ns >= *longest_ns) {
		*longest_ns = ns;
		x->message = i;
	}
}

static struct blocked count_blocked(struct pressure *p, uint32_t key)
{
	const struct senders *s = &p->b->senders;
	struct blocked x = {.key = key, .sends = s->at[key + 1] - s->at[key]};
	int64_t longest_ns = 0;

	begin_place(p);
	memset(p->to_s, 0, p->b->t->n_ranks * sizeof(*p->to_s));
	for (uint32_t k = s->at[key]; k < s->at[key + 1]; k++) {
		int64_t ns;

		messages_fetch_in(p->b->m, s->message, s->at[key + 1], k);
		ns = blocked_ns(p, k, BLOCKED);
		if (ns > 0)
			add(p, &x, s->message[k], ns, &longest_ns);
	}
	return x;
}

/* What the run saves if none of them waits, by these parts. Returns 0, or -1 with *err set. */
static int save(struct pressure *p, uint32_t key, unsigned parts, double *saved_s, struct err *err)
{
	const struct evidence_base *b = p->b;
	const struct retime freed = {.less_ns = p->less_ns, .rest_ns = p->rest_ns};

	memset(p->less_ns, 0, b->m->n * sizeof(*p->less_ns));
	memset(p->rest_ns, 0, b->t->n_calls * sizeof(*p->rest_ns));
	begin_place(p);
	for (uint32_t k = b->senders.at[key]; k < b->senders.at[key + 1]; k++) {
		int64_t ns = blocked_ns(p, k, parts);
		uint32_t i = b->senders.message[k];

		if (ns <= 0)
			continue;
		p->less_ns[i] = earlier(ns, retime_way_ns(b, i));
		p->rest_ns[b->m->m[i].send_done] = ns;
	}
	return retime_run(b, &freed, saved_s, err);
}

/* Who was outside MPI meanwhile, and how it receives. */
static void say_who(const struct pressure *p, const struct blocked *x, struct hotspot *h)
{
	const struct message *m = &p->b->m->m[x->message];
	size_t used = strlen(h->why);
	char place[80];

	rule_place(p->b->t, m->recv_call == TRACE_NONE ? m->recv_done : m->recv_call, sizeof(place),
		   place);
	if (x->receivers == 1)
		snprintf(h->why + used, sizeof(h->why) - used,
			 "; for %s of that rank %u was outside MPI; it receives them with %s",
			 number_seconds(x->alone_s).text, x->most, place);
	else
		snprintf(h->why + used, sizeof(h->why) - used,
			 "; for %s of that their receivers were outside MPI; rank %u, which blocks "
			 "longest, receives with %s",
			 number_seconds(x->alone_s).text, x->most, place);
}

static void write_words(const struct pressure *p, const struct blocked *x, struct hotspot *h)
{
	if (x->receivers == 1)
		snprintf(h->title, sizeof(h->title), "%s sends wait for room at rank %u",
			 number_count(x->n).text, x->most);
	else
		snprintf(h->title, sizeof(h->title), "%s sends wait for room at %u receivers",
			 number_count(x->n).text, x->receivers);
	snprintf(h->why, sizeof(h->why),
		 "not the network: %u of %u sends wait, as those before them to the same rank are "
		 "not received yet and fill its buffers, %s in all",
		 x->n, x->sends, number_seconds(x->blocked_s).text);
	say_who(p, x, h);
	snprintf(
		h->advice, sizeof(h->advice),
		"let the receiver take them earlier or more often (receives posted with MPI_Irecv "
		"before it computes, or taken in between), or send fewer ahead: wait for an answer "
		"after so many");
}

static int report(struct pressure *p, const struct blocked *x, struct findings *out,
		  struct err *err)
{
	const struct senders *s = &p->b->senders;
	struct hotspot h = {.kind = "back_pressure", .rank = TRACE_NONE};

	if (save(p, x->key, BLOCKED, &h.saves_mid_s, err) ||
	    save(p, x->key, BLOCKED | PERHAPS, &h.saves_high_s, err))
		return -1;
	h.saves_high_s = fmax(h.saves_mid_s, h.saves_high_s);
	h.site = senders_site(s, x->key);
	h.region = senders_region(s, x->key);
	if (x->receivers == 1)
		h.rank = x->most;
	write_words(p, x, &h);
	hotspot_evidence(&h, "sends", x->sends);
	hotspot_evidence(&h, "blocked", x->n);
	hotspot_evidence(&h, "blocked_s", x->blocked_s);
	hotspot_evidence(&h, "receiver_outside_s", x->alone_s);
	hotspot_evidence(&h, "receivers", x->receivers);
	return findings_add(out, &h, err);
}

/* The places with most to gain, one after the other. key_s: what is blocked at each. */
static int look(struct pressure *p, double *key_s, struct findings *out, struct err *err)
{
	const struct evidence_base *b = p->b;

	for (uint32_t key = 0; key < b->senders.keys; key++) {
		struct blocked x = count_blocked(p, key);

		if (x.n >= SENDS_MIN)
			key_s[key] = x.blocked_s;
	}
	for (int n = 0; n < PLACES_MAX; n++) {
		uint32_t key = rule_take_most(key_s, b->senders.keys, RULE_LEAST_SHARE * b->wall_s);
		struct blocked x;

		if (key == TRACE_NONE)
			break;
		x = count_blocked(p, key);
		if (report(p, &x, out, err))
			return -1;
	}
	return 0;
}

int rule_back_pressure(const struct evidence_base *b, struct findings *out, struct err *err)
{
	const struct part *parts = b->a->budget.parts;
	size_t ranks = (size_t)b->t->n_ranks + 1;
	struct pressure p = {.b = b, .out = out};
	double *key_s = NULL;
	int ret = -1;

	if ((parts[COST_back_pressure].ns + parts[COST_inattention].ns) * 1e-9 <
	    RULE_LEAST_SHARE * b->wall_s)
		return 0;
	key_s = calloc(b->senders.keys + 1u, sizeof(*key_s));
	p.last = calloc(ranks, sizeof(*p.last));
	p.to_s = calloc(ranks, sizeof(*p.to_s));
	p.less_ns = table_calloc(b->m->n + 1u, sizeof(*p.less_ns));
	p.rest_ns = table_calloc(b->t->n_calls + 1u, sizeof(*p.rest_ns));
	if (!key_s || !p.last || !p.to_s || !p.less_ns || !p.rest_ns)
		err_set(err, "out of memory for %u calls", b->t->n_calls);
	else
		ret = look(&p, key_s, out, err);
	table_free(p.rest_ns);
	table_free(p.less_ns);
	free(p.to_s);
	free(p.last);
	free(key_s);
	return ret;
}
