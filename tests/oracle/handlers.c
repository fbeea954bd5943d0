/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/handlers.h"

#include <stdlib.h>

#include "tests/oracle/events.h"

enum { ARRIVAL, HANDLER_DONE, WORK_DONE };

#define IS_REPLY ((uint64_t)1 << 32) /* a message: its thread, and this bit */

struct node {
	uint64_t *queue; /* ring; a thread has one message in flight */
	double *arrived;
	size_t head, n;
	double work_left, work_since; /* running since, if it runs */
	int running;                  /* the thread has the processor */
	int working;                  /* it has work left */
	uint64_t version;             /* of its WORK_DONE: older ones are void */
	double woken;
};

struct machine {
	const struct handlers *h;
	struct events events;
	struct node *nodes;
	size_t room, threads, done, first_counted;
	double now, start, distance_mean;
	uint64_t random;
	double R_w, R_q, R_y;
	size_t n_w, n_q, n_y, cycles;
};

static double distance(const struct handlers *h, size_t a, size_t b)
{
	double x = (double)(a % h->width) - (double)(b % h->width);
	double y = (double)(a / h->width) - (double)(b / h->width);

	return (x < 0 ? -x : x) + (y < 0 ? -y : y);
}

static double mean_distance(const struct handlers *h)
{
	double sum = 0;

	for (size_t a = 0; a < h->nodes; a++)
		for (size_t b = 0; b < h->nodes; b++)
			sum += distance(h, a, b);
	return sum / (h->nodes * (h->nodes - 1.0));
}

static void send(struct machine *m, size_t from, size_t to, uint64_t message)
{
	double latency = m->h->S_l;

	if (m->h->width)
		latency *= distance(m->h, from, to) / m->distance_mean;
	events_add(&m->events, m->now + latency, ARRIVAL, to, message);
}

static int counts(const struct machine *m)
{
	return m->done >= m->first_counted;
}

/* Give the processor to the first handler, else to the thread. */
static void dispatch(struct machine *m, size_t i)
{
	struct node *x = &m->nodes[i];

	if (x->n > 0) {
		events_add(&m->events, m->now + oracle_time(&m->random, m->h->S_o, m->h->C2),
			   HANDLER_DONE, i, 0);
	} else if (x->working) {
		x->running = 1;
		x->work_since = m->now;
		events_add(&m->events, m->now + x->work_left, WORK_DONE, i, ++x->version);
	}
}

static void arrive(struct machine *m, size_t i, uint64_t message)
{
	struct node *x = &m->nodes[i];
	size_t at = (x->head + x->n++) % m->room;

	x->queue[at] = message;
	x->arrived[at] = m->now;
	if (x->n > 1)
		return;
	if (x->running) { /* preempt, resume later */
		x->running = 0;
		x->version++;
		x->work_left -= m->now - x->work_since;
	}
	dispatch(m, i);
}

static void wake(struct machine *m, struct node *x)
{
	m->done++;
	m->cycles += counts(m);
	if (m->done == m->first_counted)
		m->start = m->now;
	x->working = 1;
	x->work_left = m->h->W;
	x->woken = m->now;
}

static void finish_handler(struct machine *m, size_t i)
{
	struct node *x = &m->nodes[i];
	uint64_t message = x->queue[x->head];
	double took = m->now - x->arrived[x->head];

	x->head = (x->head + 1) % m->room;
	x->n--;
	if (message & IS_REPLY) {
		m->R_y += counts(m) ? took : 0;
		m->n_y += counts(m);
		wake(m, x);
	} else {
		m->R_q += counts(m) ? took : 0;
		m->n_q += counts(m);
		send(m, i, message, message | IS_REPLY);
	}
	dispatch(m, i);
}

static void ask(struct machine *m, size_t i)
{
	struct node *x = &m->nodes[i];
	size_t to;

	x->running = x->working = 0;
	m->R_w += counts(m) ? m->now - x->woken : 0;
	m->n_w += counts(m);
	if (m->h->servers) {
		to = m->threads + (size_t)(oracle_uniform(&m->random) * m->h->servers);
	} else {
		to = (size_t)(oracle_uniform(&m->random) * (m->h->nodes - 1));
		to += to >= i;
	}
	send(m, i, to, i);
}

static void run(struct machine *m)
{
	size_t all = m->h->cycles * m->threads;

	m->first_counted = all / 10 + 1;
	while (m->done < all) {
		struct event e = events_next(&m->events);

		m->now = e.time;
		if (e.kind == ARRIVAL)
			arrive(m, e.where, e.what);
		else if (e.kind == HANDLER_DONE)
			finish_handler(m, e.where);
		else if (e.what == m->nodes[e.where].version && m->nodes[e.where].running)
			ask(m, e.where);
	}
}

struct handlers_result handlers_simulate(const struct handlers *h)
{
	struct machine m = {
		.h = h, .room = h->nodes + 1, .threads = h->nodes - h->servers, .random = h->seed};
	struct handlers_result r;

	m.distance_mean = h->width ? mean_distance(h) : 1;
	m.nodes = calloc(h->nodes, sizeof(*m.nodes));
	for (size_t i = 0; i < h->nodes; i++) {
		m.nodes[i].queue = calloc(m.room, sizeof(uint64_t));
		m.nodes[i].arrived = calloc(m.room, sizeof(double));
	}
	for (size_t i = 0; i < m.threads; i++) { /* not all at once */
		m.nodes[i].working = 1;
		m.nodes[i].work_left = oracle_uniform(&m.random) * (h->W + 2 * h->S_o);
		dispatch(&m, i);
	}
	run(&m);
	r.X = (m.cycles - 1) / (m.now - m.start);
	r.R = m.threads / r.X;
	r.R_w = m.R_w / m.n_w;
	r.R_q = m.R_q / m.n_q;
	r.R_y = m.R_y / m.n_y;
	for (size_t i = 0; i < h->nodes; i++) {
		free(m.nodes[i].queue);
		free(m.nodes[i].arrived);
	}
	free(m.nodes);
	events_release(&m.events);
	return r;
}
