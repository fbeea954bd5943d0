/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/receive_order.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/gains/as_they_come.h"
#include "analyze/gains/retime.h"
#include "analyze/tools/instants.h"
#include "common/table.h"

#define MESSAGES_OF_TURN 8 /* that are looked at to see the next one */

/* A rank that sends to the one at work. */
struct source {
	uint32_t seen;     /* the last stretch, from 1, in which it had a turn; 0: none */
	uint32_t last;     /* the last of these */
	uint32_t follower; /* whose turn was next when it had one, */
	uint32_t messages; /* of so many, */
	uint32_t followed; /* in that stretch */
};

/* The stretches of a rank at one place. */
struct stretches {
	const struct evidence_base *b;
	struct receive_order *o;
	uint32_t key;
	struct source *source; /* per rank */
	uint32_t stretch;
	int is_chained;    /* the stretches so far belong together, as retime.h has one base */
	uint32_t from;     /* if so: the first stretch of that */
	uint32_t first;    /* the first one of the rank at work */
	struct turn *turn; /* of the stretch at work */
	uint32_t n;
	uint32_t messages; /* of the last one */
	int several;       /* ranks have them */
	uint32_t sent;     /* of the attribution's by_send: the first that may be an answer */
	struct as_they_come play;
	/* Of the receiver: */
	double waited_s, between_s;
	int is_answered;
};

/* Does message i set out when its receive waits for it already? */
static int sets_out_late(const struct evidence_base *b, uint32_t i)
{
	const struct message *m = &b->m->m[i];

	return evidence_is_held(b, i) && message_is_posted(b->t, m) && m->recv_call == m->recv_done;
}

/* The turn of message i. */
static struct turn turn_of(const struct evidence_base *b, uint32_t i)
{
	const struct message *m = &b->m->m[i];
	int64_t leave_ns = b->t->calls[m->recv_done].leave_ns;
	struct turn x = {.message = i,
			 .src = m->src,
			 .answer = TRACE_NONE,
			 .next = TRACE_NONE,
			 .then = TRACE_NONE};

	x.asked_ns = evidence_asked_ns(b, i);
	x.there_ns = earlier(b->a->arrival_ns[i], leave_ns);
	x.sent_ns = earlier(b->t->calls[m->send_call].enter_ns, x.there_ns);
	x.sets_out_late = sets_out_late(b, i);
	x.ready_ns = x.sets_out_late ? x.sent_ns : x.there_ns;
	return x;
}

/* Does the call of message i's completion, one of end, complete others too? */
static int is_shared(const struct messages *m, uint32_t i, uint32_t end)
{
	return (i + 1 < end && m->m[i + 1].recv_done == m->m[i].recv_done) ||
	       (i > m->by_dst[m->m[i].dst] && m->m[i - 1].recv_done == m->m[i].recv_done);
}

/* Is there a call between these two of a rank for which others wait, too? */
static int is_parted(const struct trace *t, uint32_t from, uint32_t to)
{
	for (uint32_t c = from + 1; c < to; c++)
		if (trace_call_kind(t, c) == REGION_COLLECTIVE ||
		    call_collective(&t->calls[c]) != TRACE_NONE || t->calls[c].is_of_files)
			return 1;
	return 0;
}

/* Until a message is sent its receiver waits for it: so long another one is there, ns. */
static int64_t waits_ns(const struct turn *x, int64_t other_ns)
{
	return later(0, x->sent_ns - later(x->asked_ns, other_ns));
}

/* What the turns of the stretch wait while another's message is there. */
static void add_waits(struct stretches *s)
{
	const struct call *calls = s->b->t->calls;
	int64_t other_ns = INT64_MAX;

	for (uint32_t k = s->n; k-- > 0;) {
		const struct turn *x = &s->turn[k];
		int64_t ns = waits_ns(x, other_ns);

		s->o->waited += ns > 0;
		s->waited_s += ns * 1e-9;
		if (k + 1 < s->n)
			s->between_s +=
				(x[1].asked_ns - calls[s->b->m->m[x->message].recv_done].leave_ns) *
				1e-9;
		other_ns = earlier(other_ns, x->ready_ns);
	}
}

static void end_stretch(struct stretches *s)
{
	if (s->several) {
		s->o->turns += s->n;
		add_waits(s);
		as_they_come_play(&s->play, s->turn, s->n);
	}
	s->n = 0;
	s->several = 0;
	s->stretch++;
}

/*
 * What the rank sends until that call: back to whose turn it is, that is an answer; else others go
 * on, and the stretch ends.
 */
static void take_sends(struct stretches *s, uint32_t until)
{
	const struct message *all = s->b->m->m;
	const uint32_t *by_send = s->b->a->by_send;

	for (; s->sent < s->b->m->n && all[by_send[s->sent]].send_call < until; s->sent++) {
		const struct message *m = &all[by_send[s->sent]];
		struct turn *x = s->n > 0 ? &s->turn[s->n - 1] : NULL;

		if (!s->is_chained || m->src == m->dst)
			continue;
		if (x && m->dst == x->src && m->send_call > all[x->message].recv_done) {
			x->answer = by_send[s->sent];
			s->is_answered = 1;
			continue;
		}
		end_stretch(s);
		if (s->source[m->dst].seen >= s->from)
			as_they_come_send(&s->play, by_send[s->sent]);
	}
}

/* Is the receive of m posted in the stretch at work? */
static int is_posted_in(const struct stretches *s, const struct message *m)
{
	return m->recv_call != m->recv_done && m->recv_call != TRACE_NONE &&
	       m->recv_call > s->b->m->m[s->turn[0].message].recv_done;
}

/* And in the turn of its rank before it? */
static int is_posted_in_turn(const struct stretches *s, const struct message *m)
{
	const struct message *all = s->b->m->m;
	const struct turn *x = &s->turn[s->source[m->src].last];

	return s->source[m->src].seen == s->stretch && m->recv_call >= all[x->message].recv_done &&
	       (x == &s->turn[s->n - 1] || m->recv_call < all[x[1].message].recv_done);
}

/* After a turn of rank src it is that one's: as it was the last time, and as long? */
static void follow(struct stretches *s, uint32_t src, uint32_t next)
{
	struct source *x = &s->source[src];

	if (x->followed >= s->first) {
		s->o->followed++;
		s->o->as_before += x->follower == next && x->messages == s->messages;
	}
	x->follower = next;
	x->messages = s->messages;
	x->followed = s->stretch;
}

/* Message i, which comes to the rank next, as a turn of its own. */
static void add_turn(struct stretches *s, uint32_t i)
{
	const struct message *m = &s->b->m->m[i];
	struct source *x;

	if (s->n > 0 && is_posted_in(s, m) && !is_posted_in_turn(s, m))
		end_stretch(s);
	if (!s->is_chained) {
		as_they_come_start(&s->play, message_asked(s->b->t, m));
		s->is_chained = 1;
		s->from = s->stretch;
	}
	x = &s->source[m->src];
	if (x->seen == s->stretch)
		s->turn[x->last].next = s->n;
	s->several |= s->n > 0 && m->src != s->turn[0].src;
	x->seen = s->stretch;
	x->last = s->n;
	if (s->n > 0)
		follow(s, s->turn[s->n - 1].src, m->src);
	s->messages = 1;
	s->o->call = m->recv_done;
	s->turn[s->n++] = turn_of(s->b, i);
}

/* Message i, one of end, comes to the rank next, after its calls up to last. */
static void take_message(struct stretches *s, uint32_t i, uint32_t end, uint32_t last)
{
	const struct message *m = &s->b->m->m[i];

	take_sends(s, m->recv_done);
	if (s->is_chained && is_parted(s->b->t, last, m->recv_done)) {
		end_stretch(s);
		s->is_chained = 0;
	}
	if (m->src == m->dst)
		return;
	if (is_shared(s->b->m, i, end) || trace_call_kind(s->b->t, m->recv_done) == REGION_SENDRECV)
		end_stretch(s);
	else if (s->n > 0 && m->src == s->turn[s->n - 1].src)
		s->messages++;
	else if (trace_place(s->b->t, m->recv_done) == s->key)
		add_turn(s, i);
	else
		end_stretch(s);
}

static void take_rank(struct stretches *s, uint32_t rank)
{
	const struct messages *m = s->b->m;
	const struct rank *of = &s->b->t->ranks[rank];
	uint32_t end = m->by_dst[rank + 1], last = of->first_call;

	s->waited_s = s->between_s = 0;
	s->is_answered = s->is_chained = 0;
	s->first = s->stretch;
	while (s->sent < m->n && m->m[s->b->a->by_send[s->sent]].send_call < of->first_call)
		s->sent++;
	for (uint32_t i = m->by_dst[rank]; i < end; i++) {
		take_message(s, i, end, last);
		last = m->m[i].recv_done;
	}
	take_sends(s, of->first_call + of->calls);
	end_stretch(s);
	s->o->waited_s += s->waited_s;
	s->o->is_answered |= s->is_answered;
	s->o->lost_s[rank] = s->is_answered ? s->waited_s : fmin(s->waited_s, s->between_s);
}

static int find(struct stretches *s, struct err *err)
{
	const struct trace *t = s->b->t;
	size_t ranks = (size_t)t->n_ranks + 1;

	s->source = calloc(ranks, sizeof(*s->source));
	s->turn = table_alloc((size_t)messages_most(s->b->m, t->n_ranks) + 1, sizeof(*s->turn));
	s->play.coming = calloc(ranks, sizeof(*s->play.coming));
	s->play.heap = calloc(ranks, sizeof(*s->play.heap));
	if (!s->source || !s->turn || !s->play.coming || !s->play.heap)
		return err_set(err, "out of memory for %u ranks", t->n_ranks);
	for (uint32_t r = 0; r < t->n_ranks; r++)
		if (!t->ranks[r].is_threaded)
			take_rank(s, r);
	return 0;
}

int receive_order_find(struct receive_order *o, const struct evidence_base *b, uint32_t key,
		       struct err *err)
{
	struct stretches s = {.b = b,
			      .o = o,
			      .key = key,
			      .stretch = 1,
			      .play = {.b = b, .waited_ns = o->waited_ns, .to = o->to}};
	int ret;

	for (uint32_t c = 0; c < b->t->n_calls; c++)
		o->to[c].base = TRACE_NONE;
	for (uint32_t r = 0; r < b->t->n_ranks; r++)
		o->lost_s[r] = 0;
	o->turns = o->waited = o->followed = o->as_before = 0;
	o->waited_s = 0;
	o->is_answered = 0;
	ret = find(&s, err);
	free(s.play.heap);
	free(s.play.coming);
	table_free(s.turn);
	free(s.source);
	return ret;
}

/* The message of the turn after that of message i, at the same place; TRACE_NONE: none. */
static uint32_t next_turn(const struct evidence_base *b, uint32_t i, uint32_t key)
{
	const struct message *m = b->m->m;
	uint32_t end = i + 1 + MESSAGES_OF_TURN < b->m->n ? i + 1 + MESSAGES_OF_TURN : b->m->n;

	for (uint32_t k = i + 1; k < end && m[k].dst == m[i].dst; k++) {
		if (m[k].recv_done == m[i].recv_done)
			break;
		if (m[k].src != m[i].src)
			return trace_place(b->t, m[k].recv_done) == key ? k : TRACE_NONE;
	}
	return TRACE_NONE;
}

void receive_order_weigh(const struct evidence_base *b, double *key_s)
{
	const struct message *m = b->m->m;

	for (uint32_t i = 0; i + 1 < b->m->n; i++) {
		uint32_t key, next;
		struct turn x, y;

		messages_fetch(b->t, b->m, i);
		if (m[i].sent_ns <= evidence_asked_ns(b, i) || m[i].src == m[i].dst)
			continue;
		key = trace_place(b->t, m[i].recv_done);
		next = next_turn(b, i, key);
		if (next == TRACE_NONE)
			continue;
		x = turn_of(b, i);
		y = turn_of(b, next);
		key_s[key] += waits_ns(&x, y.ready_ns) * 1e-9;
	}
}

int receive_order_init(struct receive_order *o, const struct evidence_base *b, struct err *err)
{
	const uint32_t waiting = 1u << COST_late_partner | 1u << COST_collective_wait;
	size_t calls = (size_t)b->t->n_calls + 1;

	o->to = table_alloc(calls, sizeof(*o->to));
	o->waited_ns = table_alloc(calls, sizeof(*o->waited_ns));
	o->lost_s = calloc((size_t)b->t->n_ranks + 1, sizeof(*o->lost_s));
	if (!o->to || !o->waited_ns || !o->lost_s)
		return err_set(err, "out of memory for %u calls", b->t->n_calls);
	o->waited_ns[0] = 0;
	for (uint32_t c = 0; c < b->t->n_calls; c++)
		o->waited_ns[c + 1] = o->waited_ns[c] + slices_sum(&b->a->call, c, waiting);
	return 0;
}

void receive_order_release(struct receive_order *o)
{
	free(o->lost_s);
	table_free(o->waited_ns);
	table_free(o->to);
}
