/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether large messages move while their ends compute, from those that had time enough for it:
 * the receive was found complete by the first call after a long absence, or took its whole time
 * from that call on; or it completed before its sender, who had gone to compute, called MPI again,
 * or only after that. So many times late is contention as well, and tells nothing.
 */
#include "analyze/machine/machine_fit.h"

#include "analyze/tools/instants.h"
#include "analyze/tools/share.h"

#include <math.h>

#define NEED_MIN_NS     5000   /* what moves so fast may be chance, */
#define NEED_MIN_FAR_NS 400000 /* between different clocks */
#define CLOCKS_NS       100000 /* and those may be so much off */
#define TIMES_ENOUGH    2      /* time for it: so many times what the idle machine needs; */
#define TIMES_MOST      3      /* contended: so many times that */
#define MOVED_MIN       3      /* that moved, */
#define MOVED_SHARE     0.1    /* and of all that tell: they do */
#define UNMOVED_MIN     10     /* that did not, */
#define STRAY_SHARE     0.02   /* and so few others: they do not */

struct votes {
	uint32_t moved, unmoved;
};

struct seen {
	const struct trace *t;
	const struct messages *m;
	const struct machine_class *classes;
	struct votes receiver[LOCALITY_COUNT], sender[LOCALITY_COUNT];
};

static enum locality class_of(const struct seen *s, const struct message *x)
{
	return machine_locality(s->t, x->src, x->dst);
}

/* One way of its handshake. */
static double handshake_s(const struct machine_class *c, uint64_t bytes)
{
	return c->has_handshake ? c->handshake_s : machine_latency_s(c, bytes);
}

/* On the idle machine with a handshake, ns; 0: it makes none, or is too small to tell. */
static int64_t need_ns(const struct seen *s, const struct message *x)
{
	const struct machine_class *c = &s->classes[class_of(s, x)];
	int same = s->t->ranks[x->src].clock == s->t->ranks[x->dst].clock;
	int64_t need_ns;

	if (!c->n || x->src == x->dst || x->bytes <= c->eager_bytes ||
	    machine_is_open(c, x->bytes) || !message_is_posted(s->t, x))
		return 0;
	need_ns = llround(1e9 * (machine_latency_s(c, x->bytes) +
				 plogp_at((struct plogp){c->L_s, c->n, c->points}, x->bytes).g_s +
				 2 * handshake_s(c, x->bytes)));
	return need_ns >= (same ? NEED_MIN_NS : NEED_MIN_FAR_NS) ? need_ns : 0;
}

/* How much its ends' clocks may be off each other. */
static int64_t clocks_ns(const struct seen *s, const struct message *x)
{
	return s->t->ranks[x->src].clock == s->t->ranks[x->dst].clock ? 0 : CLOCKS_NS;
}

/*
 * Since when the rank that calls is outside MPI by then; INT64_MAX: its other threads may not be.
 */
static int64_t absent_since_ns(const struct trace *t, uint32_t call)
{
	const struct rank *r = &t->ranks[t->calls[call].rank];

	for (uint32_t c = call; c-- > r->first_call;) {
		if (trace_call_kind(t, c) == REGION_OTHER)
			continue;
		if (t->calls[c].thread != t->calls[call].thread ||
		    t->calls[c].leave_ns > t->calls[call].enter_ns)
			return INT64_MAX;
		return t->calls[c].leave_ns;
	}
	return r->begin_ns;
}

/* What one call completed: messages first to last - 1. Did they move while its rank was absent? */
static void see_receiver(struct seen *s, uint32_t first, uint32_t last)
{
	const struct message *x = &s->m->m[first];
	const struct call *done = &s->t->calls[x->recv_done];
	int64_t absent_ns = absent_since_ns(s->t, x->recv_done), sent_ns = INT64_MIN;
	int64_t all_ns = 0, most_ns = 0;
	struct votes *v = &s->receiver[class_of(s, x)];
	int moved = 0, all = 1;

	for (uint32_t i = first; i < last; i++) {
		int64_t ns = need_ns(s, &s->m->m[i]), off_ns = clocks_ns(s, &s->m->m[i]);
		int64_t asked_ns; /* the request is here */

		x = &s->m->m[i];
		asked_ns = x->sent_ns - off_ns +
			   llround(1e9 * handshake_s(&s->classes[class_of(s, x)], x->bytes));
		if (!ns || x->recv_call == x->recv_done || asked_ns < absent_ns) {
			all = 0;
			continue;
		}
		moved |= x->done_ns - done->enter_ns < ns / 2 &&
			 done->enter_ns - x->sent_ns - off_ns >= TIMES_ENOUGH * ns;
		sent_ns = later(sent_ns, x->sent_ns + off_ns);
		most_ns = later(most_ns, ns);
		all_ns += ns;
	}
	if (moved)
		v->moved++;
	else if (all && done->enter_ns - sent_ns >= TIMES_ENOUGH * all_ns &&
		 done->leave_ns - done->enter_ns >= most_ns / 2 &&
		 done->leave_ns - done->enter_ns <= TIMES_MOST * all_ns)
		v->unmoved++;
}

/* Its receiver waits for it. Did it move while its sender was absent? */
static void see_sender(struct seen *s, const struct message *x)
{
	const struct call *calls = s->t->calls;
	int64_t ns = need_ns(s, x), off_ns = clocks_ns(s, x), begun_ns, back_ns;
	struct votes *v = &s->sender[class_of(s, x)];

	if (!ns || x->send_done == TRACE_NONE || x->send_done == x->send_call)
		return;
	back_ns = calls[x->send_done].enter_ns;
	begun_ns = later(calls[x->recv_call].enter_ns, calls[x->recv_done].enter_ns);
	begun_ns = later(begun_ns + off_ns, absent_since_ns(s->t, x->send_done));
	if (begun_ns > back_ns - TIMES_ENOUGH * ns)
		return;
	if (x->done_ns + off_ns < back_ns)
		v->moved++;
	else if (x->done_ns - off_ns >= back_ns + ns / 2 && x->done_ns <= back_ns + TIMES_MOST * ns)
		v->unmoved++;
}

static double decide(const struct votes *v)
{
	double all = (double)v->moved + v->unmoved;

	if (v->moved >= MOVED_MIN && v->moved >= MOVED_SHARE * all)
		return 1;
	return v->unmoved >= UNMOVED_MIN && v->moved <= STRAY_SHARE * all ? 0 : NAN;
}

static void add(struct votes *sum, const struct votes *v)
{
	sum->moved += v->moved;
	sum->unmoved += v->unmoved;
}

/* The messages to one rank: a call completes no others. What each hand has seen is summed up. */
static int see_rank(void *seen, unsigned hand, uint32_t rank, struct err *err)
{
	struct seen *s = (struct seen *)seen + hand;
	const struct messages *m = s->m;
	uint32_t end = m->by_dst[rank + 1];

	(void)err;
	for (uint32_t i = m->by_dst[rank], last; i < end; i = last) {
		for (last = i; last < end && m->m[last].recv_done == m->m[i].recv_done; last++) {
			messages_fetch(s->t, m, last);
			see_sender(s, &m->m[last]);
		}
		if (region_waits(trace_call_kind(s->t, m->m[i].recv_done)))
			see_receiver(s, i, last);
	}
	return 0;
}

int machine_find_progress(const struct trace *t, const struct messages *m,
			  struct machine_class classes[LOCALITY_COUNT], struct err *err)
{
	struct seen hand[SHARE_MOST];

	for (unsigned k = 0; k < SHARE_MOST; k++)
		hand[k] = (struct seen){.t = t, .m = m, .classes = classes};
	if (share_run(share_hands(), t->n_ranks, see_rank, hand, err))
		return -1;
	for (int k = 0; k < LOCALITY_COUNT; k++) {
		struct votes receiver = {0}, sender = {0};

		for (unsigned h = 0; h < SHARE_MOST; h++) {
			add(&receiver, &hand[h].receiver[k]);
			add(&sender, &hand[h].sender[k]);
		}
		classes[k].progress = (struct machine_progress){decide(&receiver), decide(&sender)};
	}
	return 0;
}
