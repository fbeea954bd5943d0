/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/as_they_come.h"

#include "analyze/gains/retime_order.h"
#include "analyze/tools/instants.h"

struct play {
	struct as_they_come *x;
	const struct turn *turn;
	uint32_t n;
	int64_t service_ns; /* after a turn on average */
	struct replay_events events;
};

static const struct call *done(const struct as_they_come *x, uint32_t message)
{
	return &x->b->t->calls[x->b->m->m[message].recv_done];
}

static void returns(struct as_they_come *x, uint32_t call, int64_t sooner_ns)
{
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
static int64_t left_ns(const struct evidence_base *b, int64_t sooner_ns, uint32_t after,
		       uint32_t to)
{
	const uint32_t waiting = 1u << COST_late_partner | 1u << COST_collective_wait;

	for (uint32_t c = after + 1; c < to && sooner_ns > 0; c++)
		sooner_ns = later(0, sooner_ns - slices_sum(&b->a->call, c, waiting));
	return sooner_ns;
}

/* A rank waits in that call until something is there. */
static void wait_in(struct as_they_come *x, uint32_t call, int64_t was_ns, int64_t is_ns)
{
	const struct call *c = &x->b->t->calls[call];
	struct coming *r = &x->coming[c->rank];
	int64_t rest_ns = later(0, c->leave_ns - later(c->enter_ns, was_ns));

	r->sooner_ns = left_ns(x->b, r->sooner_ns, r->last, call);
	r->sooner_ns = c->leave_ns - later(c->enter_ns - r->sooner_ns, is_ns) - rest_ns;
	r->last = call;
	returns(x, call, r->sooner_ns);
}

/* The turn's message is there, and was taken at leave_ns: its sender goes on. */
static void let_go(struct as_they_come *x, const struct turn *turn, int64_t there_ns,
		   int64_t leave_ns)
{
	const struct evidence_base *b = x->b;
	const struct message *m = &b->m->m[turn->message];
	int64_t was_ns;

	x->coming[m->src].last = m->send_call;
	if (m->send_done != TRACE_NONE && evidence_is_held(b, turn->message)) {
		x->coming[m->src].last = m->send_done - 1;
		wait_in(x, m->send_done, turn->there_ns, there_ns);
	}
	if (turn->answer == TRACE_NONE)
		return;
	was_ns = b->a->arrival_ns[turn->answer];
	wait_in(x, b->m->m[turn->answer].recv_done, was_ns,
		leave_ns + was_ns - done(x, turn->message)->leave_ns);
}

/* The rank of turn k has that one next; its receive may be posted in the turn before, sooner. */
static void await(struct play *p, uint32_t k, int64_t post_sooner_ns)
{
	const struct evidence_base *b = p->x->b;
	const struct turn *next = &p->turn[k];
	const struct message *m = &b->m->m[next->message];
	struct coming *c = &p->x->coming[next->src];
	int64_t sooner_ns;

	c->sooner_ns = left_ns(b, c->sooner_ns, c->last, m->send_call);
	c->last = m->send_call;
	sooner_ns = c->sooner_ns;
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
		*c = (struct coming){.chain = p->x->chain,
				     .last = p->x->b->m->m[turn->message].send_call};
	if (c->stretch == p->x->stretch)
		return;
	c->stretch = p->x->stretch;
	await(p, k, p->x->ahead_ns);
}

/* Returns how much sooner that turn of the receiver's is over, which is turn's now. */
static int64_t take(struct play *p, const struct turn *turn, const struct turn *was,
		    int64_t *now_ns)
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

void as_they_come_play(struct as_they_come *x, const struct turn *turn, uint32_t n)
{
	struct play p = {x, turn, n, 0, {x->heap, 0, 0}};
	uint32_t first = x->b->m->m[turn[0].message].recv_done;
	int64_t now_ns;

	x->stretch++;
	x->ahead_ns = left_ns(x->b, x->ahead_ns, x->last, first);
	now_ns = turn[0].asked_ns - x->ahead_ns;
	for (uint32_t k = 0; k + 1 < n; k++)
		p.service_ns += service_ns(&p, k) / (n - 1);
	for (uint32_t k = 0; k < n; k++)
		begin(&p, k);
	for (uint32_t k = 0; k < n; k++) {
		const struct turn *next = &turn[replay_events_pop(&p.events).send];

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

	if (x->coming[m->dst].chain == x->chain && m->recv_done > x->coming[m->dst].last)
		wait_in(x, m->recv_done, x->b->a->arrival_ns[i],
			x->b->a->arrival_ns[i] - x->ahead_ns);
}
