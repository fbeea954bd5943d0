/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/pacing.h"

#include <stdlib.h>

#include "analyze/gains/replay_events.h"
#include "analyze/gains/replay_port.h"
#include "analyze/gains/retime_order.h"
#include "analyze/tools/instants.h"
#include "common/prefetch.h"
#include "common/table.h"

#define EVENTS_PER_SEND 3 /* it comes to a port; when the next one is through, twice */

struct pacing {
	const struct evidence_base *b;
	const uint32_t *message; /* of n sends, by rank and then in order */
	uint32_t n;
	struct pace *pace;
	struct replay_port *port; /* into each host, then each rank's within its own */
	uint32_t *plans;          /* per port: of when the next one is through */
	struct replay_passing *passing;
	struct replay_events to_come;
};

static double seconds(int64_t ns)
{
	return ns * 1e-9;
}

static int64_t nanoseconds(double s)
{
	return (int64_t)(s * 1e9);
}

static const struct message *message_of(const struct pacing *p, uint32_t k)
{
	return &p->b->m->m[p->message[k]];
}

static uint32_t port_of(const struct pacing *p, uint32_t k)
{
	const struct trace *t = p->b->t;
	const struct message *m = message_of(p, k);

	return evidence_price(p->b, p->message[k])->class == LOCALITY_NETWORK
		       ? t->ranks[m->dst].home
		       : t->homes + m->src;
}

/* Does its rank send it without having waited for anybody since the one before? */
static int follows(const struct pacing *p, uint32_t k)
{
	const uint32_t *breaks = p->b->senders.breaks;

	return k > 0 && message_of(p, k - 1)->src == message_of(p, k)->src &&
	       breaks[message_of(p, k - 1)->send_call] == breaks[message_of(p, k)->send_call];
}

/* Bursts: what a rank sends in a row while something of that is under way. */
static uint32_t cut_bursts(struct pacing *p)
{
	uint32_t together = 0;
	int64_t busy_ns = INT64_MIN;

	for (uint32_t k = 0; k < p->n; k++) {
		const struct message *m = message_of(p, k);
		int64_t there_ns = p->b->a->arrival_ns[p->message[k]];

		messages_fetch_in(p->b->m, p->message, p->n, k);
		if (follows(p, k) && m->sent_ns < busy_ns) {
			p->pace[k].first = p->pace[k - 1].first;
			together += 1 + (p->pace[k].first == k - 1);
		} else {
			p->pace[k].first = k;
			busy_ns = INT64_MIN;
		}
		busy_ns = later(busy_ns, there_ns);
	}
	return together;
}

/* The k-th send's turn: after what its rank did between it and the one before. */
static void begin(struct pacing *p, uint32_t k)
{
	uint32_t i = p->message[k];
	const struct call *calls = p->b->t->calls;
	const struct idle_price *price = evidence_price(p->b, i);
	struct pace *x = &p->pace[k];
	int64_t own_ns = 0;

	x->begun_ns = message_of(p, k)->sent_ns;
	if (k > 0 && message_of(p, k - 1)->src == message_of(p, k)->src) {
		own_ns = x->begun_ns - calls[message_of(p, k - 1)->send_call].leave_ns;
		x->begun_ns = x->first < k ? x[-1].ended_ns + later(0, own_ns)
					   : later(x->begun_ns, x[-1].ended_ns);
	}
	x->ended_ns = x->begun_ns;
	if (message_is_posted(p->b->t, message_of(p, k)))
		x->ended_ns = later(x->begun_ns, calls[message_of(p, k)->recv_call].enter_ns);
	replay_events_push(&p->to_come, seconds(x->ended_ns) + price->L_s, EVENT_PORT,
			   message_of(p, k)->src, k);
	if (k + 1 < p->n) { /* is asked for when this one is through */
		prefetch(message_of(p, k + 1));
		prefetch(&message_of(p, k + 1)->sent_ns);
	}
}

/* When the next one is through that port. */
static void plan(struct pacing *p, uint32_t port)
{
	p->plans[port]++;
	if (p->port[port].n)
		replay_events_push(&p->to_come, replay_port_next_s(&p->port[port], p->passing),
				   EVENT_THROUGH, port, p->plans[port]);
}

static void leave(struct pacing *p, const struct replay_event *e)
{
	uint32_t k;

	if (e->send != p->plans[e->rank])
		return;
	k = replay_port_leave(&p->port[e->rank], p->passing, e->s);
	p->pace[k].there_ns = nanoseconds(e->s);
	p->pace[k].ended_ns =
		p->pace[k].there_ns + nanoseconds(evidence_price(p->b, p->message[k])->L_s);
	if (k + 1 < p->n && message_of(p, k + 1)->src == message_of(p, k)->src)
		begin(p, k + 1);
	plan(p, e->rank);
}

static void simulate(struct pacing *p)
{
	for (uint32_t x = 0; x < p->b->t->homes + p->b->t->n_ranks; x++)
		p->port[x].first = REPLAY_NO_SEND;
	for (uint32_t k = 0; k < p->n; k++)
		if (k == 0 || message_of(p, k - 1)->src != message_of(p, k)->src)
			begin(p, k);
	while (p->to_come.n > 0) {
		struct replay_event e = replay_events_pop(&p->to_come);
		uint32_t port;

		if (e.kind == EVENT_THROUGH) {
			leave(p, &e);
			continue;
		}
		port = port_of(p, e.send);
		replay_port_enter(&p->port[port], p->passing, e.send,
				  evidence_price(p->b, p->message[e.send])->at.g_s, e.s);
		plan(p, port);
	}
}

/* When all of the sends from first to end were there. */
static int64_t all_there_ns(const struct pacing *p, uint32_t first, uint32_t end)
{
	int64_t ns = message_of(p, first)->sent_ns;

	for (uint32_t k = first; k < end; k++)
		ns = later(ns, p->b->a->arrival_ns[p->message[k]]);
	return ns;
}

/* A burst, the sends from first to end, takes as long as it did, or longer. */
static void stretch(struct pacing *p, uint32_t first, uint32_t end)
{
	struct pace *x = p->pace;
	int64_t begun_ns = x[first].begun_ns, was_ns = all_there_ns(p, first, end);
	int64_t begin_ns = message_of(p, first)->sent_ns, is_ns = x[end - 1].there_ns;
	double share;

	if (was_ns - begin_ns <= is_ns - begun_ns || is_ns <= begun_ns)
		return;
	share = (double)(was_ns - begin_ns) / (is_ns - begun_ns);
	for (uint32_t k = first; k < end; k++) {
		x[k].begun_ns = begun_ns + (int64_t)(share * (x[k].begun_ns - begun_ns));
		x[k].there_ns = begun_ns + (int64_t)(share * (x[k].there_ns - begun_ns));
		x[k].ended_ns = begun_ns + (int64_t)(share * (x[k].ended_ns - begun_ns));
	}
}

static int replay(struct pacing *p, struct err *err)
{
	const struct trace *t = p->b->t;
	size_t ports = (size_t)t->homes + t->n_ranks + 1, sends = (size_t)p->n + 1;
	int ret = 0;

	p->port = calloc(ports, sizeof(*p->port));
	p->plans = calloc(ports, sizeof(*p->plans));
	p->passing = table_alloc(sends, sizeof(*p->passing));
	p->to_come.heap = table_alloc(EVENTS_PER_SEND * sends + ports, sizeof(*p->to_come.heap));
	if (p->port && p->plans && p->passing && p->to_come.heap) {
		simulate(p);
		for (uint32_t first = 0, k = 1; k <= p->n; k++)
			if (k == p->n || p->pace[k].first == k) {
				stretch(p, first, k);
				first = k;
			}
	} else {
		ret = err_set(err, "out of memory for %u sends", p->n);
	}
	table_free(p->to_come.heap);
	table_free(p->passing);
	free(p->plans);
	free(p->port);
	return ret;
}

static struct pacing of_place(const struct evidence_base *b, uint32_t key, struct pace *pace)
{
	return (struct pacing){.b = b,
			       .message = &b->senders.message[b->senders.at[key]],
			       .n = b->senders.at[key + 1] - b->senders.at[key],
			       .pace = pace};
}

uint32_t pacing_cut(const struct evidence_base *b, uint32_t key, struct pace *pace)
{
	struct pacing p = of_place(b, key, pace);

	return cut_bursts(&p);
}

int pacing_find(const struct evidence_base *b, uint32_t key, struct pace *pace, struct err *err)
{
	struct pacing p = of_place(b, key, pace);

	return replay(&p, err);
}
