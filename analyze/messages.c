/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/messages.h"

#include "analyze/channels.h"
#include "analyze/sorting.h"
#include "common/huge.h"

#include <stdlib.h>
#include <string.h>

struct matcher {
	const struct trace *t;
	struct channels channels;
	uint32_t *sends;  /* by receiver, then as they are in the trace */
	uint32_t *next;   /* queues of channels, one element per element of sends */
	uint32_t *before; /* messages missing before each of them */
	uint32_t *first;  /* ranks + 1: in sends, those to a rank */
	struct gap *gaps; /* of the receiver at work */
	uint32_t n_gaps;
	uint8_t *
		pauses; /* per rank: does its recording, or is there none? Then a missing end is no surprise */
	uint32_t lost; /* from this window on nobody knows what the receiver took */
	struct messages out;
};

static const struct send *send_at(const struct matcher *m, uint32_t i)
{
	return &m->t->ends.sends[m->sends[i]];
}

/* The sends by receiver, otherwise in their order. Those to nowhere are left out. */
static int order_sends(struct matcher *m)
{
	const struct endpoints *e = &m->t->ends;
	uint32_t n = m->t->n_ranks, i, r;
	uint32_t *at = calloc((size_t)n + 1, sizeof(*at));

	if (!at)
		return -1;
	for (i = 0; i < e->n_sends; i++) {
		if (e->sends[i].dst < n)
			m->first[e->sends[i].dst + 1]++;
		else
			m->out.unmatched_sends++;
	}
	for (r = 0; r < n; r++)
		m->first[r + 1] += m->first[r];
	memcpy(at, m->first, (size_t)n * sizeof(*at));
	for (i = 0; i < e->n_sends; i++) {
		if (e->sends[i].dst < n)
			m->sends[at[e->sends[i].dst]++] = i;
	}
	free(at);
	return 0;
}

static void add_message(struct matcher *m, const struct send *send, uint32_t dst,
			const struct recv *recv)
{
	const struct call *call = &m->t->calls[send->call];

	m->out.m[m->out.n++] = (struct message){
		.bytes = send->bytes,
		.src = call->rank,
		.dst = dst,
		.comm = send->comm,
		.tag = send->tag,
		.send_call = send->call,
		.send_done = send->done,
		.recv_call = recv->call,
		.recv_done = recv->done,
		.place = trace_place(m->t, send->call),
		.sent_ns = call->enter_ns,
		.done_ns = recv->done_ns,
		.send_done_ns = send->done_ns,
		.not_here_ns = recv->not_here_ns,
	};
}

static int by_channel(const struct gap *x, const struct gap *y)
{
	if (x->comm != y->comm)
		return x->comm < y->comm ? -1 : 1;
	if (x->src != y->src)
		return x->src < y->src ? -1 : 1;
	return x->tag < y->tag ? -1 : x->tag > y->tag;
}

static int by_window(const void *a, const void *b)
{
	const struct gap *x = a, *y = b;
	int order = by_channel(x, y);

	return order ? order : x->window < y->window ? -1 : x->window > y->window;
}

static void order_gaps(struct matcher *m, uint32_t rank)
{
	const struct endpoints *e = &m->t->ends;
	uint32_t first = e->of[rank].gap, n = e->of[rank + 1].gap - first, i;

	m->lost = TRACE_NONE;
	m->n_gaps = n;
	for (i = 0; i < n; i++) {
		m->gaps[i] = e->gaps[first + i];
		if (m->gaps[i].comm == TRACE_NONE && m->gaps[i].window < m->lost)
			m->lost = m->gaps[i].window;
	}
	if (n)
		qsort(m->gaps, n, sizeof(*m->gaps), by_window);
}

/* Pass over what is missing on recv's channel before it. */
static void pass_gaps(struct matcher *m, const struct recv *recv, struct channel_key key)
{
	const struct gap wanted = {.src = recv->src, .comm = recv->comm, .tag = recv->tag};
	struct gap *gaps = m->gaps;
	size_t low = 0, high = m->n_gaps;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (by_channel(&gaps[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < m->n_gaps && !by_channel(&gaps[low], &wanted) &&
	       gaps[low].window <= recv->window;
	     low++) {
		if (gaps[low].n)
			m->out.one_ended +=
				channels_skip(&m->channels, key, m->next, m->before, gaps[low].n);
		gaps[low].n = 0;
	}
}

/*
 * Join a receive with the oldest send that it can have taken, when both ends can be timed. That one
 * is missing is no surprise where the sender's recording paused; nor that a receive never
 * completed where the receiver's did: what is left at the end of full logs cannot be written.
 */
static void match(struct matcher *m, uint32_t rank, const struct recv *recv)
{
	struct channel_key key = {recv->comm, recv->src, recv->tag};
	uint32_t send = CHANNELS_NONE;
	int expected = recv->src != TRACE_NONE && m->pauses[recv->src];

	if (recv->done == TRACE_NONE && m->pauses[rank])
		expected = 1;
	if (recv->window >= m->lost) {
		send = CHANNELS_GAP;
	} else if (recv->done != TRACE_NONE && recv->src != TRACE_NONE) {
		pass_gaps(m, recv, key);
		send = channels_pop(&m->channels, key, m->next, m->before,
				    m->t->calls[recv->done].thread);
	}
	if (send < CHANNELS_GAP && !recv->unseen)
		add_message(m, send_at(m, send), rank, recv);
	else if (send == CHANNELS_NONE && !recv->unseen && !expected)
		m->out.unmatched_recvs++;
	else
		m->out.one_ended++;
}

/* The sends to one receiver lie far from each other, and so do their calls. */
static void fetch_ahead(const struct matcher *m, uint32_t i)
{
	uint32_t last = m->first[m->t->n_ranks];

	if (last - i > 2 * MESSAGES_AHEAD)
		__builtin_prefetch(send_at(m, i + 2 * MESSAGES_AHEAD));
	if (last - i > MESSAGES_AHEAD)
		__builtin_prefetch(&m->t->calls[send_at(m, i + MESSAGES_AHEAD)->call]);
}

static int match_receiver(struct matcher *m, uint32_t rank)
{
	const struct endpoints *e = &m->t->ends;
	uint32_t i, left = 0;

	for (i = m->first[rank]; i < m->first[rank + 1]; i++) {
		const struct send *s = send_at(m, i);
		const struct call *call = &m->t->calls[s->call];
		struct channel_key key = {s->comm, call->rank, s->tag};

		fetch_ahead(m, i);
		m->before[i] = s->skipped;
		if (channels_push(&m->channels, key, i, m->next, call->thread))
			return -1;
	}
	order_gaps(m, rank);
	for (i = e->of[rank].recv; i < e->of[rank + 1].recv; i++)
		match(m, rank, &e->recvs[i]);
	channels_clear(&m->channels, m->next, &left, &m->out.ambiguous);
	if (m->pauses[rank])
		m->out.one_ended += left;
	else
		m->out.unmatched_sends += left;
	return 0;
}

static int by_completion(const void *a, const void *b)
{
	const struct message *x = a, *y = b;

	if (x->done_ns != y->done_ns)
		return x->done_ns < y->done_ns ? -1 : 1;
	if (x->send_call != y->send_call)
		return x->send_call < y->send_call ? -1 : 1;
	return 0;
}

/* Room for everything. */
static int allocate(struct matcher *m)
{
	const struct trace *t = m->t;
	size_t sends = t->ends.n_sends, completed = 0;
	uint32_t r, i;

	for (i = 0; i < t->ends.n_recvs; i++)
		completed += t->ends.recvs[i].done != TRACE_NONE;
	m->sends = huge_pages(calloc(sends + 1, sizeof(*m->sends)));
	m->next = huge_pages(calloc(sends + 1, sizeof(*m->next)));
	m->before = huge_pages(calloc(sends + 1, sizeof(*m->before)));
	m->gaps = calloc(t->ends.n_gaps + 1, sizeof(*m->gaps));
	m->pauses = calloc((size_t)t->n_ranks + 1, 1);
	m->first = calloc((size_t)t->n_ranks + 1, sizeof(*m->first));
	m->out.m =
		huge_pages(calloc((sends < completed ? sends : completed) + 1, sizeof(*m->out.m)));
	m->out.by_dst = calloc((size_t)t->n_ranks + 1, sizeof(*m->out.by_dst));
	if (!m->sends || !m->next || !m->before || !m->gaps || !m->pauses || !m->first ||
	    !m->out.m || !m->out.by_dst)
		return -1;
	for (r = 0; r < t->n_ranks; r++) {
		m->pauses[r] = t->ranks[r].absent;
		for (i = t->ranks[r].first_op; i < t->ranks[r].first_op + t->ranks[r].ops; i++)
			m->pauses[r] |= t->ops[i].kind == OP_PAUSE;
	}
	return 0;
}

static int match_all(struct matcher *m)
{
	struct messages *out = &m->out;
	uint32_t r;

	if (allocate(m) || order_sends(m))
		return -1;
	for (r = 0; r < m->t->n_ranks; r++) {
		out->by_dst[r] = out->n;
		if (match_receiver(m, r))
			return -1;
		sort(&out->m[out->by_dst[r]], out->n - out->by_dst[r], sizeof(*out->m),
		     by_completion);
	}
	out->by_dst[r] = out->n;
	out->cancelled = m->t->ends.n_cancelled;
	return 0;
}

int messages_match(const struct trace *t, struct messages *out, struct err *err)
{
	struct matcher m = {.t = t};
	int ret = match_all(&m);

	if (ret) {
		messages_release(&m.out);
		err_set(err, "%s: out of memory while matching its messages", t->anchor);
	} else {
		*out = m.out;
	}
	channels_release(&m.channels);
	free(m.sends);
	free(m.next);
	free(m.before);
	free(m.gaps);
	free(m.pauses);
	free(m.first);
	return ret;
}

uint32_t messages_most(const struct messages *m, uint32_t ranks)
{
	uint32_t most = 0;

	for (uint32_t r = 0; r < ranks; r++)
		if (m->by_dst[r + 1] - m->by_dst[r] > most)
			most = m->by_dst[r + 1] - m->by_dst[r];
	return most;
}

void messages_release(struct messages *m)
{
	free(m->m);
	free(m->by_dst);
	*m = (struct messages){0};
}
