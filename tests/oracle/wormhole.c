/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/wormhole.h"

#include <math.h>
#include <stdlib.h>

#include "tests/oracle/events.h"

enum { SEND, HEADER, DELIVERED, RELEASE };
enum { EAST, WEST, SOUTH, NORTH, INTO, OUT_OF, CHANNELS }; /* of each node */

#define NOBODY  SIZE_MAX
#define WAY_MAX 256

/* A node sends one message at a time in the network; further ones wait at home. */
struct sender {
	size_t channels[WAY_MAX]; /* the way of its message */
	size_t length, taken;
	int busy;
	size_t backlog;       /* messages that wait at home */
	double asked, waited; /* of the message on its way */
};

struct channel {
	size_t holder, first, last; /* line of waiting senders */
};

struct mesh {
	const struct wormhole *w;
	struct events events;
	struct sender *senders;
	struct channel *channels;
	size_t *next; /* of each sender in a line */
	size_t nodes, delivered, counted;
	double now, start, waited;
	uint64_t random;
};

static size_t way(const struct wormhole *w, size_t from, size_t to, size_t *out)
{
	size_t at = from, n = 0;

	out[n++] = from * CHANNELS + INTO;
	while (at % w->width != to % w->width) {
		int up = at % w->width < to % w->width;

		out[n++] = at * CHANNELS + (up ? EAST : WEST);
		at = up ? at + 1 : at - 1;
	}
	while (at != to) {
		int up = at < to;

		out[n++] = at * CHANNELS + (up ? SOUTH : NORTH);
		at = up ? at + w->width : at - w->width;
	}
	if (w->ports)
		out[n++] = to * CHANNELS + OUT_OF;
	return n;
}

/* The header has a channel: on to the next one, or the body flows. */
static void take(struct mesh *m, size_t s)
{
	struct sender *x = &m->senders[s];
	double body = m->w->bytes * m->w->channel_per_byte;

	m->channels[x->channels[x->taken]].holder = s;
	x->waited += m->now - x->asked;
	x->taken++;
	if (x->taken < x->length) {
		events_add(&m->events, m->now + m->w->hop, HEADER, s, 0);
		return;
	}
	for (size_t i = 0; i < x->length; i++)
		events_add(&m->events, m->now + fmax(body - (x->length - 1 - i) * m->w->hop, 0),
			   RELEASE, x->channels[i], 0);
	events_add(&m->events, m->now + body, DELIVERED, s, 0);
}

static void request(struct mesh *m, size_t s)
{
	struct sender *x = &m->senders[s];
	struct channel *c = &m->channels[x->channels[x->taken]];

	x->asked = m->now;
	if (c->holder == NOBODY) {
		take(m, s);
		return;
	}
	m->next[s] = NOBODY;
	if (c->first == NOBODY)
		c->first = s;
	else
		m->next[c->last] = s;
	c->last = s;
}

static void release(struct mesh *m, size_t channel)
{
	struct channel *c = &m->channels[channel];
	size_t s = c->first;

	c->holder = NOBODY;
	if (s == NOBODY)
		return;
	c->first = m->next[s];
	take(m, s);
}

static void start(struct mesh *m, size_t s)
{
	struct sender *x = &m->senders[s];
	size_t to = (size_t)(oracle_uniform(&m->random) * (m->nodes - 1));

	to += to >= s;
	x->length = way(m->w, s, to, x->channels);
	x->taken = 0;
	x->waited = 0;
	x->busy = 1;
	request(m, s);
}

static void send(struct mesh *m, size_t s)
{
	struct sender *x = &m->senders[s];

	if (m->w->senders == WORMHOLE_OPEN)
		events_add(&m->events, m->now + oracle_time(&m->random, m->w->T, 1), SEND, s, 0);
	if (x->busy)
		x->backlog++;
	else
		start(m, s);
}

static void deliver(struct mesh *m, size_t s)
{
	struct sender *x = &m->senders[s];
	double body = m->w->bytes * m->w->channel_per_byte;

	x->busy = 0;
	if (++m->delivered == m->nodes * m->w->messages / 10)
		m->start = m->now;
	if (m->delivered > m->nodes * m->w->messages / 10) {
		m->waited += x->waited;
		m->counted++;
	}
	if (m->w->senders == WORMHOLE_CLOSED)
		events_add(&m->events, m->now + fmax(m->w->T - body, 0), SEND, s, 0);
	if (x->backlog > 0) {
		x->backlog--;
		start(m, s);
	}
}

static void run(struct mesh *m)
{
	while (m->delivered < m->nodes * m->w->messages) {
		struct event e = events_next(&m->events);

		m->now = e.time;
		if (e.kind == SEND)
			send(m, e.where);
		else if (e.kind == HEADER)
			request(m, e.where);
		else if (e.kind == RELEASE)
			release(m, e.where);
		else
			deliver(m, e.where);
	}
}

struct wormhole_result wormhole_simulate(const struct wormhole *w)
{
	struct mesh m = {.w = w, .nodes = w->width * w->height, .random = w->seed};
	struct wormhole_result r;

	m.senders = calloc(m.nodes, sizeof(*m.senders));
	m.next = calloc(m.nodes, sizeof(*m.next));
	m.channels = calloc(m.nodes * CHANNELS, sizeof(*m.channels));
	if (!m.senders || !m.next || !m.channels || w->width + w->height + 2 > WAY_MAX)
		abort();
	for (size_t i = 0; i < m.nodes * CHANNELS; i++)
		m.channels[i] = (struct channel){NOBODY, NOBODY, NOBODY};
	for (size_t i = 0; i < m.nodes; i++)
		events_add(&m.events, oracle_uniform(&m.random) * w->T, SEND, i, 0);
	run(&m);
	r.C_n = m.waited / m.counted;
	r.T_c = m.nodes * (m.now - m.start) / m.counted;
	free(m.senders);
	free(m.next);
	free(m.channels);
	events_release(&m.events);
	return r;
}
