/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/replay.h"

#include "analyze/gains/replay_events.h"
#include "analyze/gains/replay_port.h"
#include "common/table.h"

#include <math.h>
#include <stdlib.h>

#define EVENTS_PER_SEND 8 /* that are to come at once, at most, and those that are out of date */

/* A rank at work. */
struct player {
	uint32_t turn;      /* its turn at work, or the next one */
	uint32_t progress;  /* see replay_send.from */
	uint32_t next;      /* how many of the turn's sends have begun */
	uint32_t under_way; /* eager messages to its present destination */
	double out_s;       /* its outgoing port is free */
	int waits;          /* for a credit */
	int has_sent;       /* all of its turn: it waits for what is missing */
	uint32_t held;      /* the first send that waits for its progress, or REPLAY_NO_SEND */
};

/* One by one: when it is free. */
struct port {
	double free_s;
	struct replay_port shared; /* side by side */
	uint32_t plans;            /* of when the next one is through; the last one is up to date */
};

/* Of all ranks that have a turn of that number, those that have come to it, and the last one. */
struct meeting {
	uint32_t members, came;
	double last_s;
};

struct sim {
	const struct replay *r;
	struct player *player;
	struct port *port;              /* per rank, into it */
	uint32_t *src;                  /* per send: whose it is */
	uint32_t *missing;              /* per turn: messages that it needs */
	uint32_t *after;                /* per send that is held: the next one */
	struct replay_passing *passing; /* per send */
	struct meeting *meeting;        /* per number of a turn */
	struct replay_events to_come;
	double begin_s, end_s;
};

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static const struct replay_turn *turn_of(const struct sim *m, uint32_t rank)
{
	return &m->r->turn[m->r->rank[rank].first + m->player[rank].turn];
}

static int has_turn(const struct sim *m, uint32_t rank)
{
	return m->player[rank].turn < m->r->rank[rank].turns;
}

/* Must the message wait for its destination? Then it does. */
static int is_held(struct sim *m, uint32_t send)
{
	const struct replay_send *x = &m->r->send[send];
	struct player *dst = &m->player[x->dst];

	if (dst->progress >= x->from)
		return 0;
	m->after[send] = dst->held;
	dst->held = send;
	return 1;
}

/* The rank has come so far at s, for which some wait. */
static void advance(struct sim *m, uint32_t rank, uint32_t progress, double s)
{
	struct player *x = &m->player[rank];
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

/* The rank's next send gets going at s. */
static void launch(struct sim *m, uint32_t rank, double s)
{
	struct player *x = &m->player[rank];
	uint32_t index = turn_of(m, rank)->first + x->next++;
	const struct replay_send *send = &m->r->send[index];
	double ready_s = larger(s + send->o_s, x->out_s);

	x->under_way++;
	if (send->mode == REPLAY_RENDEZVOUS) {
		replay_events_push(&m->to_come, ready_s + send->L_s, EVENT_REQUEST, rank, index);
		return;
	}
	x->out_s = ready_s + send->g_s;
	replay_events_push(&m->to_come, ready_s + larger(0, send->L_s - send->o_s), EVENT_PORT,
			   rank, index);
	if (send->mode == REPLAY_EAGER)
		replay_events_push(&m->to_come, s + send->o_s, EVENT_READY, rank, index);
}

/* A receiver has been asked whether it takes the message, which sets out when it does. */
static void answer(struct sim *m, const struct replay_event *e)
{
	const struct replay_send *send = &m->r->send[e->send];
	double ready_s = e->s + send->L_s;

	if (is_held(m, e->send))
		return;
	m->player[e->rank].out_s = ready_s + send->g_s;
	replay_events_push(&m->to_come, ready_s + larger(0, send->L_s - send->o_s), EVENT_PORT,
			   e->rank, e->send);
}

/* All who have a turn of this number are there. */
static void begin_together(struct sim *m, uint32_t turn, double s)
{
	for (uint32_t k = 0; k < m->r->ranks; k++)
		if (has_turn(m, k) && m->player[k].turn == turn)
			replay_events_push(&m->to_come, s, EVENT_BEGIN, k, 0);
}

/* The rank's next turn begins after its own time from s on, or when all are there. */
static void come(struct sim *m, uint32_t rank, double s)
{
	uint32_t turn = m->player[rank].turn;
	struct meeting *all = &m->meeting[turn];

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
static void end_turn(struct sim *m, uint32_t rank, double s)
{
	struct player *x = &m->player[rank];

	if (!x->has_sent || m->missing[m->r->rank[rank].first + x->turn])
		return;
	x->has_sent = 0;
	advance(m, rank, REPLAY_ENDED(x->turn), s);
	x->turn++;
	come(m, rank, s);
}

/* The rank's next send begins, or waits for a credit. */
static void begin_send(struct sim *m, uint32_t rank, double s)
{
	struct player *x = &m->player[rank];
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
	if (send->mode == REPLAY_EAGER && send->credits && x->under_way >= send->credits) {
		x->waits = 1;
		return;
	}
	launch(m, rank, s);
}

static void begin_turn(struct sim *m, uint32_t rank, double s)
{
	m->begin_s = s < m->begin_s ? s : m->begin_s;
	m->player[rank].next = 0;
	advance(m, rank, REPLAY_BEGUN(m->player[rank].turn), s);
	begin_send(m, rank, s);
}

/* When the next of those side by side in a port will be through. */
static void plan(struct sim *m, uint32_t rank)
{
	struct port *p = &m->port[rank];

	p->plans++;
	if (p->shared.n)
		replay_events_push(&m->to_come, replay_port_next_s(&p->shared, m->passing),
				   EVENT_THROUGH, rank, p->plans);
}

/* The next of them is through, unless more have come since that was planned. */
static void leave(struct sim *m, const struct replay_event *e)
{
	uint32_t send;

	if (e->send != m->port[e->rank].plans)
		return;
	send = replay_port_leave(&m->port[e->rank].shared, m->passing, e->s);
	replay_events_push(&m->to_come, e->s, EVENT_DELIVERED, m->src[send], send);
	plan(m, e->rank);
}

/* A message is at its receiver's port: it passes when the ones before it have, or with them. */
static void enter_port(struct sim *m, const struct replay_event *e)
{
	const struct replay_send *send = &m->r->send[e->send];
	struct port *p = &m->port[send->dst];

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
static void return_credit(struct sim *m, const struct replay_event *e)
{
	struct player *x = &m->player[e->rank];
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

/* The receiver has it: the sender goes on, or may send one more. */
static void deliver(struct sim *m, const struct replay_event *e)
{
	const struct replay_send *send = &m->r->send[e->send];

	m->end_s = larger(m->end_s, e->s);
	if (send->until) {
		m->missing[m->r->rank[send->dst].first + send->until - 1]--;
		if (m->player[send->dst].turn + 1 == send->until)
			end_turn(m, send->dst, e->s);
	}
	if (send->mode == REPLAY_EAGER)
		return_credit(m, e);
	else
		replay_events_push(&m->to_come,
				   e->s + (send->mode == REPLAY_SYNCHRONOUS ? send->L_s : 0),
				   EVENT_READY, e->rank, e->send);
}

/* Let events follow from events until nothing is left. */
static void simulate(struct sim *m)
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
		}
	}
}

static int check(const struct replay *r, size_t *sends, size_t *turns, struct err *err)
{
	*sends = *turns = 0;
	for (uint32_t k = 0; k < r->ranks; k++)
		for (uint32_t t = 0; t < r->rank[k].turns; t++, (*turns)++) {
			const struct replay_turn *x = &r->turn[r->rank[k].first + t];

			for (uint32_t i = x->first; i < x->first + x->n; i++, (*sends)++)
				if (r->send[i].dst >= r->ranks)
					return err_set(err,
						       "replay: send %u of rank %u goes to rank %u "
						       "of %u",
						       i - x->first, k, r->send[i].dst, r->ranks);
		}
	return 0;
}

/* Everybody is before the first turn. */
static void set_up(struct sim *m)
{
	const struct replay *r = m->r;

	for (uint32_t k = 0; k < r->ranks; k++) {
		m->player[k].out_s = m->port[k].free_s = -INFINITY;
		m->player[k].held = m->port[k].shared.first = REPLAY_NO_SEND;
		for (uint32_t t = 0; t < r->rank[k].turns; t++) {
			const struct replay_turn *x = &r->turn[r->rank[k].first + t];

			m->meeting[t].members++;
			m->meeting[t].last_s = -INFINITY;
			for (uint32_t i = x->first; i < x->first + x->n; i++) {
				m->src[i] = k;
				if (r->send[i].until)
					m->missing[r->rank[r->send[i].dst].first +
						   r->send[i].until - 1]++;
			}
		}
	}
	for (uint32_t k = 0; k < r->ranks; k++)
		come(m, k, 0);
}

int replay_run(const struct replay *r, double *makespan_s, struct err *err)
{
	struct sim m = {.r = r, .begin_s = INFINITY, .end_s = -INFINITY};
	size_t sends, turns;
	int ret = -1;

	if (check(r, &sends, &turns, err))
		return -1;
	m.player = calloc((size_t)r->ranks + 1, sizeof(*m.player));
	m.port = calloc((size_t)r->ranks + 1, sizeof(*m.port));
	m.meeting = table_calloc(turns + 1, sizeof(*m.meeting));
	m.missing = table_calloc(turns + 1, sizeof(*m.missing));
	m.src = table_alloc(sends + 1, sizeof(*m.src));
	m.after = table_alloc(sends + 1, sizeof(*m.after));
	m.passing = table_alloc(sends + 1, sizeof(*m.passing));
	m.to_come.heap = table_alloc(EVENTS_PER_SEND * sends + turns + 1, sizeof(*m.to_come.heap));
	if (m.player && m.port && m.meeting && m.missing && m.src && m.after && m.passing &&
	    m.to_come.heap) {
		set_up(&m);
		simulate(&m);
		*makespan_s = larger(0, m.end_s - m.begin_s); /* nobody has a turn: neither is */
		ret = 0;
	} else {
		err_set(err, "out of memory for %zu sends", sends);
	}
	table_free(m.to_come.heap);
	table_free(m.passing);
	table_free(m.after);
	table_free(m.src);
	table_free(m.missing);
	table_free(m.meeting);
	free(m.port);
	free(m.player);
	return ret;
}
