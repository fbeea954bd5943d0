/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/serial_sends.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/gains/order_saving.h"

/* The run at work. */
struct sends {
	uint32_t n;
	double sum_s, most_s; /* of the calls */
	double port_s, latency_s;
	double waited_s;
	uint32_t last; /* call */
};

static int is_blocking(const struct trace *t, uint32_t call)
{
	enum region_kind kind = trace_call_kind(t, call);

	return kind == REGION_SEND || kind == REGION_SSEND;
}

/*
 * Time in the send call for its receiver and the wire. Not what it queues behind others: begun
 * together, those queue as long, and longer where the volume is skewed.
 */
static double waited_s(const struct evidence_base *b, uint32_t call)
{
	return slices_sum(&b->a->call, call, SENDING_WAITS) * 1e-9;
}

/* And that; where ports are not known so well, what may be. */
static double queued_s(const struct evidence_base *b, uint32_t call)
{
	unsigned parts = SENDING_QUEUES;

	if (b->machine->source != MACHINE_FILE)
		parts |= 1u << COST_not_identifiable | 1u << COST_wire;
	return slices_sum(&b->a->call, call, parts) * 1e-9;
}

static void add(struct serial_sends *s, struct sends *run, uint32_t i)
{
	const struct message *x = &s->b->m->m[i];
	const struct call *c = &s->b->t->calls[x->send_call];
	const struct idle_price *p = evidence_price(s->b, i);
	double took_s = (c->leave_ns - c->enter_ns) * 1e-9;

	run->n++;
	run->sum_s += took_s;
	run->most_s = fmax(run->most_s, took_s);
	run->port_s += fmax(p->at.g_s, p->at.o_s_s);
	run->latency_s = fmax(run->latency_s, p->L_s);
	run->waited_s += waited_s(s->b, x->send_call);
	s->queued_s[x->src] += queued_s(s->b, x->send_call);
	run->last = x->send_call;
	s->seen[x->dst] = s->run;
	s->sends++;
}

/* The run of places first to end of the senders' list is over. */
static void settle(struct serial_sends *s, struct sends *run, uint32_t first, uint32_t end)
{
	const struct evidence_base *b = s->b;
	double overlapped_s = fmax(run->most_s, run->port_s + run->latency_s);

	for (uint32_t k = first; k < end; k++) {
		uint32_t i = b->senders.message[k], call = b->m->m[i].send_call;

		if (is_blocking(b->t, call) && evidence_is_held(b, i))
			s->saving.last[call] = run->last;
	}
	if (run->n > 1)
		s->overlap_s += fmin(fmax(run->sum_s - overlapped_s, 0), run->waited_s);
	s->compute_s[b->t->calls[run->last].rank] +=
		fmin(run->sum_s, evidence_own_after_ns(b->t, run->last) * 1e-9);
	s->runs += run->n > 1;
	s->waited_s += run->waited_s;
	s->run++;
	memset(run, 0, sizeof(*run));
}

/*
 * Does message k follow k - 1 at once, and to another destination? Longer computation between
 * them overlaps otherwise, and who gets a second one is in the next round of the program.
 */
static int continues(const struct serial_sends *s, uint32_t k)
{
	const struct evidence_base *b = s->b;
	const struct message *x = &b->m->m[b->senders.message[k]];
	const struct message *before = &b->m->m[b->senders.message[k - 1]];
	const struct idle_price *p = evidence_price(b, b->senders.message[k]);

	return x->src == before->src && s->seen[x->dst] != s->run &&
	       b->senders.breaks[x->send_call] == b->senders.breaks[before->send_call] &&
	       presence_between_ns(&b->a->presence, before->send_call, x->send_call) * 1e-9 <=
		       0.1 * waited_s(b, before->send_call) + 2 * p->at.o_s_s;
}

void serial_sends_cut(struct serial_sends *s, uint32_t key)
{
	const struct evidence_base *b = s->b;
	struct sends run = {0};
	uint32_t end = b->senders.at[key + 1], first = b->senders.at[key];

	s->sends = s->runs = 0;
	s->waited_s = s->overlap_s = 0;
	memset(s->compute_s, 0, b->t->n_ranks * sizeof(*s->compute_s));
	memset(s->queued_s, 0, b->t->n_ranks * sizeof(*s->queued_s));
	for (uint32_t k = first; k < end; k++) {
		uint32_t i = b->senders.message[k];

		messages_fetch_in(b->m, b->senders.message, end, k);
		if (!is_blocking(b->t, b->m->m[i].send_call))
			continue;
		add(s, &run, i);
		if (k + 1 < end && continues(s, k + 1))
			continue;
		settle(s, &run, first, k + 1);
		first = k + 1;
	}
}

/*
 * Sends that also queue behind those of others, as all go the same way, do so no longer if none
 * waits for the one before: by a replay of the place's exchanges, where that is as long as they
 * were. That raises what there is, likely by no more than some rank's queueing; and where
 * receivers' ports are busy in any case it is less.
 */
static int ask_replay(struct serial_sends *s, struct order_replay *r, double *likely_s,
		      double *most_s, struct err *err)
{
	double waits_s = *likely_s, queued_s = 0;
	struct order_saving likely, most;
	int replayed;

	if (order_replay_ask(r, ORDER_BEGUN_BESIDE, &most, err))
		return -1;
	likely = most;
	if (s->saving.doubts && order_replay_ask(r, ORDER_BEGUN, &likely, err))
		return -1;
	replayed = order_saving_is_replayed(&most);
	if (!replayed && !most.fitted)
		return 0;
	if (replayed && !most.fitted)
		*likely_s = waits_s = fmax(0, fmin(waits_s, most.high_s));
	for (uint32_t r = 0; r < s->b->t->n_ranks; r++)
		queued_s = fmax(queued_s, s->queued_s[r]);
	if (replayed || !trace_any_shares_core(s->b->t))
		*likely_s = fmax(waits_s, fmin(likely.mid_s, waits_s + queued_s) *
						  (1 - attribution_core_doubt(s->b->a)));
	*most_s = fmax(*most_s, most.high_s);
	s->unqueues = *likely_s > 2 * waits_s;
	return 0;
}

int serial_sends_save(struct serial_sends *s, uint32_t key, double *likely_s, double *most_s,
		      struct err *err)
{
	struct order_replay r;
	struct episodes e;
	double beside_s = 0;
	int ret;

	if (sending_saving_find(&s->saving, key, SENDING_LIKELY, likely_s, err) ||
	    sending_saving_find(&s->saving, key, SENDING_MOST, most_s, err))
		return -1;
	for (uint32_t r = 0; r < s->b->t->n_ranks; r++)
		beside_s = fmax(beside_s, s->compute_s[r]);
	*most_s = fmax(fmax(*likely_s, *most_s), fmin(beside_s, s->b->wall_s));
	s->unqueues = 0;
	if (s->runs == 0)
		return 0;
	if (episodes_cut(&e, &s->b->senders, key, err))
		return -1;
	ret = order_replay_init(&r, s->b, &e, err);
	episodes_release(&e);
	if (ret)
		return -1;
	ret = ask_replay(s, &r, likely_s, most_s, err);
	order_replay_release(&r);
	return ret;
}

void serial_sends_forget(struct serial_sends *s, uint32_t key)
{
	sending_saving_forget(&s->saving, key);
}

int serial_sends_init(struct serial_sends *s, const struct evidence_base *b, struct err *err)
{
	*s = (struct serial_sends){.b = b, .run = 1};
	s->compute_s = calloc(b->t->n_ranks + 1u, sizeof(*s->compute_s));
	s->queued_s = calloc(b->t->n_ranks + 1u, sizeof(*s->queued_s));
	s->seen = calloc(b->t->n_ranks + 1u, sizeof(*s->seen));
	if (!s->compute_s || !s->queued_s || !s->seen)
		return err_set(err, "out of memory for %u ranks", b->t->n_ranks);
	return sending_saving_init(&s->saving, b, err);
}

void serial_sends_release(struct serial_sends *s)
{
	free(s->seen);
	sending_saving_release(&s->saving);
	free(s->queued_s);
	free(s->compute_s);
}
