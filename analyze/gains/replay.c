/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/replay.h"

#include "analyze/tools/sorting.h"
#include "common/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum event_kind { EVENT_START, EVENT_PORT, EVENT_READY, EVENT_DELIVERED };

struct event {
	double s;
	uint64_t serial; /* keeps simultaneous events in order of their making */
	enum event_kind kind;
	uint32_t rank; /* the sender */
	uint32_t send; /* index into replay.send */
};

struct sender {
	uint32_t next;      /* how many of its sends have begun */
	uint32_t under_way; /* eager messages to its present destination */
	double out_s;       /* its outgoing port is free */
	double begun_s;     /* its present send was called */
	int waits;          /* for a credit */
};

struct sim {
	const struct replay *r;
	struct sender *sender;
	double *in_s; /* per rank: its incoming port is free */
	struct event *heap;
	size_t n;
	uint64_t serial;
	struct replay_result *out;
};

static int before(const struct event *a, const struct event *b)
{
	return a->s != b->s ? a->s < b->s : a->serial < b->serial;
}

static void push(struct sim *m, double s, enum event_kind kind, uint32_t rank, uint32_t send)
{
	struct event e = {s, m->serial++, kind, rank, send};
	size_t at = m->n++;

	for (; at > 0 && before(&e, &m->heap[(at - 1) / 2]); at = (at - 1) / 2)
		m->heap[at] = m->heap[(at - 1) / 2];
	m->heap[at] = e;
}

static struct event pop(struct sim *m)
{
	struct event first = m->heap[0], last = m->heap[--m->n];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < m->n) {
		if (child + 1 < m->n && before(&m->heap[child + 1], &m->heap[child]))
			child++;
		if (!before(&m->heap[child], &last))
			break;
		m->heap[at] = m->heap[child];
		at = child;
	}
	m->heap[at] = last;
	return first;
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static void passed(struct sim *m, double s)
{
	m->out->makespan_s = larger(m->out->makespan_s, s);
}

/* The rank's next send gets going at s. */
static void launch(struct sim *m, uint32_t rank, double s)
{
	struct sender *x = &m->sender[rank];
	uint32_t index = m->r->rank[rank].first + x->next++;
	const struct replay_send *send = &m->r->send[index];
	double ready_s = larger(s + send->o_s, x->out_s);

	x->under_way++;
	if (send->mode == REPLAY_RENDEZVOUS)
		ready_s = larger(ready_s + send->L_s, m->r->rank[send->dst].start_s) + send->L_s;
	x->out_s = ready_s + send->g_s;
	push(m, ready_s + larger(0, send->L_s - send->o_s), EVENT_PORT, rank, index);
	if (send->mode == REPLAY_EAGER)
		push(m, s + send->o_s, EVENT_READY, rank, index);
}

/* The rank's next send begins, or waits for a credit. */
static void begin_send(struct sim *m, uint32_t rank, double s)
{
	struct sender *x = &m->sender[rank];
	const struct replay_rank *list = &m->r->rank[rank];
	const struct replay_send *send = &m->r->send[list->first + x->next];

	if (x->next == list->n)
		return;
	x->begun_s = s;
	if (x->next == 0 || send[-1].dst != send->dst)
		x->under_way = 0;
	if (send->mode == REPLAY_EAGER && send->credits && x->under_way >= send->credits) {
		x->waits = 1;
		return;
	}
	launch(m, rank, s);
}

/* A message is at its receiver's port: it passes when the ones before it have. */
static void enter_port(struct sim *m, const struct event *e)
{
	const struct replay_send *send = &m->r->send[e->send];
	double done_s, begin_s = larger(e->s, m->in_s[send->dst]);

	if (send->mode == REPLAY_SYNCHRONOUS)
		begin_s = larger(begin_s, m->r->rank[send->dst].start_s);
	done_s = begin_s + send->g_s;
	m->in_s[send->dst] = done_s;
	passed(m, done_s);
	push(m, done_s, EVENT_DELIVERED, e->rank, e->send);
}

/* The receiver has it: the sender goes on, or may send one more. */
static void deliver(struct sim *m, const struct event *e)
{
	const struct replay_send *send = &m->r->send[e->send];
	struct sender *x = &m->sender[e->rank];
	uint32_t present = m->r->rank[e->rank].first + x->next - !x->waits;

	if (send->mode == REPLAY_SYNCHRONOUS) {
		push(m, e->s + send->L_s, EVENT_READY, e->rank, e->send);
		return;
	}
	if (send->mode == REPLAY_RENDEZVOUS) {
		push(m, e->s, EVENT_READY, e->rank, e->send);
		return;
	}
	if (m->r->send[present].dst != send->dst)
		return;
	x->under_way -= x->under_way > 0;
	if (x->waits) {
		x->waits = 0;
		launch(m, e->rank, e->s);
	}
}

/* A send call returns. */
static void finish_send(struct sim *m, const struct event *e)
{
	m->out->stall_s += e->s - m->sender[e->rank].begun_s - m->r->send[e->send].o_s;
	passed(m, e->s);
	begin_send(m, e->rank, e->s);
}

static int check(const struct replay *r, struct err *err)
{
	for (uint32_t k = 0; k < r->ranks; k++)
		for (uint32_t i = r->rank[k].first; i < r->rank[k].first + r->rank[k].n; i++)
			if (r->send[i].dst >= r->ranks)
				return err_set(err,
					       "replay: send %u of rank %u goes to rank %u of %u",
					       i - r->rank[k].first, k, r->send[i].dst, r->ranks);
	return 0;
}

/* Start everybody and let events follow from events until nothing is left. */
static void simulate(struct sim *m)
{
	double start_s = INFINITY;

	for (uint32_t k = 0; k < m->r->ranks; k++)
		if (m->r->rank[k].n > 0 && m->r->rank[k].start_s < start_s)
			start_s = m->r->rank[k].start_s;
	for (uint32_t k = 0; k < m->r->ranks; k++)
		if (m->r->rank[k].n > 0)
			push(m, m->r->rank[k].start_s, EVENT_START, k, 0);
	while (m->n > 0) {
		struct event e = pop(m);

		switch (e.kind) {
		case EVENT_START:
			begin_send(m, e.rank, e.s);
			break;
		case EVENT_PORT:
			enter_port(m, &e);
			break;
		case EVENT_READY:
			finish_send(m, &e);
			break;
		case EVENT_DELIVERED:
			deliver(m, &e);
			break;
		}
	}
	m->out->makespan_s = isfinite(start_s) ? larger(0, m->out->makespan_s - start_s) : 0;
}

int replay_run(const struct replay *r, struct replay_result *out, struct err *err)
{
	struct replay_result result = {.makespan_s = -INFINITY};
	struct sim m = {.r = r, .out = &result};
	size_t sends = 0;
	int ret = -1;

	if (check(r, err))
		return -1;
	for (uint32_t k = 0; k < r->ranks; k++)
		sends += r->rank[k].n;
	m.sender = calloc((size_t)r->ranks + 1, sizeof(*m.sender));
	m.in_s = calloc((size_t)r->ranks + 1, sizeof(*m.in_s));
	m.heap = table_calloc(2 * sends + r->ranks + 1, sizeof(*m.heap));
	if (!m.sender || !m.in_s || !m.heap) {
		err_set(err, "out of memory for %zu sends", sends);
		goto out;
	}
	for (uint32_t k = 0; k < r->ranks; k++)
		m.sender[k].out_s = m.in_s[k] = -INFINITY;
	simulate(&m);
	*out = result;
	ret = 0;
out:
	table_free(m.heap);
	free(m.in_s);
	free(m.sender);
	return ret;
}

/* A run of sends to one destination and where it goes in the new order. */
struct step {
	uint64_t place;
	uint32_t first;
	uint32_t n;
};

/* What reordering needs, room for the longest list. */
struct reorder {
	enum replay_order order;
	uint64_t seed;
	struct step *step;
	struct replay_send *kept;
};

static int by_place(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	return x->place != y->place ? (x->place > y->place) - (x->place < y->place)
				    : (x->first > y->first) - (x->first < y->first);
}

/* splitmix64: a place from a seed and a number. */
static uint64_t scatter(uint64_t seed, uint64_t k)
{
	uint64_t z = seed * 0x9e3779b97f4a7c15ull + k * 0xd1342543de82ef95ull + 1;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static void reorder_rank(struct replay *r, uint32_t rank, const struct reorder *how)
{
	struct step *step = how->step;

	struct replay_send *send = r->send + r->rank[rank].first;
	uint32_t n = r->rank[rank].n, steps = 0, at = 0;

	for (uint32_t k = 0; k < n; k++) {
		if (k == 0 || send[k].dst != send[k - 1].dst) {
			uint64_t ahead = (send[k].dst + r->ranks - rank - 1) % r->ranks;

			step[steps++] = (struct step){ahead, k, 0};
			if (how->order == REPLAY_RANDOM)
				step[steps - 1].place =
					scatter(how->seed, (uint64_t)rank << 32 | k);
		}
		step[steps - 1].n++;
	}
	sort(step, steps, sizeof(*step), by_place);
	memcpy(how->kept, send, n * sizeof(*send));
	for (uint32_t k = 0; k < steps; k++) {
		memcpy(send + at, how->kept + step[k].first, step[k].n * sizeof(*send));
		at += step[k].n;
	}
}

int replay_reorder(struct replay *r, enum replay_order order, uint64_t seed, struct err *err)
{
	struct reorder how = {.order = order, .seed = seed};
	uint32_t most = 0;
	int ret = -1;

	if (order == REPLAY_RECORDED)
		return 0;
	for (uint32_t k = 0; k < r->ranks; k++)
		most = r->rank[k].n > most ? r->rank[k].n : most;
	how.kept = table_calloc((size_t)most + 1, sizeof(*how.kept));
	how.step = table_calloc((size_t)most + 1, sizeof(*how.step));
	if (!how.kept || !how.step) {
		err_set(err, "out of memory for %u sends", most);
		goto out;
	}
	for (uint32_t k = 0; k < r->ranks; k++)
		reorder_rank(r, k, &how);
	ret = 0;
out:
	table_free(how.step);
	table_free(how.kept);
	return ret;
}
