/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/replay_play.h"

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static const struct replay_turn *turn_of(const struct replay_sim *m, uint32_t rank)
{
	return &m->r->turn[m->r->rank[rank].first + m->player[rank].turn];
}

static int has_turn(const struct replay_sim *m, uint32_t rank)
{
	return m->player[rank].turn < m->r->rank[rank].turns;
}

/* Must the message wait for its destination? Then it does. */
static int is_held(struct replay_sim *m, uint32_t send)
{
	const struct replay_send *x = &m->r->send[send];
	struct replay_player *dst = &m->player[x->dst];

	if (dst->progress >= x->from)
		return 0;
	m->after[send] = dst->held;
	dst->held = send;
	return 1;
}

/* The rank has come so far at s, for which some wait. */
static void advance(struct replay_sim *m, uint32_t rank, uint32_t progress, double s)
{
	struct replay_player *x = &m->player[rank];
	uint32_t send = x->held, after;

	x->progress = progress;
	x->held = REPLAY_NO_SEND;
	for (; send != REPLAY_NO_SEND; send = after) {
		after = m->after[send];
		if (!is_held(m, send))
			replay_events_push(&m->to_come, s,
					   m->r->send[send].mode == REPLAY_RENDEZVOUS
						   ? EVENT_REQUEST
						   : EVENT_PORT,
					   m->src[send], send);
	}
}

/*
 * A message has all that it needs to set out at s. In a port that all pass one by one those before
 * it come first; from one that they share it goes at once, and settle() counts.
 */
static void set_out(struct replay_sim *m, uint32_t rank, uint32_t index, double s)
{
	const struct replay_send *send = &m->r->send[index];
	struct replay_player *x = &m->player[rank];

	if (m->r->ports == REPLAY_ONE_BY_ONE) {
		s = larger(s, x->out_s);
		x->out_s = s + send->g_s;
	}
	x->busy_s = larger(x->busy_s, s) + send->g_s;
	m->sets_out_s[index] = s;
	replay_events_push(&m->to_come, s + larger(0, send->L_s - send->o_s), EVENT_PORT, rank,
			   index);
}

/* The rank's send returns at s: on with its own time before the next one, or before it waits. */
static void go_on(struct replay_sim *m, uint32_t rank, uint32_t index, double s)
{
	const struct replay_turn *turn = turn_of(m, rank);
	uint32_t next = m->player[rank].next;

	if (next < turn->n)
		s += m->r->send[turn->first + next].own_s;
	else if (!m->r->rests_last)
		s += turn->rest_s;
	replay_events_push(&m->to_come, s, EVENT_READY, rank, index);
}

/* The rank's next send gets going at s. */
static void launch(struct replay_sim *m, uint32_t rank, double s)
{
	struct replay_player *x = &m->player[rank];
	uint32_t index = turn_of(m, rank)->first + x->next++;
	const struct replay_send *send = &m->r->send[index];

	x->under_way++;
	x->begun += send->is_begun && send->mode != REPLAY_EAGER;
	if (send->mode == REPLAY_RENDEZVOUS)
		replay_events_push(&m->to_come, s + send->o_s + send->handshake_s, EVENT_REQUEST,
				   rank, index);
	else
		set_out(m, rank, index, s + send->o_s);
	if (send->mode == REPLAY_EAGER || send->is_begun)
		go_on(m, rank, index, s + send->o_s);
}

/* A receiver has been asked whether it takes the message, which sets out when it does. */
static void answer(struct replay_sim *m, const struct replay_event *e)
{
	if (!is_held(m, e->send))
		set_out(m, e->rank, e->send, e->s + m->r->send[e->send].handshake_s);
}

/* All who have a turn of this number are there. */
static void begin_together(struct replay_sim *m, uint32_t turn, double s)
{
	for (uint32_t k = 0; k < m->r->ranks; k++)
		if (has_turn(m, k) && m->player[k].turn == turn)
			replay_events_push(&m->to_come, s, EVENT_BEGIN, k, 0);
}

void replay_come(struct replay_sim *m, uint32_t rank, double s)
{
	uint32_t turn = m->player[rank].turn;
	struct replay_meeting *all = &m->meeting[turn];

	if (!has_turn(m, rank))
		return;
	s += turn_of(m, rank)->own_s;
	if (!turn_of(m, rank)->together) {
		replay_events_push(&m->to_come, s, EVENT_BEGIN, rank, 0);
		return;
	}
	all->last_s = larger(all->last_s, s);
	if (++all->came == all->members)
		begin_together(m, turn, all->last_s);
}

/* The rank's turn is over when all is sent and there. */
static void end_turn(struct replay_sim *m, uint32_t rank, double s)
{
	struct replay_player *x = &m->player[rank];
	double rest_s = 0;

	if (!x->has_sent || x->begun || m->missing[m->r->rank[rank].first + x->turn])
		return;
	if (m->r->rests_last)
		rest_s = turn_of(m, rank)->rest_s;
	x->has_sent = 0;
	advance(m, rank, REPLAY_ENDED(x->turn), s);
	m->end_s = larger(m->end_s, s + rest_s);
	x->turn++;
	replay_come(m, rank, s + rest_s);
}

/* The rank's next send begins, or waits for a credit. */
static void begin_send(struct replay_sim *m, uint32_t rank, double s)
{
	struct replay_player *x = &m->player[rank];
	const struct replay_turn *turn = turn_of(m, rank);
	const struct replay_send *send = &m->r->send[turn->first + x->next];

	m->end_s = larger(m->end_s, s);
	if (x->next == turn->n) {
		x->has_sent = 1;
		end_turn(m, rank, s);
		return;
	}
	if (x->next == 0 || send[-1].dst != send->dst)
		x->under_way = 0;
	if (send->mode == REPLAY_EAGER && !send->is_begun && send->credits &&
	    x->under_way >= send->credits) {
		x->waits = 1;
		return;
	}
	launch(m, rank, s);
}

static void begin_turn(struct replay_sim *m, uint32_t rank, double s)
{
	m->begin_s = s < m->begin_s ? s : m->begin_s;
	m->player[rank].next = 0;
	advance(m, rank, REPLAY_BEGUN(m->player[rank].turn), s);
	begin_send(m, rank, s);
}

/* When the next of those side by side in a port will be through. */
static void plan(struct replay_sim *m, uint32_t rank)
{
	struct replay_in_port *p = &m->port[rank];

	p->plans++;
	if (p->shared.n)
		replay_events_push(&m->to_come, replay_port_next_s(&p->shared, m->passing),
				   EVENT_THROUGH, rank, p->plans);
}

/*
 * A message is through its receiver's port at s. Of a port that its sender's messages share it is
 * there when that has had the time for all that are through before it, since they set out; in which
 * it has passed some of the others, too, if it has been busy for longer than that.
 */
static void settle(struct replay_sim *m, uint32_t send, double s)
{
	const struct replay_send *x = &m->r->send[send];
	struct replay_player *src = &m->player[m->src[send]];

	src->out_s = larger(src->out_s, m->sets_out_s[send]) + x->g_s;
	src->out_s = src->out_s < src->busy_s ? src->out_s : src->busy_s;
	s = larger(s, src->out_s + larger(0, x->L_s - x->o_s));
	replay_events_push(&m->to_come, s, EVENT_DELIVERED, m->src[send], send);
}

/* The next of them is through, unless more have come since that was planned. */
static void leave(struct replay_sim *m, const struct replay_event *e)
{
	uint32_t send;

	if (e->send != m->port[e->rank].plans)
		return;
	send = replay_port_leave(&m->port[e->rank].shared, m->passing, e->s);
	settle(m, send, e->s);
	plan(m, e->rank);
}

/* A message is at its receiver's port: it passes when the ones before it have, or with them. */
static void enter_port(struct replay_sim *m, const struct replay_event *e)
{
	const struct replay_send *send = &m->r->send[e->send];
	struct replay_in_port *p = &m->port[send->dst];

	if (send->mode == REPLAY_SYNCHRONOUS && is_held(m, e->send))
		return;
	if (m->r->ports == REPLAY_SIDE_BY_SIDE) {
		replay_port_enter(&p->shared, m->passing, e->send, send->g_s, e->s);
		plan(m, send->dst);
		return;
	}
	p->free_s = larger(e->s, p->free_s) + send->g_s;
	replay_events_push(&m->to_come, p->free_s, EVENT_DELIVERED, e->rank, e->send);
}

/* One eager message less is under way: is the sender's next one to the same destination? */
static void return_credit(struct replay_sim *m, const struct replay_event *e)
{
	struct replay_player *x = &m->player[e->rank];
	uint32_t first, present;

	if (!has_turn(m, e->rank) || x->next + x->waits == 0)
		return;
	first = turn_of(m, e->rank)->first;
	present = first + x->next - !x->waits;
	if (e->send < first || m->r->send[present].dst != m->r->send[e->send].dst)
		return;
	x->under_way -= x->under_way > 0;
	if (x->waits) {
		x->waits = 0;
		launch(m, e->rank, e->s);
	}
}

/* One less of what the rank has begun is to be waited for. */
static void end_send(struct replay_sim *m, const struct replay_event *e)
{
	m->player[e->rank].begun--;
	end_turn(m, e->rank, e->s);
}

/* The receiver has it: the sender goes on, or may send one more. */
static void deliver(struct replay_sim *m, const struct replay_event *e)
{
	const struct replay_send *send = &m->r->send[e->send];
	double ready_s;

	m->end_s = larger(m->end_s, e->s);
	if (send->until) {
		m->missing[m->r->rank[send->dst].first + send->until - 1]--;
		if (m->player[send->dst].turn + 1 == send->until)
			end_turn(m, send->dst, e->s);
	}
	ready_s = e->s + (send->mode == REPLAY_SYNCHRONOUS ? send->L_s : 0);
	if (send->mode == REPLAY_EAGER)
		return_credit(m, e);
	else if (send->is_begun)
		replay_events_push(&m->to_come, ready_s, EVENT_OVER, e->rank, e->send);
	else
		go_on(m, e->rank, e->send, ready_s);
}

void replay_play(struct replay_sim *m)
{
	while (m->to_come.n > 0) {
		struct replay_event e = replay_events_pop(&m->to_come);

		switch (e.kind) {
		case EVENT_BEGIN:
			begin_turn(m, e.rank, e.s);
			break;
		case EVENT_REQUEST:
			answer(m, &e);
			break;
		case EVENT_PORT:
			enter_port(m, &e);
			break;
		case EVENT_THROUGH:
			leave(m, &e);
			break;
		case EVENT_DELIVERED:
			deliver(m, &e);
			break;
		case EVENT_READY:
			begin_send(m, e.rank, e.s);
			break;
		case EVENT_OVER:
			end_send(m, &e);
			break;
		}
	}
}
