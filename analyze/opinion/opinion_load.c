/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/opinion/opinion.h"

#include "analyze/opinion/dialogue.h"

#define S(ns) ((double)(ns)*1e-9)

/* What a message waits to be asked for: no machine shortens that, idle or not. */
#define UNASKED (1u << COST_uncollected | 1u << COST_late_partner)

/* And what it takes although no machine is slow, or perhaps so. */
static unsigned unclear_costs(const struct attribution *a)
{
	unsigned costs = 1u << COST_inattention | 1u << COST_not_identifiable;

	for (int c = 0; c < COST_COUNT; c++)
		if (view_is_untold(&a->blame, c))
			costs |= 1u << c;
	return costs & ~UNASKED;
}

static void add_message(const struct evidence_base *b, uint32_t i, unsigned unclear,
			struct phase_load *x)
{
	const struct message *m = &b->m->m[i];
	const struct idle_price *p = evidence_price(b, i);
	double took_s = S(m->done_ns - m->sent_ns - slices_sum(&b->a->message, i, UNASKED));

	if (p->known) {
		x->wire_s += p->L_s + p->at.g_s;
		x->idle_s += p->L_s + p->at.g_s; /* the overheads are in it */
		x->o_s_s += p->at.o_s_s;
		x->o_r_s += p->at.o_r_s;
		x->latency_s += evidence_way_s(p);
	} else {
		x->unknown++;
	}
	x->messages++;
	x->bytes += (double)m->bytes;
	x->message_s += took_s;
	x->unclear_s += S(slices_sum(&b->a->message, i, unclear));
	if (p->class != LOCALITY_NETWORK)
		return;
	x->far++;
	x->far_bytes += (double)m->bytes;
	x->far_message_s += took_s;
}

/*
 * LoPC has a handler for each message, the replies' too, of which taking it is all that a trace
 * tells apart from the work that follows.
 */
static int find_handlers(const struct evidence_base *b, const struct phases *phases, uint32_t phase,
			 struct phase_load *x, struct err *err)
{
	struct dialogue d;

	if (dialogue_find(b, phases, phase, DIALOGUE_OF_RANKS, &d, err))
		return -1;
	x->requests = d.all.requests;
	x->at_once = d.all.at_once;
	x->replies = d.all.replies;
	x->askers = d.askers;
	if (x->replies > 0) {
		double squares = (d.all.squares / x->replies + x->o_r_s * x->o_r_s) / 2;

		x->thought_s = d.all.thought_s / x->replies;
		x->handler_s = (d.all.handler_s / x->replies + x->o_r_s) / 2;
		if (x->handler_s > 0)
			x->handler_cv2 = squares / (x->handler_s * x->handler_s) - 1;
	}
	dialogue_release(&d);
	return 0;
}

/* Of the sums. */
static void find_means(struct phase_load *x)
{
	double known = x->messages - x->unknown;

	if (x->messages > 0) {
		x->bytes /= x->messages;
		x->message_s /= x->messages;
		x->unclear_s /= x->messages;
	}
	if (known > 0) {
		x->idle_s /= known;
		x->wire_s /= known;
		x->o_s_s /= known;
		x->o_r_s /= known;
		x->latency_s /= known;
	}
	if (x->far > 0) {
		x->far_bytes /= x->far;
		x->far_message_s /= x->far;
	}
}

int phase_load_find(const struct evidence_base *b, const struct phases *phases,
		    const struct found *f, struct phase_load *out, struct err *err)
{
	const struct messages *m = b->m;
	const struct phase *phase = &phases->p[f->phase - 1];
	struct phase_load x = {
		.found = f, .spent_s = S(phase->spent_ns), .inside_s = phase->inside_s};
	unsigned unclear = unclear_costs(b->a);

	for (uint32_t i = 0; i < m->n; i++)
		if (phases->of_message[i] == f->phase - 1)
			add_message(b, i, unclear, &x);
	for (uint32_t c = 0; c < b->t->n_calls; c++)
		x.collectives += phases->of_call[c] == f->phase - 1 &&
				 trace_call_kind(b->t, c) == REGION_COLLECTIVE;
	find_means(&x);
	if (find_handlers(b, phases, f->phase - 1, &x, err))
		return -1;
	*out = x;
	return 0;
}
