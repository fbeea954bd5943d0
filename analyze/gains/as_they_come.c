/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/as_they_come.h"

#include "analyze/gains/retime_order.h"
#include "analyze/tools/instants.h"

struct play {
	struct as_they_come *x;
	struct turn *turn;
	uint32_t n;
	int64_t service_ns; /* after a turn on average */
	struct replay_events events;
};

static const struct call *done(const struct as_they_come *x, uint32_t message)
{
	return &x->b->t->calls[x->b->m->m[message].recv_done];
}

/* Only calls that wait for nothing else, and once: what others wait for the replay knows. */
static void returns(struct as_they_come *x, uint32_t call, int64_t sooner_ns)
{
	const struct trace *t = x->b->t;
	enum region_kind kind = trace_call_kind(t, call);

	if (kind != REGION_SEND && kind != REGION_SSEND && kind != REGION_RECV &&
	    kind != REGION_WAIT)
		return;
	if (x->to[call].base == TRACE_NONE && t->calls[call].leave_ns >= t->calls[x->base].enter_ns)
		x->to[call] = (struct retime_return){sooner_ns, x->base};
}

/* What the receiver does between a turn and the next; after the last one that is not known. */
static int64_t service_ns(const struct play *p, uint32_t k)
{
	return k + 1 < p->n ? later(0, p->turn[k + 1].asked_ns -
					       done(p->x, p->turn[k].message)->leave_ns)
			    : p->service_ns;
}

/*
 * Sooner after a call and before another one of its rank: what the rank waited for others between
 * them may be lost.
 */
static int64_t left_ns(const struct as_they_come *x, int64_t sooner_ns, uint32_t after, uint32_t to)
{
	if (sooner_ns <= 0 || to <= after)
		return sooner_ns;
	return later(0, sooner_ns - (x->waited_ns[to] - x->waited_ns[after + 1]));
}

/* A rank waits in that call until something is there; nothing is known of one with threads. */
static void wait_in(struct as_they_come *x, uint32_t call, int64_t was_ns, int64_t is_ns)
{
	const struct call *c = &x->b->t->calls[call];
	struct coming *r = &x->coming[c->rank];
	int64_t over_ns = later(0, was_ns - c->leave_ns), rest_ns;

	if (x->b->t->ranks[c->rank].is_threaded || (r->last != TRACE_NONE && call < r->last))
		return;
	was_ns -= over_ns;
	is_ns -= over_ns;
	if (r->last != call) {
		r->entered_ns = left_ns(x, r->sooner_ns, r->last, call); /* 0 before the first */
		r->was_ns = r->is_ns = INT64_MIN;
	}
	r->was_ns = later(r->was_ns, was_ns);
	r->is_ns = later(r->is_ns, is_ns);
	rest_ns = c->leave_ns - later(c->enter_ns, r->was_ns);
	r->sooner_ns = c->leave_ns - later(c->enter_ns - r->entered_ns, r->is_ns) - rest_ns;
	r->last = call;
	returns(x, call, r->sooner_ns);
}

/* The turn's message is there, and was taken at leave_ns: its sender goes on. */
static void let_go(struct as_they_come *x, struct turn *turn, int64_t there_ns, int64_t leave_ns)
{
	const struct evidence_base *b = x->b;
	const struct message *m = &b->m->m[turn->message];
	int64_t was_ns;

	if (m->send_done != TRACE_NONE && evidence_is_held(b, turn->message))
		wait_in(x, m->send_done, turn->there_ns, there_ns);
	if (turn->answer != TRACE_NONE) {
		was_ns = b->a->arrival_ns[turn->answer];
		wait_in(x, b->m->m[turn->answer].recv_done, was_ns,
			leave_ns + was_ns - done(x, turn->message)->leave_ns);
	}
	turn->then = x->coming[m->src].last;
	turn->then_ns = x->coming[m->src].sooner_ns;
}

/* How much sooner the message of turn k is sent: after what its rank waited for before. */
static int64_t sent_sooner_ns(struct play *p, struct coming *c, uint32_t k)
{
	uint32_t send_call = p->x->b->m->m[p->turn[k].message].send_call;

	for (; c->turn != k; c->turn = p->turn[c->turn].next) {
		const struct turn *x = &p->turn[c->turn];

		if (x->then != TRACE_NONE && x->then >= send_call)
			break;
		c->from = x->then;
		c->from_ns = x->then_ns;
	}
	return c->from < send_call ? left_ns(p->x, c->from_ns, c->from, send_call) : 0;
}

/* The rank of turn k has that one next; its receive may be posted in the turn before, sooner. */
static void await(struct play *p, uint32_t k, int64_t post_sooner_ns)
{
	const struct evidence_base *b = p->x->b;
	const struct turn *next = &p->turn[k];
	const struct message *m = &b->m->m[next->message];
	struct coming *c = &p->x->coming[next->src];
	int64_t sooner_ns = sent_sooner_ns(p, c, k);

	if (m->recv_call != m->recv_done && retime_waits_for_post(b, next->message)) {
		int64_t sent_ns = b->t->calls[m->send_call].enter_ns;
		int64_t post_ns = b->t->calls[m->recv_call].enter_ns;

		sooner_ns = later(sent_ns, post_ns) -
			    later(sent_ns - sooner_ns, post_ns - post_sooner_ns);
	}
	c->ready_ns = next->ready_ns - sooner_ns;
	replay_events_push(&p->events, (double)c->ready_ns * 1e-9, EVENT_READY, next->src, k);
}

/* Turn k, if it is the first one of its rank in this stretch. */
static void begin(struct play *p, uint32_t k)
{
	const struct turn *turn = &p->turn[k];
	struct coming *c = &p->x->coming[turn->src];

	if (c->chain != p->x->chain)
		*c = (struct coming){.chain = p->x->chain, .last = TRACE_NONE};
	if (c->stretch == p->x->stretch)
		return;
	c->stretch = p->x->stretch;
	c->from = c->last;
	c->from_ns = c->sooner_ns;
	c->turn = k;
	await(p, k, p->x->ahead_ns);
}

/* Returns how much sooner that turn of the receiver's is over, which is turn's now. */
static int64_t take(struct play *p, struct turn *turn, const struct turn *was, int64_t *now_ns)
{
	struct as_they_come *x = p->x;
	const struct call *c = done(x, turn->message), *then = done(x, was->message);
	int64_t there_ns = x->coming[turn->src].ready_ns, leave_ns;

	if (turn->sets_out_late)
		there_ns = later(there_ns, *now_ns) + turn->there_ns -
			   later(turn->ready_ns, turn->asked_ns);
	leave_ns = later(*now_ns, there_ns) + c->leave_ns - later(turn->asked_ns, turn->there_ns);
	let_go(x, turn, there_ns, leave_ns);
	*now_ns = leave_ns + service_ns(p, (uint32_t)(turn - p->turn));
	if (turn->next != TRACE_NONE)
		await(p, turn->next, c->leave_ns - leave_ns);
	return then->leave_ns - leave_ns;
}

void as_they_come_play(struct as_they_come *x, struct turn *turn, uint32_t n)
{
	struct play p = {x, turn, n, 0, {x->heap, 0, 0}};
	uint32_t first = x->b->m->m[turn[0].message].recv_done;
	int64_t now_ns;

	x->stretch++;
	x->ahead_ns = left_ns(x, x->ahead_ns, x->last, first);
	now_ns = turn[0].asked_ns - x->ahead_ns;
	for (uint32_t k = 0; k + 1 < n; k++)
		p.service_ns += service_ns(&p, k) / (n - 1);
	for (uint32_t k = 0; k < n; k++)
		begin(&p, k);
	for (uint32_t k = 0; k < n; k++) {
		struct turn *next = &turn[replay_events_pop(&p.events).send];

		x->last = x->b->m->m[turn[k].message].recv_done;
		x->ahead_ns = take(&p, next, &turn[k], &now_ns);
		returns(x, x->last, x->ahead_ns);
	}
}

void as_they_come_start(struct as_they_come *x, uint32_t first)
{
	x->chain++;
	x->base = x->last = first;
	x->ahead_ns = 0;
}

void as_they_come_send(struct as_they_come *x, uint32_t i)
{
	const struct message *m = &x->b->m->m[i];

	if (x->coming[m->dst].chain == x->chain)
		wait_in(x, m->recv_done, x->b->a->arrival_ns[i],
			x->b->a->arrival_ns[i] - x->ahead_ns);
}
