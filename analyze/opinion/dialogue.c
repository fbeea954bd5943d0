/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/opinion/dialogue.h"

#include "analyze/tools/share.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

#include <stdlib.h>
#include <string.h>

/* Messages that wait for an answer at one rank, at most. */
#define OPEN_MAX 4

#define S(ns) ((double)(ns)*1e-9)

/* A send or the completion of a receive, of the rank at work. */
struct step {
	int64_t ns;
	int64_t peer_ns; /* of its other end */
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

/*
 * What is open at a rank: received and not answered since it asked itself, or asked and not
 * answered.
 */
struct open_steps {
	const struct step *at[OPEN_MAX];
	uint32_t n;
};

static void note(struct open_steps *o, const struct step *s)
{
	if (o->n == OPEN_MAX) {
		memmove(o->at, o->at + 1, (OPEN_MAX - 1) * sizeof(const struct step *));
		o->n--;
	}
	o->at[o->n++] = s;
}

/* What was open with the peer of a step, and is not any more; or NULL. */
static const struct step *settled(struct open_steps *o, const struct step *s)
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

/* Is what comes from a peer the answer to what it was asked? Then it had that. */
static int answers(struct open_steps *asked, const struct step *s)
{
	const struct step *question = settled(asked, s);

	return question && question->peer_ns <= s->peer_ns;
}

/* The steps of one rank. An answer needs none. */
static void walk_steps(struct dialogue *d, uint32_t ranks, uint32_t rank, size_t n,
		       const struct step *s)
{
	struct open_steps received = {.n = 0}, asked = {.n = 0};
	struct speaker *x = &d->speaker[rank];

	for (size_t i = 0; i < n; i++) {
		const struct step *request;
		double think_s, handler_s;

		if (!s[i].is_send) {
			if (!answers(&asked, &s[i]))
				note(&received, &s[i]);
			continue;
		}
		request = s[i].is_swap ? NULL : settled(&received, &s[i]);
		if (!request) {
			x->requests++;
			x->at_once += asked.n > 0;
			note(&asked, &s[i]);
			if (d->asked)
				d->asked[(size_t)rank * ranks + s[i].peer]++;
			received.n = 0;
			continue;
		}
		think_s = S(s[i].ns - request->ns);
		handler_s = think_s + request->overhead_s + s[i].overhead_s;
		x->replies++;
		x->thought_s += think_s;
		x->handler_s += handler_s;
		x->squares += handler_s * handler_s;
	}
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

/* Most places have calls of one kind: then theirs is not looked up. */
static int is_swap(const struct evidence_base *b, const struct message *m)
{
	return b->senders.kinds[m->place] & UINT32_C(1) << REGION_SENDRECV &&
	       trace_call_kind(b->t, m->send_call) == REGION_SENDRECV;
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
			step[n++] = (struct step){m[in].done_ns,
						  m[in].sent_ns,
						  m[in].src,
						  0,
						  0,
						  evidence_price(b, in)->at.o_r_s};
			receives.at++;
		} else {
			step[n++] = (struct step){
				m[out].sent_ns,      m[out].done_ns,
				m[out].dst,          1,
				is_swap(b, &m[out]), evidence_price(b, out)->at.o_s_s};
			messages_fetch_in(b->m, s->by_call, sends.end, sends.at++);
		}
	}
	sort(step, n, sizeof(*step), by_time); /* clocks that were moved */
	return n;
}

/* The most sends and receives of a rank. */
static size_t most_steps(const struct evidence_base *b)
{
	size_t most = 0;

	for (uint32_t r = 0; r < b->t->n_ranks; r++) {
		size_t n = b->senders.of_rank[r + 1] - b->senders.of_rank[r] +
			   (b->m->by_dst[r + 1] - b->m->by_dst[r]);

		most = n > most ? n : most;
	}
	return most;
}

static void add(struct dialogue *d, const struct speaker *x)
{
	d->askers += x->requests > 0;
	d->all.requests += x->requests;
	d->all.at_once += x->at_once;
	d->all.replies += x->replies;
	d->all.thought_s += x->thought_s;
	d->all.handler_s += x->handler_s;
	d->all.squares += x->squares;
}

/* The ranks at work, side by side. */
struct listening {
	const struct evidence_base *b;
	const struct phases *phases;
	uint32_t phase;
	struct dialogue d;
	unsigned hands;
	struct step *step[SHARE_MOST]; /* each hand's room */
};

static int listen_to(void *listening, unsigned hand, uint32_t rank, struct err *err)
{
	struct listening *l = listening;
	struct step *step = l->step[hand];
	size_t n = list_steps(l->b, l->phases, l->phase, rank, step);

	(void)err;
	walk_steps(&l->d, l->b->t->n_ranks, rank, n, step);
	return 0;
}

/* Returns 0, or -1: out of memory. */
static int make_rooms(struct listening *l, enum dialogue_depth depth)
{
	size_t ranks = l->b->t->n_ranks, most = most_steps(l->b) + 1;

	l->d.speaker = calloc(ranks + 1, sizeof(*l->d.speaker));
	if (depth == DIALOGUE_OF_PAIRS)
		l->d.asked = calloc(ranks * ranks + 1, sizeof(*l->d.asked));
	if (!l->d.speaker || (depth == DIALOGUE_OF_PAIRS && !l->d.asked))
		return -1;
	for (unsigned k = 0; k < l->hands; k++)
		if (!(l->step[k] = table_alloc(most, sizeof(struct step))))
			return -1;
	return 0;
}

int dialogue_find(const struct evidence_base *b, const struct phases *phases, uint32_t phase,
		  enum dialogue_depth depth, struct dialogue *out, struct err *err)
{
	uint32_t ranks = b->t->n_ranks;
	struct listening l = {.b = b, .phases = phases, .phase = phase, .hands = share_hands()};
	int ret;

	if (make_rooms(&l, depth))
		ret = err_set(err, "out of memory for what %u ranks ask each other", ranks);
	else
		ret = share_run(l.hands, ranks, listen_to, &l, err);
	for (unsigned k = 0; k < l.hands; k++)
		table_free(l.step[k]);
	if (ret) {
		dialogue_release(&l.d);
		return -1;
	}
	for (uint32_t r = 0; r < ranks; r++)
		add(&l.d, &l.d.speaker[r]);
	*out = l.d;
	return 0;
}

void dialogue_release(struct dialogue *d)
{
	free(d->asked);
	free(d->speaker);
	*d = (struct dialogue){NULL};
}
