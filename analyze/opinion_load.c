/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/opinion.h"

#include "analyze/sorting.h"
#include "common/huge.h"

#include <stdlib.h>
#include <string.h>

/* Receives that wait for an answer at one rank, at most. */
#define OPEN_MAX 4

#define S(ns) ((double)(ns)*1e-9)

/* A send or the completion of a receive, of one rank. */
struct step {
	int64_t ns;
	uint32_t rank;
	uint32_t peer;
	int is_send;
	double overhead_s; /* of this end */
};

/* The steps of a phase, rank by rank. */
struct steps {
	struct step *step;
	size_t *at; /* while they are filled in: rank r's next one at [r + 1]; then r's first at [r] */
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

static void add_message(const struct evidence_base *b, uint32_t i, struct step *sent,
			struct step *received, struct phase_load *x)
{
	const struct message *m = &b->m->m[i];
	const struct idle_price *p = evidence_price(b, i);

	if (p->known) {
		x->wire_s += p->L_s + p->at.g_s;
		x->idle_s += p->L_s + p->at.g_s + p->at.o_r_s;
	} else {
		x->unknown++;
	}
	x->messages++;
	x->far += p->class == LOCALITY_NETWORK;
	x->bytes += (double)m->bytes;
	x->message_s += S(m->done_ns - m->sent_ns - unasked_ns(b->a, i));
	*sent = (struct step){m->sent_ns, m->src, m->dst, 1, p->at.o_s_s};
	*received = (struct step){m->done_ns, m->dst, m->src, 0, p->at.o_r_s};
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

/* Requests and replies: a reply goes to a rank whose message is open. */
static void walk_steps(size_t n, const struct step *s, struct phase_load *x)
{
	struct open_receives open = {.n = 0};
	double squares = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		const struct step *request;
		double think_s, handler_s;

		if (!i || s[i].rank != s[i - 1].rank)
			open.n = 0;
		if (!s[i].is_send) {
			note_receive(&open, &s[i]);
			continue;
		}
		request = answered(&open, &s[i]);
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
		squares += handler_s * handler_s;
	}
	for (i = 0; i < n; i++)
		x->senders += s[i].is_send && (!i || s[i - 1].rank != s[i].rank);
	if (x->replies > 0) {
		double mean = x->handler_s / x->replies;

		x->handler_cv2 = mean > 0 ? squares / x->replies / (mean * mean) - 1 : 0;
		x->handler_s = mean;
		x->thought_s /= x->replies;
	}
}

static void add_calls(const struct trace *t, const struct phases *phases, uint32_t phase,
		      struct phase_load *x)
{
	uint32_t i;

	x->spent_s = S(phases->p[phase].spent_ns);
	for (i = 0; i < t->n_calls; i++)
		if (phases->of_call[i] == phase)
			x->inside_s += S(t->calls[i].leave_ns - t->calls[i].enter_ns);
}

/*
 * Where each rank's steps of the phase begin: room for them, by the messages that it sends and
 * receives. Returns 0, or -1: out of memory.
 */
static int make_room(const struct evidence_base *b, const uint32_t *of_call, uint32_t phase,
		     struct steps *s)
{
	const struct messages *m = b->m;

	s->at = calloc((size_t)b->t->n_ranks + 2, sizeof(*s->at));
	if (!s->at)
		return -1;
	for (uint32_t i = 0; i < m->n; i++) {
		if (m->n - i > MESSAGES_AHEAD)
			__builtin_prefetch(&of_call[m->m[i + MESSAGES_AHEAD].send_call]);
		if (of_call[m->m[i].send_call] == phase) {
			s->at[m->m[i].src + 2]++;
			s->at[m->m[i].dst + 2]++;
		}
	}
	for (uint32_t r = 0; r < b->t->n_ranks; r++)
		s->at[r + 2] += s->at[r + 1];
	s->step = huge_pages(malloc((s->at[b->t->n_ranks + 1] + 1) * sizeof(*s->step)));
	return s->step ? 0 : -1;
}

int phase_load_find(const struct evidence_base *b, const struct phases *phases,
		    const struct found *f, struct phase_load *out, struct err *err)
{
	const struct messages *m = b->m;
	struct phase_load x = {.found = f};
	struct steps s = {0};
	int ret = -1;

	if (make_room(b, phases->of_call, f->phase - 1, &s)) {
		err_set(err, "out of memory for %u messages", m->n);
		goto out;
	}
	for (uint32_t i = 0; i < m->n; i++) {
		const struct message *y = &m->m[i];

		if (phases->of_call[y->send_call] != f->phase - 1)
			continue;
		add_message(b, i, &s.step[s.at[y->src + 1]],
			    &s.step[s.at[y->dst + 1] + (y->src == y->dst)], &x);
		s.at[y->src + 1]++;
		s.at[y->dst + 1]++;
	}
	for (uint32_t r = 0; r < b->t->n_ranks; r++)
		sort(s.step + s.at[r], s.at[r + 1] - s.at[r], sizeof(*s.step), by_time);
	walk_steps(s.at[b->t->n_ranks], s.step, &x);
	add_calls(b->t, phases, f->phase - 1, &x);
	if (x.messages > 0) {
		x.bytes /= x.messages;
		x.message_s /= x.messages;
		x.idle_s /= x.messages;
		x.wire_s /= x.messages;
	}
	*out = x;
	ret = 0;
out:
	free(s.step);
	free(s.at);
	return ret;
}
