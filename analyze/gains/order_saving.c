/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/order_saving.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/gains/replay.h"
#include "common/table.h"

#define REPLAYED_MESSAGES 60000 /* at most about so many; phases are taken evenly */
#define RANDOM_ORDERS     3
#define CREDITS           8 /* of eager messages, when nothing tells */

enum { ORDER_AS_RECORDED, ORDER_STAGGERED, ORDER_FIRST_RANDOM, ORDERS = 2 + RANDOM_ORDERS };

struct saver {
	const struct evidence_base *b;
	const struct episodes *e;
	uint32_t *by_phase; /* episodes in order of phase */
	uint32_t *at;       /* phases + 1 offsets */
	struct replay_rank *rank;
	struct replay_send *send;
	double measured_s; /* of the replayed phases */
	double makespan_s[ORDERS];
};

static double phase_begin_ns(const struct saver *s, uint32_t phase)
{
	double begin = INFINITY;

	for (uint32_t k = s->at[phase]; k < s->at[phase + 1]; k++)
		begin = fmin(begin, s->e->e[s->by_phase[k]].begin_ns);
	return begin;
}

static double phase_s(const struct saver *s, uint32_t phase)
{
	double end = -INFINITY;

	for (uint32_t k = s->at[phase]; k < s->at[phase + 1]; k++)
		end = fmax(end, s->e->e[s->by_phase[k]].end_ns);
	return fmax(0, end - phase_begin_ns(s, phase)) * 1e-9;
}

static void sort_by_phase(struct saver *s)
{
	for (uint32_t k = 0; k < s->e->n; k++)
		s->at[s->e->e[k].phase + 1]++;
	for (uint32_t p = 0; p < s->e->phases; p++)
		s->at[p + 1] += s->at[p];
	for (uint32_t k = 0; k < s->e->n; k++)
		s->by_phase[s->at[s->e->e[k].phase]++] = k;
	memmove(s->at + 1, s->at, s->e->phases * sizeof(*s->at));
	s->at[0] = 0;
}

/* How many such eager messages a receiver takes that does not look: by K(m), where it is known. */
static uint32_t credits_for(const struct machine_class *c, uint64_t bytes)
{
	struct machine_credit k = machine_credit_at(c, bytes);

	if (c->n_credits == 0)
		return CREDITS;
	if (k.most != CREDIT_UNKNOWN)
		k.least += (k.most - k.least) / 2;
	return k.least > 0 ? k.least : 1;
}

/* One message as the replay sees it. Returns 0 when its class is not known or it goes nowhere. */
static int make_send(const struct evidence_base *b, const struct message *x,
		     struct replay_send *out)
{
	const struct machine_class *c =
		&b->machine->classes[machine_locality(b->t, x->src, x->dst)];
	struct plogp_point p;

	if (c->n == 0 || x->src == x->dst)
		return 0;
	p = plogp_at((struct plogp){c->L_s, c->n, c->points}, x->bytes);
	*out = (struct replay_send){.dst = x->dst,
				    .mode = REPLAY_EAGER,
				    .o_s = p.o_s_s,
				    .L_s = machine_latency_s(c, x->bytes),
				    .g_s = p.g_s,
				    .credits = credits_for(c, x->bytes)};
	if (x->bytes > c->eager_bytes)
		out->mode = REPLAY_RENDEZVOUS;
	else if (machine_is_synchronous(&b->t->regions[b->t->calls[x->send_call].region]))
		out->mode = REPLAY_SYNCHRONOUS;
	return 1;
}

/* The phase's sends as replay lists. */
static void load_phase(struct saver *s, uint32_t phase, struct replay *r)
{
	double begin = phase_begin_ns(s, phase);
	uint32_t n = 0;

	memset(s->rank, 0, s->b->t->n_ranks * sizeof(*s->rank));
	for (uint32_t k = s->at[phase]; k < s->at[phase + 1]; k++) {
		const struct episode *e = &s->e->e[s->by_phase[k]];
		struct replay_rank *rank = &s->rank[e->rank];

		rank->first = n;
		rank->start_s = (e->begin_ns - begin) * 1e-9;
		for (uint32_t i = e->first; i < e->first + e->n; i++)
			n += make_send(s->b, &s->b->m->m[s->b->senders.message[i]], &s->send[n]);
		rank->n = n - rank->first;
	}
	*r = (struct replay){s->b->t->n_ranks, s->rank, s->send};
}

static int replay_phase(struct saver *s, uint32_t phase, struct err *err)
{
	for (int order = 0; order < ORDERS; order++) {
		enum replay_order how = order == ORDER_AS_RECORDED ? REPLAY_RECORDED
					: order == ORDER_STAGGERED ? REPLAY_STAGGERED
								   : REPLAY_RANDOM;
		struct replay_result result;
		struct replay r;

		load_phase(s, phase, &r);
		if (replay_reorder(&r, how, (uint64_t)phase * ORDERS + order, err) ||
		    replay_run(&r, &result, err))
			return -1;
		s->makespan_s[order] += result.makespan_s;
	}
	s->measured_s += phase_s(s, phase);
	return 0;
}

/* Saved share of the exchanges' time: the range over the orders, widened by the closure error. */
static void conclude(const struct saver *s, int even, struct order_saving *out)
{
	double recorded = s->makespan_s[ORDER_AS_RECORDED], least = 1, most = 0, random = 0, mid, e;

	if (recorded <= 0 || s->measured_s <= 0)
		return;
	for (int k = ORDER_STAGGERED; k < ORDERS; k++) {
		double saved = fmax(0, 1 - s->makespan_s[k] / recorded);

		if (k >= ORDER_FIRST_RANDOM)
			random += saved / RANDOM_ORDERS;
		least = fmin(least, saved);
		most = fmax(most, saved);
	}
	mid = even ? fmax(0, 1 - s->makespan_s[ORDER_STAGGERED] / recorded) : random;
	out->closure = e = fabs(recorded - s->measured_s) / s->measured_s;
	out->low_s = fmax(0, least * (1 - e)) * out->exchange_s;
	out->mid_s = mid * out->exchange_s;
	out->high_s = fmin(1, most * (1 + e)) * out->exchange_s;
	/*
	 * Of a phase that lasts longer than its replay, the order can save the replayed part only.
	 */
	if (recorded < s->measured_s)
		out->mid_s *= recorded / s->measured_s;
	out->low_s = fmin(out->low_s, out->mid_s);
}

/* Which send mode has the site's first message? */
static int is_eager(const struct saver *s)
{
	struct replay_send send = {.mode = REPLAY_SYNCHRONOUS};

	make_send(s->b, &s->b->m->m[s->b->senders.message[s->e->e[0].first]], &send);
	return send.mode == REPLAY_EAGER;
}

static int replay_phases(struct saver *s, int even, struct order_saving *out, struct err *err)
{
	uint64_t messages = 0;
	uint32_t stride;

	sort_by_phase(s);
	for (uint32_t k = 0; k < s->e->n; k++)
		messages += s->e->e[k].n;
	stride = messages / REPLAYED_MESSAGES + 1;
	for (uint32_t p = 0; p < s->e->phases; p++) {
		out->exchange_s += phase_s(s, p);
		if (p % stride == 0 && replay_phase(s, p, err))
			return -1;
	}
	out->exchange_s = fmin(out->exchange_s, s->b->wall_s);
	conclude(s, even, out);
	if (is_eager(s)) /* with endless buffers the order makes no difference */
		out->low_s = 0;
	return 0;
}

int order_saving_find(const struct evidence_base *b, const struct episodes *e, int even,
		      struct order_saving *out, struct err *err)
{
	struct saver s = {.b = b, .e = e};
	struct order_saving found = {.closure = -1};
	uint32_t *most = NULL;
	uint32_t room = 0;
	int ret = -1;

	s.by_phase = table_calloc((size_t)e->n + 1, sizeof(*s.by_phase));
	s.at = table_calloc((size_t)e->phases + 2, sizeof(*s.at));
	s.rank = calloc((size_t)b->t->n_ranks + 1, sizeof(*s.rank));
	most = table_calloc((size_t)e->phases + 1, sizeof(*most));
	if (!s.by_phase || !s.at || !s.rank || !most) {
		err_set(err, "out of memory for %u episodes", e->n);
		goto out;
	}
	for (uint32_t k = 0; k < e->n; k++) {
		most[e->e[k].phase] += e->e[k].n;
		room = most[e->e[k].phase] > room ? most[e->e[k].phase] : room;
	}
	s.send = table_calloc((size_t)room + 1, sizeof(*s.send));
	if (!s.send) {
		err_set(err, "out of memory for %u sends", room);
		goto out;
	}
	if (replay_phases(&s, even, &found, err))
		goto out;
	*out = found;
	ret = 0;
out:
	table_free(s.send);
	table_free(most);
	free(s.rank);
	table_free(s.at);
	table_free(s.by_phase);
	return ret;
}
