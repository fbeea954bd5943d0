/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/opinion.h"

#include "analyze/sorting.h"

#include <stdlib.h>
#include <string.h>

/* Receives that wait for an answer at one rank, at most. */
#define OPEN_MAX 4

#define S(ns) ((double)(ns)*1e-9)

/* A send or the completion of a receive, of the rank at work. */
struct step {
	int64_t ns;
	uint32_t peer;
	int is_send;
	int is_swap;       /* a send of Sendrecv answers nothing: it is given before what comes */
	double overhead_s; /* of this end */
};

static int by_time(const void *pa, const void *pb)
{
	const struct step *a = pa;
	const struct step *b = pb;

	if (a->ns != b->ns)
		return a->ns < b->ns ? -1 : 1;
	return a->is_send - b->is_send;
}

/* Of message i's time what it waited to be asked for: no machine shortens that, idle or not. */
static int64_t unasked_ns(const struct attribution *a, uint32_t i)
{
	return slices_part(&a->message, i, COST_uncollected) +
	       slices_part(&a->message, i, COST_late_partner);
}

static void add_message(const struct evidence_base *b, uint32_t i, struct phase_load *x)
{
	const struct message *m = &b->m->m[i];
	const struct idle_price *p = evidence_price(b, i);
	double took_s = S(m->done_ns - m->sent_ns - unasked_ns(b->a, i));

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
	if (p->class != LOCALITY_NETWORK)
		return;
	x->far++;
	x->far_bytes += (double)m->bytes;
	x->far_message_s += took_s;
}

/* What a rank received and did not answer yet, since it asked something itself. */
struct open_receives {
	const struct step *at[OPEN_MAX];
	uint32_t n;
};

static void note_receive(struct open_receives *o, const struct step *s)
{
	if (o->n == OPEN_MAX) {
		memmove(o->at, o->at + 1, (OPEN_MAX - 1) * sizeof(const struct step *));
		o->n--;
	}
	o->at[o->n++] = s;
}

/* The receive that a send answers, which is then no longer open; or NULL. */
static const struct step *answered(struct open_receives *o, const struct step *s)
{
	uint32_t i;

	for (i = o->n; i-- > 0;)
		if (o->at[i]->peer == s->peer) {
			const struct step *found = o->at[i];

			o->at[i] = o->at[--o->n];
			return found;
		}
	return NULL;
}

/* Sums over requests and replies: a reply goes to a rank whose message is open. */
struct dialogue {
	double squares; /* of the times of handlers */
	struct phase_load *x;
};

/* The steps of one rank. */
static void walk_steps(struct dialogue *d, size_t n, const struct step *s)
{
	struct open_receives open = {.n = 0};
	struct phase_load *x = d->x;
	double asked_before = x->requests;

	for (size_t i = 0; i < n; i++) {
		const struct step *request;
		double think_s, handler_s;

		if (!s[i].is_send) {
			note_receive(&open, &s[i]);
			continue;
		}
		request = s[i].is_swap ? NULL : answered(&open, &s[i]);
		if (!request) {
			x->requests++;
			open.n = 0;
			continue;
		}
		think_s = S(s[i].ns - request->ns);
		handler_s = think_s + request->overhead_s + s[i].overhead_s;
		x->replies++;
		x->thought_s += think_s;
		x->handler_s += handler_s;
		d->squares += handler_s * handler_s;
	}
	x->askers += x->requests > asked_before;
}

/* A place in a list of messages, of which those of one phase count. */
struct reader {
	const uint32_t *order; /* NULL: that of the table */
	uint32_t at, end;
};

/* The next message of the phase, which is not passed yet; or TRACE_NONE. */
static uint32_t peek(struct reader *r, const struct phases *phases, uint32_t phase)
{
	for (; r->at < r->end; r->at++) {
		uint32_t i = r->order ? r->order[r->at] : r->at;

		if (phases->of_message[i] == phase)
			return i;
	}
	return TRACE_NONE;
}

static int is_swap(const struct trace *t, const struct message *m)
{
	return trace_call_kind(t, m->send_call) == REGION_SENDRECV;
}

/* What a rank sends and receives in a phase, by time. Returns how many steps that is. */
static size_t list_steps(const struct evidence_base *b, const struct phases *phases, uint32_t phase,
			 uint32_t rank, struct step *step)
{
	const struct senders *s = &b->senders;
	struct reader sends = {s->by_call, s->of_rank[rank], s->of_rank[rank + 1]};
	struct reader receives = {NULL, b->m->by_dst[rank], b->m->by_dst[rank + 1]};
	const struct message *m = b->m->m;
	size_t n = 0;

	for (;;) {
		uint32_t out = peek(&sends, phases, phase), in = peek(&receives, phases, phase);

		if (out == TRACE_NONE && in == TRACE_NONE)
			break;
		if (out == TRACE_NONE || (in != TRACE_NONE && m[in].done_ns <= m[out].sent_ns)) {
			step[n++] = (struct step){m[in].done_ns, m[in].src, 0, 0,
						  evidence_price(b, in)->at.o_r_s};
			receives.at++;
		} else {
			step[n++] =
				(struct step){m[out].sent_ns, m[out].dst, 1, is_swap(b->t, &m[out]),
					      evidence_price(b, out)->at.o_s_s};
			messages_fetch_in(b->m, s->by_call, sends.end, sends.at++);
		}
	}
	sort(step, n, sizeof(*step), by_time); /* clocks that were moved */
	return n;
}

/*
 * LoPC has a handler for each message, the replies' too, of which taking it is all that a trace tells
 * apart from the work that follows.
 */
static void settle_handlers(const struct dialogue *d, struct phase_load *x)
{
	double mean = (x->handler_s / x->replies + x->o_r_s) / 2;
	double squares = (d->squares / x->replies + x->o_r_s * x->o_r_s) / 2;

	x->handler_cv2 = mean > 0 ? squares / (mean * mean) - 1 : 0;
	x->handler_s = mean;
	x->thought_s /= x->replies;
}

/* Requests and replies of all ranks. Returns 0, or -1: out of memory. */
static int find_dialogue(const struct evidence_base *b, const struct phases *phases, uint32_t phase,
			 struct phase_load *x)
{
	struct dialogue d = {.x = x};
	struct step *step;
	size_t most = 0;

	for (uint32_t r = 0; r < b->t->n_ranks; r++) {
		size_t n = b->senders.of_rank[r + 1] - b->senders.of_rank[r] +
			   (b->m->by_dst[r + 1] - b->m->by_dst[r]);

		most = n > most ? n : most;
	}
	step = malloc((most + 1) * sizeof(*step));
	if (!step)
		return -1;
	for (uint32_t r = 0; r < b->t->n_ranks; r++)
		walk_steps(&d, list_steps(b, phases, phase, r, step), step);
	if (x->replies > 0)
		settle_handlers(&d, x);
	free(step);
	return 0;
}

int phase_load_find(const struct evidence_base *b, const struct phases *phases,
		    const struct found *f, struct phase_load *out, struct err *err)
{
	const struct messages *m = b->m;
	const struct phase *phase = &phases->p[f->phase - 1];
	struct phase_load x = {
		.found = f, .spent_s = S(phase->spent_ns), .inside_s = phase->inside_s};

	for (uint32_t i = 0; i < m->n; i++)
		if (phases->of_message[i] == f->phase - 1)
			add_message(b, i, &x);
	if (x.messages > 0) {
		x.bytes /= x.messages;
		x.message_s /= x.messages;
		x.idle_s /= x.messages;
		x.wire_s /= x.messages;
		x.o_s_s /= x.messages;
		x.o_r_s /= x.messages;
		x.latency_s /= x.messages;
	}
	if (x.far > 0) {
		x.far_bytes /= x.far;
		x.far_message_s /= x.far;
	}
	if (find_dialogue(b, phases, f->phase - 1, &x))
		return err_set(err, "out of memory for %u messages", m->n);
	*out = x;
	return 0;
}
